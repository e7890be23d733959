"""Lairs: shadow in which a ship can lie from the start and wait for who comes.

In shadow no scan of boxes finds a small or medium ship by eye that spends no thrust, and its own
scans are not dazzled there. So it lies still with its guns ready, turns to where the foes will be,
and fires first. It leaves its lair when it or a comrade has been found, and when no foe has come
for too long.
"""

from sunglare_client.advice import Advice
from sunglare_client.bots.movement.duel import Duel, aimed_course
from sunglare_client.bots.movement.steering import bearing, courses
from sunglare_client.bots.scans.exposure import Habits
from sunglare_client.bots.seeker import switched_on
from sunglare_client.bots.sightings.foes import Foe
from sunglare_protocol.geometry import Square, box_named
from sunglare_protocol.orders import Deploy, Order
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.ladder import Fix
from sunglare_protocol.words.pieces import PieceKind
from sunglare_rules.advice.seen.lookup import ships_in_play
from sunglare_rules.sensors.masks import area_mask, masks_of, squares_in
from sunglare_rules.sensors.sunlight import in_shadow
from sunglare_rules.turn.movement import AT_REST

PATIENCE = 0.5
"""For this share of the match's turns a ship waits for a foe to come."""

NEAR = 15
"""While a foe is within so many squares a ship waits for it, however late it is."""

PER_STEP_OFF = 0.2
"""What a point of damage is worth less for every 45 degrees that the ship faces off its foe."""


def lair(view: View) -> Square | None:
    """Return the southernmost square of the zone in shadow and outside all wells, if any."""
    masks, zone = masks_of(view.board), 0
    for name in view.zone:
        zone |= area_mask(view.board, box_named(name).area)
    dark = squares_in(view.board, masks.shadow & ~masks.wells & zone)
    return max(dark, key=lambda square: (square.y, -square.x), default=None)


def laid(ship: OwnView, at: Square, enemy: Square) -> tuple[Order, ...]:
    """Return the orders that deploy a ship in its lair, at rest, ready, facing the enemy."""
    return (Deploy(ship=ship.id, at=at, facing=bearing(at, enemy)), *switched_on(ship))


def lies_in_wait(view: View, ship: OwnView, foes: tuple[Foe, ...]) -> bool:
    """Return whether a ship stays in its lair: unseen as all its comrades are, not for too long.

    Waiting while others fight loses twice.
    """
    fleet = [own for own in ships_in_play(view) if own.kind is PieceKind.STARSHIP]
    if not all(_is_hidden(view, own) for own in (ship, *fleet)):
        return False
    comes = any(ship.square.distance_squared(foe.square) <= NEAR**2 for foe in foes)
    return comes or view.stage.turn <= PATIENCE * view.stage.turns


def _is_hidden(view: View, ship: OwnView) -> bool:
    """Return whether a ship is still, in shadow, and not found."""
    is_still = ship.landed is None and ship.vector == AT_REST
    return is_still and in_shadow(view.board, ship.square) and not is_found(ship)


def is_found(ship: OwnView) -> bool:
    """Return whether an enemy holds a ship where it is now."""
    return any(exposure.fix in (Fix.CONTACT, Fix.TRACKED) for exposure in ship.exposed)


def watched(
    advice: Advice, ship: OwnView, foes: tuple[Foe, ...], habits: Habits, likely: Square
) -> tuple[Order, ...]:
    """Return how a ship in its lair turns: to do most damage, else to where enemies may be."""
    still = [course for course in courses(advice, ship) if course.flight.square == ship.square]
    if not still:
        return switched_on(ship)
    if not foes:
        goal = bearing(ship.square, likely)
        turned = min(still, key=lambda course: course.flight.facing.apart(goal))
        return (*switched_on(ship), *turned.orders)
    duel = Duel(advice, ship, foes, habits)
    ahead = duel.foes[0].ways[0].flight.square
    best = max(
        still,
        key=lambda course: (
            duel.dealt(course.flight, 0)[0]
            - PER_STEP_OFF * course.flight.facing.apart(bearing(ship.square, ahead))
        ),
    )
    return (*switched_on(ship), *aimed_course(advice, ship, best, duel))
