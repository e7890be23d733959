"""Missiles, fighters and nova guns: what is launched, and at what."""

from collections.abc import Iterable

import msgspec

from sunglare_client.advice import Advice
from sunglare_client.bots.movement.measures import ahead
from sunglare_protocol.geometry import Square
from sunglare_protocol.orders import Aim, Fire, Launch, Order
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.armament import Launchable, SystemAim, WeaponKind
from sunglare_protocol.words.ladder import Fate, Fix
from sunglare_rules.advice.check.launch import launchers
from sunglare_rules.advice.seen.plotting import after_plot
from sunglare_rules.fire.missiles import may_aim

FIGHTERS_WITHIN = 20
"""Fighters are launched when an enemy is held within so many squares."""


def expected(view: View, moves: int = 1) -> tuple[Square, ...]:
    """Return where each live track will be after so many moves if it drifts, on the map."""
    squares = (
        ahead(view, contact, moves)
        for contact in view.contacts
        if contact.fix is Fix.TRACKED and contact.fate is Fate.IN_PLAY
    )
    return tuple(square for square in squares if square in view.board)


def aimed(view: View, volley: OwnView) -> tuple[Order, ...]:
    """Return the order that sends a volley to the nearest live track in its reach, if any."""
    near = [square for square in expected(view) if may_aim(volley.square, square)]
    if not near:
        return ()
    return (Aim(ship=volley.id, at=min(near, key=volley.square.distance_squared)),)


def launched(view: View, ship: OwnView, orders: Iterable[Order]) -> tuple[Order, ...]:
    """Return what a ship that moves by `orders` launches at the nearest live track, if any.

    A volley that can attack only in the turn after drifts until then: cold it is hardly seen, and
    attacks together with the next one, of which point defence stops less than of each alone.
    """
    end = after_plot(view, ship, tuple(orders))
    near = min(expected(view), key=end.square.distance_squared, default=None)
    if near is None:
        return ()
    at, cold = near, not may_aim(end.square, near)
    if cold:
        at = end.square.moved(end.vector)
    volleys = [
        Launch(ship=ship.id, what=Launchable.MISSILES, weapon=launcher.id, at=at, cold=cold)
        for launcher in launchers(ship)
        if not cold or _comes_within(view, at)
    ]
    fly = ship.flights > 0 and end.square.distance_squared(near) <= FIGHTERS_WITHIN**2
    fighters = [Launch(ship=ship.id, what=Launchable.FIGHTER)] if fly else []
    return (*volleys, *fighters)


def _comes_within(view: View, volley: Square) -> bool:
    """Return whether a live track is in reach of a volley that has drifted there, a turn later."""
    return volley in view.board and any(may_aim(volley, at) for at in expected(view, 2))


def named(advice: Advice, shot: Fire) -> Fire:
    """Return the shot with the drive named if it is one of a needle beam, which costs nothing."""
    ship = next(own for own in advice.ships() if own.id == shot.ship)
    kinds = {weapon.id: weapon.kind for weapon in ship.weapons}
    if kinds[shot.weapon] is not WeaponKind.NEEDLE:
        return shot
    return msgspec.structs.replace(shot, system=SystemAim.DRIVE)
