"""The second act of a run: what is drawn, and that the judge finds what begins otherwise."""

from collections import Counter
from random import Random

import pytest

from builders.matches import opened
from builders.played import START_MS, Rig, rig
from builders.scenarios import scenarios
from builders.truths import MATCH, seed_of
from simulation.diary import Diary, Evidence, Origin, Play
from simulation.matchplan import plans
from simulation.secondact import second_act, wrongly_begun
from sunglare_protocol.ids import PUBLIC, MatchId, Side
from sunglare_server.match.past import past_of, played_on
from sunglare_server.match.record import RECORD_VERSION, Kind, Opened, Past, Record, packed
from sunglare_server.match.record import unpacked as record_of
from sunglare_server.match.state import MatchState
from sunglare_server.match.step import step

AGAIN = MatchId("b" * 26)
TURN = 2


@pytest.fixture(scope="module")
def old() -> Rig:
    """Return a match that has reached the third turn."""
    match = rig(scenarios()["duel"], 5, PUBLIC)
    match.play(Random(5), 24)
    assert match.state.standing.turn > TURN
    return match


def past(old: Rig, turn: int, *, match: MatchId = MATCH) -> Past:
    """Return the past of a match that begins at a turn of the old one."""
    state: MatchState | None = None
    last = b""
    for number, blob in enumerate(old.journal, 1):
        state, last = step(state, record_of(blob, number, last)).state, blob
        if state.standing.turn == turn:
            found = past_of(match, turn, tuple(old.journal[:number]))
            assert found is not None
            return found
    raise AssertionError(f"it has no turn {turn}")


def opening(old: Rig, held: Past | None, seed: int = 99) -> bytes:
    """Return the first record of a match that is played on, or of one that is not."""
    body = record_of(old.journal[0], 1, b"").b
    assert isinstance(body, Opened)
    made = opened(body.scenario, body.options, seed_of(seed))
    again = made if held is None else played_on(made, held)
    return packed(Record(v=RECORD_VERSION, m=AGAIN, n=1, k=Kind.OPEN, t=START_MS, b=again))


def evidence(old: Rig, first: bytes) -> Evidence:
    """Return what is known of both matches."""
    again = Play(AGAIN, "test", (first,), (), (), Origin(MATCH, TURN))
    return Evidence((Play(MATCH, "test", tuple(old.journal), ()), again), (), (), 0.0)


def faults(old: Rig, first: bytes) -> list[str]:
    """Return what the judge says of the beginning of a match that was to be played on."""
    known = evidence(old, first)
    return [line for play in known.plays for line in wrongly_begun(known, play)]


def test_a_match_that_begins_where_the_other_one_was_is_in_order(old: Rig) -> None:
    assert faults(old, opening(old, past(old, TURN))) == []


def test_a_match_that_begins_anew_is_found(old: Rig) -> None:
    assert faults(old, opening(old, None)) == ["it was to be played on, and begins anew"]


def test_a_match_that_begins_in_another_turn_is_found(old: Rig) -> None:
    assert faults(old, opening(old, past(old, TURN - 1))) == [
        f"it was to begin in turn {TURN}, not {TURN - 1}"
    ]


def test_a_match_with_the_past_of_another_one_is_found(old: Rig) -> None:
    other = rig(scenarios()["duel"], 6, PUBLIC)
    other.play(Random(6), 24)
    assert faults(old, opening(old, past(other, TURN))) == [
        "it has another past than the match that it is played on from"
    ]


def test_a_match_with_the_dice_of_the_other_one_is_found(old: Rig) -> None:
    assert faults(old, opening(old, past(old, TURN), seed=5)) == [
        "its dice are those of the other match"
    ]


def test_about_every_second_run_has_a_second_act_in_the_seats_of_one_of_its_matches() -> None:
    drawn = Counter[int]()
    for seed in range(200):
        rng = Random(seed)
        every = plans(rng, is_simulated=True)
        names = [name for plan in every for name in plan.names]
        diaries = {name: Diary(name, MATCH, Side("A"), "", "") for name in names}
        found = second_act(rng, every, diaries)
        drawn[0 if found is None else len(found.names)] += 1
        assert found is None or found.origin == Origin(MATCH, 1)
        assert found is None or not set(found.names) & set(names)
    assert 60 < drawn[0] < 140
    assert drawn[2] > drawn[4] > 0
