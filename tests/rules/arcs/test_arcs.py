"""Arcs, ranges and relations: the worked cases, the measurements and the ties."""

import math
from typing import NamedTuple

import pytest

from builders.arcs import (
    AHEAD,
    BE,
    BEHIND,
    FF,
    FLANKING,
    FR,
    LARGE,
    MEDIUM,
    NONE,
    SMALL,
    B,
    F,
    L,
    R,
    arcs_holding,
    base,
    wholly_beneath,
)
from sunglare_protocol.words.pieces import Arc, BaseSize, Relation
from sunglare_rules.arcs.arcs import (
    ARC_SLOPE,
    BULLSEYE_HALF_WIDTH,
    HALF_EDGE,
    Base,
    arc_band,
    base_range,
    relation,
)

ORIGIN = base(SMALL, 0, 0)


class Worked(NamedTuple):
    """A worked case: observer, other, and every column of its row."""

    observer: Base
    other: Base
    base_range: int | None
    arcs: dict[Arc, int]
    relation: Relation


WORKED = {
    "W1 straight ahead": Worked(ORIGIN, base(SMALL, 0, 90), 1, {F: 1, BE: 1, FF: 1}, AHEAD),
    "W2 gap of 99.9 is band 1": Worked(
        ORIGIN, base(SMALL, 0, 139.9), 1, {F: 1, BE: 1, FF: 1}, AHEAD
    ),
    "W3 gap of exactly 100 is band 2": Worked(
        ORIGIN, base(SMALL, 0, 140), 2, {F: 2, BE: 2, FF: 2}, AHEAD
    ),
    "W4 gap of exactly 300 is out of range": Worked(ORIGIN, base(SMALL, 0, 340), None, {}, NONE),
    "W5 bases touch and the corners lie in the side arcs": Worked(
        ORIGIN, base(SMALL, 0, 40), 0, {F: 0, L: 0, R: 0, BE: 0, FF: 0}, AHEAD
    ),
    "W6 an edge on the midway line does not cross it": Worked(
        ORIGIN, base(SMALL, 90, 20), 1, {R: 1, FF: 1}, AHEAD
    ),
    "W7 crossing the midway line by 0.1 flanks": Worked(
        ORIGIN, base(SMALL, 90, 19.9), 1, {R: 1, FF: 1, FR: 1}, FLANKING
    ),
    "W8 an edge on the midway line from behind": Worked(
        ORIGIN, base(SMALL, -90, -20), 1, {L: 1, FR: 1}, BEHIND
    ),
    "W9 neither corner nor centre in the bullseye strip": Worked(
        ORIGIN, base(LARGE, 30, 200), 2, {F: 2, BE: 2, FF: 2}, AHEAD
    ),
    "W10 an edge on the bullseye's edge is outside it": Worked(
        ORIGIN, base(SMALL, 27.5, 90), 1, {F: 1, FF: 1}, AHEAD
    ),
    "W11 straddles an arc line": Worked(
        ORIGIN, base(SMALL, 130, 130), 2, {F: 2, R: 2, FF: 2}, AHEAD
    ),
    "W12 the part in the front arc is a band farther than the base": Worked(
        base(LARGE, 0, 0), base(LARGE, 150, 150), 1, {F: 2, R: 1, FF: 1}, AHEAD
    ),
    "W13 heading east": Worked(
        base(MEDIUM, 0, 0, 90), base(SMALL, 120, -60, 15), 1, {F: 1, FF: 1}, AHEAD
    ),
    "W14 heading south-west": Worked(
        base(SMALL, 50, -30, 225), base(MEDIUM, -60, -120, 10), 1, {F: 1, BE: 1, FF: 1}, AHEAD
    ),
    "W15 headings off the compass points": Worked(
        base(LARGE, 10, 10, 300), base(SMALL, 60, -150, 77), 1, {B: 1, L: 1, FR: 1}, BEHIND
    ),
    "W16 wholly beneath is in no arc": Worked(base(LARGE, 0, 0), base(SMALL, 0, 0), 0, {}, NONE),
    "W17 crosses the midway line beyond range 3 only": Worked(
        ORIGIN, base(LARGE, 371.568542, 15, 45), 3, {R: 3, FF: 3}, AHEAD
    ),
    "W18 far astern": Worked(ORIGIN, base(LARGE, 0, -310, 30), 3, {B: 3, FR: 3}, BEHIND),
}


