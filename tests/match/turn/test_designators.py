"""Beams on a point of a surface map: what they guide, how far they reach, who gets a bearing."""

import pytest
from msgspec.structs import replace

from builders.ground import AG1, SITE, planet, seeing, unit
from builders.sieges import G1, above, call, engaged, heard, refusal, struck, told, with_map
from builders.truths import A, B, only
from sunglare_protocol.notices import OwnDesignated, OwnNoticed
from sunglare_protocol.orders import Fire
from sunglare_protocol.refusals import Code
from sunglare_protocol.surface import Cell
from sunglare_server.match.events.capital import PointDesignated
from sunglare_server.match.events.ground import AttackerRevealed

# TAG.


WIDE = with_map(width=52, terrain=())
SCOUTED = above(unit(A, at=(4, 2), kind="hover-scout"))


def tag(column: int, row: int) -> Fire:
    """Return the order to put a beam on the middle of a cell."""
    return Fire(ship=G1, weapon="TAG", point=Cell(column, row))


@pytest.mark.parametrize(
    ("point", "needed"), [((5, 2), 2), ((6, 2), 2), ((7, 2), 4)], ids=["on it", "2 in", "4 in"]
)
def test_a_friendly_beam_within_2_inches_of_the_point_takes_2_off(
    point: tuple[int, int], needed: int
) -> None:
    assert struck(engaged(SCOUTED, {A: (call(), tag(*point))})).needed == needed


def test_a_beam_of_another_side_guides_nothing() -> None:
    truth = above(unit(B, at=(4, 2), kind="hover-scout"))
    assert struck(engaged(truth, {A: (call(),), B: (tag(5, 2),)})).needed == 4


def test_a_beam_gives_enemies_within_24_inches_a_bearing_and_reveals_nobody() -> None:
    units = (unit(A, at=(4, 2), kind="hover-scout"), unit(B, 1, (4, 4)), unit(B, 2, (17, 2)))
    flow = engaged(above(*units, body=WIDE), {A: (tag(5, 2),)})
    assert heard(flow, "B", OwnNoticed) == [OwnNoticed(ship=G1, bearing=180)]
    assert OwnDesignated(ship=G1, site=SITE, cell=Cell(5, 2)) in told(flow, "A")
    assert not only(flow.events, AttackerRevealed)
    assert only(flow.events, PointDesignated)


def test_a_hidden_unit_that_designates_stays_hidden() -> None:
    truth = above(unit(A, at=(4, 2), kind="hover-scout", hidden=True), unit(B, at=(6, 2)))
    flow = engaged(seeing(truth, B), {A: (tag(5, 2),)})
    assert flow.truth.ground[AG1].hidden
    assert AG1 not in flow.truth.surface.tokens_of(B)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"point": Cell(5, 9)}, Code.ORDER_CELL),
        ({"point": None}, Code.ORDER_CELL),
        ({"weapon": "LTAG"}, Code.ORDER_WEAPON),
        ({"weapon": "G1"}, Code.ORDER_WEAPON),
    ],
    ids=["off the map", "no point", "no such designator", "a gun at a point"],
)
def test_a_beam_takes_a_designator_and_a_point_of_the_map(
    change: dict[str, object], code: Code
) -> None:
    assert refusal(SCOUTED, tag(5, 2)) is None
    assert refusal(SCOUTED, replace(tag(5, 2), **change)) is code


def test_a_beam_reaches_medium_range_and_needs_sight() -> None:
    truth = above(unit(A, at=(0, 2), kind="hover-scout"), body=WIDE)
    assert refusal(truth, tag(12, 2)) is None
    assert refusal(truth, tag(13, 2)) is Code.ORDER_RANGE
    walled = above(unit(A, at=(4, 3), kind="hover-scout"), body=planet())
    assert refusal(walled, tag(9, 3)) is Code.ORDER_SIGHT
