"""The state of a match: truth, intel of every audience, stage, clocks; and what a step yields."""

import hashlib
from typing import final

import msgspec

from sunglare_protocol.geometry import Board
from sunglare_protocol.ids import Audience, Side, WindowId, audience_of
from sunglare_protocol.messages.replies import NewsKind, Result
from sunglare_protocol.orders import Order
from sunglare_server.match.clock.attendance import HALVED_AT, Attendance
from sunglare_server.match.clock.phases import Standing
from sunglare_server.match.clock.presets import PRESETS, Preset, locked_close_ms
from sunglare_server.match.clock.seats import SeatClock, away
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.data.scenario import ScenarioData
from sunglare_server.match.dice import Dice, Roll
from sunglare_server.match.events.space import Event
from sunglare_server.match.intel.space import Intel
from sunglare_server.match.truth.truth import Truth

ANSWERS_KEPT = 256
"""How many accepted commands of a seat are remembered for repeated ids."""


@final
class Taken(msgspec.Struct, frozen=True, gc=False):
    """The first answer to an accepted command, to be given again when its id is repeated."""

    id: int
    window: WindowId | None = None
    rev: int | None = None


@final
class Staged(msgspec.Struct, frozen=True, gc=False):
    """The orders of a seat for the open window; sealed until it closes."""

    rev: int
    orders: tuple[Order, ...]
    locked: bool


