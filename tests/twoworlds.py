"""Pairs of worlds: random matches beside which twisted ones run, compared byte by byte.

One match carries several pairs at once, each with its own twist and audience. The hidden sides
give the same orders in both worlds; what the twisted world forbids a ship is left out there.
That is one more hidden difference, and where it tells the audience something the pair ends.
"""

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import final

import msgspec

from grantedparts import Window
from questions import answered, unheld
from rigs import Rig, rig, scenarios, view_of
from sunglare_protocol.codec import Form, decode_server
from sunglare_protocol.ids import PUBLIC, Audience, Side, audience_of
from sunglare_protocol.ladder import Phase
from sunglare_protocol.orders import Order
from sunglare_rules.advice.check import check
from sunglare_server.match.events import Event
from sunglare_server.match.record import Kind, OrdersGiven
from sunglare_server.match.state import MatchState
from twists import CATALOGUE, Twist, agree_on_holds, may_start
from worldparts import Orders, attacks, batteries, held_shots, inquiries, requests, shells

ROUND = (
    "duel",
    "stalk-2",
    "melee",
    "broadside",
    "stalk-3",
    "shadow-of-ceres",
    "parade",
    "gunnery",
    "duel",
    "stalk-2",
    "broadside",
    "parade",
    "four-corners",
    "melee",
    "stalk-3",
    "gunnery",
    "garrison",
    "orlog",
    "hunt",
    "garrison",
    "siege",
    "hunt",
    "picket-line",
)
"""The scenarios of the matches in turn; the crowded ones, where more happens, come oftener."""

PAIRS_AT_ONCE = 8
"""How many twisted worlds run beside one match."""

ATTEMPTS = 5
"""How many twists are tried in each window for a free place."""

TRIES = 3
"""How many other worlds a twist may make before it gives up for the window."""

WINDOWS_MOST = 6
"""A pair ends after so many windows: new ones, begun elsewhere, find more."""

ANSWERS_EVERY = 3
"""Questions are compared in one of so many windows."""

CLOCKS = ("test", "test", "test", "blitz")
"""The clocks of the matches: with the last one, frames are padded and kept to the beat."""

SHOWN = 12
"""How many differing places of a message a failure lists."""


_ROW = (list, tuple)


class LeakError(AssertionError):
    """Two worlds that should look the same to an audience do not."""


@final
class Pair:
    """A twisted world that runs beside a match, seen by one audience."""

    def __init__(self, twist: Twist, audience: Audience, other: Rig) -> None:
        """Begin with no window covered."""
        self.twist, self.audience, self.other = twist, audience, other
        self.windows = self.age = 0


@final
class Campaign:
    """A run of paired matches: how many pairs there were, and the windows of each twist."""

    def __init__(
        self,
        seed: int,
        names: tuple[str, ...] = (),
        catalogue: tuple[Twist, ...] = CATALOGUE,
    ) -> None:
        """Prepare a run over the scenarios named, or all, with these twists."""
        self.seed, self.names = seed, names or (*ROUND, *scenarios())
        self.catalogue = catalogue
        self.pairs = self.matches = 0
        self.covered: Counter[str] = Counter({each.name: 0 for each in catalogue})
        self.begun: Counter[str] = Counter()
        self.goal = 0

    def run(
        self,
        goal: int,
        *,
        pairs_most: int = 10**9,
        seconds_most: float = 10**9,
        progress: Callable[[str], None] | None = None,
    ) -> None:
        """Play until every twist has covered `goal` windows, or one of the limits is met."""
        self.goal, started, shown = goal, time.monotonic(), time.monotonic()
        while min(self.covered.values()) < goal and self.pairs < pairs_most:
            now = time.monotonic()
            if now - started > seconds_most:
                return
            if progress is not None and now - shown > 5:
                shown = now
                progress(self.line())
            self.play(self.matches)
            self.matches += 1

    def line(self) -> str:
        """Return one line on how far the run has come."""
        name, least = min(self.covered.items(), key=lambda each: each[1])
        return f"{self.matches} matches, {self.pairs} pairs; least covered: {name} {least}"

    def table(self) -> str:
        """Return the windows that each twist has covered, a line each."""
        lines = [f"{count:8}  {name}" for name, count in self.covered.items()]
        return "\n".join((f"windows covered ({self.line()})", *lines))

    def play(self, number: int) -> None:
        """Play one match with its pairs; raise `LeakError` at the first difference."""
        rng = Random(f"{self.seed}/{number}")
        name = self.names[number % len(self.names)]
        base = rig(
            scenarios()[name],
            number,
            PUBLIC,
            *map(audience_of, scenarios()[name].sides),
            **_options(rng),
        )
        _Match(self, f"scenario {name}, seed {self.seed}/{number}", base, rng).play()


