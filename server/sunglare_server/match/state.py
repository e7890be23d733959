"""The state of a match: truth, intel of every audience, stage, clocks; and what a step yields."""

import hashlib
from typing import final

import msgspec

from sunglare_protocol.geometry import Board
from sunglare_protocol.ids import Audience, Side, WindowId
from sunglare_protocol.orders import Order
from sunglare_protocol.replies import NewsKind, Result
from sunglare_server.match.clocks import PRESETS, Preset, locked_close_ms
from sunglare_server.match.dice import Dice, Roll
from sunglare_server.match.events import Event
from sunglare_server.match.intel import Intel
from sunglare_server.match.options import MatchOptions
from sunglare_server.match.phases import Standing
from sunglare_server.match.scenario import ScenarioData
from sunglare_server.match.truth import Truth

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
    """What the seats do besides giving orders: gone, draw offers, pauses, deaf ears."""

    resigned: tuple[Side, ...] = ()
    draws: tuple[Side, ...] = ()
    pauses: tuple[Side, ...] = ()
    paused_ms: int | None = None
    muted: dict[Side, tuple[Side, ...]] = {}

    @property
    def is_held(self) -> bool:
        """Return whether the operator has paused the match, who alone can end that."""
        return self.paused_ms is not None and not self.pauses

    @property
    def agreed_ms(self) -> int | None:
        """Return since when the seats have paused the match; None for the operator's pause."""
        return None if self.is_held else self.paused_ms


@final
class MatchState(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Everything a match is, as a fold of its records.

    `seed` is the match seed that follows from `server_seed` and the seats' entropies.
    `opened_ms` and `closes_ms` bound the open window on the server's clock; `seqs` counts what
    each audience was sent; `taken` remembers the last accepted commands of each seat;
    `locked_ms` is when the last seat locked, None while one is awaited.
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
    closes_ms: int
    seqs: dict[Audience, int]
    staged: dict[Side, Staged] = {}
    table: Table = Table()
    taken: dict[Side, tuple[Taken, ...]] = {}
    locked_ms: int | None = None
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

    def awaits(self, side: Side) -> bool:
        """Return whether the open window waits for `side` to lock."""
        staged = self.staged.get(side)
        if staged is not None and staged.locked:
            return False
        return side not in self.table.resigned and self.standing.takes_orders_of(side)

    @property
    def all_locked(self) -> bool:
        """Return whether the open window waits for nobody."""
        return not any(map(self.awaits, self.standing.sides))

    @property
    def due_ms(self) -> int | None:
        """Return when the open window closes at the latest; None while the match stands still.

        A rated SCAN slot lasts its whole time, locked or not: it would tell how long one side
        thought.
        """
        if self.is_over or self.table.paused_ms is not None:
            return None
        preset = self.preset
        if self.locked_ms is None or (preset.rated and self.standing.slot_side is not None):
            return self.closes_ms
        return min(self.closes_ms, locked_close_ms(preset, self.opened_ms, self.locked_ms))


@final
class FramePost(msgspec.Struct, frozen=True, gc=False):
    """A frame for every audience, made from the state after the step."""


@final
class NewsPost(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """News for every audience but the deaf ones."""

    kind: NewsKind
    text: str = ""
    side: Side | None = None
    deaf: tuple[Audience, ...] = ()


@final
class OverPost(msgspec.Struct, frozen=True, gc=False):
    """The end, for every audience."""


Post = FramePost | NewsPost | OverPost
"""What a step gives out, in order."""


@final
class Stepped(msgspec.Struct, frozen=True, gc=False):
    """What a record comes to: the state after it, the events, what is given out, the dice."""

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