@pytest.mark.parametrize("case", WORKED.values(), ids=WORKED)
def test_a_worked_case_holds_in_every_column(case: Worked) -> None:
    assert base_range(case.observer, case.other) == case.base_range
    assert arcs_holding(case.observer, case.other) == case.arcs
    assert relation(case.observer, case.other) is case.relation


@pytest.mark.parametrize("case", WORKED.values(), ids=WORKED)
def test_asking_for_one_arc_answers_as_asking_for_all(case: Worked) -> None:
    for arc in Arc:
        assert arc_band(case.observer, case.other, arc) == case.arcs.get(arc)


# Measurements.

MEASURED = [
    pytest.param(SMALL, 40, 0.8577, 17.154, 274.5, id="small"),
    pytest.param(MEDIUM, 60, 0.8816, 26.448, 290.9, id="medium"),
    pytest.param(LARGE, 80, 0.8929, 35.716, 303.6, id="large"),
]


@pytest.mark.parametrize(("size", "edge", "slope", "crossing", "at_range_3"), MEASURED)
def test_a_base_is_as_large_and_its_front_arc_as_wide_as_measured(
    size: BaseSize, edge: float, slope: float, crossing: float, at_range_3: float
) -> None:
    half = HALF_EDGE[size]
    assert 2 * half == edge
    assert ARC_SLOPE[size] == slope
    assert ARC_SLOPE[size] * half == pytest.approx(crossing, abs=1e-9)
    assert ARC_SLOPE[size] * (half + 300) == pytest.approx(at_range_3, abs=0.05)


@pytest.mark.parametrize(("size", "edge", "slope", "crossing", "at_range_3"), MEASURED)
@pytest.mark.parametrize("side", [pytest.param(1, id="right"), pytest.param(-1, id="left")])
def test_the_arc_line_crosses_the_front_edge_inside_the_corner(
    size: BaseSize, edge: float, slope: float, crossing: float, at_range_3: float, side: int
) -> None:
    arc = R if side == 1 else L
    observer = base(size, 0, 0)
    y = edge / 2 + 20
    inside = base(SMALL, side * (crossing - 0.01 - 20), y)
    across = base(SMALL, side * (crossing + 0.01 - 20), y)
    assert arc_band(observer, inside, arc) is None
    assert arc_band(observer, across, arc) == 0
    assert crossing < edge / 2
    assert slope < 1
    assert at_range_3 < 300 + edge / 2


@pytest.mark.parametrize("size", BaseSize, ids=lambda size: size.value)
@pytest.mark.parametrize("side", [pytest.param(1, id="right"), pytest.param(-1, id="left")])
def test_the_bullseye_is_fifteen_mm_wide_for_every_size(size: BaseSize, side: int) -> None:
    assert 2 * BULLSEYE_HALF_WIDTH == 15
    observer = base(size, 0, 0)
    assert arc_band(observer, base(SMALL, side * 27.49, 150), BE) is not None
    assert arc_band(observer, base(SMALL, side * 27.51, 150), BE) is None


def test_there_is_no_huge_base() -> None:
    with pytest.raises(ValueError, match="huge"):
        BaseSize("huge")


# Ties.


@pytest.mark.parametrize(
    ("gap", "band"),
    [
        pytest.param(0, 0, id="touching"),
        pytest.param(0.001, 1, id="a hair apart"),
        pytest.param(99.999, 1, id="just short of 100"),
        pytest.param(100, 2, id="100"),
        pytest.param(199.999, 2, id="just short of 200"),
        pytest.param(200, 3, id="200"),
        pytest.param(299.999, 3, id="just short of 300"),
        pytest.param(300, None, id="300"),
    ],
)
@pytest.mark.parametrize("heading", [0, 45, 90, 135, 180, 225, 270, 315, 17, 200.5])
def test_bands_are_half_open(gap: float, band: int | None, heading: float) -> None:
    angle = math.radians(heading)
    distance = gap + 20 + 40
    observer = base(SMALL, 3, -4, heading)
    other = base(LARGE, 3 + distance * math.sin(angle), -4 + distance * math.cos(angle), heading)
    assert base_range(observer, other) == band
    assert arc_band(observer, other, FF) == band
    assert arc_band(observer, other, BE) == band