@final
class Table(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What the seats do apart from giving orders: gone, draw offers, pauses, deaf ears.

    `pauses` are the seats that want a pause now, `asked` counts how often each began to.
    """

    resigned: tuple[Side, ...] = ()
    draws: tuple[Side, ...] = ()
    pauses: tuple[Side, ...] = ()
    paused_ms: int | None = None
    asked: dict[Side, int] = {}
    muted: dict[Side, tuple[Side, ...]] = {}

    @property
    def is_frozen(self) -> bool:
        """Return whether the operator has paused the match, who alone can end that."""
        return self.paused_ms is not None and not self.pauses

    def deaf_to(self, side: Side) -> tuple[Audience, ...]:
        """Return the seats that have muted a side."""
        muted = self.muted.items()
        return tuple(audience_of(listener) for listener, unheard in muted if side in unheard)


@final
class Halt(msgspec.Struct, frozen=True, gc=False):
    """The match waits since `since_ms` for a seat that is absent; without one, for anybody."""

    since_ms: int
    side: Side | None = None


@final
class MatchState(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Everything a match is, as a fold of its records.

    `seed` is the match seed that follows from `server_seed` and the seats' entropies. The open
    window opened at `opened_ms` on the server's clock and has since stood still for `stopped_ms`;
    at `moved_ms` it was last decided whom it waits for. `shown_banks` are the banks as all seats
    were shown them at the end of the last turn; `seqs` counts what each audience was sent; `taken`
    remembers the last accepted commands of each seat. All times that are sent count from
    `told_ms`, when the window's frame or the last news that moved the clock were made. After a
    pause or a restart the clock runs on from `runs_from_ms`; after a pause no window closes before
    `rests_until_ms`.
    """

    board: Board
    scenario: ScenarioData
    options: MatchOptions
    server_seed: bytes
    seed: bytes
    truth: Truth
    intel: dict[Audience, Intel]
    standing: Standing
    opened_ms: int
    seqs: dict[Audience, int]
    staged: dict[Side, Staged] = {}
    table: Table = Table()
    taken: dict[Side, tuple[Taken, ...]] = {}
    clocks: dict[Side, SeatClock] = {}
    shown_banks: dict[Side, int] = {}
    stopped_ms: int = 0
    moved_ms: int = 0
    told_ms: int = 0
    runs_from_ms: int = 0
    rests_until_ms: int = 0
    attendance: dict[Side, Attendance] = {}
    halt: Halt | None = None
    result: Result | None = None
    is_closed: bool = False

    @property
    def preset(self) -> Preset:
        """Return the clock preset in force."""
        return PRESETS[self.options.clock]

    @property
    def dice(self) -> Dice:
        """Return the dice of this match, to look up again; a step's own are noted by its flow."""
        return Dice(seed=self.seed)

    @property
    def is_over(self) -> bool:
        """Return whether the match has ended."""
        return self.result is not None

    @property
    def seats_left(self) -> tuple[Side, ...]:
        """Return the sides that have not resigned."""
        return tuple(side for side in self.standing.sides if side not in self.table.resigned)

    @property
    def playing(self) -> tuple[Side, ...]:
        """Return the sides that play on: not resigned, nor announced as out."""
        return tuple(side for side in self.seats_left if side not in self.standing.out)

    def has_say(self, side: Side) -> bool:
        """Return whether the open window is one in which `side` gives orders."""
        return side not in self.table.resigned and self.standing.takes_orders_of(side)

    def orders_of(self, side: Side) -> tuple[Order, ...]:
        """Return what `side` has staged for the open window."""
        staged = self.staged.get(side)
        return () if staged is None else staged.orders

    @property
    def awaited(self) -> tuple[Side, ...]:
        """Return the sides that the open window waits for: those that play and have not locked."""
        gone, staged, seats = self.table.resigned, self.staged, self.attendance
        return tuple(
            [
                side
                for side in self.standing.asked
                if side not in gone
                and not seats[side].on_autopilot
                and not (side in staged and staged[side].locked)
            ]
        )

    def awaits(self, side: Side) -> bool:
        """Return whether the open window waits for `side` to lock."""
        return side in self.awaited

    @property
    def is_timed(self) -> bool:
        """Return whether the open window lasts its whole base, locked or not.

        A rated SCAN slot does: its close would show how long one side thought.
        """
        return self.standing.slot_side is not None and self.preset.on_beat

    @property
    def still_ms(self) -> int | None:
        """Return since when the open window's time stands still; None if it runs."""
        return self.table.paused_ms if self.halt is None else self.halt.since_ms

    def elapsed_ms(self, at_ms: int) -> int:
        """Return how much of the open window's time had passed at `at_ms`."""
        still_ms = self.still_ms
        now_ms = at_ms if still_ms is None else min(at_ms, still_ms)
        return max(0, max(now_ms, self.runs_from_ms) - self.opened_ms - self.stopped_ms)

    def beyond_base_ms(self, side: Side, at_ms: int) -> int:
        """Return the same, but no less than what `side` has for free."""
        return max(self.free_ms(side), self.elapsed_ms(at_ms))

    def clock_until(self, side: Side, at_ms: int) -> SeatClock:
        """Return a seat's clock with what its line cost it up to `at_ms`, if that is nothing."""
        clock, gone_ms = self.clocks[side], self.attendance[side].gone_ms
        if gone_ms is None or not self.preset.grace_for_bank:
            return clock
        since_ms = self.beyond_base_ms(side, gone_ms)
        return away(clock, max(0, self.beyond_base_ms(side, at_ms) - since_ms))

    @property
    def base_ms(self) -> int:
        """Return how long all sides may think in the open window at no cost."""
        return self.preset.base_ms(self.standing.phase)

    def allowed_ms(self, side: Side) -> int:
        """Return how long `side` may think in the open window, its bank included."""
        bank_ms = self.clocks[side].bank_ms
        if not bank_ms:
            return self.free_ms(side)
        is_timed, extra_ms = self.is_timed, self.preset.extra_ms
        return self.base_ms if is_timed else self.free_ms(side) + min(bank_ms, extra_ms)

    def free_ms(self, side: Side) -> int:
        """Return how long `side` may think at no cost: half the base if it misses windows."""
        is_halved = self.attendance[side].missed >= HALVED_AT and not self.is_timed
        base_ms = self.base_ms
        return base_ms // 2 if is_halved else base_ms

    @property
    def latest_ms(self) -> int:
        """Return how long the window is open at most, as far as is public.

        It follows from the banks as they were last shown, so no lock since can move it.
        """
        if self.is_timed:
            return self.base_ms
        return self.base_ms + min(max(self.shown_banks.values(), default=0), self.preset.extra_ms)

    @property
    def closes_ms(self) -> int:
        """Return when the open window closes at the latest: at the last seat's deadline."""
        thinking = [self.allowed_ms(side) for side in self.standing.sides if self.has_say(side)]
        return self.opened_ms + self.stopped_ms + max(thinking, default=self.base_ms)

    @property
    def due_ms(self) -> int | None:
        """Return when the open window closes at the latest; None while the match stands still.

        That is once each seat has locked or is past its deadline, on the beat.
        """
        if self.is_over or self.still_ms is not None:
            return None
        opened_ms = self.opened_ms + self.stopped_ms
        if self.is_timed:
            return locked_close_ms(self.preset, self.opened_ms, self.closes_ms)
        thinking = [opened_ms + self.allowed_ms(side) for side in self.awaited]
        ends_ms = max([self.moved_ms, self.rests_until_ms, *thinking])
        return locked_close_ms(self.preset, self.opened_ms, ends_ms)


@final
class FramePost(msgspec.Struct, frozen=True, tag="FramePost", gc=False):
    """A frame for every audience, made from the state after the step."""


@final
class NewsPost(msgspec.Struct, frozen=True, kw_only=True, tag="NewsPost", gc=False):
    """News for every audience but the deaf ones.

    Those that move the clock give each seat the close of the open window again.
    """

    kind: NewsKind
    text: str = ""
    side: Side | None = None
    deaf: tuple[Audience, ...] = ()
    moves_clock: bool = False


@final
class OverPost(msgspec.Struct, frozen=True, tag="OverPost", gc=False):
    """The end, for every audience."""


Post = FramePost | NewsPost | OverPost
"""What a step gives out, in order."""


@final
class Stepped(msgspec.Struct, frozen=True, gc=False):
    """What a record results in: the state after it, the events, what is given out, the dice."""

    state: MatchState
    events: tuple[Event, ...] = ()
    posts: tuple[Post, ...] = ()
    rolls: tuple[Roll, ...] = ()


_FIXED_FIELDS = MatchState.__struct_fields__.index("truth")
_encoder = msgspec.msgpack.Encoder(order="sorted")


def digest(state: MatchState) -> bytes:
    """Return a 16 byte digest of the state, equal for equal states of one match.

    What the opening record fixes for good (board, scenario, options) is left out; the match
    seed is the key.
    """
    changing = msgspec.structs.astuple(state)[_FIXED_FIELDS:]
    data = _encoder.encode(changing)
    return hashlib.blake2b(data, key=state.seed, digest_size=16).digest()
