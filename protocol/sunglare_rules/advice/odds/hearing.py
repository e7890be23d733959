"""Odds that listeners hear an own cloaked ship after a plan, by the thrust that it uses.

Source: Full Thrust cloak detection of 2001, the detection value; cloak hunting of our rule book
§3, "Exact definitions". What foreign ships do the viewer cannot know: those that use thrust can
only make it harder to hear, so the chances are the highest that there can be.
"""

from typing import NamedTuple, final

from sunglare_protocol.orders import Order
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.pieces import PieceKind
from sunglare_rules.advice.odds.after import after
from sunglare_rules.advice.seen.plotting import orders_of, powered_in_movement, thrust_points
from sunglare_rules.cloak.cloak import detection_value, fastest_thrust, passive_chance
from sunglare_rules.turn.movement import turn_steps_allowed


@final
class HeardOdds(NamedTuple):
    """The highest chance in hundredths of one listener that uses no thrust to hear a ship.

    The chances are for 0, 1, 2 … thrust used, as far as the ship can use any; `used` is what the
    plan makes it use, `loudest` the most that an own ship does which is not cloaked.
    """

    used: int
    loudest: int
    hundredths: tuple[int, ...]


def heard_odds(view: View, ship: OwnView, orders: tuple[Order, ...] = ()) -> HeardOdds | None:
    """Return how likely a ship is to be heard after a PLOT; None if it is not cloaked then."""
    then = after(view, orders).own
    mine = next((own for own in then if own.id == ship.id), None)
    if mine is None or mine.fate is not Fate.IN_PLAY or not mine.cloaked:
        return None
    loudest = fastest_thrust(
        own.thrust_used
        for own in then
        if own.kind is PieceKind.STARSHIP and own.fate is Fate.IN_PLAY and not own.cloaked
    )
    values = (
        detection_value(used, scanner_thrust=0, fastest=loudest)
        for used in range(_most_used(ship, orders_of(ship, orders)) + 1)
    )
    chances = tuple(round(100 * passive_chance(value)) for value in values)
    return HeardOdds(mine.thrust_used, loudest, chances)


def _most_used(ship: OwnView, mine: tuple[Order, ...]) -> int:
    """Return the most thrust that a ship can use: points, and steps of turning."""
    points, powered = thrust_points(ship, mine), powered_in_movement(ship, mine)
    steps = [turn_steps_allowed(thrusts, ship.crew.pilot, powered) for thrusts in (True, False)]
    return max(points + steps[0], steps[1])
