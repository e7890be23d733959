"""Foes: which enemy ships a side reckons with, and where each is likely to fly."""

from math import fsum

import msgspec
import pytest

from builders.bots import BOARD, contact, corvette, frigate, seen
from sunglare_client.bots.sightings.foes import FRESH_TURNS, WAYS, Foe, Foes
from sunglare_protocol.geometry import Compass, Square, Vector
from sunglare_protocol.views import ContactView, View
from sunglare_protocol.words.ladder import Fate, Fix, Phase
from sunglare_protocol.words.scans import Echo
from sunglare_rules.turn.movement import AT_REST, MoveEnding, ending

OWN = (corvette(Square(5, 30)), frigate(Square(7, 30)))


def plotting(*contacts: ContactView, turn: int = 5) -> View:
    return seen(Phase.PLOT, OWN, contacts, turn=turn)


def marked(label: str, square: Square, turn: int = 4) -> ContactView:
    return msgspec.structs.replace(contact(square, Fix.MEMORY, turn), label=label)


def tracked(square: Square, vector: Vector, size: Echo = Echo.MEDIUM) -> ContactView:
    return msgspec.structs.replace(
        contact(square, Fix.TRACKED, 4), vector=vector, facing=Compass.W, size=size
    )


def only(*views: View) -> Foe:
    """Return the one foe that is left after these views."""
    foes = Foes()
    for view in views:
        foes.see(view)
    (foe,) = foes.now
    return foe


def test_a_live_track_is_a_foe_where_it_stands_with_the_motion_that_it_shows() -> None:
    foe = only(plotting(tracked(Square(12, 30), Vector(-2, 0))))
    assert (foe.square, foe.vector, foe.facing) == (Square(12, 30), Vector(-2, 0), Compass.W)


def test_a_foe_is_taken_to_be_like_an_own_ship_of_its_type_else_of_its_size() -> None:
    corvette_named = msgspec.structs.replace(
        tracked(Square(12, 30), AT_REST, Echo.LARGE), type="corvette"
    )
    assert only(plotting(corvette_named)).like.type == "corvette"
    assert only(plotting(tracked(Square(12, 30), AT_REST))).like.type == "frigate"


def test_two_sightings_a_turn_apart_are_one_foe_and_tell_its_vector() -> None:
    before = plotting(marked("C1", Square(14, 30)), turn=5)
    now = plotting(marked("C1", Square(14, 30)), marked("C2", Square(12, 31), turn=5), turn=6)
    foe = only(before, now)
    assert (foe.square, foe.vector) == (Square(12, 31), Vector(-2, 1))


def test_a_foe_that_was_missed_for_a_turn_is_drifted_on() -> None:
    lost = msgspec.structs.replace(
        tracked(Square(12, 30), Vector(-2, 1)), fix=Fix.COASTING, turn=3
    )
    assert only(plotting(lost)).square == Square(10, 31)


@pytest.mark.parametrize(
    "mark",
    [
        marked("C1", Square(12, 30), turn=4 - FRESH_TURNS),
        msgspec.structs.replace(tracked(Square(12, 30), AT_REST), fate=Fate.DESTROYED),
        tracked(Square(12, 30), AT_REST, Echo.MISSILE),
    ],
    ids=["seen too long ago", "destroyed", "a volley"],
)
def test_what_is_no_ship_that_flies_near_by_is_no_foe(mark: ContactView) -> None:
    foes = Foes()
    foes.see(plotting(mark))
    assert foes.now == ()


def test_the_likely_flights_are_few_end_well_and_have_chances_that_sum_up_to_one() -> None:
    foe = only(plotting(tracked(Square(2, 30), Vector(-1, 0))))
    assert 0 < len(foe.ways) <= WAYS
    assert fsum(way.chance for way in foe.ways) == pytest.approx(1.0)
    assert all(ending(BOARD, way.flight.square) is MoveEnding.FLIES for way in foe.ways)
    assert all(way.chance <= foe.ways[0].chance for way in foe.ways)


def test_the_same_plot_again_changes_nothing() -> None:
    view = plotting(marked("C1", Square(14, 30)))
    foes = Foes()
    foes.see(view)
    first = foes.now
    foes.see(view)
    assert foes.now == first
