"""How an own weapon bears on a contact: line of sight, arc, bands, range and relation.

Source: X-Wing 2.0, "Arc", and the ranges of Full Thrust; arcs of our rule book §2 and its
chapter on fire, turn §6, "Arcs on the grid".
"""

from typing import NamedTuple

from sunglare_protocol.geometry import Board, Compass, Place, Square
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.views import ContactView, OwnView, View, WeaponView
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
from sunglare_rules.turn.scale import BANDS

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
    return next((turret.arcs for turret in ship.turrets if turret.id == weapon.turret), ())


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
    return sight if isinstance(sight, Rejected) else bear_so(ship, weapon, sight, rule)


class Sight(NamedTuple):
    """How a contact in line of sight lies to an own ship, whatever weapon is aimed at it."""

    way: GridWay | None
    lie: Lie
    is_beneath: bool
    distance_squared: int


def sighted(board: Board, ship: OwnView, contact: ContactView) -> Sight | Rejected:
    """Return how the contact lies to the ship, or a refusal if anything hides it."""
    hidden = _line_problem(board, (place_of(ship), place_of(contact)))
    if hidden is not None:
        return hidden
    return sight_of(own_base(ship), contact_base(contact))


def sight_of(observer: GridBase, other: GridBase) -> Sight:
    """Return how a base lies to another one from which it is in line of sight."""
    way = grid_way(observer, other)
    lie = FAR if way is None else way.lie
    distance = observer.square.distance_squared(other.square)
    return Sight(way, lie, lie.is_beneath or not distance, distance)


def bear_so(
    ship: OwnView, weapon: WeaponView, sight: Sight, rule: RangeRule
) -> Bearing | Rejected:
    """Return what `bear` does for a contact that lies so."""
    lie, distance = sight.lie, sight.distance_squared
    if sight.is_beneath:
        return _bear_beneath(weapon, rule, distance)
    if not has_arc(weapon.kind):
        counted = _counted(rule, distance)
        around = Bearing(None, 0, lie.base_range or 0, lie.relation, counted)
        problem = _reach_problem(weapon, around, rule, distance)
        return problem or _relation_problem(weapon, around) or around
    between = lie.base_range
    if between is None or sight.way is None:
        detail = f"By the bases it lies beyond range {BANDS}, where all arcs end."
        return refused(Code.ORDER_RANGE, ".at", detail)
    through = _nearest_arc(sight.way, weapon_arcs(ship, weapon))
    if through is None:
        return _arc_refused(ship, weapon, between)
    arc, band = through
    bearing = Bearing(arc, band, between, lie.relation, _counted(rule, distance))
    problem = _reach_problem(weapon, bearing, rule, distance)
    return problem or _relation_problem(weapon, bearing) or bearing


def _bear_beneath(weapon: WeaponView, rule: RangeRule, distance: int) -> Bearing | Rejected:
    """Return how a weapon bears on what lies beneath the base, or why it does not."""
    if rule is not RangeRule.LONG:
        return Bearing(None, 0, 0, Relation.NONE, distance)
    # Even range 0 counts 12 mu more.
    beneath = Bearing(None, 0, 0, Relation.NONE, _counted(rule, 0))
    return _reach_problem(weapon, beneath, rule, 0) or beneath


def _counted(rule: RangeRule, distance_squared: int) -> int:
    return counted_distance_squared(rule, distance_squared) or distance_squared


def _line_problem(board: Board, ends: tuple[Place, Place]) -> Rejected | None:
    if line_of_sight(board, *ends):
        return None
    stand = [Place(standing_square(board, place), place.landing) for place in ends]
    planets = [planet.name for planet in board.planets if blocks(planet, *stand)]
    detail = (
        f"{', '.join(planets)} lies between." if planets else "The asteroid's ground hides it."
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


def _arc_refused(ship: OwnView, weapon: WeaponView, between: int) -> Rejected:
    arcs = " or ".join(arc.value for arc in weapon_arcs(ship, weapon)) or "no"
    detail = (
        f"Range {between} by the bases, but nothing of it within range {BANDS} lies in the "
        f"{arcs} arc."
    )
    return refused(Code.ORDER_ARC, ".at", detail)


def _reach_problem(
    weapon: WeaponView, bearing: Bearing, rule: RangeRule, distance_squared: int
) -> Rejected | None:
    if weapon.damage is not None:
        return _bracket_problem(weapon.damage, bearing)
    reach = reach_mu(weapon.kind, weapon.rank)
    if counts_within_mu(rule, distance_squared, reach):
        return None
    counted = ", and the range counts double or 12 mu more" if rule is RangeRule.LONG else ""
    through = f", {bearing.band} through the arc" if has_arc(weapon.kind) else ""
    detail = (
        f"Range {bearing.base_range} by the bases{through}; the weapon reaches {reach} mu from "
        f"square to square{counted}."
    )
    return refused(Code.ORDER_RANGE, ".at", detail)


def capital_bracket(distance_squared: int) -> Bracket | None:
    """Return the bracket of two squares, given by their squared distance; None if too far."""
    return bracket_of(Span(SPACE, distance_squared))


def _bracket_problem(damage: tuple[int, int, int, int], bearing: Bearing) -> Rejected | None:
    bracket = capital_bracket(bearing.distance_squared)
    if bracket is not None and damage_at(damage, bracket):
        return None
    reach = [reached.value for reached in Bracket if damage_at(damage, reached)]
    lies = "beyond extreme range" if bracket is None else f"at {bracket.value} range"
    detail = f"It lies {lies}; the weapon reaches {', '.join(reach)} range."
    return refused(Code.ORDER_RANGE, ".at", detail)


def _relation_problem(weapon: WeaponView, bearing: Bearing) -> Rejected | None:
    if weapon.needs is None or weapon.needs is bearing.relation:
        return None
    needs, lies = (
        relation.value.replace("_", " ") for relation in (weapon.needs, bearing.relation)
    )
    return refused(Code.ORDER_RELATION, ".at", f"It must be {needs}; it is {lies}.")
