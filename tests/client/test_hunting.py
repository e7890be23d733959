"""What the hunting bots share: pursuit, parking, aiming, and what a place is worth for it."""

import random
from collections import Counter
from collections.abc import Iterable

import msgspec
import pytest

from builders.bots import BOARD, contact, corvette, frigate, seen
from documents.wirewords import tag
from sunglare_arena.entrants import games
from sunglare_arena.playing import play
from sunglare_arena.series import Series, scenario_called
from sunglare_client.advice import Advice
from sunglare_client.bot import Bot
from sunglare_client.bots import Hunter, RandomLegal
from sunglare_client.bots.movement.hunting import attack, firepower, moved, nearest, quarries
from sunglare_client.bots.movement.steering import best_course, parked_deployment, parking
from sunglare_protocol.geometry import Compass, Square, Vector
from sunglare_protocol.orders import Order, Rotate, Turn
from sunglare_protocol.views import ContactView, OwnView, View
from sunglare_protocol.words.ladder import Fate, Fix, Phase
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.odds.broadside import Broadside
from sunglare_rules.advice.seen.plotting import after_plot
from sunglare_rules.turn.movement import AT_REST

SPOT = Square(27, 25)


def tracked(square: Square, vector: Vector = AT_REST) -> ContactView:
    return msgspec.structs.replace(contact(square, Fix.TRACKED), vector=vector, facing=Compass.N)


def plotting(ship: OwnView, *contacts: ContactView, turn: int = 5) -> View:
    return seen(Phase.PLOT, (ship,), contacts, turn=turn)


def parked(ship: OwnView, turns: int) -> OwnView:
    """Return the ship after so many turns of trying to come to rest on the spot."""
    for _ in range(turns):
        view = plotting(ship)
        orders = best_course(Advice(view), ship, parking(BOARD, SPOT, ship.thrust))
        ship = moved(ship, after_plot(view, ship, orders))
    return ship


@pytest.mark.parametrize(
    "ship",
    [
        corvette(Square(27, 31), Vector(0, -1)),
        corvette(Square(20, 27), Vector(1, 0)),
        frigate(Square(33, 31), Vector(-1, -1)),
        corvette(SPOT),
    ],
    ids=["from the south", "from the west", "a frigate from the south-east", "already there"],
)
def test_a_ship_comes_to_rest_where_it_wants_to_park(ship: OwnView) -> None:
    end = parked(ship, 10)
    assert (end.square, end.vector) == (SPOT, AT_REST)


def test_of_two_courses_that_are_equally_good_neither_direction_is_preferred() -> None:
    """Ships that face north and want to face south may turn to either side."""
    turned = Counter(turned_about(corvette(Square(x, 20))) for x in range(5, 35))
    assert turned.total() == 30
    assert min(turned[side] for side in (Compass.E, Compass.W)) >= 8


def turned_about(ship: OwnView) -> Compass:
    """Return how a ship with a pilot of 2 faces after a turn that brings it nearest to south."""
    north = msgspec.structs.replace(ship, facing=Compass.N)
    view = plotting(north)
    orders = best_course(Advice(view), north, lambda flight: flight.facing.apart(Compass.S))
    return after_plot(view, north, orders).facing


def test_a_deployment_for_parking_leads_to_rest_within_few_turns() -> None:
    ship = corvette(Square(30, 30))
    view = seen(Phase.PLOT, (ship,), turn=1, zone=("F7", "G7"))
    order = parked_deployment(view, ship, random.Random(1), SPOT)
    assert check(view, (order,)) is None
    assert parked(moved(ship, after_plot(view, ship, (order,))), 5).vector == AT_REST


def test_a_quarry_is_where_it_drifts_to() -> None:
    ship = corvette(Square(5, 5))
    (found,) = quarries(plotting(ship, tracked(Square(9, 9), Vector(2, -1))))
    assert (found.after_move, found.later) == (Square(11, 8), Square(13, 7))


