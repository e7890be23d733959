"""Held weapons by the rule book: which cloaked ship each of them answers, for `shots`.

A second reading of cloak hunting §3, "Answers to a cloaked ship that fires", from the truth alone;
it knows nothing of views, nor of how the server judges a shot.
"""

from collections.abc import Iterator

from second_reading.cannons import Aimed, full_damage, is_capital
from second_reading.parts import Window, place
from sunglare_protocol.geometry import Compass
from sunglare_protocol.ids import Side
from sunglare_protocol.orders import Hold
from sunglare_protocol.words.ladder import Fix
from sunglare_protocol.words.pieces import BaseSize
from sunglare_rules.arcs.arcs import GridBase, grid_band, grid_lie
from sunglare_rules.fire.weapons import has_arc, reach_mu
from sunglare_rules.sensors.sectors import line_of_sight
from sunglare_rules.turn.scale import within_mu
from sunglare_server.match.data.scenario import Weapon
from sunglare_server.match.ids import piece_id
from sunglare_server.match.truth.truth import ShipTruth, Truth


def answers_of(window: Window) -> Iterator[Aimed]:
    """Yield the shots of held weapons as shooter, weapon and target."""
    truth = window.before
    for side, orders in window.orders.items():
        foes = _answerable(window, side)
        for order in orders:
            if isinstance(order, Hold):
                ship = truth.ships[piece_id(side, order.ship)]
                gun = next(weapon for weapon in ship.type.weapons if weapon.id == order.weapon)
                hit = [foe for foe in foes if _can_hit(truth, ship, gun, foe)]
                if hit:
                    yield (
                        ship.id,
                        gun.id,
                        min(hit, key=lambda one: _nearness(window, ship, one)).id,
                    )


def _answerable(window: Window, side: Side) -> list[ShipTruth]:
    """Return the hostile cloaked ships that fired, and that hit at the side or are held by it."""
    ships = window.before.ships
    fired = [
        (ships[shooter], ships[target])
        for shooter, _, target in window.attacks
        if ships[shooter].cloaked and ships[shooter].side != side
    ]
    known = {
        shooter.id: shooter
        for shooter, target in fired
        if target.side == side or window.before.hunt_fix(side, shooter) is not None
    }
    return list(known.values())


def _nearness(window: Window, ship: ShipTruth, foe: ShipTruth) -> tuple[int, bytes]:
    apart = ship.square.distance_squared(foe.square)
    return apart, window.dice.tie(window.before.turn, ship.id, foe.id)


def _can_hit(truth: Truth, ship: ShipTruth, gun: Weapon, foe: ShipTruth) -> bool:
    if not line_of_sight(truth.board, place(ship), place(foe)):
        return False
    solved = truth.hunt_fix(ship.side, foe) is Fix.SOLUTION
    own = GridBase(ship.type.size, ship.square, ship.facing)
    size, facing = (foe.type.size, foe.facing) if solved else (BaseSize.SMALL, Compass.N)
    base = GridBase(size, foe.square, facing)
    lie = grid_lie(own, base)
    beneath = ship.square == foe.square or lie.is_beneath
    if not beneath and not _bears(ship, gun, own, base):
        return False
    if not beneath and gun.needs is not None and gun.needs is not lie.relation:
        return False
    apart = 0 if beneath else ship.square.distance_squared(foe.square)
    if is_capital(truth, (ship.id, gun.id, foe.id)):
        return full_damage(truth, (ship.id, gun.id, foe.id)) > 0
    return _reaches(reach_mu(gun.kind, gun.rank), apart, solved=solved)


def _bears(ship: ShipTruth, gun: Weapon, own: GridBase, base: GridBase) -> bool:
    if not has_arc(gun.kind):
        return True
    turrets = [arc for turret in ship.turrets if turret.id == gun.turret for arc in turret.arcs]
    arcs = [gun.arc] if gun.arc is not None else turrets
    return any(grid_band(own, base, arc) is not None for arc in arcs)


def _reaches(limit: int, apart: int, *, solved: bool) -> bool:
    """Return whether r, or max(2r, r + 12) without a solution, is within the limit in mu."""
    if solved:
        return within_mu(apart, limit)
    return limit >= 12 and within_mu(4 * apart, limit) and within_mu(apart, limit - 12)
