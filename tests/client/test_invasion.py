"""An invasion at moments: who goes where the wanted thing lies, who spies, and when it resigns."""

import msgspec
import pytest

from builders.botmatches import fought, seated
from builders.matches import view_of
from builders.matchstore import stored
from builders.played import rig
from builders.scenarios import scenarios
from sunglare_client.advice import Advice
from sunglare_client.bot import decide
from sunglare_client.bots import BOTS
from sunglare_client.bots.fire.bombarding import is_capital, marks
from sunglare_client.bots.ground.expedition import Expedition
from sunglare_client.bots.ground.flotilla import has_troops
from sunglare_client.bots.outcome.beaten import BROKEN, is_broken
from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import Audience, OwnId, Side
from sunglare_protocol.orders import Deploy, Land, Launch, Order
from sunglare_protocol.orders.agents import Mission
from sunglare_protocol.orders.ground import Station
from sunglare_protocol.surface import Site
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.armament import Launchable
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.pieces import PieceKind
from sunglare_protocol.words.search import MissionKind
from sunglare_rules.ground.plane import apart

TURN = 2
OVER = {"A": Square(15, 15), "B": Square(19, 15), "C": Square(19, 19), "D": Square(15, 19)}
"""The square that touches the planet over the map where what a side wants lies."""

WANTED = {side: Site("Redondo", number) for number, side in enumerate(OVER, 1)}


@stored(tuple[View, tuple[Order, ...]])
def set_up(side: str) -> tuple[View, tuple[Order, ...]]:
    """Return what an invader sees and orders in the first PLOT of redondo."""
    match = rig(scenarios()["redondo"], 3, Audience(side))
    view = view_of(match.state, Audience(side))
    bot = seated(match, "redondo", Side(side), "admiral", 3)
    return view, tuple(decide(bot, view, strict=True))


def later(view: View) -> View:
    """Return a view of a turn in which ships move as they stand, without a zone."""
    return msgspec.structs.replace(
        view, zone=(), stage=msgspec.structs.replace(view.stage, turn=TURN)
    )


def moved(view: View, own: OwnView, at: Square) -> View:
    """Return a view in which an own ship rests on a square."""
    there = msgspec.structs.replace(own, square=at, powered=True)
    ships = tuple(there if ship.id == own.id else ship for ship in view.own)
    return msgspec.structs.replace(view, own=ships)


def expedition(side: str) -> tuple[Expedition, View]:
    """Return an expedition that has seen the set-up, and a view of the turn after it."""
    view, _ = set_up(side)
    found = Expedition()
    found.see(view)
    return found, later(view)


def left(view: View, share: float) -> View:
    """Return a view in which ships worth so much of the fleet are left, rounded up."""
    total, kept, ships = sum(ship.points for ship in view.own), 0, []
    for ship in view.own:
        is_left = kept < share * total
        kept += ship.points if is_left else 0
        fate = Fate.IN_PLAY if is_left else Fate.DESTROYED
        ships.append(msgspec.structs.replace(ship, fate=fate))
    return msgspec.structs.replace(view, own=tuple(ships))


@pytest.mark.parametrize("side", OVER)
def test_who_brings_troops_or_shells_begins_nearest_to_the_map_where_the_thing_lies(
    side: str,
) -> None:
    view, orders = set_up(side)
    works = [
        ship.id for ship in view.own if is_capital(Advice(view), ship) or has_troops(view, ship.id)
    ]
    begun = {order.ship: order for order in orders if isinstance(order, Deploy)}
    away = {own: order.at.distance_squared(OVER[side]) for own, order in begun.items()}
    assert works
    assert {away[own] for own in works} == {min(away.values())}


@pytest.mark.parametrize("side", OVER)
def test_who_is_to_meet_a_landing_stands_in_the_open_and_all_others_hide(side: str) -> None:
    view, orders = set_up(side)
    hidden = {order.ship: order.hidden for order in orders if isinstance(order, Station)}
    open_ = {unit.variant for unit in view.ground if hidden.get(unit.id) is False}
    assert open_ == {"first-line-rifles", "tracked-jammer"}
    assert {unit.variant for unit in view.ground if hidden.get(unit.id)} == {
        "irregulars",
        "defence-missiles",
        "hover-scout",
    }


def test_no_foot_is_set_up_where_a_side_only_wants_something() -> None:
    view, orders = set_up("A")
    foot = {unit.id for unit in view.ground if unit.af}
    placed = {order.at for order in orders if isinstance(order, Station) and order.ship in foot}
    assert placed == {WANTED["B"]}


def test_a_ship_lands_as_far_from_what_is_known_as_the_map_allows() -> None:
    working, view = expedition("A")
    carrier = next(ship for ship in view.own if has_troops(view, ship.id))
    over = moved(view, carrier, OVER["A"])
    ship = next(own for own in over.own if own.id == carrier.id)
    (landing,) = working.plan(over, Advice(over), ship) or ()
    environs = view.board.environs_at(WANTED["A"])
    assert isinstance(landing, Land)
    assert environs is not None
    assert landing.cell is not None
    assert not marks(over, WANTED["A"])
    nearest = min(environs.columns, environs.rows) // 2
    assert not apart(landing.cell, environs.middle).within(nearest)


def test_one_flight_is_sent_over_the_map_and_no_second_one_while_it_lives() -> None:
    working, view = expedition("A")
    carrier = next(ship for ship in view.own if ship.flights)
    near = moved(view, carrier, Square(8, 8))
    assert [*working.launches(near, Advice(near))] == [
        Launch(ship=carrier.id, what=Launchable.FIGHTER)
    ]
    flight = msgspec.structs.replace(carrier, id=OwnId("F1"), kind=PieceKind.FIGHTER, flights=0)
    flown = msgspec.structs.replace(near, own=(*near.own, flight))
    assert not [*working.launches(flown, Advice(flown))]


def test_an_agent_on_the_map_without_a_mission_spies_there() -> None:
    working, view = expedition("A")
    (agent,) = (agent for agent in view.agents if agent.site == WANTED["A"])
    spying = Mission(ship=agent.id, kind=MissionKind.SPY)
    assert [*working.spying(view, ())] == [spying]
    busy = Mission(ship=agent.id, kind=MissionKind.STEAL, name="star charts")
    assert not [*working.spying(view, (busy,))]


def test_a_fleet_of_which_less_than_a_quarter_fights_resigns_and_no_other() -> None:
    view = later(set_up("A")[0])
    assert not is_broken(view)
    assert not is_broken(left(view, BROKEN))
    ruined = left(view, 0)
    assert is_broken(ruined)
    assert BOTS["admiral"](3).gives_up(ruined)


def test_invaders_give_no_order_that_is_refused() -> None:
    _, given = fought("redondo", 2, *("admiral",) * 4, turns_most=TURN)
    assert {name for _, name in given} >= {"Deploy", "Station", "Mission", "Launch"}
