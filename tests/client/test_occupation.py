"""An occupation at moments: who lands where and how, when it sweeps, and when it has lost."""

import msgspec
import pytest

from builders.botmatches import seated
from builders.bots import contact
from builders.matches import view_of
from builders.played import rig
from builders.scenarios import scenarios
from sunglare_client.advice import Advice
from sunglare_client.bot import decide
from sunglare_client.bots.movement.measures import inches_apart
from sunglare_client.bots.occupation import (
    ABOUT,
    LANDS_OFF,
    Occupation,
    landing_cells,
    sweeps,
    wanted,
)
from sunglare_client.bots.outcome.resignation import (
    HUNTS,
    ground_points,
    hunts,
    is_for_ground,
    is_lost,
)
from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import Audience, Side
from sunglare_protocol.orders import Cloak, Deploy, Land, Lift, Order, Turn
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.ladder import Fate

SMALL = ("smugglers-moon", "two-harbours")
OVER = {"smugglers-moon": Square(12, 13), "two-harbours": Square(45, 17)}
"""The square that touches the planet over the map where side A's troops are to land."""


def set_up(name: str) -> tuple[View, tuple[Order, ...]]:
    """Return what a raider of side A sees and orders in the first PLOT."""
    match = rig(scenarios()[name], 3, Audience("A"))
    view = view_of(match.state, Audience("A"))
    return view, tuple(decide(seated(match, name, Side("A"), "raider", 3), view, strict=True))


def later(view: View, turn: int = 2, **changes: object) -> View:
    stage = msgspec.structs.replace(view.stage, turn=turn)
    return msgspec.structs.replace(view, zone=(), stage=stage, **changes)


def carrier(view: View) -> OwnView:
    (aboard,) = {unit.aboard for unit in view.ground if unit.aboard is not None}
    return next(ship for ship in view.own if ship.id == aboard)


def over(name: str, **changes: object) -> tuple[View, list[Order]]:
    """Return a view in which the ship with troops rests over its map, and what it is to do."""
    match = rig(scenarios()[name], 3, Audience("A"))
    view = view_of(match.state, Audience("A"))
    ship = carrier(view)
    there = msgspec.structs.replace(ship, square=OVER[name], powered=True, **changes)
    own = tuple(there if one.id == ship.id else one for one in view.own)
    view = later(view, own=own)
    given = decide(seated(match, name, Side("A"), "raider", 3), view, strict=True)
    return view, [order for order in given if order.ship == ship.id]


def lost(view: View, *, ships: bool = False, troops: bool = False) -> View:
    """Return a view in which all ships are destroyed, or all troops, or both."""
    fate = Fate.DESTROYED
    own = tuple(msgspec.structs.replace(ship, fate=fate, damage=ship.hull) for ship in view.own)
    units = tuple(msgspec.structs.replace(unit, fate=fate) for unit in view.ground)
    view = msgspec.structs.replace(view, own=own) if ships else view
    return msgspec.structs.replace(view, ground=units) if troops else view


@pytest.mark.parametrize("name", SMALL)
def test_a_ship_with_troops_starts_as_it_is_best_hidden(name: str) -> None:
    view, orders = set_up(name)
    ship = carrier(view)
    (start,) = (o for o in orders if isinstance(o, Deploy) and o.ship == ship.id)
    assert start.cloaked is ship.cloak


@pytest.mark.parametrize("name", SMALL)
def test_over_the_map_that_it_has_nobody_in_it_drops_its_cloak_and_lands(name: str) -> None:
    view, orders = over(name)
    head = wanted(view)
    assert head is not None
    assert head.above(0) == OVER[name]
    (landing,) = (order for order in orders if isinstance(order, Land))
    assert (landing.body, landing.environs) == (head.site.body, head.site.environs)
    assert [o.on for o in orders if isinstance(o, Cloak)] == [False] * carrier(view).cloaked


