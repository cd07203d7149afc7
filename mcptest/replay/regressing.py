"""A replay from end to end: connect, play, record, judge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from mcptest.capture import Place
from mcptest.live import Recorder
from mcptest.policy import Gate, Policy
from mcptest.protocol import methods
from mcptest.replay.drift import Drift, Judging, drift
from mcptest.replay.outcomes import Outcome, Run, Status
from mcptest.replay.plan import Recording
from mcptest.replay.player import Manner, Player
from mcptest.transport import Patience, Target, connect
from mcptest.transport.tap import untapped
from mcptest.wire.message import REQUEST

# Requests that say nothing about what a server does for its client.
_FORMALITIES = {methods.INITIALIZE, methods.DISCOVER, "ping", "logging/setLevel"}


class Replayed(NamedTuple):
    recording: Recording
    run: Run
    drift: tuple[Drift, ...]
    judging: Judging

    @property
    def skipped(self) -> list[Outcome]:
        return [outcome for outcome in self.run.outcomes if outcome.status is Status.SKIPPED]

    @property
    def refused_everything(self) -> bool:
        """Was there nothing that the policy let through, besides formalities?"""
        return any(outcome.refused for outcome in self.run.outcomes) and not any(
            outcome.status is Status.RAN
            and outcome.step.turn.kind == REQUEST
            and outcome.step.turn.method not in _FORMALITIES
            for outcome in self.run.outcomes
        )


async def regress(
    recording: Recording,
    target: Target,
    *,
    policy: Policy = Policy(),  # noqa: B008 -- immutable
    manner: Manner = Manner(),  # noqa: B008
    judging: Judging = Judging(),  # noqa: B008
    patience: Patience = Patience(),  # noqa: B008
    place: Place | None = None,
    name: str | None = None,
    replay_of: str | None = None,
    secrets: Sequence[str] = (),
    complain: Callable[[str], None] = lambda _: None,
) -> Replayed:
    """Play a recording to a target and compare. `place` is the capture that the replay is recorded into, None for none;
    `secrets` are values that must not be recorded. TargetError if the target cannot even be started or reached."""
    recorder = None
    if place is not None:
        hidden = [*secrets, *manner.secrets.values(), *(value for _, value in target.headers)]
        recorder = Recorder(place, target, name=name, secrets=hidden, complain=complain, replay_of=replay_of)
    player = Player(recording, Gate(policy, http=target.is_http), manner)
    try:
        async with connect(target, ears=player, tap=recorder or untapped, patience=patience) as peer:
            run = await player.play(peer)
    finally:
        if recorder is not None:
            recorder.close()
    run = run._replace(session=recorder.session if recorder else None)
    return Replayed(recording, run, tuple(drift(recording, run, judging)), judging)