def _options(rng: Random) -> dict[str, str]:
    return {
        "scan_slots": rng.choice(("sequential", "sealed")),
        "contact_values": rng.choice(("no", "yes")),
        "clock": rng.choice(CLOCKS),
        "passive_reveals": rng.choice(("nearest", "all")),
        "tracker_mode": rng.choice(("window", "dice")),
        "sweep_six": rng.choice(("reminder", "strict")),
        "noise_blinds": rng.choice(("self", "all")),
        "cloak_variant": rng.choice(("return_fire", "return_fire", "jam")),
    }


@final
class _Match:
    """One match and the worlds beside it."""

    def __init__(self, campaign: Campaign, title: str, base: Rig, rng: Random) -> None:
        self.campaign, self.title, self.base, self.rng = campaign, title, base, rng
        self.pairs: list[Pair] = []

    def play(self) -> None:
        while not self.base.state.is_over:
            orders = self.base.ordered(self.rng)
            self._start_pairs(orders)
            self._window(orders)

    def _start_pairs(self, orders: Orders) -> None:
        for _ in range(ATTEMPTS):
            if len(self.pairs) < PAIRS_AT_ONCE:
                self._start_pair(orders)

    def _start_pair(self, orders: Orders) -> None:
        twist, audience, state = self._wanted(), self._audience(), self.base.state
        if len(state.standing.sides) < twist.sides_least:
            return
        for _ in range(TRIES):
            other = twist.apply(state, self.rng, audience, orders)
            if other is None:
                return
            pair = Pair(twist, audience, self.base.fork(other, (audience,)))
            if may_start(state, other, audience) and self._promises(pair, orders):
                self.pairs.append(pair)
                self.campaign.pairs += 1
                self.campaign.begun[twist.name] += 1
                return

    def _promises(self, pair: Pair, orders: Orders) -> bool:
        """Return whether the coming window, as far as can be told now, grants both the same."""
        state, other = self.base.state, pair.other.state
        window = window_of(state, state, orders, pair.audience)
        twisted = window_of(other, other, _legal_orders(pair, orders), pair.audience)
        return pair.twist.valid(window, twisted, pair.audience)

    def _wanted(self) -> Twist:
        """Return one of the twists that have had the fewest pairs, or covered fewest windows."""
        campaign = self.campaign
        count = campaign.begun if self.rng.random() < 0.5 else campaign.covered
        fit = [each for each in campaign.catalogue if each.where(self.base.state)]
        short = [each for each in fit if campaign.covered[each.name] < campaign.goal]
        ranked = sorted(short, key=lambda each: (count[each.name], self.rng.random()))
        return self.rng.choice(ranked[:6] or fit)

    def _audience(self) -> Audience:
        standing = self.base.state.standing
        if standing.slot_side is not None and self.rng.random() < 0.6:
            return audience_of(standing.slot_side)
        return self.rng.choice((PUBLIC, *map(audience_of, standing.sides)))

    def _window(self, orders: Orders) -> None:
        state, rng = self.base.state, self.rng
        past = _Past(
            state=state,
            orders=orders,
            said=rng.choice(state.standing.sides) if rng.random() < 0.1 else None,
            marks={audience: len(sent) for audience, sent in self.base.sent.items()},
        )
        _give_all(self.base, orders, past.said)
        past = msgspec.structs.replace(past, happened=self.base.close().events)
        self.pairs = [pair for pair in self.pairs if self._goes_on(pair, past)]

    def _goes_on(self, pair: Pair, past: "_Past") -> bool:
        before, sent = pair.other.state, pair.other.sent[pair.audience]
        sent.clear()
        orders = _legal_orders(pair, past.orders)
        _give_twisted(pair, self.rng, past, orders)
        theirs = pair.other.close(self.rng.randint(1, 5000)).events
        ours = self.base.state
        window = window_of(past.state, ours, past.orders, pair.audience, past.happened)
        twisted = window_of(before, pair.other.state, orders, pair.audience, theirs)
        if not pair.twist.valid(window, twisted, pair.audience):
            return False
        mark = past.marks[pair.audience]
        self._compare(pair, past, self.base.sent[pair.audience][mark:], sent)
        if pair.twist.bites(window, twisted, pair.audience):
            pair.windows += 1
            self.campaign.covered[pair.twist.name] += 1
        pair.age += 1
        return pair.age < WINDOWS_MOST and not self.base.state.is_over

    def _compare(self, pair: Pair, past: "_Past", ours: list[bytes], theirs: list[bytes]) -> None:
        is_over = self.base.state.is_over
        if is_over != pair.other.state.is_over:
            raise self._leak(pair, past, "one world is over, the other is not")
        # After the end everything is shown, so the last message may differ.
        end = -1 if is_over else None
        if ours[:end] != theirs[:end] or len(ours) != len(theirs):
            raise self._leak(pair, past, difference(ours[:end], theirs[:end]))
        if not agree_on_holds(self.base.state, pair.other.state, pair.audience):
            raise self._leak(pair, past, "equal frames, but the truth's holds differ")
        if self.rng.randrange(ANSWERS_EVERY) == 0:
            self._compare_answers(pair, past)

    def _compare_answers(self, pair: Pair, past: "_Past") -> None:
        seed, states = self.rng.random(), (self.base.state, pair.other.state)
        handles = sorted({one for each in states for one in unheld(each, pair.audience)})
        first, second = (
            answered(view_of(each, pair.audience), tuple(handles), Random(seed)) for each in states
        )
        if first != second:
            text = "\n".join(
                f"  {a!r}\n  {b!r}" for a, b in zip(first, second, strict=True) if a != b
            )
            raise self._leak(pair, past, f"answers differ:\n{text}")

    def _leak(self, pair: Pair, past: "_Past", text: str) -> LeakError:
        return LeakError(
            f"twist {pair.twist.name}, audience {pair.audience}, {self.title}, "
            f"window {past.state.standing.window}, pair {self.campaign.pairs}, "
            f"after {pair.windows} equal windows:\n{text}"
        )


