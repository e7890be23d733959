"""Dark drifts: when a ship on a long way switches its plant off, and when it starts it again."""

import pytest
from msgspec.structs import replace

from builders.bots import corvette, seen
from sunglare_client.abilities import Ability
from sunglare_client.advice import Advice
from sunglare_client.bots.movement.dark_drift import BRAKES_WITHIN, FAR, dark_drift
from sunglare_client.bots.movement.measures import drifted_on
from sunglare_client.bots.movement.steering import distance
from sunglare_protocol.geometry import Compass, Square, Vector
from sunglare_protocol.orders import Order, Power, Sensors
from sunglare_protocol.views import OwnView
from sunglare_protocol.words.ladder import Phase

HERE, GOAL = Square(3, 5), Square(30, 5)
EASTWARD = Vector(3, 0)
DARK = (Power(ship=corvette(HERE).id, on=False), Sensors(ship=corvette(HERE).id, out=False))


def ship(x: int, vector: Vector = EASTWARD, *, powered: bool = True) -> OwnView:
    return corvette(Square(x, 5), vector, powered=powered, popped_out=powered)


def plan(own: OwnView, *without: Ability) -> tuple[Order, ...] | None:
    return dark_drift(Advice(seen(Phase.PLOT, (own,)), without), own, GOAL)


def test_a_ship_that_drifts_to_its_goal_switches_its_plant_off() -> None:
    assert plan(ship(3)) == DARK


@pytest.mark.parametrize(
    "vector",
    [Vector(0, 0), Vector(-3, 0), Vector(3, 1), Vector(0, 3)],
    ids=["at rest", "going away", "past it", "off the map"],
)
def test_one_that_does_not_drift_there_burns_first(vector: Vector) -> None:
    orders = plan(ship(12, vector))
    assert orders
    assert not any(isinstance(order, Power) for order in orders)


def moved(own: OwnView, orders: tuple[Order, ...]) -> OwnView:
    """Return a ship after a move by these orders; a plant that starts gives no thrust yet."""
    view = seen(Phase.PLOT, (own,))
    starts = Power(ship=own.id, on=True) in orders
    if orders == DARK or not own.powered:
        square, vector = drifted_on(view.board, own.square, own.vector)
        return replace(own, square=square, vector=vector, powered=starts, popped_out=False)
    flights = {course.orders: course.flight for course in Advice(view).courses(own)}
    square, vector, facing = flights[orders]
    return replace(own, square=square, vector=vector, facing=facing)


def test_a_ship_at_rest_burns_a_few_times_and_drifts_dark_until_it_is_near() -> None:
    own = replace(ship(3, Vector(0, 0)), facing=Compass.N)
    flown: list[bool] = []
    while (orders := plan(own)) is not None and len(flown) < 20:
        own = moved(own, orders)
        flown.append(own.powered)
    dark = flown.count(False)
    assert flown == [*[True] * (len(flown) - dark - 1), *[False] * dark, True]
    assert dark >= 5
    assert distance(own.square, GOAL) < FAR


def test_a_dark_ship_starts_its_plant_when_two_more_movements_leave_no_room_to_brake() -> None:
    dark = [ship(x, powered=False) for x in (18, 21)]
    rooms = [distance(Square(own.square.x + 6, 5), GOAL) for own in dark]
    assert rooms[0] >= BRAKES_WITHIN > rooms[1]
    assert plan(dark[0]) == ()
    assert plan(dark[1]) == (Power(ship=dark[1].id, on=True),)


def test_a_ship_near_its_goal_is_left_to_who_flies_there() -> None:
    assert plan(ship(26)) is None


def test_who_may_not_switch_off_flies_the_same_way_with_its_plant_on() -> None:
    assert plan(ship(3), Ability.POWER_OFF) == ()
