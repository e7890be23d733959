"""The catalogue of twists: differences of two worlds that the side under test may not notice.

A twist names the rows of the ledger that it concerns (event/role), makes the other world, and
says whether a window may still be compared. That last test is written from the rule functions
and the truth alone (`granted`), so that a leak can't excuse itself.
"""

from random import Random
from typing import Final

import msgspec

from second_reading.granted import holds_known, known_now
from second_reading.parts import Window
from sunglare_protocol.ids import Audience, Side
from sunglare_server.match.record import Body, DrawOffered, LineChanged, Muted, OrdersGiven
from sunglare_server.match.state import MatchState
from two_worlds.twistkinds import Twist, always, same_granted
from two_worlds.twistsofground import OF_GROUND
from two_worlds.twistsofhunts import OF_HUNTS
from two_worlds.twistsofships import OF_SHIPS


def may_start(state: MatchState, other: MatchState, audience: Audience) -> bool:
    """Return whether the audience has been told the same of both worlds as they stand."""
    return known_now(state.truth, audience) == known_now(other.truth, audience)


def agree_on_holds(state: MatchState, other: MatchState, audience: Audience) -> bool:
    """Return whether in both worlds the audience holds the same pieces in the same way."""
    return holds_known(state.truth, audience) == holds_known(other.truth, audience)


def early_late_twice(rng: Random, _side: Side, given: OrdersGiven) -> tuple[Body, ...]:
    """Return the command preceded by others that it replaces, or left unlocked."""
    replace = msgspec.structs.replace
    some = tuple(order for order in given.orders if rng.random() < 0.5)
    firsts = (
        replace(given, orders=(), lock=False),
        replace(given, orders=some, lock=rng.random() < 0.5),
        replace(given, orders=tuple(reversed(some)), lock=False),
    )
    before = firsts[: rng.randint(0, 3)]
    return (*before, replace(given, lock=rng.random() < 0.5))


def lock_and_unlock(rng: Random, _side: Side, given: OrdersGiven) -> tuple[Body, ...]:
    """Return the command with its lock set and taken back some times."""
    replace = msgspec.structs.replace
    locks = [rng.random() < 0.5 for _ in range(rng.randint(1, 4))]
    return tuple(replace(given, rev=given.rev + n, lock=lock) for n, lock in enumerate(locks))


def sealed_draw(rng: Random, side: Side, given: OrdersGiven) -> tuple[Body, ...]:
    """Return the command and a draw offer or its withdrawal; side A never offers one."""
    if side == "A":
        return (given,)
    return (DrawOffered(on=rng.random() < 0.7), given)


def mute(rng: Random, side: Side, given: OrdersGiven) -> tuple[Body, ...]:
    """Return the command and that the side stops, or starts, hearing another."""
    whom = Side("B") if side == "A" else Side("A")
    return (Muted(whom=whom, on=rng.random() < 0.7), given)


def line_down_and_up(rng: Random, side: Side, given: OrdersGiven) -> tuple[Body, ...]:
    """Return the command, and before or after it a line that breaks and stands again at once.

    Side A's holds: with nobody there who plays the match would stand still, which all are told.
    """
    if side == "A":
        return (given,)
    down = LineChanged(side=side, up=False, deliberate=rng.random() < 0.5)
    drop = (down, LineChanged(side=side, up=True))
    return (*drop, given) if rng.random() < 0.5 else (given, *drop)


def while_a_plays(window: Window, other: Window, audience: Audience) -> bool:
    """Return whether both windows let the audience learn the same, and side A is not out."""
    return "A" not in window.before.out and same_granted(window, other, audience)


OF_COMMANDS: Final[tuple[Twist, ...]] = (
    Twist(name="order_early_late_twice", told=early_late_twice, bites=always),
    Twist(name="lock_unlock", told=lock_and_unlock, bites=always),
    Twist(name="sealed_draw", told=sealed_draw, bites=always),
    Twist(name="mute", told=mute, bites=always),
    Twist(name="line_down_and_up", told=line_down_and_up, bites=always, valid=while_a_plays),
)
"""Twists of how and when commands and lines come, in the order in which they are tried."""

CATALOGUE: Final[tuple[Twist, ...]] = (*OF_SHIPS, *OF_GROUND, *OF_HUNTS, *OF_COMMANDS)
"""Every twist there is; one that concerns a silent event names it without a role."""
