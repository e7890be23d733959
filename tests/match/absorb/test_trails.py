"""What a hunt leaves with hunter and owner: the handle, what was found under it, the trackers."""

import pytest
from msgspec.structs import replace

from builders import intels
from builders.truths import A1, DICE, A, B
from sunglare_protocol.geometry import Compass, Square, Vector
from sunglare_protocol.ids import Handle, OwnId, audience_of
from sunglare_protocol.notices import CloakedFound, ShotSeen
from sunglare_protocol.words.cloak import TrackerMode
from sunglare_protocol.words.ladder import Fix
from sunglare_protocol.words.scans import Echo
from sunglare_rules.cloak.trackers import Tracker, Trackers
from sunglare_server.match.absorb.space import absorb
from sunglare_server.match.facts.space import (
    ContactsFaded,
    Counted,
    Fact,
    Found,
    OwnCounted,
    OwnTrailLost,
)
from sunglare_server.match.ids import PieceId, quarry_id
from sunglare_server.match.intel.space import Beset, Held, Intel, Trail

TURN = 6
QUARRY = quarry_id(A1, 1)
S1, S2 = OwnId("S1"), OwnId("S2")
OLD = ShotSeen(square=Square(1, 1))
TRACKERS = Trackers(multi=Tracker(count=2, turns=1), single=Tracker(count=1))
TRAIL = Trail(trackers=TRACKERS, solution_window=True, solution_dice=True, mode=TrackerMode.DICE)
COLD = replace(TRAIL, solution_window=False, solution_dice=False)
HELD = replace(intels.HELD, label="C3", fix=Fix.MEMORY, turn=4, side=A, type="raider", trail=TRAIL)
OTHER = replace(HELD, handle=Handle("bbbbbb"), label="C4")
ONE, TWO = PieceId("A>x"), PieceId("C>x")
BESET = Beset(fix=Fix.SOLUTION, trail=TRAIL)
KNOWN = Intel(
    audience=audience_of(B),
    turn=TURN,
    held={QUARRY: HELD, PieceId("q2"): OTHER},
    told=(OLD,),
    beset={S1: {ONE: BESET, TWO: BESET}, S2: {ONE: BESET}},
    handles=4,
    labels=4,
)
SPOT = Found(piece=QUARRY, fix=Fix.DETECTED, square=Square(9, 9), vector=Vector(0, 2))
SOLVED = replace(SPOT, fix=Fix.SOLUTION, facing=Compass.N, size=Echo.SMALL, side=A, type="ghost")


def learned(fact: Fact, known: Intel = KNOWN) -> Intel:
    """Return what is known after one more fact."""
    return absorb(known, fact, DICE)


@pytest.mark.parametrize("fact", [SPOT, SOLVED], ids=["detected", "solved"])
def test_a_find_shows_where_it_is_now_and_keeps_what_was_known_of_it(fact: Found) -> None:
    held = replace(
        HELD,
        fix=fact.fix,
        square=Square(9, 9),
        turn=TURN,
        vector=Vector(0, 2),
        facing=fact.facing,
        size=fact.size or Echo.LARGE,
        type=fact.type or "raider",
    )
    notice = CloakedFound(handle=HELD.handle, label="C3", square=Square(9, 9), fix=fact.fix)
    after = replace(KNOWN, held={**KNOWN.held, QUARRY: held}, told=(OLD, notice))
    assert learned(fact) == after


@pytest.mark.parametrize("fact", [SPOT, SOLVED], ids=["detected", "solved"])
def test_a_first_find_gets_the_next_handle_and_label(fact: Found) -> None:
    after = learned(fact, replace(KNOWN, held={}))
    handle = Handle(DICE.token(audience_of(B), 4))
    assert after.held == {
        QUARRY: Held(
            handle=handle,
            label="C5",
            fix=fact.fix,
            square=Square(9, 9),
            turn=TURN,
            vector=Vector(0, 2),
            facing=fact.facing,
            size=fact.size,
            side=fact.side,
            type=fact.type,
        )
    }
    assert (after.handles, after.labels) == (5, 5)
    assert after.told[0] == OLD


COUNTS = {
    "trackers": Trackers(),
    "solution_window": True,
    "solution_dice": False,
    "mode": TrackerMode.DICE,
}


def test_the_trackers_of_this_turn_take_the_place_of_those_before() -> None:
    trail = Trail(**COUNTS)  # type: ignore[arg-type]
    held = {**KNOWN.held, QUARRY: replace(HELD, trail=trail)}
    assert learned(Counted(piece=QUARRY, **COUNTS)) == replace(KNOWN, held=held)  # type: ignore[arg-type]
    beset = {**KNOWN.beset, S1: {TWO: BESET, ONE: Beset(fix=Fix.MEMORY, trail=trail)}}
    counted = OwnCounted(piece=ONE, ship=S1, fix=Fix.MEMORY, **COUNTS)  # type: ignore[arg-type]
    assert learned(counted) == replace(KNOWN, beset=beset)
    fresh = learned(counted, replace(KNOWN, beset={}))
    assert fresh.beset == {S1: {ONE: Beset(fix=Fix.MEMORY, trail=trail)}}


def test_a_hunt_that_ends_leaves_the_others_of_the_ship() -> None:
    after = learned(OwnTrailLost(piece=ONE, ship=S1))
    assert after == replace(KNOWN, beset={**KNOWN.beset, S1: {TWO: BESET}})


@pytest.mark.parametrize("fix", [Fix.DETECTED, Fix.SOLUTION, Fix.MEMORY])
def test_at_the_end_of_the_turn_a_hunted_ship_is_a_memory_without_solutions(fix: Fix) -> None:
    known = replace(KNOWN, held={QUARRY: replace(HELD, fix=fix)})
    after = learned(ContactsFaded(turn=TURN), known)
    assert after.held == {QUARRY: replace(HELD, fix=Fix.MEMORY, trail=COLD)}
    assert after.markers == ()
    old = Beset(fix=Fix.MEMORY, trail=COLD)
    assert after.beset == {S1: {ONE: old, TWO: old}, S2: {ONE: old}}


@pytest.mark.parametrize("fix", [Fix.DETECTED, Fix.SOLUTION, Fix.MEMORY])
def test_without_trackers_it_is_held_for_its_turn_only(fix: Fix) -> None:
    known = replace(KNOWN, held={QUARRY: replace(HELD, fix=fix, trail=None)})
    after = learned(ContactsFaded(turn=TURN), known)
    assert after.held == {}
    assert [marker.label for marker in after.markers] == ["C3"]
