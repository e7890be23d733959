"""What a bot gets of plans through its advice: the same as the terminal."""

from builders.views import S1, contact, own_ship, view
from sunglare_client.advice import Advice
from sunglare_client.kit import Route, Waypoint
from sunglare_protocol.geometry import Square
from sunglare_protocol.orders import Fire, Hold, Sensors, Turn
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.plans.again import scans_again
from sunglare_rules.advice.plans.fire import fire_all
from sunglare_rules.advice.plans.policy import holds_of_free
from sunglare_rules.advice.plans.routes import gone_on, route

FIGHT = view(Phase.ENGAGE, own_ship(), contacts=(contact(),))
SET_UP = view(Phase.PLOT, own_ship(popped_out=False), turn=1, zone=("B6",))


def test_advice_has_the_plans_of_the_terminal() -> None:
    advice, given = Advice(FIGHT), (Hold(ship=S1, weapon="torpedo"),)
    assert advice.fire_all() == fire_all(FIGHT) != ()
    assert advice.fire_all([Fire(ship=S1, weapon="beam", at=FIGHT.contacts[0].handle)]) == ()
    assert advice.holds_of_free(given) == holds_of_free(FIGHT, given)
    assert advice.scans_again() == scans_again(FIGHT)
    assert Advice(SET_UP).sensors_out() == (Sensors(ship=S1, out=True),)
    assert Advice(SET_UP).sensors_out([Sensors(ship=S1, out=False)]) == ()


def test_orders_are_given_again_beside_others() -> None:
    advice, turn = Advice(SET_UP), Turn(ship=S1, steps=1)
    assert advice.again([turn]) == (turn,)
    assert advice.again([turn], [Turn(ship=S1, steps=-1)]) == ()


def test_advice_has_a_route_or_none() -> None:
    advice = Advice(SET_UP)
    way = advice.route(S1, Waypoint(Square(7, 20), stop=True))
    assert isinstance(way, Route)
    assert way == route(SET_UP, S1, Waypoint(Square(7, 20), stop=True))
    assert advice.gone_on(way) == gone_on(SET_UP, way)
    assert advice.route(S1, Waypoint(Square(-1, 0))) is None
