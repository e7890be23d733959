"""The three worked scans, the answers they oblige to, and what everybody may infer from them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.cases import cases
from sunglare_protocol.geometry import (
    Area,
    Asteroid,
    Board,
    Compass,
    Landing,
    Place,
    Planet,
    PlanetSize,
    Square,
    box_named,
)
from sunglare_protocol.words.scans import Answers, Blocked, ScanSize, ScanType
from sunglare_rules.sensors.areas import scan_area, scan_place_allowed
from sunglare_rules.sensors.questions import (
    Steps,
    answers,
    candidate_squares,
    candidate_steps,
    glares,
    valid,
)
from sunglare_rules.sensors.scans import declared_strength, effective_strength
from sunglare_rules.sensors.sectors import in_body, sector, zone
from sunglare_rules.sensors.sunlight import in_shadow

BOARD = Board(planets=(Planet(name="Ceres", at=Square(15, 12), size=PlanetSize.SMALL),))
CROWDED = Board(
    planets=(
        Planet(name="Ceres", at=Square(9, 9), size=PlanetSize.SMALL),
        Planet(name="Juno", at=Square(27, 24), size=PlanetSize.LARGE),
    ),
    asteroids=(Asteroid(name="Pebble", at=Square(20, 12)),),
)
FREE = [square for square in CROWDED.area.squares() if not in_body(CROWDED, square)]
SIZES = st.sampled_from(ScanSize)


def boxes(name: str, size: ScanSize = ScanSize.BOXES, board: Board = BOARD) -> Area:
    return scan_area(board, size, box_named(name).centre)


def asked(x: int, y: int, area: Area) -> Answers:
    return answers(BOARD, Place(Square(x, y)), area)


def near(k: Compass, planet: str = "Ceres") -> Blocked:
    return Blocked(planet=planet, sector=k, near=True)


def far(k: Compass, planet: str = "Ceres") -> Blocked:
    return Blocked(planet=planet, sector=k, near=False)


SILENT = Answers(glare=False, from_well=False, touches_well=False)
SCAN_1 = Answers(glare=True, from_well=False, touches_well=False)
SCAN_2 = Answers(
    glare=False, from_well=True, touches_well=True, blocked=(near(Compass.NE), far(Compass.NE))
)
SCAN_3 = Answers(glare=False, from_well=False, touches_well=True, blocked=(near(Compass.N),))


@cases(
    ("ship", "size", "box", "declared", "given_answers", "effective", "steps"),
    {
        "scan 1": ((7, 27), ScanSize.BOX, "B4", 1, SCAN_1, -5, (1599, 120, 120, 120)),
        "scan 2": ((13, 14), ScanSize.BOXES, "E1", -1, SCAN_2, -1, (1599, 1042, 34, 9)),
        "scan 3": ((15, 17), ScanSize.BOXES, "E4", -1, SCAN_3, -1, (1599, 1192, 1146, 164)),
    },
)
def test_the_worked_scans_of_the_source(
    ship: tuple[int, int],
    size: ScanSize,
    box: str,
    declared: int,
    given_answers: Answers,
    effective: int,
    steps: tuple[int, int, int, int],
) -> None:
    area = boxes(box, size)
    assert declared_strength(2, size, 0) == declared
    said = asked(*ship, area)
    assert said == given_answers
    assert effective_strength(declared, ScanType.VISUAL, said.glare, BOARD.sunfactor) == effective
    assert candidate_steps(BOARD, area, said) == Steps(*steps)
    assert len(candidate_squares(BOARD, area, said)) == steps[-1]
    assert Square(*ship) in candidate_squares(BOARD, area, said)


@cases(
    ("ship", "area", "hidden"),
    {
        "scan 1": ((7, 27), boxes("B4", ScanSize.BOX), 0),
        "scan 2, two thirds": ((13, 14), boxes("E1"), 100),
        "scan 3, two squares": ((15, 17), boxes("E4"), 2),
    },
)
def test_the_worked_scans_ignore_the_published_number_of_squares(
    ship: tuple[int, int], area: Area, hidden: int
) -> None:
    scanner = Place(Square(*ship))
    ignored = [
        square
        for square in area.squares()
        if not in_body(BOARD, square) and not valid(BOARD, scanner, Place(square))
    ]
    assert len(ignored) == hidden
    if hidden == 2:
        assert ignored == [(15, 10), (15, 11)]


def test_the_third_ship_three_squares_to_the_right_blocks_nothing_but_has_glare() -> None:
    said = asked(18, 17, boxes("E4"))
    assert said == Answers(glare=True, from_well=False, touches_well=True)
    assert effective_strength(-1, ScanType.VISUAL, said.glare, BOARD.sunfactor) == -7
    assert candidate_steps(BOARD, boxes("E4"), said)[2:] == (385, 244)


@pytest.mark.parametrize("x", [16, 17])
def test_the_third_ship_one_or_two_squares_to_the_right_still_blocks_near_north(x: int) -> None:
    assert asked(x, 17, boxes("E4")).blocked == (near(Compass.N),)


def test_the_third_ship_one_square_up_blocks_the_whole_opposite_arc() -> None:
    assert asked(15, 16, boxes("E4")).blocked == (near(Compass.N),)
    assert asked(15, 16, boxes("E4")).from_well
    assert asked(15, 16, boxes("D1")).blocked == (near(Compass.N), far(Compass.N))
    assert not valid(BOARD, Place(Square(15, 16)), Place(Square(15, 0)))


def test_a_scan_far_from_every_planet_obliges_to_nothing() -> None:
    assert asked(38, 2, boxes("A8", ScanSize.BOX)) == SILENT


def test_a_ship_in_a_well_is_silent_about_sectors_its_scan_does_not_cover() -> None:
    said = asked(13, 14, boxes("A8", ScanSize.BOX))
    assert (said.from_well, said.touches_well, said.blocked) == (True, False, ())


def test_a_scan_of_the_body_alone_touches_the_well() -> None:
    body = scan_area(BOARD, ScanSize.SQUARE, Square(15, 12))
    assert asked(13, 9, body).touches_well


@pytest.mark.parametrize("k", Compass, ids=lambda k: str(k.value))
def test_a_ship_on_a_planet_reports_the_three_sectors_beyond_its_horizon(k: Compass) -> None:
    scanner = Place(Square(15, 12), Landing(body="Ceres", sector=k, environs=1))
    said = answers(BOARD, scanner, BOARD.area)
    expected = {k.turned(3), k.turned(4), k.turned(5)}
    assert said.from_well
    assert said.touches_well
    assert said.blocked == tuple(
        part
        for heading in Compass
        if heading in expected
        for part in (near(heading), far(heading))
    )


def test_an_asteroid_is_neither_a_well_nor_named_among_the_answers() -> None:
    scanner = Place(Square(20, 12), Landing(body="Pebble", sector=Compass.N))
    said = answers(CROWDED, scanner, scan_area(CROWDED, ScanSize.BOX, Square(22, 17)))
    assert said == SILENT
    assert not valid(CROWDED, scanner, Place(Square(20, 16)))


def test_several_planets_are_reported_in_the_order_of_the_board() -> None:
    said = answers(CROWDED, Place(Square(28, 26)), CROWDED.area)
    assert said.blocked == (near(Compass.NW), near(Compass.NW, "Juno"), far(Compass.NW, "Juno"))


@given(ship=st.sampled_from(FREE), at=st.sampled_from(FREE), size=SIZES)
def test_the_reported_sectors_are_the_squares_that_are_ignored(
    ship: Square, at: Square, size: ScanSize
) -> None:
    area = scan_area(CROWDED, size, at)
    said = answers(CROWDED, Place(ship), area)
    for square in area.squares():
        if in_body(CROWDED, square):
            continue
        parts = [
            Blocked(
                planet=planet.name,
                sector=sector(planet.at, square),
                near=zone(planet, square).value == "near",
            )
            for planet in CROWDED.planets
        ]
        hidden = any(part in said.blocked for part in parts)
        assert valid(CROWDED, Place(ship), Place(square)) is not hidden


@given(ship=st.sampled_from(FREE), at=st.sampled_from(FREE), size=SIZES)
def test_a_scan_glares_where_the_first_answer_says_so(
    ship: Square, at: Square, size: ScanSize
) -> None:
    area = scan_area(BOARD, size, at)
    assert glares(BOARD, Place(ship), area) is answers(BOARD, Place(ship), area).glare


@given(ship=st.sampled_from(FREE), at=st.sampled_from(FREE), size=SIZES)
def test_candidates_are_exactly_the_squares_that_would_answer_alike(
    ship: Square, at: Square, size: ScanSize
) -> None:
    area = scan_area(CROWDED, size, at)
    said = answers(CROWDED, Place(ship), area)
    found = candidate_squares(CROWDED, area, said)
    assert found == tuple(
        square for square in FREE if answers(CROWDED, Place(square), area) == said
    )
    assert ship in found
    steps = candidate_steps(CROWDED, area, said)
    assert list(steps) == sorted(steps, reverse=True)
    assert (steps.start, steps.after_blocked) == (len(FREE), len(found))


@given(ship=st.sampled_from(FREE), at=st.sampled_from(FREE), size=SIZES)
def test_the_place_of_a_small_scan_limits_the_candidates_too(
    ship: Square, at: Square, size: ScanSize
) -> None:
    area = scan_area(CROWDED, size, at)
    said = answers(CROWDED, Place(ship), area)
    every = candidate_squares(CROWDED, area, said)
    placed = candidate_squares(CROWDED, area, said, size, at)
    assert placed == tuple(square for square in every if scan_place_allowed(size, at, square))
    assert candidate_steps(CROWDED, area, said, size, at).after_blocked == len(placed)


def test_a_single_square_scan_leaves_at_most_one_box_to_start_with() -> None:
    area = scan_area(BOARD, ScanSize.SQUARE, Square(32, 32))
    said = asked(30, 30, area)
    steps = candidate_steps(BOARD, area, said, ScanSize.SQUARE, Square(32, 32))
    assert steps == Steps(25, 23, 23, 23)


def test_answers_that_nobody_could_give_leave_no_candidate() -> None:
    area = boxes("A8", ScanSize.BOX)
    impossible = Answers(glare=False, from_well=False, touches_well=True)
    assert candidate_squares(BOARD, area, impossible) == ()


def test_a_candidate_after_a_yes_to_glare_is_below_the_top_of_the_scan_and_in_the_sun() -> None:
    area = boxes("B4", ScanSize.BOX)
    for square in candidate_squares(BOARD, area, SCAN_1):
        assert 5 <= square.x <= 9
        assert square.y > 15
        assert not in_shadow(BOARD, square)