def test_a_corner_to_corner_gap_of_exactly_100_is_band_2() -> None:
    assert base_range(ORIGIN, base(SMALL, 100, 120)) == 2
    assert base_range(ORIGIN, base(SMALL, 99.99, 120)) == 1


def test_a_corner_on_an_arc_line_is_outside_the_arc_beyond_it() -> None:
    observer = base(SMALL, 0, 0)
    corner_v = 100.0
    corner_u = ARC_SLOPE[SMALL] * corner_v
    assert arcs_holding(observer, base(SMALL, corner_u + 20, corner_v - 20)) == {R: 1, FF: 1}
    assert F in arcs_holding(observer, base(SMALL, corner_u + 19.9, corner_v - 20))
    assert arcs_holding(observer, base(SMALL, corner_u - 20, corner_v + 20)) == {F: 1, FF: 1}
    assert R in arcs_holding(observer, base(SMALL, corner_u - 19.9, corner_v + 20))


def test_a_corner_that_touches_the_midway_line_does_not_flank() -> None:
    reach = 20 * math.sqrt(2)
    assert relation(ORIGIN, base(SMALL, 100, reach, 45)) is AHEAD
    assert relation(ORIGIN, base(SMALL, 100, -reach, 45)) is BEHIND
    assert relation(ORIGIN, base(SMALL, 100, reach - 0.01, 45)) is FLANKING


def test_a_base_that_crosses_only_beneath_the_observer_does_not_flank() -> None:
    # Its section with the midway line ends exactly where the line begins.
    assert relation(base(LARGE, 0, 0), base(SMALL, 20, 20)) is NONE
    assert relation(base(LARGE, 0, 0), base(SMALL, 25, 21)) is AHEAD
    assert relation(base(LARGE, 0, 0), base(SMALL, 25, 19)) is FLANKING
    assert relation(base(LARGE, 0, 0), base(SMALL, 20, 20.1, 10)) is AHEAD
    assert relation(base(LARGE, 0, 0), base(MEDIUM, 10, 25)) is AHEAD
    assert relation(base(LARGE, 0, 0), base(MEDIUM, -10, -25)) is BEHIND


def test_a_base_that_sticks_out_ahead_and_astern_alone_is_in_front() -> None:
    observer, other = base(LARGE, 0, 0), base(MEDIUM, 0, 0, 26)
    assert {FF, FR} <= arcs_holding(observer, other).keys()
    assert relation(observer, other) is AHEAD


def test_a_base_exactly_covered_by_one_of_its_size_is_wholly_beneath() -> None:
    assert wholly_beneath(ORIGIN, ORIGIN)
    assert base_range(ORIGIN, ORIGIN) == 0
    assert arcs_holding(ORIGIN, ORIGIN) == {}
    assert wholly_beneath(base(SMALL, 0, 0, 45), base(SMALL, 0, 0, 315))


def test_a_larger_base_in_the_same_place_sticks_out_on_every_side() -> None:
    larger = base(LARGE, 0, 0)
    assert not wholly_beneath(ORIGIN, larger)
    assert arcs_holding(ORIGIN, larger) == dict.fromkeys(Arc, 0)
    assert relation(ORIGIN, larger) is FLANKING


def test_a_base_that_sticks_out_by_a_corner_is_not_wholly_beneath() -> None:
    observer = base(LARGE, 0, 0)
    assert wholly_beneath(observer, base(SMALL, 20, 20))
    assert not wholly_beneath(observer, base(SMALL, 20, 20.01))
    assert wholly_beneath(observer, base(SMALL, 0, 0, 45))


def test_a_target_that_overlaps_is_in_an_arc_with_what_sticks_out_only() -> None:
    assert arcs_holding(base(LARGE, 0, 0), base(SMALL, 0, 25)) == {F: 0, BE: 0, FF: 0}