@pytest.mark.parametrize(
    "gone",
    [
        contact(Square(9, 9), turn=2),
        msgspec.structs.replace(contact(Square(9, 9)), fate=Fate.DESTROYED),
        tracked(Square(38, 9), Vector(3, 0)),
    ],
    ids=["seen long ago", "destroyed", "about to leave the map"],
)
def test_what_is_stale_or_gone_is_no_quarry(gone: ContactView) -> None:
    assert quarries(plotting(corvette(Square(5, 5)), gone)) == ()


def test_the_nearest_quarry_is_the_one_to_pursue() -> None:
    ship = corvette(Square(5, 5))
    view = plotting(ship, tracked(Square(30, 9)), tracked(Square(12, 9)))
    found = nearest(ship, quarries(view))
    assert found is not None
    assert found.contact.square == Square(12, 9)
    assert nearest(ship, ()) is None


def test_the_damage_of_a_place_is_what_the_odds_say_of_a_target_there() -> None:
    ship, target = frigate(Square(12, 12)), tracked(Square(12, 15))
    view = seen(Phase.ENGAGE, (ship,), (target,))
    advice = Advice(view)
    odds = [advice.odds(shot) for shot in advice.shots()]
    total = sum(chance.mean_hundredths for chance in odds if chance is not None)
    assert total > 0
    elsewhere = msgspec.structs.replace(target, square=Square(30, 3))
    broadside = Broadside(view, ship, elsewhere)
    assert broadside.hundredths(ship.square, ship.facing, Square(12, 15)) == total


def test_nothing_is_hit_out_of_reach() -> None:
    ship = frigate(Square(2, 2))
    view = plotting(ship, tracked(Square(30, 30)))
    (quarry,) = quarries(view)
    assert firepower(view, ship, quarry) == 0


def test_a_ship_turns_to_the_quarry_beside_it() -> None:
    ship = corvette(Square(10, 10))
    view = plotting(ship, tracked(Square(10, 16)))
    (quarry,) = quarries(view)
    orders = attack(Advice(view), ship, quarry)
    assert check(view, orders) is None
    assert any(isinstance(order, Turn) for order in orders)
    after = moved(ship, after_plot(view, ship, orders))
    assert firepower(view, after, quarry) > firepower(view, ship, quarry)


def test_a_turret_is_rotated_to_a_quarry_that_the_ship_cannot_turn_to() -> None:
    cold = msgspec.structs.replace(frigate(Square(10, 10)), powered=True, thrust=0)
    slow = msgspec.structs.replace(cold, crew=msgspec.structs.replace(cold.crew, pilot=0))
    view = plotting(slow, tracked(Square(10, 6)))
    (quarry,) = quarries(view)
    orders = attack(Advice(view), slow, quarry)
    assert check(view, orders) is None
    assert [order.turret for order in orders if isinstance(order, Rotate)] == ["T1"]


@pytest.mark.parametrize("kind", [Hunter, RandomLegal], ids=["hunter", "random"])
def test_ground_units_take_part(kind: type[Bot]) -> None:
    scenario = scenario_called("orlog")
    (game,) = games(scenario.sides, 1, 1, 4, swap=False)
    short = Series(scenario=scenario, bots=(), matches=1, turns=4).played
    fired: list[str] = []

    class Noted(kind):  # type: ignore[valid-type, misc]
        def on_window(self, view: View, advice: Advice) -> Iterable[Order]:
            orders = tuple(super().on_window(view, advice))
            ours = {unit.id for unit in view.ground}
            fired.extend(tag(type(order)) for order in orders if order.ship in ours)
            return orders

    assert play(short, game, (Noted,)).faults == ()
    given = set(fired) - {"search"}
    # Two units of the scenario sow sensors, so that not all short matches have any of it. Nobody
    # comes so near so soon that a hunter's units, which stay where they are, had whom to probe.
    anything = {"fire", "bombard", "move", "station", "power", "probe"}
    assert given - {"launch"} == ({"fire"} if kind is Hunter else anything)
