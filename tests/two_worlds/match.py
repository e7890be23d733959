"""One match with twisted worlds beside it, each compared byte by byte for one audience.

A match carries several pairs at once, each with its own twist and audience. The hidden sides
give the same orders in both worlds; what the twisted world forbids a ship is left out there.
That is one more hidden difference, and where it tells the audience something the pair ends.
What is compared: every message with its bytes, number and order, the snapshot for a resume, the
nominal beat of the release, and the answers to questions.
"""

import re
from collections import Counter
from random import Random
from typing import final

import msgspec

from builders.matches import view_of
from builders.played import Rig, read, rig, wire
from builders.questions import answered, refusals, unheld
from builders.scenarios import scenarios
from builders.truths import MATCH
from second_reading.parts import Window
from sunglare_protocol.ids import PUBLIC, Audience, audience_of
from sunglare_protocol.words.ladder import Phase
from sunglare_server.match import frames
from sunglare_server.match.past import past_of, played_on
from sunglare_server.match.record import Opened
from sunglare_server.match.state import MatchState
from two_worlds.differences import difference
from two_worlds.pairs import (
    Pair,
    Past,
    give_all,
    give_twisted,
    legal_orders,
    pause,
    thinking_ms,
)
from two_worlds.parts import Orders, World, window_of
from two_worlds.twistkinds import Twist
from two_worlds.twists import CATALOGUE, agree_on_holds, may_start
from two_worlds.twistsofconsequences import CONSEQUENCES

PAIRS_AT_ONCE = 8
"""How many twisted worlds run beside one match."""

ATTEMPTS = 5
"""How many twists are tried in each window for a free place."""

TRIES = 3
"""How many other worlds a twist may make before it gives up for the window."""

WINDOWS_MOST = 6
"""A pair ends after so many windows: new ones, begun elsewhere, find more."""

REFUSALS_EVERY = 3
"""Refusals and snapshots are compared in one of so many windows."""

PAUSES_EVERY = 3
"""In a match with twists of consequences all pause in one of so many windows."""

EVERY = (*CATALOGUE, *CONSEQUENCES)
"""All twists; those of consequences are tried where they are named."""

CLOCKS = ("test", "test", "test", "blitz")
"""The clocks of the matches: with the last one, frames are padded and kept to the beat."""


_WORDS = re.compile(r"(?P<scenario>[\w-]+) (?P<seed>\d+)/(?P<number>\d+) (?P<twists>[\w,]+)")


@final
class Plan(msgspec.Struct, frozen=True):
    """One match to be played, which its words name: the same plan plays the same match.

    `twists` are the names of those that are tried, all if there are none.
    """

    scenario: str
    seed: int
    number: int
    twists: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """Return the plan as it is written on a command line: scenario, seed/number, twists."""
        return f"{self.scenario} {self.seed}/{self.number} {','.join(self.twists) or 'all'}"


def plan_of(words: str) -> Plan:
    """Return the plan that was written so; raise `ValueError` if the words are none."""
    found = _WORDS.fullmatch(words)
    if found is not None and found["scenario"] in scenarios():
        wanted = found["twists"]
        names = () if wanted == "all" else tuple(wanted.split(","))
        if all(name in [twist.name for twist in EVERY] for name in names):
            return Plan(found["scenario"], int(found["seed"]), int(found["number"]), names)
    raise ValueError(f"{words!r} is no match: scenario seed/number twists, as in 'duel 1/7 all'")


@final
class Tally(msgspec.Struct):
    """What a match came to: pairs, windows compared, and those that put each twist to the test."""

    pairs: int = 0
    windows: int = 0
    covered: dict[str, int] = {}
    begun: dict[str, int] = {}


@final
class Depth(msgspec.Struct, frozen=True):
    """How far a match is played: windows at most, and one of how many has its answers compared.

    Answers follow from the view, which is in the frames: to compare them finds only what does not
    come from the view.
    """

    windows_most: int = 10**9
    answers_every: int = 3


WHOLE = Depth()
"""Matches are played to the end."""


class LeakError(AssertionError):
    """Two worlds that should look the same to an audience do not."""


