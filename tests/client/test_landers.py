"""How a lander gets down: to the right place, slow enough, and no louder than it is told."""

import msgspec
import pytest

from builders.matches import view_of
from builders.played import rig
from builders.scenarios import scenarios
from sunglare_client.advice import Advice
from sunglare_client.bots.ground.flotilla import Beachhead
from sunglare_client.bots.movement import landers
from sunglare_client.bots.movement.landers import start_of, way_down
from sunglare_client.bots.occupation import wanted
from sunglare_protocol.geometry import Compass, Square, Vector
from sunglare_protocol.ids import Audience
from sunglare_protocol.orders import Deploy, Order, Thrust, Turn
from sunglare_protocol.views import OwnView, View
from sunglare_rules.turn.movement import Flight, MoveEnding, ending, planet_landing_problems

TURNS_MOST = 20
FAR_STARTS = [
    ((2, 2), (0, 0), Compass.N),
    ((4, 12), (2, 0), Compass.E),
    ((15, 20), (-2, 1), Compass.SW),
    ((25, 12), (2, 2), Compass.S),
]


def approach() -> tuple[View, OwnView, Beachhead]:
    """Return what A sees in two-harbours, its lander, and where this is to land."""
    view = view_of(rig(scenarios()["two-harbours"], 3, Audience("A")).state, Audience("A"))
    head = wanted(view)
    assert head is not None
    return view, view.own[0], head


def put(ship: OwnView, at: tuple[int, int], vector: tuple[int, int], facing: Compass) -> OwnView:
    return msgspec.structs.replace(
        ship, square=Square(*at), vector=Vector(*vector), facing=facing, cloaked=True
    )


def used(orders: tuple[Order, ...]) -> int:
    burned = sum(len(order.to) for order in orders if isinstance(order, Thrust))
    return burned + sum(abs(order.steps) for order in orders if isinstance(order, Turn))


def flown_down(ship: OwnView) -> tuple[list[Flight], list[int]]:
    """Return the flights of a ship until it may land, and the thrust that it used for each."""
    view, _, head = approach()
    view = msgspec.structs.replace(
        view, zone=(), stage=msgspec.structs.replace(view.stage, turn=2)
    )
    flights, noise = [Flight(ship.square, ship.vector, ship.facing)], list[int]()
    number = head.environs.number
    while planet_landing_problems(head.planet, flights[-1], ship.thrust, number):
        assert len(flights) <= TURNS_MOST
        square, vector, facing = flights[-1]
        here = msgspec.structs.replace(ship, square=square, vector=vector, facing=facing)
        seen = msgspec.structs.replace(view, own=(here, *view.own[1:]))
        orders = way_down(Advice(seen), here, head)
        flights.append(Advice(seen).flight(here, orders))
        noise.append(used(orders))
        assert ending(view.board, flights[-1].square) is MoveEnding.FLIES
    return flights, noise


@pytest.mark.parametrize(("at", "vector", "facing"), FAR_STARTS)
def test_a_lander_comes_to_where_it_may_land_from_anywhere(
    at: tuple[int, int], vector: tuple[int, int], facing: Compass
) -> None:
    _, ship, _ = approach()
    flights, _ = flown_down(put(ship, at, vector, facing))
    assert len(flights) > 1


def test_a_lander_that_minds_noise_is_quieter_and_slower(monkeypatch: pytest.MonkeyPatch) -> None:
    _, ship, _ = approach()
    start = put(ship, (4, 8), (2, 0), Compass.E)
    ways = []
    for cost in (0.0, 20.0):
        monkeypatch.setattr(landers, "LOUD", cost)
        monkeypatch.setattr(landers, "LOUD_AFAR", cost)
        ways.append(flown_down(start))
    (quick, loud), (slow, quiet) = ways
    assert len(quick) < len(slow)
    assert max(quiet) <= 1 < max(loud)


def test_a_lander_is_deployed_cloaked_and_flies_at_its_place() -> None:
    view, ship, head = approach()
    (start,) = start_of(view, ship, head)
    assert isinstance(start, Deploy)
    assert start.cloaked
    assert start.vector is not None
    assert start.vector.dx > 0
    assert Advice(view).check((start,)) is None
