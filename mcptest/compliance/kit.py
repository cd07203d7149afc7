"""Everything that a rule's module imports; docs/compliance-rules.md explains it."""

from mcptest.catalogue import a
from mcptest.compliance.history import History
from mcptest.compliance.http import HttpExchange, SseEvent
from mcptest.compliance.http_side import OVER_HTTP
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
    http_ends,
    http_requests,
    http_responses,
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
    sse_events,
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
    "OVER_HTTP",
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
    "HttpExchange",
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
    "SseEvent",
    "a",
    "answers",
    "blocks",
    "calls",
    "events",
    "exchanges",
    "http_ends",
    "http_requests",
    "http_responses",
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
    "sse_events",
    "templates",
    "tools",
    "warning",
]