@final
class _Past(msgspec.Struct, frozen=True, kw_only=True):
    """A window of the match that has just been played: how it began, and what was given."""

    state: MatchState
    orders: Orders
    said: Side | None
    marks: dict[Audience, int]
    happened: tuple[Event, ...] = ()


def window_of(
    before: MatchState,
    after: MatchState,
    orders: Orders,
    audience: Audience,
    happened: tuple[Event, ...] = (),
) -> Window:
    """Return the window between two states of a match, as the rules need it for `audience`."""
    standing = before.standing
    scanning: tuple[Side, ...] = ()
    if standing.phase is Phase.SCAN:
        slots = standing.slots
        scanning = slots if standing.is_sealed else slots[standing.slot :][:1]
    setup = None if audience == PUBLIC else before.scenario.sides[Side(audience)]
    return Window(
        before=before.truth,
        after=after.truth,
        phase=standing.phase,
        scanning=scanning,
        orders=orders,
        attacks=attacks(before, orders),
        shells=shells(before, orders),
        happened=happened,
        requests=requests(before, orders),
        inquiries=inquiries(before, orders),
        is_last=standing.is_sealed or standing.slot + 1 >= len(standing.slots),
        batteries=batteries(before, orders),
        answers=held_shots(before, orders),
        dice=before.dice,
        options=before.options,
        initiative=standing.initiative,
        objectives=() if setup is None else setup.objectives,
        values=before.options.contact_values == "yes",
    )


def _give_all(match: Rig, orders: Orders, said: Side | None) -> None:
    for side, given in orders.items():
        match.give(side, given)
    if said is not None:
        match.say(said, "a word")


def _give_twisted(pair: Pair, rng: Random, past: _Past, orders: Orders) -> None:
    """Give the orders of the window in the twisted world, the hidden sides' in the twist's way."""
    match = pair.other
    sides = list(orders)
    rng.shuffle(sides)
    for side in sides:
        given = OrdersGiven(
            window=past.state.standing.window, rev=1, orders=orders[side], lock=True
        )
        own = audience_of(side) == pair.audience
        for body in (given,) if own else pair.twist.told(rng, side, given):
            match.now += rng.randint(0, 900)
            match.take(Kind.COMMAND, body, side)
    if past.said is not None:
        match.say(past.said, "a word")


def _legal_orders(pair: Pair, orders: Orders) -> Orders:
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


def difference(ours: list[bytes], theirs: list[bytes]) -> str:
    """Return in words where two lists of messages first differ, with both messages decoded."""
    for index, (a, b) in enumerate(zip(ours, theirs, strict=False)):
        if a != b:
            first, second = _plain(a), _plain(b)
            places = list(_differing("$", first, second))[:SHOWN]
            shown = "\n".join(f"  {each}" for each in places)
            return (
                f"message {index} of {len(ours)} and {len(theirs)}, {len(a)} and {len(b)} bytes:"
                f"\n{shown}\n  here:  {json.dumps(first)}\n  there: {json.dumps(second)}"
            )
    return f"{len(ours)} messages here, {len(theirs)} there"


def _plain(data: bytes) -> object:
    return msgspec.to_builtins(decode_server(data, Form.PACKED))


def _differing(path: str, a: object, b: object) -> Iterator[str]:
    if isinstance(a, dict) and isinstance(b, dict):
        for key in dict.fromkeys((*a, *b)):
            yield from _differing(f"{path}.{key}", a.get(key), b.get(key))
    elif isinstance(a, _ROW) and isinstance(b, _ROW) and len(a) == len(b):
        for index, (left, right) in enumerate(zip(a, b, strict=True)):
            yield from _differing(f"{path}[{index}]", left, right)
    elif a != b:
        yield f"{path}: {json.dumps(a)} | {json.dumps(b)}"