@pytest.mark.parametrize("name", SMALL)
def test_without_a_foe_it_lands_as_far_from_the_middle_as_it_is_told(name: str) -> None:
    view, _ = set_up(name)
    head = wanted(view)
    assert head is not None
    cells = landing_cells(view, head)
    assert cells
    for cell in cells:
        off = inches_apart(cell, head.environs.middle)
        assert LANDS_OFF - ABOUT <= off <= LANDS_OFF + ABOUT


def test_what_cannot_move_keeps_still_since_a_turn_would_deafen_all() -> None:
    match = rig(scenarios()["two-harbours"], 3, Audience("A"))
    view = later(view_of(match.state, Audience("A")), contacts=(contact(Square(2, 20), turn=2),))
    still = [ship.id for ship in view.own if not ship.thrust]
    given = decide(seated(match, "two-harbours", Side("A"), "raider", 3), view, strict=True)
    assert still
    assert not [order for order in given if isinstance(order, Turn) and order.ship in still]


def test_a_landed_ship_stays_until_its_troops_are_out() -> None:
    view, _ = set_up("smugglers-moon")
    bot, ship = Occupation(3), carrier(view)
    assert bot.lifts_off(view, ship) is False
    out = tuple(msgspec.structs.replace(unit, aboard=None) for unit in view.ground)
    assert bot.lifts_off(msgspec.structs.replace(view, ground=out), ship) is True


@pytest.mark.parametrize(("turn", "is_due"), [(2, False), (3, True), (4, False)])
def test_nobody_sweeps_but_in_turn_while_no_cloaked_ship_is_hunted(
    turn: int, *, is_due: bool
) -> None:
    view, _ = set_up("two-harbours")
    assert sweeps(later(view, turn)) is is_due


@pytest.mark.parametrize(("points", "is_over"), [(-1, True), (0, False), (9, False)])
def test_a_side_without_ships_and_troops_has_lost_once_it_is_behind(
    points: int, *, is_over: bool
) -> None:
    view, _ = set_up("smugglers-moon")
    gone = lost(later(view), ships=True, troops=True)
    given = sum(ship.points for ship in view.own) + sum(unit.points for unit in view.ground)
    even = msgspec.structs.replace(gone, points=given - ground_points(gone))
    assert is_lost(msgspec.structs.replace(even, points=even.points + points)) is is_over


@pytest.mark.parametrize("name", SMALL)
def test_nobody_has_lost_at_the_start(name: str) -> None:
    view, _ = set_up(name)
    assert is_for_ground(view)
    assert not is_lost(view)
    assert not is_lost(later(view))


def test_ground_counts_for_whoever_has_troops_in_it_or_on_their_way() -> None:
    view, _ = set_up("two-harbours")
    ashore = tuple(unit for unit in view.ground if unit.aboard is None)
    assert ground_points(view) == 6
    assert ground_points(msgspec.structs.replace(view, ground=ashore)) == 0
    assert ground_points(lost(view, troops=True)) == -6


def test_guns_count_while_somebody_may_be_found_to_fire_at() -> None:
    view, _ = set_up("smugglers-moon")
    seen = contact(Square(12, 12), turn=4)
    with_contact = msgspec.structs.replace(view, contacts=(seen,))
    assert hunts(later(with_contact, 4 + HUNTS))
    assert not hunts(later(with_contact, 2 * HUNTS + 1))
    assert not hunts(lost(later(view), ships=True))


def test_elsewhere_a_raider_gives_up_as_an_admiral_does() -> None:
    match = rig(scenarios()["shadow-of-ceres"], 3, Audience("A"))
    view = later(view_of(match.state, Audience("A")), points=0)
    bot = seated(match, "shadow-of-ceres", Side("A"), "raider", 3)
    other = seated(match, "shadow-of-ceres", Side("A"), "admiral", 3)
    for state in (view, lost(view, ships=True)):
        assert bot.gives_up(state) is other.gives_up(state)


def test_what_is_asked_of_a_view_is_legal() -> None:
    view, orders = over("two-harbours")
    advice = Advice(view)
    assert advice.check(tuple(orders)) is None
    assert not any(isinstance(order, Lift) for order in orders)
