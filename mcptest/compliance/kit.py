"""Everything that a rule's module imports; docs/compliance-rules.md explains it."""

from mcptest.catalogue import a
from mcptest.compliance.history import History
from mcptest.compliance.ids import Ids
from mcptest.compliance.known import Capabilities, Catalogue, Known
from mcptest.compliance.lines import Event, Fault, Line
from mcptest.compliance.on import (
    On,
    answers,
    blocks,
    calls,
    events,
    exchanges,
    inside,
    lines,
    listings,
    messages,
    notifications,
    objects,
    prompts,
    refusals,
    requests,
    resources,
    responses,
    results,
    sessions,
    templates,
    tools,
)
from mcptest.compliance.reader import NO_ID, SECOND, UNASKED
from mcptest.compliance.rule import (
    RACE,
    Context,
    Remark,
    Remarks,
    info,
    later,
    modern_server,
    remark,
    warning,
)
from mcptest.compliance.subjects import OTHER, Exchange, Listing, Message, Part
from mcptest.jsontext import pointer, same
from mcptest.rules import Inconclusive
from mcptest.wire import Id
from mcptest.wire.frame import CLIENT, SERVER
from mcptest.wire.message import identify, json_type

__all__ = [
    "CLIENT",
    "NO_ID",
    "OTHER",
    "RACE",
    "SECOND",
    "SERVER",
    "UNASKED",
    "Capabilities",
    "Catalogue",
    "Context",
    "Event",
    "Exchange",
    "Fault",
    "History",
    "Id",
    "Ids",
    "Inconclusive",
    "Known",
    "Line",
    "Listing",
    "Message",
    "On",
    "Part",
    "Remark",
    "Remarks",
    "a",
    "answers",
    "blocks",
    "calls",
    "events",
    "exchanges",
    "identify",
    "info",
    "inside",
    "json_type",
    "later",
    "lines",
    "listings",
    "messages",
    "modern_server",
    "notifications",
    "objects",
    "pointer",
    "prompts",
    "refusals",
    "remark",
    "requests",
    "resources",
    "responses",
    "results",
    "same",
    "sessions",
    "templates",
    "tools",
    "warning",
]
