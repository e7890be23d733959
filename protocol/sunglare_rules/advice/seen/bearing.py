"""The bearing of an own weapon on a contact: line of sight, arc, bands, range and relation.

Source: X-Wing 2.0, "Arc", and the ranges of Full Thrust; arcs of our rule book §2 and its
chapter on fire, turn §6, "Arcs on the grid".
"""

import math
from typing import NamedTuple

from sunglare_protocol.geometry import BOX_EDGE, Board, Compass, Place, Square
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.views import ContactView, OwnView, View, WeaponView
from sunglare_protocol.word import spoken
from sunglare_protocol.words.pieces import Arc, BaseSize, Relation
from sunglare_protocol.words.scans import Echo
from sunglare_rules.advice.refusing import refused
from sunglare_rules.advice.seen.lookup import place_of
from sunglare_rules.arcs.arcs import FAR, GridBase, GridWay, Lie, grid_band, grid_way
from sunglare_rules.arcs.eligibility import (
    RangeRule,
    counted_distance_squared,
    counts_within_mu,
)
from sunglare_rules.fire.weapons import has_arc, reach_mu
from sunglare_rules.ground.attacks import Bracket, bracket_of, damage_at
from sunglare_rules.sensors.sectors import blocks, line_of_sight, standing_square
from sunglare_rules.turn.metric import SPACE, Span
from sunglare_rules.turn.scale import BANDS, in_squares

BASE_OF_ECHO = {
    Echo.MISSILE: BaseSize.SMALL,
    Echo.SMALL: BaseSize.SMALL,
    Echo.MEDIUM: BaseSize.MEDIUM,
    Echo.LARGE: BaseSize.LARGE,
}
"""OWN: the base that a track's echo stands for."""


class Bearing(NamedTuple):
    """How a weapon bears on a target, as its owner may know.

    `arc` is the one used (None: the target lies beneath the base, or the weapon has none),
    `band` the range through it, `base_range` that between the bases; `distance_squared` counts
    from square to square, and longer than it is where the shot counts so.
    """

    arc: Arc | None
    band: int
    base_range: int
    relation: Relation
    distance_squared: int


def own_base(ship: OwnView) -> GridBase:
    """Return the base of an own ship."""
    return GridBase(ship.size, ship.square, ship.facing)


def contact_base(contact: ContactView) -> GridBase:
    """Return the base a contact is taken for. OWN: if unknown, a small one that faces north."""
    if contact.size is None or contact.facing is None:
        return GridBase(BaseSize.SMALL, contact.square, Compass.N)
    return GridBase(BASE_OF_ECHO[contact.size], contact.square, contact.facing)


def weapon_arcs(ship: OwnView, weapon: WeaponView) -> tuple[Arc, ...]:
    """Return the arcs through which the weapon fires: its own, or those of its turret."""
    if weapon.arc is not None:
        return (weapon.arc,)
    for turret in ship.turrets:
        if turret.id == weapon.turret:
            return turret.arcs
    return ()


def holds(ship: OwnView, square: Square) -> bool:
    """Return whether a contact in that square would lie in a firing arc of the ship.

    In its own square it would lie beneath the base, and so in no arc.
    """
    if square == ship.square:
        return False
    other = GridBase(BaseSize.SMALL, square, Compass.N)
    return any(grid_band(own_base(ship), other, arc) is not None for arc in ship.firing_arcs)


def lies_beneath(ship: OwnView, contact: ContactView) -> bool:
    """Return whether the contact is in no arc because it lies beneath the ship's base.

    OWN: in the same square it always does, however large it is.
    """
    return sight_of(own_base(ship), contact_base(contact)).is_beneath


def bear(
    view: View,
    ship: OwnView,
    weapon: WeaponView,
    contact: ContactView,
    rule: RangeRule = RangeRule.TRUE,
) -> Bearing | Rejected:
    """Return how the weapon bears on the contact, or the first reason why it does not.

    A weapon without an arc bears all around. `rule` says how the range to it counts.

    The reasons are, in this order: line of sight, arc or range, and the relation the weapon
    needs. Any weapon bears at range 0 on what lies beneath the base.
    """
    sight = sighted(view.board, ship, contact)
    if isinstance(sight, Rejected):
        return sight
    return bear_so(ship, weapon, sight, rule) or _why_not(ship, weapon, sight, rule)


class InSight(NamedTuple):
    """How a contact in line of sight lies to an own ship, whatever weapon is aimed at it."""

    way: GridWay | None
    lie: Lie
    is_beneath: bool
    distance_squared: int


def sighted(board: Board, ship: OwnView, contact: ContactView) -> InSight | Rejected:
    """Return how the contact lies to the ship, or a refusal if anything hides it."""
    hidden = _line_problem(board, (place_of(ship), place_of(contact)))
    if hidden is not None:
        return hidden
    return sight_of(own_base(ship), contact_base(contact))


def sight_of(observer: GridBase, other: GridBase) -> InSight:
    """Return how a base lies to another one from which it is in line of sight."""
    way = grid_way(observer, other)
    lie = FAR if way is None else way.lie
    distance = observer.square.distance_squared(other.square)
    return InSight(way, lie, lie.is_beneath or not distance, distance)


def bear_so(ship: OwnView, weapon: WeaponView, sight: InSight, rule: RangeRule) -> Bearing | None:
    """Return how the weapon bears on a contact that lies so, or None if it does not."""
    bearing = _through_arc(ship, weapon, sight, rule)
    if bearing is None or not _is_in_reach(weapon, bearing, rule, sight):
        return None
    is_related = weapon.needs is None or weapon.needs is bearing.relation
    return bearing if is_related or sight.is_beneath else None


