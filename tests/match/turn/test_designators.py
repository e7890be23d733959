"""Beams on a point of a surface map: what they guide, how far they reach, who gets a bearing."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from builders.ground import AG1, SITE, planet, seeing, unit
from builders.sieges import (
    G1,
    OPEN,
    above,
    call,
    engaged,
    refusal,
    struck,
    told,
)
from builders.truths import A, B, only
from sunglare_protocol.notices.capital import OwnDesignated, OwnNoticed
from sunglare_protocol.orders import Fire
from sunglare_protocol.refusals import Code
from sunglare_protocol.surface import Cell
from sunglare_server.match.events.capital import PointDesignated
from sunglare_server.match.events.ground import AttackerRevealed
from sunglare_server.match.truth.truth import Truth

# TAG.


def tagging(
    scout: tuple[int, int] = (4, 2), point: tuple[int, int] = (5, 2), kind: str = "hover-scout"
) -> tuple[Truth, Fire]:
    return above(unit(A, at=scout, kind=kind)), Fire(ship=G1, weapon="TAG", point=Cell(*point))


@pytest.mark.parametrize(
    ("point", "needed"), [((5, 2), 2), ((6, 2), 2), ((7, 2), 4)], ids=["on it", "2 in", "4 in"]
)
def test_a_friendly_beam_within_2_inches_of_the_point_takes_2_off(
    point: tuple[int, int], needed: int
) -> None:
    truth, beam = tagging(point=point)
    assert struck(engaged(truth, {A: (call(), beam)})).needed == needed


def test_a_beam_of_another_side_guides_nothing() -> None:
    truth = above(unit(B, at=(4, 2), kind="hover-scout"))
    beam = Fire(ship=G1, weapon="TAG", point=Cell(5, 2))
    assert struck(engaged(truth, {A: (call(),), B: (beam,)})).needed == 4


def test_a_beam_gives_enemies_within_24_inches_a_bearing_and_reveals_nobody() -> None:
    wide = replace(OPEN.environs[0], width=52, terrain=())
    body = replace(OPEN, environs=(wide, OPEN.environs[1]))
    near = unit(B, 1, (4, 4))
    units = (unit(A, at=(4, 2), kind="hover-scout"), near, unit(B, 2, (17, 2)))
    beam = Fire(ship=G1, weapon="TAG", point=Cell(5, 2))
    flow = engaged(above(*units, body=body), {A: (beam,)})
    assert [notice for notice in told(flow, "B") if isinstance(notice, OwnNoticed)] == [
        OwnNoticed(ship=G1, bearing=180)
    ]
    assert OwnDesignated(ship=G1, site=SITE, cell=Cell(5, 2)) in told(flow, "A")
    assert not only(flow.events, AttackerRevealed)
    assert only(flow.events, PointDesignated)


def test_a_hidden_unit_that_designates_stays_hidden() -> None:
    truth = above(unit(A, at=(4, 2), kind="hover-scout", hidden=True), unit(B, at=(6, 2)))
    beam = Fire(ship=G1, weapon="TAG", point=Cell(5, 2))
    flow = engaged(seeing(truth, B), {A: (beam,)})
    assert flow.truth.ground[AG1].hidden
    assert AG1 not in flow.truth.surface.tokens_of(B)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda beam: replace(beam, point=Cell(5, 9)), Code.ORDER_CELL),
        (lambda beam: replace(beam, point=None), Code.ORDER_CELL),
        (lambda beam: replace(beam, weapon="LTAG"), Code.ORDER_WEAPON),
        (lambda beam: replace(beam, weapon="G1"), Code.ORDER_WEAPON),
    ],
    ids=["off the map", "no point", "no such designator", "a gun at a point"],
)
def test_a_beam_takes_a_designator_and_a_point_of_the_map(
    change: Callable[[Fire], Fire], code: Code
) -> None:
    truth, beam = tagging()
    assert refusal(truth, beam) is None
    assert refusal(truth, change(beam)) is code


def test_a_beam_reaches_medium_range_and_needs_sight() -> None:
    wide = replace(OPEN.environs[0], width=52, terrain=())
    body = replace(OPEN, environs=(wide, OPEN.environs[1]))
    truth = above(unit(A, at=(0, 2), kind="hover-scout"), body=body)
    assert refusal(truth, Fire(ship=G1, weapon="TAG", point=Cell(12, 2))) is None
    assert refusal(truth, Fire(ship=G1, weapon="TAG", point=Cell(13, 2))) is Code.ORDER_RANGE
    walled = above(unit(A, at=(4, 3), kind="hover-scout"), body=planet())
    assert refusal(walled, Fire(ship=G1, weapon="TAG", point=Cell(9, 3))) is Code.ORDER_SIGHT
