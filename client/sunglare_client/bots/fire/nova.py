"""Nova guns: fired where their sweeps promise more than all other guns of the ship together.

A nova gun hits whatever stands in its line, screens or not, but the ship may neither thrust in
that turn nor fire anything else. So a course without thrust is also worth its first sweep.
"""

from collections.abc import Callable, Iterable
from math import fsum

from sunglare_client.advice import Advice
from sunglare_client.bots.movement.measures import ahead, drifted_on
from sunglare_protocol.geometry import Square
from sunglare_protocol.orders import Fire
from sunglare_protocol.views import ContactView, OwnView, View
from sunglare_protocol.words.armament import WeaponKind
from sunglare_rules.advice.seen.lookup import ships_in_play, targets
from sunglare_rules.fire.nova import SWEEPS, sweep_mean, touches
from sunglare_rules.turn.movement import Flight

Points = Callable[[ContactView, float], float]
"""How many points so much damage to a piece promises."""

LEAST = 1.0
"""So many points it must promise: it spoils all listening for two turns."""

DODGES = ((0, 0), (-2, 0), (2, 0), (0, -2), (0, 2))
"""Where a piece may end a move, counted from where it would drift to."""


def novas(advice: Advice, given: tuple[Fire, ...], points: Points) -> tuple[Fire, ...]:
    """Return shots, with the nova guns that promise more than the other shots of their ships."""
    held = {contact.handle: contact for contact in advice.view.contacts}
    ships = {ship.id: ship for ship in advice.ships()}
    for nova in advice.shots():
        if nova.at is not None or nova.ship not in ships:
            continue
        others = tuple(shot for shot in given if shot.ship == nova.ship)
        odds = ((held[shot.at], advice.odds(shot)) for shot in others)
        promised = sum(points(foe, mean.mean_hundredths / 100) for foe, mean in odds if mean)
        if _promise(advice.view, ships[nova.ship], points) > max(promised, LEAST):
            given = (*(shot for shot in given if shot not in others), nova)
    return given


def swept_mean(
    ship: OwnView, end: Flight, spent: int, ends: Iterable[tuple[Square, float]]
) -> float:
    """Return the mean damage of the first sweep after a course that spends so much thrust.

    `ends` are squares on which the piece aimed at may end its move, each with its chance.
    """
    has_nova = any(gun.kind is WeaponKind.NOVA and gun.works for gun in ship.weapons)
    if spent or not has_nova:
        return 0.0
    hit = fsum(chance for at, chance in ends if touches(end.square, end.facing, 0, at))
    return hit * float(sweep_mean(0))


def ends_of(adrift: Square) -> tuple[Square, ...]:
    """Return the squares on which a piece may end that would drift to one, equally likely."""
    return tuple(Square(adrift.x + dx, adrift.y + dy) for dx, dy in DODGES)


def _promise(view: View, ship: OwnView, points: Points) -> float:
    """Return how many points all sweeps promise; none where an own piece drifts into one."""
    if any(_drifts_into(view, ship, own) for own in ships_in_play(view)):
        return 0.0
    return fsum(
        points(foe, float(sweep_mean(turns))) * _chance(view, ship, foe, turns)
        for foe in targets(view)
        for turns in range(len(SWEEPS))
    )


def _chance(view: View, ship: OwnView, foe: ContactView, turns: int) -> float:
    """Return how likely a piece stands in the sweep of so many turns later."""
    ends = ends_of(ahead(view, foe, turns)) if turns else (foe.square,)
    return sum(touches(ship.square, ship.facing, turns, at) for at in ends) / len(ends)


def _drifts_into(view: View, ship: OwnView, own: OwnView) -> bool:
    square, vector = own.square, own.vector
    for turns in range(len(SWEEPS)):
        if own.landed is None and touches(ship.square, ship.facing, turns, square):
            return True
        square, vector = drifted_on(view.board, square, vector)
    return False