def played(plan: Plan, depth: Depth = WHOLE, *, windows_before: int = 0) -> Tally:
    """Play one match with its pairs; raise `LeakError` at the first difference.

    With `windows_before` it is one that is played on, from the turn after so many windows.
    """
    rng = Random(f"{plan.seed}/{plan.number}")
    scenario = scenarios()[plan.scenario]
    sides = map(audience_of, scenario.sides)
    base = rig(scenario, plan.number, PUBLIC, *sides, **_options(rng))
    if windows_before:
        base = _from_a_turn(base, windows_before, rng)
    return _Match(plan, depth, base, rng).play()


def _from_a_turn(base: Rig, windows: int, rng: Random) -> Rig:
    """Return a match that is played on from the first turn that begins after so many windows."""
    body = next(read(base.journal))[0].b
    base.play(rng, windows)
    while base.state.standing.phase is not Phase.PLOT:
        base.play(rng, 1)
    held = past_of(MATCH, base.state.standing.turn, tuple(base.journal))
    assert held is not None
    assert isinstance(body, Opened)
    entropy = rng.randbytes(32)
    opening = msgspec.structs.replace(body, server_seed=entropy)
    return Rig(played_on(opening, held), base.sent)


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

    def __init__(self, plan: Plan, depth: Depth, base: Rig, rng: Random) -> None:
        self.plan, self.depth, self.base, self.rng = plan, depth, base, rng
        # What is asked must not move the match: it is played again with other questions.
        self.asking = Random(f"{plan.seed}/{plan.number}/asking")
        wanted = plan.twists or [twist.name for twist in CATALOGUE]
        self.twists = [twist for twist in EVERY if twist.name in wanted]
        self.pauses: Random | None = None
        if any(twist in CONSEQUENCES for twist in self.twists):
            self.pauses = Random(f"{plan.seed}/{plan.number}/pauses")
        self.pairs: list[Pair] = []
        self.coming: dict[Audience, Window] = {}
        self.tally = Tally()
        self.covered: Counter[str] = Counter()
        self.begun: Counter[str] = Counter()
        self.tried: Counter[str] = Counter()

    def play(self) -> Tally:
        for _ in range(self.depth.windows_most):
            if self.base.state.is_over:
                break
            orders = self.base.ordered(self.rng)
            self._start_pairs(orders)
            self._window(orders)
        self.tally.covered, self.tally.begun = dict(self.covered), dict(self.begun)
        return self.tally

    def _start_pairs(self, orders: Orders) -> None:
        self.coming = {}
        for _ in range(ATTEMPTS):
            if len(self.pairs) < PAIRS_AT_ONCE:
                self._start_pair(orders)

    def _start_pair(self, orders: Orders) -> None:
        twist, audience, state = self._wanted(), self._audience(), self.base.state
        if twist is None or len(state.standing.sides) < twist.sides_least:
            return
        for _ in range(TRIES):
            other = twist.apply(World(state, audience, orders), self.rng)
            if other is None:
                return
            pair = Pair(twist, audience, self.base.fork(other, (audience,)))
            if may_start(state, other, audience) and self._promises(pair, orders):
                self.pairs.append(pair)
                # When a pause begins, as all are told, is the same for those in step alone.
                pair.in_step = self.rng.random() < 0.5 or self.pauses is not None
                self.tally.pairs += 1
                self.begun[twist.name] += 1
                return

    def _promises(self, pair: Pair, orders: Orders) -> bool:
        """Return whether the coming window, as far as can be told now, grants both the same."""
        state, other = self.base.state, pair.other.state
        if pair.audience not in self.coming:
            self.coming[pair.audience] = window_of(state, state, orders, pair.audience)
        window = self.coming[pair.audience]
        twisted = window_of(other, other, legal_orders(pair, orders), pair.audience)
        return pair.twist.valid(window, twisted, pair.audience)

    def _wanted(self) -> Twist | None:
        """Return one of the twists that were tried least often, or covered fewest windows."""
        count = self.rng.choice((self.tried, self.tried, self.begun, self.covered))
        fit = [twist for twist in self.twists if twist.where(self.base.state)]
        ranked = sorted(fit, key=lambda twist: (count[twist.name], self.rng.random()))
        chosen = self.rng.choice(ranked[:6]) if ranked else None
        self.tried[chosen.name if chosen else ""] += 1
        return chosen

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
            thinks={side: thinking_ms(state, rng) for side in orders},
            pauses=self.pauses is not None and self.pauses.randrange(PAUSES_EVERY) == 0,
        )
        if past.pauses:
            pause(self.base)
        give_all(self.base, orders, past.said, past.thinks)
        due_ms = self.base.state.due_ms
        events = self.base.close().events
        windows = {
            audience: window_of(state, self.base.state, orders, audience, events)
            for audience in dict.fromkeys(pair.audience for pair in self.pairs)
        }
        past = msgspec.structs.replace(
            past, windows=windows, closed_ms=self.base.now, due_ms=due_ms
        )
        self.pairs = [pair for pair in self.pairs if self._goes_on(pair, past)]

    def _goes_on(self, pair: Pair, past: Past) -> bool:
        before, sent = pair.other.state, pair.other.sent[pair.audience]
        sent.clear()
        orders = legal_orders(pair, past.orders)
        if past.pauses:
            pause(pair.other)
        give_twisted(pair, self.rng, past, orders)
        late_ms = past.closed_ms - pair.other.now if pair.in_step else self.rng.randint(1, 5000)
        due = pair.other.state.due_ms
        theirs = pair.other.close(late_ms).events
        ours = self.base.state
        window = past.windows[pair.audience]
        twisted = window_of(before, pair.other.state, orders, pair.audience, theirs)
        if not pair.twist.valid(window, twisted, pair.audience):
            return False
        # What hidden sides have left at the end of a turn is told to all, in steps of 5 s.
        if ours.shown_banks != pair.other.state.shown_banks:
            return False
        mark = past.marks[pair.audience]
        if pair.in_step and past.is_timed and due != past.due_ms:
            raise self._leak(pair, past, f"the slot ends at {past.due_ms} here, {due} there")
        self._compare(pair, past, self.base.sent[pair.audience][mark:], sent)
        if pair.twist.bites(window, twisted, pair.audience):
            pair.windows += 1
            self.covered[pair.twist.name] += 1
        pair.age += 1
        return pair.age < WINDOWS_MOST and not self.base.state.is_over

    def _compare(self, pair: Pair, past: Past, ours: list[bytes], theirs: list[bytes]) -> None:
        self.tally.windows += 1
        state, other = self.base.state, pair.other.state
        if state.is_over != other.is_over:
            raise self._leak(pair, past, "one world is over, the other is not")
        # After the end everything is shown, so the last message may differ.
        end = -1 if state.is_over else None
        if ours[:end] != theirs[:end] or len(ours) != len(theirs):
            raise self._leak(pair, past, difference(ours[:end], theirs[:end]))
        if not agree_on_holds(state, other, pair.audience):
            raise self._leak(pair, past, "equal frames, but the truth's holds differ")
        beats = [(world.opened_ms, world.latest_ms) for world in (state, other)]
        if pair.in_step and beats[0] != beats[1]:
            raise self._leak(pair, past, f"the beats differ: {beats}")
        if self.asking.randrange(REFUSALS_EVERY) == 0 and not state.is_over:
            self._compare_answers(pair, past)

    def _compare_answers(self, pair: Pair, past: Past) -> None:
        audience, states = pair.audience, (self.base.state, pair.other.state)
        snapshots = [_snapshot(state, audience) for state in states]
        if snapshots[0] != snapshots[1]:
            raise self._leak(pair, past, f"snapshots: {difference(*snapshots)}")
        handles = tuple(sorted({one for state in states for one in unheld(state, audience)}))
        views = [view_of(state, audience) for state in states]
        told = [list(refusals(view, handles)) for view in views]
        seed = self.asking.random()
        if self.asking.randrange(self.depth.answers_every) == 0:
            told = [answered(view, handles, Random(seed)) for view in views]
        if told[0] != told[1]:
            text = "\n".join(f"  {a!r}\n  {b!r}" for a, b in zip(*told, strict=True) if a != b)
            raise self._leak(pair, past, f"answers differ:\n{text}")

    def _leak(self, pair: Pair, past: Past, text: str) -> LeakError:
        return LeakError(
            f"twist {pair.twist.name}, audience {pair.audience}, {self.plan.words}, "
            f"window {past.state.standing.window}, pair {self.tally.pairs}, "
            f"after {pair.windows} equal windows:\n{text}"
        )


def _snapshot(state: MatchState, audience: Audience) -> list[bytes]:
    """Return what a seat gets that comes back with nothing."""
    return [wire(post) for post in frames.keyframe(MATCH, state, audience, "")]
