"""Where a ship that scans may stand on a body, as the public answers of its scan tell."""

import pytest

from builders.views import BOARD, ON_CERES, ON_ROCK, view
from sunglare_protocol.geometry import Compass, Landing, Place, Square
from sunglare_protocol.ids import Side
from sunglare_protocol.notices import ScanAnswered
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.scans import ScanSize, ScanType
from sunglare_rules.advice.odds.candidates import landed_scanners, landing_places
from sunglare_rules.sensors.areas import scan_area
from sunglare_rules.sensors.masks import squares_in
from sunglare_rules.sensors.questions import answers

CENTRE = Square(15, 25)
AREA = scan_area(BOARD, ScanSize.SQUARES, CENTRE)
SEEN = view(Phase.SCAN)


def scan_from(place: Place, at: str | Square = CENTRE) -> ScanAnswered:
    """Return the public record of a scan around the centre, made from a place."""
    return ScanAnswered(
        side=Side("B"),
        type=ScanType.IR,
        size=ScanSize.SQUARES,
        at=at,
        strength=0,
        answers=answers(BOARD, place, AREA),
        effective=0,
    )


def test_a_ship_may_stand_in_each_environs_of_a_planet_and_in_each_sector_of_an_asteroid() -> None:
    environs = [
        Landing(body=planet.name, sector=place.sector, environs=place.number)
        for planet in BOARD.planets
        for place in planet.environs
    ]
    rocks = [Landing(body=rock.name, sector=k) for rock in BOARD.asteroids for k in Compass]
    found = landing_places(BOARD)
    assert [place.landing for place in found] == [*environs, *rocks]
    assert Place(Square(14, 13), ON_CERES) in found
    assert Place(Square(30, 30), ON_ROCK) in found


@pytest.mark.parametrize("place", landing_places(BOARD), ids=repr)
def test_of_the_places_on_bodies_those_fit_from_which_the_answers_are_the_same(
    place: Place,
) -> None:
    found = squares_in(BOARD, landed_scanners(SEEN, scan_from(place)))
    fitting = [
        other.square
        for other in landing_places(BOARD)
        if answers(BOARD, other, AREA) == answers(BOARD, place, AREA)
    ]
    assert place.square in found
    assert set(found) == set(fitting)
    assert set(found) != {other.square for other in landing_places(BOARD)}


def test_no_place_fits_a_scan_off_the_map() -> None:
    assert landed_scanners(SEEN, scan_from(landing_places(BOARD)[0], "Z9")) == 0
