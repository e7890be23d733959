"""What the gloss of a public scan says word for word: columns, wells, what is blocked."""

from msgspec.structs import replace

from builders.views import CERES, view
from sunglare_protocol.geometry import Board, Compass, Place, Square
from sunglare_protocol.ids import Side
from sunglare_protocol.notices import ScanAnswered
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.scans import Answers, Blocked, ScanSize, ScanType
from sunglare_rules.advice.odds.candidates import gloss, scanner_squares
from sunglare_rules.sensors.areas import scan_area
from sunglare_rules.sensors.questions import answers

VESTA = replace(CERES, name="Vesta", at=Square(19, 13))
TWO = Board(columns=5, rows=4, planets=(VESTA, replace(CERES, at=Square(7, 7))))
NOTHING = Answers(glare=False, from_well=False, touches_well=False)


def scanned(
    at: str | Square, given: Answers = NOTHING, size: ScanSize = ScanSize.BOX
) -> ScanAnswered:
    """Return the public record's entry of a scan of mass with these answers."""
    return ScanAnswered(
        side=Side("B"),
        type=ScanType.MASS,
        size=size,
        at=at,
        strength=0,
        answers=given,
        effective=0,
    )


def declared(centre: Square, at: str | Square, scanner: Square, size: ScanSize) -> str:
    """Return the gloss on the scan that a ship in space makes on the map of two planets."""
    given = answers(TWO, Place(scanner), scan_area(TWO, size, centre))
    return gloss(TWO, scanned(at, given, size))


def test_a_scan_of_one_square_covers_one_column() -> None:
    place = Square(12, 17)
    told = declared(place, place, Square(12, 19), ScanSize.SQUARE)
    assert told.startswith(
        "glare yes: its ship lies south of the scan's top row 17, in column 12,"
    )
    told = declared(place, place, Square(11, 19), ScanSize.SQUARE)
    assert told.startswith("glare no: its ship lies not south of row 17 in column 12, or is in")


def test_a_scan_of_several_squares_covers_columns_from_west_to_east() -> None:
    place = Square(12, 17)
    told = declared(place, place, Square(12, 19), ScanSize.SQUARES)
    assert "top row 16, in columns 11 to 13, out of shadow" in told


def test_a_scan_that_touches_no_well_says_nothing_of_what_is_blocked() -> None:
    told = declared(Square(2, 17), "A4", Square(12, 17), ScanSize.BOX)
    assert "not from a well" in told
    assert "blocked" not in told


def test_only_the_planets_that_fit_are_named() -> None:
    # From the near south-west of Ceres what lies in its north-east is hidden.
    told = declared(Square(12, 2), "C1", Square(5, 9), ScanSize.BOX)
    assert "from a well: it stands in that of Ceres;" in told
    assert "blocked near NE, far NE: it stands in the near SW of Ceres;" in told
    assert "Vesta" not in told
    assert "nothing blocked" not in told


def test_a_scan_over_a_well_with_nothing_blocked_says_so() -> None:
    told = declared(Square(12, 7), "C2", Square(16, 7), ScanSize.BOX)
    assert "touches a well, nothing blocked" in told


def test_answers_that_fit_no_square_name_every_planet_and_a_surface() -> None:
    # Only from the ground are sectors on both sides of the opposite one hidden.
    blocked = tuple(
        Blocked(planet="Ceres", sector=k, near=True) for k in (Compass.N, Compass.NE, Compass.E)
    )
    given = Answers(glare=False, from_well=True, touches_well=True, blocked=blocked)
    told = gloss(TWO, scanned("C2", given))
    assert "from a well: it stands in that of Vesta or Ceres;" in told
    assert "blocked near N, near NE, near E: it stands on the surface of Ceres;" in told
    assert told.endswith("no square of space fits: it stands on a body")


def test_a_scan_off_the_map_leaves_no_square() -> None:
    for place in ("Z9", Square(7, 7)):
        lost = scanned(place)
        seen = replace(view(Phase.SCAN), board=TWO)
        assert scanner_squares(seen, lost) == ()
        assert gloss(TWO, lost).startswith("the scan lies off the map; not from a well")