def _through_arc(
    ship: OwnView, weapon: WeaponView, sight: InSight, rule: RangeRule
) -> Bearing | None:
    """Return how the weapon would bear if it reached; None if no arc holds the contact."""
    lie = sight.lie
    # Even range 0 counts 12 mu more, where it counts longer.
    is_none = sight.is_beneath and rule is RangeRule.LONG
    counted = _counted(rule, 0 if is_none else sight.distance_squared)
    if sight.is_beneath:
        return Bearing(None, 0, 0, Relation.NONE, counted)
    if not has_arc(weapon.kind):
        return Bearing(None, 0, lie.base_range or 0, lie.relation, counted)
    if lie.base_range is None or sight.way is None:
        return None
    through = _nearest_arc(sight.way, weapon_arcs(ship, weapon))
    if through is None:
        return None
    arc, band = through
    return Bearing(arc, band, lie.base_range, lie.relation, counted)


def _is_in_reach(weapon: WeaponView, bearing: Bearing, rule: RangeRule, sight: InSight) -> bool:
    if sight.is_beneath and rule is not RangeRule.LONG:
        return True
    if weapon.damage is not None:
        bracket = capital_bracket(bearing.distance_squared)
        return bracket is not None and damage_at(weapon.damage, bracket) > 0
    distance = 0 if sight.is_beneath else sight.distance_squared
    return counts_within_mu(rule, distance, reach_mu(weapon.kind, weapon.rank))


def _why_not(ship: OwnView, weapon: WeaponView, sight: InSight, rule: RangeRule) -> Rejected:
    """Return the first reason why a weapon does not bear on a contact that lies so."""
    bearing, between = _through_arc(ship, weapon, sight, rule), sight.lie.base_range
    if bearing is None and between is None:
        end = BANDS * BOX_EDGE
        detail = f"It is {_away(sight)} squares away; all arcs end {end} squares from the base."
        return refused(Code.ORDER_RANGE, ".at", detail)
    if bearing is None:
        return _arc_refused(ship, weapon, between)
    if not _is_in_reach(weapon, bearing, rule, sight):
        return _reach_refused(weapon, bearing, rule, sight)
    return _relation_refused(weapon, bearing)


def _counted(rule: RangeRule, distance_squared: int) -> int:
    return counted_distance_squared(rule, distance_squared) or distance_squared


def _line_problem(board: Board, ends: tuple[Place, Place]) -> Rejected | None:
    if line_of_sight(board, *ends):
        return None
    stand = [Place(standing_square(board, place), place.landing) for place in ends]
    planets = [planet.name for planet in board.planets if blocks(planet, *stand)]
    detail = (
        f"{', '.join(planets)} lies between."
        if planets
        else "The asteroid's ground hides the target."
    )
    return refused(Code.ORDER_LINE, ".at", detail)


def _nearest_arc(way: GridWay, arcs: tuple[Arc, ...]) -> tuple[Arc, int] | None:
    """Return the arc that holds the other base at the lowest band, with that band."""
    nearest: tuple[Arc, int] | None = None
    for arc in arcs:
        band = way.band(arc)
        if band is not None and (nearest is None or band < nearest[1]):
            nearest = (arc, band)
    return nearest


def _arc_refused(ship: OwnView, weapon: WeaponView, between: int | None) -> Rejected:
    arcs = " or ".join(map(spoken, weapon_arcs(ship, weapon)))
    if not arcs:
        return refused(Code.ORDER_ARC, ".at", "The weapon points to no arc.")
    detail = (
        f"Range {between} base to base, but no part of it within range {BANDS} is in the {arcs} "
        "arc."
    )
    return refused(Code.ORDER_ARC, ".at", detail)


def _reach_refused(
    weapon: WeaponView, bearing: Bearing, rule: RangeRule, sight: InSight
) -> Rejected:
    if weapon.damage is not None:
        return _bracket_refused(weapon.damage, bearing)
    counted = ", and the range counts double or 5 squares more" if rule is RangeRule.LONG else ""
    reach = in_squares(reach_mu(weapon.kind, weapon.rank))
    detail = (
        f"It is {_away(sight)} squares away; the {spoken(weapon.kind)} reaches {reach}{counted}."
    )
    return refused(Code.ORDER_RANGE, ".at", detail)


def _away(sight: InSight) -> str:
    # Rounded up, so that what is just out of reach never reads as within it.
    return f"{math.ceil(10 * math.sqrt(sight.distance_squared)) / 10:.1f}"


def capital_bracket(distance_squared: int) -> Bracket | None:
    """Return the bracket of two squares, given by their squared distance; None if too far."""
    return bracket_of(Span(SPACE, distance_squared))


def _bracket_refused(damage: tuple[int, int, int, int], bearing: Bearing) -> Rejected:
    bracket = capital_bracket(bearing.distance_squared)
    reach = [reached.value for reached in Bracket if damage_at(damage, reached)]
    lies = "beyond extreme range" if bracket is None else f"at {bracket.value} range"
    detail = f"The target is {lies}; the weapon reaches {', '.join(reach)} range."
    return refused(Code.ORDER_RANGE, ".at", detail)


def _relation_refused(weapon: WeaponView, bearing: Bearing) -> Rejected:
    wanted = weapon.needs or bearing.relation
    needs, lies = map(spoken, (wanted, bearing.relation))
    return refused(Code.ORDER_RELATION, ".at", f"The target must be {needs}; it is {lies}.")
