"""Checks of fire at a point of a surface map, and of its designation.

Source: Alpha Strike, "Air-to-Ground Attacks", "Surface-to-Surface Attacks" and TAG; capital
weapons of our rule book §1 (K8 to K10) and §3, blips §2.4. A point may be a guess, so nothing is
asked of what the viewer holds there.
"""

from sunglare_protocol.geometry import Environs, Planet
from sunglare_protocol.orders import Bombard, Fire
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.surface import Site
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.views.ground import GroundView
from sunglare_protocol.words.capital import CapitalClass
from sunglare_protocol.words.specials import Special
from sunglare_rules.advice.check.ground import stands
from sunglare_rules.advice.check.ground_bodies import own_bodies
from sunglare_rules.advice.refusing import refused
from sunglare_rules.advice.seen.lookup import own_weapon
from sunglare_rules.capital.capital import CLASS_OF_ARM, CLASS_OF_KIND, MISSILES
from sunglare_rules.capital.tag import POINT_HEIGHT, TAG_BRACKET, may_designate
from sunglare_rules.capital.zones import may_bombard, radar_zone
from sunglare_rules.ground.line_of_sight import Viewpoint, sees
from sunglare_rules.ground.plane import centre

DESIGNATORS = tuple(special.value for special in TAG_BRACKET)
"""The names under which a unit fires its designator."""


def bombard_problem(view: View, ship: OwnView, order: Bombard) -> Rejected | None:
    """Return why the ship cannot fire at this point, or None."""
    weapon = own_weapon(ship, order.weapon)
    if isinstance(weapon, Rejected):
        return weapon
    if weapon.kind not in CLASS_OF_KIND:
        right = tuple(
            fitted.id for fitted in ship.weapons if fitted.works and _is_capital(fitted.kind)
        )
        return refused(Code.ORDER_WEAPON, ".weapon", "This order takes a capital weapon.", right)
    if not ship.powered:
        return refused(Code.ORDER_POWER, ".ship")
    found = target_map(view, order)
    if isinstance(found, Rejected):
        return found
    kind = CLASS_OF_KIND[weapon.kind]
    if ship.landed is not None:
        place = stands(view, ship)
        return _launch_problem(order, None if place is None else place[0], kind)
    return _zone_problem(view, ship, found, kind)


def unit_bombard_problem(view: View, unit: GroundView, order: Bombard) -> Rejected | None:
    """Return why the ground unit cannot send a missile to this point, or None."""
    weapon = next((arm for arm in unit.weapons if arm.id == order.weapon), None)
    kind = None if weapon is None else CLASS_OF_ARM.get(weapon.kind)
    if kind not in MISSILES or unit.silent:
        arms = [arm.id for arm in unit.weapons if CLASS_OF_ARM.get(arm.kind) in MISSILES]
        right = () if unit.silent else tuple(arms)
        return refused(Code.ORDER_WEAPON, ".weapon", "This order takes missiles.", right)
    found = target_map(view, order)
    if isinstance(found, Rejected):
        return found
    return _launch_problem(order, unit.site, kind)


def tag_problem(view: View, unit: GroundView, order: Fire) -> Rejected | None:
    """Return why the unit cannot put its beam on the point of the order, or None."""
    if unit.silent or Special(order.weapon) not in unit.specials:
        right = () if unit.silent else tuple(s.value for s in unit.specials if s in TAG_BRACKET)
        return refused(Code.ORDER_WEAPON, ".weapon", choices=right)
    environs = None if unit.site is None else view.board.environs_at(unit.site)
    if unit.site is None or unit.cell is None or environs is None:
        return refused(Code.ORDER_LOAD, ".ship", "The unit is aboard a ship.")
    if order.at is not None or order.point is None:
        return refused(Code.ORDER_CELL, ".point", "A designator needs a point to aim at.")
    if order.point not in environs:
        return refused(Code.ORDER_CELL, ".point", "The cell is off the map.")
    here, there = centre(unit.cell), centre(order.point)
    if not may_designate((Special(order.weapon),), here, there, has_line_of_sight=True):
        reach = TAG_BRACKET[Special(order.weapon)].value
        return refused(Code.ORDER_RANGE, ".point", f"The designator reaches {reach} range.")
    eyes, point = Viewpoint(unit.cell, unit.height), Viewpoint(order.point, POINT_HEIGHT)
    if not sees(environs, eyes, point, own_bodies(view, unit.site)):
        return refused(Code.ORDER_SIGHT, ".point", "The unit cannot see the target.")
    return None


def target_map(view: View, order: Bombard) -> tuple[Planet, Environs] | Rejected:
    """Return the planet and the environs of the point, or why there is no such point."""
    surface = view.board.surface_at(order.at)
    if surface is None:
        sites = (f"{p.name} {e.number}" for p in view.board.planets for e in p.environs)
        return refused(Code.ORDER_BODY, ".at", choices=tuple(sites))
    if order.cell not in surface[1]:
        return refused(Code.ORDER_CELL, ".cell", "The cell is off the map.")
    return surface


def _is_capital(kind: object) -> bool:
    return kind in CLASS_OF_KIND


def _zone_problem(
    view: View, ship: OwnView, found: tuple[Planet, Environs], kind: CapitalClass
) -> Rejected | None:
    planet, environs = found
    if radar_zone(planet, environs.sector, ship.square) is None:
        detail = f"The ship is not in the gravity well of {planet.name}."
        return refused(Code.ORDER_RANGE, ".at", detail)
    if not may_bombard(view.board, planet, environs.sector, ship.square, kind):
        return refused(Code.ORDER_LINE, ".at", f"{planet.name} lies between.")
    return None


def _launch_problem(order: Bombard, start: Site | None, kind: CapitalClass) -> Rejected | None:
    """Return why nothing can be sent over the ground from the map `start`, or None."""
    if kind not in MISSILES:
        return refused(
            Code.ORDER_LANDED, ".weapon", "A landed ship reaches it only with missiles."
        )
    if start is None or start.body != order.at.body:
        return refused(
            Code.ORDER_RANGE, ".at", "Ground missiles reach only targets on their own planet."
        )
    return None
