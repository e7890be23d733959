"""Pairs of worlds in one window: the orders that each gets, and what the window was."""

from random import Random
from typing import Final, final

import msgspec

from builders.matches import view_of
from builders.played import Rig
from second_reading.parts import Window
from sunglare_protocol.ids import Audience, Side, audience_of
from sunglare_protocol.orders import Order
from sunglare_rules.advice.check.check import check
from sunglare_server.match.record import Body, OrdersGiven, PauseAsked
from sunglare_server.match.state import MatchState
from two_worlds.parts import Orders
from two_worlds.twistkinds import Twist

PAUSE_MS: Final = 3_000
"""How long a pause lasts."""


@final
class Pair:
    """A twisted world that runs beside a match, seen by one audience."""

    def __init__(self, twist: Twist, audience: Audience, other: Rig) -> None:
        """Begin with no window covered; one `in_step` keeps the time of the first world."""
        self.twist, self.audience, self.other = twist, audience, other
        self.windows = self.age = 0
        self.in_step = False


@final
class Past(msgspec.Struct, frozen=True, kw_only=True):
    """A window of the match that has just been played: how it began, and what was given.

    `windows` are what it was to each audience that is compared.
    """

    state: MatchState
    orders: Orders
    said: Side | None
    marks: dict[Audience, int]
    thinks: dict[Side, int]
    pauses: bool
    windows: dict[Audience, Window] = {}
    closed_ms: int = 0
    due_ms: int | None = None

    @property
    def is_timed(self) -> bool:
        """Return whether the window lasts its whole time, whoever locks."""
        return self.state.is_timed


def thinking_ms(state: MatchState, rng: Random) -> int:
    """Return how long a side thinks in the open window: not at all without a bank to lose."""
    if not state.preset.bank_ms:
        return 0
    base_ms, extra_ms = state.base_ms, state.preset.extra_ms
    return rng.choice((0, rng.randint(0, base_ms), rng.randint(0, base_ms + extra_ms)))


def pause(match: Rig) -> None:
    """Let all who play ask for a pause, and one of them end it after a while."""
    playing = match.state.playing
    for side in playing:
        match.put(PauseAsked(on=True), side)
    match.now += PAUSE_MS
    match.put(PauseAsked(on=False), playing[0])


def give_all(match: Rig, orders: Orders, said: Side | None, thinks: dict[Side, int]) -> None:
    """Give the orders of a window when each side has thought, one side's words after them."""
    opened_ms = match.state.opened_ms
    for side in sorted(orders, key=lambda side: thinks[side]):
        if thinks[side]:
            match.now = max(match.now, opened_ms + thinks[side])
        match.give(side, orders[side])
    if said is not None:
        match.say(said, "a word")


def give_twisted(pair: Pair, rng: Random, past: Past, orders: Orders) -> None:
    """Give the orders of the window in the twisted world, the hidden sides' in the twist's way.

    They think as long as they like; the audience's own side thinks as long as in the first world.
    """
    match = pair.other
    opened_ms = match.state.opened_ms
    told: list[tuple[int, Side, Body]] = []
    sides = list(orders)
    rng.shuffle(sides)
    for side in sides:
        given = OrdersGiven(
            window=past.state.standing.window, rev=1, orders=orders[side], lock=True
        )
        if audience_of(side) == pair.audience:
            told.append((opened_ms + past.thinks[side], side, given))
            continue
        at_ms = opened_ms + thinking_ms(match.state, rng)
        for body in pair.twist.told(rng, side, given):
            at_ms += rng.randint(0, 900)
            told.append((at_ms, side, body))
    for at_ms, side, body in sorted(told, key=lambda entry: entry[0]):
        match.now = max(match.now, min(at_ms, past.closed_ms) if pair.in_step else at_ms)
        match.put(body, side)
    if past.said is not None:
        match.say(past.said, "a word")


def legal_orders(pair: Pair, orders: Orders) -> Orders:
    """Return the orders as the twisted world takes them; the side under test gives its own."""
    state = pair.other.state
    return {
        side: given
        if audience_of(side) == pair.audience
        else _legal_part(state, side, _altered(pair, side, given))
        for side, given in orders.items()
    }


def _altered(pair: Pair, side: Side, given: tuple[Order, ...]) -> tuple[Order, ...]:
    """Return what the side orders instead in the twisted world, the same if asked again."""
    state = pair.other.state
    rng = Random(f"{side}/{state.standing.window}/{state.seed.hex()}")
    return pair.twist.alters(rng, view_of(state, audience_of(side)), given)


def _legal_part(state: MatchState, side: Side, orders: tuple[Order, ...]) -> tuple[Order, ...]:
    view = view_of(state, audience_of(side))
    if check(view, orders) is None:
        return orders
    kept: tuple[Order, ...] = ()
    for ship in dict.fromkeys(order.ship for order in orders):
        more = (*kept, *(order for order in orders if order.ship == ship))
        if check(view, more) is None:
            kept = more
    return kept
