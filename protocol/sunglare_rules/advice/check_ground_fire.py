"""Whether the attack of a ground unit is allowed, as far as its owner can tell.

Source: surface play of our rule book, blips §2.4. How tall and how large a token is, only its
owner knows: an attack is refused that no height and no size would make possible.
"""

from sunglare_protocol.geometry import Environs
from sunglare_protocol.ground_views import ArmView, GroundView, TokenView
from sunglare_protocol.ladder import Fate
from sunglare_protocol.orders import Fire
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.surface import Arm, Site
from sunglare_protocol.views import View
from sunglare_rules.advice.check_battery import battery_problem
from sunglare_rules.advice.check_bombard import DESIGNATORS, tag_problem
from sunglare_rules.advice.check_ground import stands
from sunglare_rules.advice.ground_bodies import own_bodies
from sunglare_rules.advice.refusing import refused
from sunglare_rules.metric import Span
from sunglare_rules.spotting import CONTACT_INCHES, FOOTPRINTS, half_footprint
from sunglare_rules.surface.attacks import (
    CLOSE_ARMS,
    GROUND_ARMS,
    Bracket,
    bracket_of,
    damage_at,
)
from sunglare_rules.surface.builds import TALLEST, height_of_ship
from sunglare_rules.surface.plane import apart
from sunglare_rules.surface.sight import Standing, sees

CONTACT_MOST = CONTACT_INCHES + max(FOOTPRINTS.values()) // 2
"""How far off, in inches, a target of unknown size may be touched at most."""


def ground_fire_problem(view: View, unit: GroundView, order: Fire) -> Rejected | None:
    """Return why the unit cannot make this attack, or None."""
    if order.weapon in DESIGNATORS:
        return tag_problem(view, unit, order)
    if order.point is not None:
        return refused(Code.ORDER_WEAPON, ".weapon", "Only a designator takes a point.")
    weapon = next((each for each in unit.weapons if each.id == order.weapon), None)
    if weapon is None or unit.silent:
        right = () if unit.silent else tuple(each.id for each in unit.weapons)
        return refused(Code.ORDER_WEAPON, ".weapon", choices=right)
    if weapon.kind not in GROUND_ARMS:
        return battery_problem(view, unit, weapon, order)
    environs = None if unit.site is None else view.board.environs_at(unit.site)
    if unit.site is None or unit.cell is None or environs is None:
        return refused(Code.ORDER_LOAD, ".ship", "It is aboard a ship.")
    token = next((each for each in tokens(view, unit.site) if each.handle == order.at), None)
    if token is None:
        choices = tuple(each.handle for each in tokens(view, unit.site) if each.handle)
        return refused(Code.ORDER_HANDLE, ".at", choices=choices)
    distance = apart(unit.cell, token.cell)
    return _reach_problem(weapon, unit, distance) or _line_problem(
        view, environs, unit, weapon, token
    )


def tokens(view: View, site: Site) -> tuple[TokenView, ...]:
    """Return the tokens that the viewer holds on a map, which are all that may be attacked."""
    return tuple(
        token
        for surface in view.surfaces
        if surface.site == site
        for token in surface.tokens
        if token.handle is not None
    )


def _reach_problem(weapon: ArmView, unit: GroundView, distance: Span) -> Rejected | None:
    if weapon.kind in CLOSE_ARMS:
        if distance.within(CONTACT_MOST + half_footprint(unit.specials)):
            return None
        return refused(Code.ORDER_RANGE, ".at", "It takes base contact.")
    bracket = bracket_of(distance)
    if bracket is None or not damage_at(weapon.damage, bracket):
        reach = [each.value for each in Bracket if damage_at(weapon.damage, each)]
        return refused(Code.ORDER_RANGE, ".at", f"It reaches {', '.join(reach)} range.")
    return None


def _line_problem(
    view: View, environs: Environs, unit: GroundView, weapon: ArmView, token: TokenView
) -> Rejected | None:
    if weapon.kind in CLOSE_ARMS or unit.site is None or unit.cell is None:
        return None
    aim, bodies = Standing(token.cell, TALLEST), own_bodies(view, unit.site)
    if sees(environs, Standing(unit.cell, unit.height), aim, bodies):
        return None
    if weapon.kind is not Arm.INDIRECT:
        return refused(Code.ORDER_SIGHT, ".at", "The unit does not see it.")
    friends = [
        Standing(each.cell, each.height)
        for each in view.ground
        if each.site == unit.site and each.cell is not None and each.fate is Fate.IN_PLAY
    ]
    friends += [
        Standing(place[1], height_of_ship(each.size))
        for each in view.own
        if each.fate is Fate.IN_PLAY and (place := stands(view, each)) and place[0] == unit.site
    ]
    if any(sees(environs, each, aim, bodies) for each in friends):
        return None
    return refused(Code.ORDER_SIGHT, ".at", "No own unit sees it.")
