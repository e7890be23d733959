"""Pairs of worlds: random matches beside which twisted ones run, compared byte by byte.

One match carries several pairs at once, each with its own twist and audience. The hidden sides
give the same orders in both worlds; what the twisted world forbids a ship is left out there.
That is one more hidden difference, and where it tells the audience something the pair ends.
"""

import time
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import final

import msgspec

from crowdedscenarios import scenarios
from questions import answered, unheld
from rigs import Rig, rig, view_of
from sunglare_protocol.ids import PUBLIC, Audience, audience_of
from twistkinds import Twist
from twists import CATALOGUE, agree_on_holds, may_start
from worlddifferences import difference
from worldpairs import Pair, Past, give_all, give_twisted, legal_orders, window_of
from worldparts import Orders

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


class LeakError(AssertionError):
    """Two worlds that should look the same to an audience do not."""


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
        twisted = window_of(other, other, legal_orders(pair, orders), pair.audience)
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
        past = Past(
            state=state,
            orders=orders,
            said=rng.choice(state.standing.sides) if rng.random() < 0.1 else None,
            marks={audience: len(sent) for audience, sent in self.base.sent.items()},
        )
        give_all(self.base, orders, past.said)
        past = msgspec.structs.replace(past, happened=self.base.close().events)
        self.pairs = [pair for pair in self.pairs if self._goes_on(pair, past)]

    def _goes_on(self, pair: Pair, past: "Past") -> bool:
        before, sent = pair.other.state, pair.other.sent[pair.audience]
        sent.clear()
        orders = legal_orders(pair, past.orders)
        give_twisted(pair, self.rng, past, orders)
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

    def _compare(self, pair: Pair, past: "Past", ours: list[bytes], theirs: list[bytes]) -> None:
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

    def _compare_answers(self, pair: Pair, past: "Past") -> None:
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

    def _leak(self, pair: Pair, past: "Past", text: str) -> LeakError:
        return LeakError(
            f"twist {pair.twist.name}, audience {pair.audience}, {self.title}, "
            f"window {past.state.standing.window}, pair {self.campaign.pairs}, "
            f"after {pair.windows} equal windows:\n{text}"
        )
