"""The second act of a run: one of its matches, that is over, is played on from one of its turns.

It is drawn when the first act has ended, so that this one is the same whether another follows.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from simulation.diary import Diary, Evidence, Origin, Play
from simulation.matchplan import TURNS, Plan
from sunglare_server.match.past import records_of
from sunglare_server.match.record import PlayedOn, unpacked
from sunglare_server.match.state import MatchState
from sunglare_server.match.step import step

NAMES: Final = ("kim", "lea", "max", "nat")
"""Who plays on: others than those who have played."""

OFTEN: Final = 0.5
"""How often a run has a second act."""


def second_act(rng: Random, plans: Sequence[Plan], diaries: Mapping[str, Diary]) -> Plan | None:
    """Return the match of a second act, if a run has one: any turn of any of its matches."""
    if rng.random() >= OFTEN:
        return None
    old = rng.choice(plans)
    turn = rng.randint(1, max(_turns(diaries[name]) for name in old.names))
    return Plan(
        scenario="",
        options={"clock": "test", "allowance_beats": rng.choice((1, 3))},
        names=NAMES[: len(old.names)],
        resigns=turn + rng.choice(TURNS) - 1,
        origin=Origin(diaries[old.names[0]].match, turn),
    )


def _turns(diary: Diary) -> int:
    """Return how many turns of a match somebody was shown."""
    return 1 if diary.frame is None else diary.frame.turn


def wrongly_begun(evidence: Evidence, play: Play) -> list[str]:
    """Find what is wrong with the beginning of a match that is played on."""
    if play.origin is None:
        return []
    old = next(one for one in evidence.plays if one.match == play.origin.match)
    opened = unpacked(play.records[0], 1, b"").b
    if not isinstance(opened, PlayedOn):
        return ["it was to be played on, and begins anew"]
    blobs = records_of(opened.past)
    if blobs != old.records[: len(blobs)]:
        return ["it has another past than the match that it is played on from"]
    before, after = _state_after(blobs), _state_after(play.records[:1])
    found = []
    if before.standing.turn != play.origin.turn:
        found.append(f"it was to begin in turn {play.origin.turn}, not {before.standing.turn}")
    if (before.truth, before.standing) != (after.truth, after.standing):
        found.append("it does not begin with the truth of that turn")
    if before.seed == after.seed:
        found.append("its dice are those of the other match")
    return found


def _state_after(blobs: Sequence[bytes]) -> MatchState:
    state: MatchState | None = None
    last = b""
    for number, blob in enumerate(blobs, 1):
        state, last = step(state, unpacked(blob, number, last)).state, blob
    assert state is not None
    return state
