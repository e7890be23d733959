"""How a ship gets to a place in a planet's well and stays there against the pull."""

import msgspec
import pytest

from builders.matches import view_of
from builders.played import rig
from builders.scenarios import scenarios
from sunglare_client.advice import Advice
from sunglare_client.bots.movement.station_keeping import LOOKS_AHEAD, Hover, hover
from sunglare_client.bots.movement.steering import CRASH, bearing, courses, distance
from sunglare_protocol.geometry import Compass, Planet, Square, Vector
from sunglare_protocol.ids import Audience
from sunglare_protocol.orders import Order
from sunglare_protocol.views import OwnView, View
from sunglare_rules.turn.movement import Flight, MoveEnding, ending, gravity

PLACE = Square(19, 17)
"""A place two squares north of the planet of orlog, in its well."""

STARTS = [
    ((19, 17), (0, 0), Compass.N),
    ((14, 12), (1, 1), Compass.SE),
    ((24, 14), (-2, 1), Compass.W),
    ((12, 20), (2, -1), Compass.NE),
    ((19, 21), (0, 0), Compass.S),
]
TURNS = 14
STAYS = 6
NEAR = 1.5


def ship_at(at: tuple[int, int], vector: tuple[int, int], facing: Compass) -> tuple[View, OwnView]:
    """Return the second turn of orlog as A sees it, and its first ship, put so."""
    view = view_of(rig(scenarios()["orlog"], 3, Audience("A")).state, Audience("A"))
    ship = msgspec.structs.replace(
        view.own[0], square=Square(*at), vector=Vector(*vector), facing=facing
    )
    stage = msgspec.structs.replace(view.stage, turn=2)
    return msgspec.structs.replace(view, zone=(), stage=stage, own=(ship, *view.own[1:])), ship


def planet_of(view: View) -> Planet:
    (planet,) = view.board.planets
    return planet


def followed(view: View, orders: tuple[Order, ...]) -> tuple[View, OwnView]:
    """Return the view with the ship where its orders lead it."""
    ship = view.own[0]
    square, vector, facing = Advice(view).flight(ship, orders)
    after = msgspec.structs.replace(ship, square=square, vector=vector, facing=facing)
    return msgspec.structs.replace(view, own=(after, *view.own[1:])), after


def worth_of_all(aim: Hover, flight: Flight, looks: int) -> float:
    """Return what a flight costs, with all that can follow it flown on."""
    here = aim.cost(flight, 0, {})
    if not looks or here >= CRASH:
        return here
    return here + min(worth_of_all(aim, after, looks - 1) for after in aim.after(flight))


@pytest.mark.parametrize(("at", "vector", "facing"), STARTS)
def test_a_ship_comes_to_the_place_and_stays_though_the_planet_pulls(
    at: tuple[int, int], vector: tuple[int, int], facing: Compass
) -> None:
    view, ship = ship_at(at, vector, facing)
    assert any(gravity(view.board, PLACE))
    away = []
    for _ in range(TURNS + STAYS):
        view, ship = followed(view, hover(Advice(view), ship, planet_of(view), PLACE))
        assert ending(view.board, ship.square) is MoveEnding.FLIES
        away.append(distance(ship.square, PLACE))
    assert max(away[TURNS:]) <= NEAR


@pytest.mark.parametrize(("at", "vector", "facing"), STARTS)
def test_what_is_not_flown_on_is_no_better(
    at: tuple[int, int], vector: tuple[int, int], facing: Compass
) -> None:
    view, ship = ship_at(at, vector, facing)
    advice = Advice(view)
    aim = Hover(view.board, PLACE, bearing(planet_of(view).at, PLACE), ship.thrust)
    best = min(
        courses(advice, ship), key=lambda course: worth_of_all(aim, course.flight, LOOKS_AHEAD)
    )
    assert hover(advice, ship, planet_of(view), PLACE) == best.orders
