"""Play a recording to a server again, and show what drifted.

What the client said is said again, in order; the server's own requests are answered as the recorded client answered
them. The answers are compared after masks, which hide what rightly varies: timestamps, UUIDs, generated ids, durations,
and what --mask and the configuration name. The replay is recorded as a new session.

Replaying executes real tool calls. Mutating tools are called once at most, destructive ones only with
--execute-destructive; `mcptest tools SESSION` shows which is which. Cleaning up what calls have changed is yours to do.

Exit code: 0 no drift, 1 drift, 2 bad input, 3 the target died or could not be reached, 5 the policy refused all there
was to call.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from mcptest.capture import locate
from mcptest.cli import output as outputs
from mcptest.cli.guard import complain
from mcptest.cli.options import CaptureOption, ForceOption
from mcptest.cli.reporting import ReportFormatOption, ReportOutputOption, emit
from mcptest.cli.targets import (
    BearerOption,
    CallDelayOption,
    CommandArgument,
    ConcurrencyOption,
    DestructiveOption,
    HeaderOption,
    MaxCallsOption,
    RepeatOption,
    UrlOption,
    chosen,
    environment,
    live,
    policy,
)
from mcptest.cli.terminal import escape, wants_colour
from mcptest.errors import EXIT_FINE, UsageError

if TYPE_CHECKING:
    from mcptest.replay import Judging, Recording, Replayed, Source

RecordingArgument = Annotated[
    str,
    typer.Argument(
        metavar="SESSION|FILE", help="A recording: a session's id, name, last, last:2; or a file that was exported."
    ),
]


def run(
    recording: RecordingArgument,
    command: CommandArgument = None,
    url: UrlOption = None,
    header: HeaderOption = None,
    bearer_env: BearerOption = None,
    capture: CaptureOption = None,
    format: ReportFormatOption = None,
    output: ReportOutputOption = None,
    force: ForceOption = False,
    compare: Annotated[
        Literal["exact", "shape", "schema", "status"] | None,
        typer.Option("--compare", help="How closely: everything, types and keys, the output schema, or success alone."),
    ] = None,
    mask: Annotated[
        list[str] | None,
        typer.Option(
            "--mask", metavar="[TOOL:]POINTER", help="Ignore this place of answers, e.g. /result/content/*/text."
        ),
    ] = None,
    mask_pattern: Annotated[
        list[str] | None, typer.Option("--mask-pattern", metavar="REGEX", help="Ignore what this matches in texts.")
    ] = None,
    no_mask: Annotated[
        list[str] | None,
        typer.Option("--no-mask", metavar="KIND", help="Turn off a built-in mask: timestamps, uuids, ids, durations."),
    ] = None,
    learn_masks: Annotated[
        bool,
        typer.Option("--learn-masks", help="Ask what only reads twice, and propose masks for what varied."),
    ] = False,
    max_slowdown: Annotated[
        float | None,
        typer.Option("--max-slowdown", min=1.0, metavar="FACTOR", help="Slower answers than so many times are drift."),
    ] = None,
    parallel: Annotated[bool, typer.Option("--parallel", help="Keep the recorded overlap of requests.")] = False,
    pace: Annotated[
        Literal["fast", "recorded"], typer.Option("--pace", help="Send at once, or with the recorded pauses.")
    ] = "fast",
    timeout: Annotated[
        float, typer.Option("--timeout", min=0.1, metavar="SECONDS", help="How long to wait for an answer.")
    ] = 30.0,
    secret: Annotated[
        list[str] | None,
        typer.Option(
            "--secret",
            metavar="PLACEHOLDER=ENV",
            help="Send the value of this environment variable where the recording has the placeholder. Repeatable.",
        ),
    ] = None,
    update: Annotated[
        bool, typer.Option("--update", help="Accept the new answers: write them into the recording.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before --update writes.")] = False,
    execute_destructive: DestructiveOption = False,
    max_calls: MaxCallsOption = None,
    concurrency: ConcurrencyOption = 2,
    call_delay: CallDelayOption = 100,
    repeat_mutating: RepeatOption = False,
) -> int:
    from mcptest.replay import Manner, exit_code, find, read, regress

    target = chosen(command, url, header, bearer_env)
    judging = _judging(compare, mask, mask_pattern, no_mask, max_slowdown)
    secrets = dict(map(_secret, secret or ()))
    if update and not yes and not sys.stdin.isatty():
        raise UsageError("--update asks before it writes, and there is nobody to ask: give --yes")
    place = locate(capture)
    source = find(recording, place)
    played = read(source.frames())
    _look_at(played, source, secrets)
    manner = Manner(parallel, pace == "recorded", learn_masks, timeout, secrets)
    replayed = live(
        regress(
            played,
            target,
            policy=policy(execute_destructive, max_calls, concurrency, call_delay, repeat_mutating),
            manner=manner,
            judging=judging,
            place=place,
            name=f"replay of {played.facts.name or played.session or source.name}",
            replay_of=played.session or source.name,
            complain=complain,
        )
    )
    _tell(replayed, source, format, output, force=force)
    if learn_masks:
        _propose(replayed)
    if update and replayed.run.stopped is None and _accept(replayed, source, place, asked=not yes):
        return EXIT_FINE
    return exit_code(replayed)


def _judging(
    compare: str | None,
    mask: list[str] | None,
    patterns: list[str] | None,
    no_mask: list[str] | None,
    max_slowdown: float | None,
) -> Judging:
    from mcptest import config
    from mcptest.replay import Compare, Judging, Mask, MaskSet, masks

    settings = config.load()
    table = settings.table("replay", {"compare", "masks", "no_masks", "ignore_notifications"})
    where = f"{settings.path}: [replay]"
    found = [masks.from_table(entry, where) for entry in _list(table, "masks", where)]
    found += [masks.parse_mask(text) for text in mask or ()]
    for pattern in patterns or ():
        found.append(Mask(pattern=pattern))
        masks.check(found[-1], "--mask-pattern")
    off = {*masks.check_kinds(_list(table, "no_masks", where), where), *masks.check_kinds(no_mask or (), "--no-mask")}
    named = compare or table.get("compare", "exact")
    if named not in list(Compare):
        raise UsageError(f"{where}: compare is one of {', '.join(Compare)}, not {named!r}")
    judging = Judging(
        MaskSet(tuple(found), tuple(kind for kind in masks.ALL if kind not in off)),
        Compare(named),
        ignored=frozenset(map(str, _list(table, "ignore_notifications", where))),
    )
    return judging if max_slowdown is None else judging._replace(slower=max_slowdown, gate_latency=True)


def _list(table: dict[str, Any], key: str, where: str) -> list[Any]:
    value = table.get(key, [])
    if not isinstance(value, list):
        raise UsageError(f"{where}: {key} must be a list")
    return value


def _secret(text: str) -> tuple[str, str]:
    placeholder, equals, name = text.partition("=")
    if not equals or not placeholder or not name:
        raise UsageError(f"--secret {text!r}: write it as PLACEHOLDER=ENVIRONMENT_VARIABLE")
    return placeholder, environment(name, "--secret")


def _look_at(played: Recording, source: Source, secrets: dict[str, str]) -> None:
    from mcptest.replay import placeholders

    if not played.turns:
        raise UsageError(f"{source.name} holds no message of a client, so there is nothing to replay")
    left = {found for turn in played.turns for found in placeholders(turn.params)} - set(secrets)
    if left:
        some = ", ".join(sorted(left)[:3]) + (" …" if len(left) > 3 else "")
        complain(
            f"warning: secrets in the recorded requests were redacted, and are sent as their placeholders ({some}): "
            "give their values with --secret PLACEHOLDER=ENVIRONMENT_VARIABLE"
        )
    unknown = set(secrets) - {found for turn in played.turns for found in placeholders(turn.params)}
    if unknown:
        raise UsageError(f"--secret {sorted(unknown)[0]}: the recording has no such placeholder")


def _tell(replayed: Replayed, source: Source, format: str | None, output: str | None, *, force: bool) -> None:
    from mcptest.cli.drift_view import lines
    from mcptest.replay import report
    from mcptest.report import suffix_format

    chosen_format = format or (suffix_format(output) if output not in (None, outputs.STDOUT) else None) or "text"
    if chosen_format == "text":
        with outputs.opened(output, force=force) as sink:
            colour = output in (None, outputs.STDOUT) and wants_colour(sys.stdout)
            sink.write("".join(line + "\n" for line in lines(replayed, colour=colour)))
        return
    emit(report(replayed, source.name, by_request=chosen_format == "junit"), chosen_format, output, force=force)


def _propose(replayed: Replayed) -> None:
    from mcptest.replay import learnt

    found = learnt(replayed.run, replayed.judging.masks)
    if not found:
        complain("nothing varied that is not masked already")
        return
    complain("what varied between two answers to the same request; for mcptest.toml:")
    tables = dict.fromkeys((step.turn.method, step.turn.name, pointer) for step, pointer in found)
    for method, name, pointer in tables:
        limit = f"tool = {_toml(name)}" if method == "tools/call" else f"method = {_toml(method)}"
        print(f"[[replay.masks]]\n{limit}\npointer = {_toml(pointer)}\n", file=sys.stderr)


def _toml(text: str | None) -> str:
    import json

    return escape(json.dumps(text))


def _accept(replayed: Replayed, source: Source, place: Any, *, asked: bool) -> bool:
    from mcptest.replay import find, put_back, read, updated

    if not replayed.drift or replayed.run.session is None:
        complain("nothing drifted: the recording stays as it is")
        return True
    live = read(find(replayed.run.session, place).frames())
    made = updated(source.frames(), replayed, live)
    for text in made.left:
        complain(f"not taken over: {text}")
    if not made.answers and not made.messages:
        return False
    what = f"{made.answers} answers and {made.messages} other messages"
    question = f"accept {what} into {source.name}?"
    if asked and not typer.confirm(escape(question), default=False, err=True):
        complain("left as it is")
        return False
    where = put_back(source, made.frames, place)
    complain(f"{what} accepted: {where}")
    return not made.left
