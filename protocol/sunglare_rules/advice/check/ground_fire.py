"""Checks of a ground unit's attack, as far as its owner's view goes.

Source: surface play of our rule book, blips §2.4. How tall and how large a blip is, only its
owner knows: an attack is refused that no height and no size would make possible.
"""

from collections.abc import Iterator
from typing import NamedTuple

from sunglare_protocol.geometry import Environs
from sunglare_protocol.orders import Fire
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.surface import Arm, Cell, Site
from sunglare_protocol.views import View
from sunglare_protocol.views.ground import ArmView, GroundView, TokenView
from sunglare_protocol.words.ladder import Fate
from sunglare_rules.advice.check.battery import battery_problem
from sunglare_rules.advice.check.bombard import DESIGNATORS, tag_problem
from sunglare_rules.advice.check.ground import stands
from sunglare_rules.advice.check.ground_bodies import known_bodies, own_bodies, tokens
from sunglare_rules.advice.refusing import refused
from sunglare_rules.advice.seen.token_shapes import Shape, at_best, at_worst
from sunglare_rules.blips.spotting import CONTACT_INCHES, half_footprint
from sunglare_rules.ground.attacks import (
    CLOSE_ARMS,
    GROUND_ARMS,
    Bracket,
    bracket_of,
    damage_at,
)
from sunglare_rules.ground.builds import height_of_ship
from sunglare_rules.ground.line_of_sight import Bodies, Viewpoint, sees
from sunglare_rules.ground.plane import apart


def ground_fire_problem(view: View, unit: GroundView, order: Fire) -> Rejected | None:
    """Return why the unit cannot make this attack, or None."""
    if order.weapon in DESIGNATORS:
        return tag_problem(view, unit, order)
    if order.point is not None:
        return refused(Code.ORDER_WEAPON, ".weapon", "Only a designator can aim at a point.")
    weapon = next((arm for arm in unit.weapons if arm.id == order.weapon), None)
    if weapon is None or unit.silent:
        right = () if unit.silent else tuple(arm.id for arm in unit.weapons)
        return refused(Code.ORDER_WEAPON, ".weapon", choices=right)
    if weapon.kind not in GROUND_ARMS:
        return battery_problem(view, unit, weapon, order)
    environs = None if unit.site is None else view.board.environs_at(unit.site)
    if unit.site is None or unit.cell is None or environs is None:
        return refused(Code.ORDER_LOAD, ".ship", "The unit is aboard a ship.")
    token = next((held for held in tokens(view, unit.site) if held.handle == order.at), None)
    if token is None:
        choices = tuple(choice.handle for choice in tokens(view, unit.site) if choice.handle)
        return refused(Code.ORDER_HANDLE, ".at", choices=choices)
    scene = _Scene(environs, unit, unit.cell, own_bodies(view, unit.site))
    return _problem(view, scene, weapon, at_best(token))


def bears_at_worst(view: View, unit: GroundView, weapon: ArmView, token: TokenView) -> bool:
    """Return whether an attack that is allowed works however low and small its target may be."""
    environs = None if unit.site is None else view.board.environs_at(unit.site)
    if unit.site is None or unit.cell is None or environs is None:
        return False
    scene = _Scene(environs, unit, unit.cell, known_bodies(view, unit.site))
    return _problem(view, scene, weapon, at_worst(token)) is None


class _Scene(NamedTuple):
    """The attacker, its map and its cell, and what stands in the way there."""

    environs: Environs
    unit: GroundView
    cell: Cell
    bodies: Bodies


def _problem(view: View, scene: _Scene, weapon: ArmView, target: Shape) -> Rejected | None:
    return _reach_problem(weapon, scene, target) or _line_problem(view, scene, weapon, target)


def _reach_problem(weapon: ArmView, scene: _Scene, target: Shape) -> Rejected | None:
    distance = apart(scene.cell, target.standing.cell)
    if weapon.kind in CLOSE_ARMS:
        most = CONTACT_INCHES + half_footprint(scene.unit.specials) + target.radius
        if distance.within(most):
            return None
        return refused(Code.ORDER_RANGE, ".at", "This weapon takes base contact.")
    bracket = bracket_of(distance)
    if bracket is None or not damage_at(weapon.damage, bracket):
        reach = [reached.value for reached in Bracket if damage_at(weapon.damage, reached)]
        return refused(Code.ORDER_RANGE, ".at", f"The weapon reaches {', '.join(reach)} range.")
    return None


def _line_problem(view: View, scene: _Scene, weapon: ArmView, target: Shape) -> Rejected | None:
    if weapon.kind in CLOSE_ARMS:
        return None
    aim = target.standing
    if sees(scene.environs, Viewpoint(scene.cell, scene.unit.height), aim, scene.bodies):
        return None
    if weapon.kind is not Arm.INDIRECT:
        return refused(Code.ORDER_SIGHT, ".at", "The unit cannot see the target.")
    friends = _friends(view, scene.unit.site)
    if any(sees(scene.environs, friend, aim, scene.bodies) for friend in friends):
        return None
    return refused(Code.ORDER_SIGHT, ".at", "None of your units can see the target.")


def _friends(view: View, site: Site | None) -> Iterator[Viewpoint]:
    """Yield the own units and landed ships on a map, which may direct indirect fire."""
    for unit in view.ground:
        if unit.site == site and unit.cell is not None and unit.fate is Fate.IN_PLAY:
            yield Viewpoint(unit.cell, unit.height)
    for ship in view.own:
        place = stands(view, ship) if ship.fate is Fate.IN_PLAY else None
        if place is not None and place[0] == site:
            yield Viewpoint(place[1], height_of_ship(ship.size))
