"""Which sides stand openly on an environs, for how long one alone has, and when that ends it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from builders.ground import SITE, unit
from builders.truths import A, B, C, ship, truth_of
from sunglare_protocol.ids import Side
from sunglare_protocol.surface import Site
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_server.match.apply.space import apply
from sunglare_server.match.data.scenario import Objective, ScenarioData, SideSetup
from sunglare_server.match.events.ground import OccupationCounted
from sunglare_server.match.ids import PieceId
from sunglare_server.match.resolve.occupation import is_occupied, occupations
from sunglare_server.match.truth.ground import GroundTruth, Occupier
from sunglare_server.match.truth.truth import Truth

FAR = Site(SITE.body, SITE.environs + 1)
SHIPS = tuple(ship(side) for side in (A, B, C))
ALL = (A, B, C)


def scenario(**ends: int) -> ScenarioData:
    """Return a scenario in which the sides named end the match so on the first environs."""
    setups = {
        Side(side): SideSetup(
            objectives=(
                Objective(kind=ObjectiveKind.HOLD, at=FAR),
                Objective(kind=ObjectiveKind.HOLD, at=SITE, ends_after=after),
            )
        )
        for side, after in ends.items()
    }
    return ScenarioData(title="Rig", sides={side: SideSetup() for side in ALL} | setups)


THREE = scenario(A=3, B=3)


def truth(*units: GroundTruth, occupiers: tuple[Occupier, ...] = ()) -> Truth:
    return replace(truth_of(*SHIPS), ground={one.id: one for one in units}, occupiers=occupiers)


def counted(now: Truth, data: ScenarioData = THREE) -> OccupationCounted:
    """Return what is counted on the only environs that counts."""
    (found,) = occupations(now, data)
    return found


def after_turns(turns: tuple[tuple[GroundTruth, ...], ...], data: ScenarioData = THREE) -> Truth:
    """Return the truth after so many turns' ends, with these units at each of them."""
    now = truth()
    for units in turns:
        now = replace(now, ground={one.id: one for one in units})
        for event in occupations(now, data):
            now = apply(now, event)
    return now


# Who stands openly.

UNCOUNTED = {
    "hidden": unit(B, hidden=True),
    "aboard a ship": unit(B, at="B/S1"),
    "on another environs": unit(B, site=FAR),
    "destroyed": replace(unit(B), fate=Fate.DESTROYED),
    "a remote sensor": unit(B, kind="ground-sensor"),
}


@pytest.mark.parametrize("other", UNCOUNTED.values(), ids=UNCOUNTED)
def test_only_troops_that_stand_openly_on_the_environs_are_counted(other: GroundTruth) -> None:
    assert counted(truth(unit(A), other)).sides == (A,)
    assert counted(truth(unit(A), other)).turns == 1
    assert counted(truth(other)).sides == ()


@pytest.mark.parametrize("sides", [(), (A,), (A, B), (B, C), (A, B, C)])
def test_every_side_with_open_troops_is_named_in_the_order_of_the_sides(
    sides: tuple[Side, ...],
) -> None:
    found = counted(truth(*(unit(side) for side in reversed(sides))))
    assert found.sides == sides
    assert found.turns == (1 if len(sides) == 1 else 0)


@pytest.mark.parametrize(("side", "after"), [(A, 3), (B, 3), (C, 0)])
def test_the_end_is_named_for_the_side_that_has_it_as_an_objective(side: Side, after: int) -> None:
    assert counted(truth(unit(side))).ends_after == after


def test_nothing_is_counted_where_no_objective_ends_the_match() -> None:
    assert list(occupations(truth(unit(A), unit(A, 2, site=FAR)), scenario(A=0))) == []


def test_an_environs_that_several_sides_have_to_occupy_is_counted_once() -> None:
    assert [event.site for event in occupations(truth(unit(A)), THREE)] == [SITE]


# Turns on end.

OWN, FOE, FOES_HIDDEN = unit(A), unit(B), unit(B, hidden=True)
COURSES = {
    "alone": (((OWN,), (OWN,)), A, 2),
    "beside hidden troops": (((OWN, FOES_HIDDEN), (OWN, FOES_HIDDEN)), A, 2),
    "contested and alone again": (((OWN,), (OWN, FOE), (OWN,)), A, 1),
    "left and come back": (((OWN,), (OWN,), (), (OWN,)), A, 1),
    "taken over at once": (((OWN,), (OWN,), (FOE,)), B, 1),
    "come out of hiding": (((FOES_HIDDEN,), (FOE,), (FOE,)), B, 2),
}


@pytest.mark.parametrize(("turns", "side", "number"), COURSES.values(), ids=COURSES)
def test_turns_are_counted_on_end_and_for_one_side_alone(
    turns: tuple[tuple[GroundTruth, ...], ...], side: Side, number: int
) -> None:
    assert after_turns(turns).occupiers == (Occupier(site=SITE, side=side, turns=number),)


@pytest.mark.parametrize("last", [(), (OWN, FOE), (FOES_HIDDEN,)])
def test_nobody_occupies_what_no_side_or_several_stand_on(last: tuple[GroundTruth, ...]) -> None:
    assert after_turns(((OWN,), (OWN,), last)).occupiers == ()


# The end.


@pytest.mark.parametrize(("turns", "ends"), [(1, False), (2, False), (3, True), (4, True)])
def test_the_match_is_over_after_so_many_turns_alone(turns: int, *, ends: bool) -> None:
    now = after_turns(((OWN,),) * turns)
    assert is_occupied(now, THREE, ALL) is ends


def test_a_side_without_such_an_objective_there_ends_no_match() -> None:
    assert not is_occupied(after_turns(((unit(C),),) * 9), THREE, ALL)


def test_a_side_that_plays_no_more_ends_no_match() -> None:
    now = after_turns(((OWN,),) * 3)
    assert not is_occupied(now, THREE, (B, C))


# What hidden troops change.

Spots = list[tuple[Side, Site]]
"""Sides that have a unit on one of the environs."""

SPOTS = st.lists(st.tuples(st.sampled_from(ALL), st.sampled_from((SITE, FAR))), max_size=5)


def units(shown: Spots, hidden: Spots) -> dict[PieceId, GroundTruth]:
    """Return units in the open, and hidden ones."""
    open_ = [unit(side, at, site=site) for at, (side, site) in enumerate(shown, 1)]
    more = [unit(side, at, site=site, hidden=True) for at, (side, site) in enumerate(hidden, 20)]
    return {one.id: one for one in (*open_, *more)}


@given(st.lists(st.tuples(SPOTS, SPOTS, SPOTS), min_size=1, max_size=6))
def test_hidden_troops_change_nothing_that_is_told_and_no_end(
    turns: list[tuple[Spots, Spots, Spots]],
) -> None:
    one, other = truth(), truth()
    for shown, hidden, hidden_elsewhere in turns:
        one = replace(one, ground=units(shown, hidden))
        other = replace(other, ground=units(shown, hidden_elsewhere))
        told = tuple(occupations(one, THREE))
        assert tuple(occupations(other, THREE)) == told
        for event in told:
            one, other = apply(one, event), apply(other, event)
        assert is_occupied(one, THREE, ALL) is is_occupied(other, THREE, ALL)
