"""A side's own ground units after a PLOT has closed with certain orders.

Source: surface play of our rule book, blips §2.4; set-up turn §7. Whether a unit stays hidden is
for its enemies to say, so it is left as it was.
"""

import msgspec

from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Order, Power
from sunglare_protocol.orders.ground import Move
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.views.ground import GroundView
from sunglare_protocol.words.ladder import Fate
from sunglare_rules.advice.check.ground import stands, stationed
from sunglare_rules.advice.seen.plotting import first_of
from sunglare_rules.ground.builds import footprint_of
from sunglare_rules.ground.paths import Legs, jump, walk
from sunglare_rules.ground.plane import touch

_replace = msgspec.structs.replace


def unit_after(moved: View, unit: GroundView, orders: tuple[Order, ...]) -> GroundView:
    """Return an own ground unit after a PLOT; in the view `moved` the own ships have moved."""
    if unit.fate is not Fate.IN_PLAY:
        return unit
    mine = tuple([order for order in orders if order.ship == unit.id])
    power, move = first_of(Power, mine), first_of(Move, mine)
    here = stationed(unit, mine)
    if power is not None and power.ecm is not None:
        here = _replace(here, ecm_on=power.ecm)
    if move is None:
        return here
    if move.load is not None:
        return _loaded(moved, here, move.load)
    return _unloaded(moved, here) if move.unload else _walked(moved, here, move)


def _walked(view: View, unit: GroundView, move: Move) -> GroundView:
    environs = None if unit.site is None else view.board.environs_at(unit.site)
    if environs is None or unit.cell is None or not move.path:
        return unit
    legs = Legs(unit.mode, unit.move, unit.jump)
    if move.jump:
        done = jump(environs, legs, unit.cell, move.path[0])
    else:
        done = walk(environs, legs, unit.cell, move.path)
    return _replace(unit, cell=done.cells[-1]) if done.cells else unit


def _loaded(view: View, unit: GroundView, ship: OwnId) -> GroundView:
    """Return the unit aboard a ship, if that stands next to it by then."""
    carrier = _ship(view, ship)
    place = None if carrier is None else stands(view, carrier)
    if carrier is None or place is None or unit.cell is None or place[0] != unit.site:
        return unit
    if not touch(unit.cell, place[1], unit.specials, footprint_of(carrier.size)):
        return unit
    return _replace(unit, site=None, cell=None, aboard=ship, hidden=False)


def _unloaded(view: View, unit: GroundView) -> GroundView:
    carrier = _ship(view, unit.aboard)
    place = None if carrier is None else stands(view, carrier)
    return unit if place is None else _replace(unit, site=place[0], cell=place[1], aboard=None)


def _ship(view: View, ship: OwnId | None) -> OwnView | None:
    """Return the own ship of that id, if there is one and it is in play."""
    found = (own for own in view.own if own.id == ship and own.fate is Fate.IN_PLAY)
    return next(found, None)
