"""A batch of inputs on their way to the journal: checked and stepped, but held back.

Theory of operation. The order of things is: check against the sender's view, `step`, append,
adopt and show. This module does the first two for as many inputs as wait, each on the state that
the one before it led to, so that a hundred commands cost one write to the disk. Nothing that it
makes is shown before the runner has the journal's word, and a batch that is refused leaves no
trace.

Orders are checked against the view of the last frame that their sender was sent, and nothing
newer: what has been closed and not yet released must not be found out by asking. Whether a window
is open, a revision new, a seat still there, is checked against the state; none of that is hidden.
A command that is not newer than the last one of its seat is answered as it was the first time,
which makes repeating safe.

Windows close here, not by a timer: whenever inputs are taken, every window that is due is closed
as well. With rated clocks the record says the beat at which that was, however late the server is:
what follows from it does not depend on how busy a machine was.
"""

from typing import final

import msgspec

from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.messages.replies import FrameView
from sunglare_protocol.refusals import Code, Rejected
from sunglare_rules.advice.check.check import check
from sunglare_server.base.clock import stopwatch_s
from sunglare_server.match.clock.presets import recorded_close_ms
from sunglare_server.match.clock.seats import granted_lag_ms
from sunglare_server.match.fog import view as fog
from sunglare_server.match.pace.absence import next_tick
from sunglare_server.match.pace.pausing import refused_pause
from sunglare_server.match.record import (
    DIGEST_EVERY,
    FIRST_EPOCH,
    RECORD_VERSION,
    Body,
    Closed,
    HaltEnded,
    Kind,
    Lapsed,
    LineChanged,
    Opened,
    OrdersGiven,
    Owned,
    PauseAsked,
    PauseEnded,
    PlayedOn,
    Record,
    Restarted,
    Slipped,
    WindowDue,
    chain,
    packed,
)
from sunglare_server.match.state import FramePost, MatchState, Stepped, Taken, digest
from sunglare_server.match.step import step
from sunglare_server.runtime.inbox import Pending

_WINDOWS_AT_ONCE = 16
"""Windows that wait for no seat close one after the other; more than these take another round."""

_KINDS: dict[type, Kind] = {
    Opened: Kind.OPEN,
    PlayedOn: Kind.OPEN,
    WindowDue: Kind.TICK,
    Owned: Kind.OWN,
    Slipped: Kind.TICK,
    Restarted: Kind.TICK,
    LineChanged: Kind.TICK,
    Lapsed: Kind.TICK,
    HaltEnded: Kind.TICK,
    PauseEnded: Kind.TICK,
    Closed: Kind.CLOSE,
}


@final
class Sealed(msgspec.Struct, frozen=True):
    """A record's bytes, the hash by which the next one refers to them, and what it results in.

    `took_ms` is how long this machine took over the step, 0 where it was not measured.
    """

    blob: bytes
    head: bytes
    stepped: Stepped
    at_ms: int
    took_ms: float = 0.0

    @property
    def shows_frame(self) -> bool:
        """Return whether all audiences are sent a frame."""
        return FramePost() in self.stepped.posts


@final
class Batch:
    """Inputs stepped on top of one another, from the last state that is on disk."""

    def __init__(
        self,
        match: MatchId,
        state: MatchState | None,
        number: int,
        last: bytes,
        epoch: int = FIRST_EPOCH,
    ) -> None:
        """Begin after record `number`, to which the next one refers by the hash `last`.

        `epoch` is that of the owner who writes; `is_slip` says that it does nothing but put the
        window off.
        """
        self.match = match
        self.epoch = epoch
        self.state = state
        self.number = number
        self.last = last
        self.sealed: list[Sealed] = []
        self.is_slip = True

    def take(self, asked: Pending, at_ms: int, shown: FrameView | None) -> Taken | Rejected:
        """Check and step a command that came by a line; see `command`."""
        line_ms = asked.round_trip_ms
        return self.command(
            asked.side, asked.command, asked.body, at_ms, shown, round_trip_ms=line_ms
        )

    def late(self, asked: Pending, at_ms: int, shown: FrameView | None) -> Taken | Rejected:
        """Return the answer to a command that is taken no more; a repeated one's is its first."""
        given = self.take(asked, at_ms, shown)
        return Rejected(code=Code.SERVER_CLOSING) if self.sealed else given

    def command(
        self,
        side: Side | None,
        command: int | None,
        body: Body,
        at_ms: int,
        shown: FrameView | None,
        *,
        round_trip_ms: int = 0,
    ) -> Taken | Rejected:
        """Check and step a command; return its answer, to be given once it is stored.

        One without a number or without a side is the operator's, in the place of the side.
        `shown` is the view of the last frame the seat was sent. Orders are checked against it
        and nothing newer: what is closed but not yet released must not be found out. Of
        `round_trip_ms`, the server's measure of the seat's line, a lock is granted its part.
        """
        if side is None or command is None:
            return self._decree(side, body, at_ms)
        state = self._running()
        known = state.taken.get(side, ())
        if known and command <= known[-1].id:
            return _first_answer(known, command)
        if state.is_over:
            return Rejected(code=Code.MATCH_OVER)
        is_orders = isinstance(body, OrdersGiven)
        granted_ms = granted_lag_ms(state.clocks[side], round_trip_ms) if is_orders else 0
        refused = self._refused(state, side, body, at_ms - granted_ms, shown)
        if refused is not None:
            return refused
        lag_ms = granted_ms if isinstance(body, OrdersGiven) and body.lock else 0
        self._seal(body, at_ms, side=side, command=command, lag_ms=lag_ms)
        return self._running().taken[side][-1]

    def _refused(
        self, state: MatchState, side: Side, body: Body, at_ms: int, shown: FrameView | None
    ) -> Rejected | None:
        """Return why a command is not taken that was given at `at_ms`, its lag left out."""
        if isinstance(body, PauseAsked):
            return refused_pause(state, side, on=body.on)
        if not isinstance(body, OrdersGiven):
            return None
        refused = self._check_orders(state, side, body, shown)
        if refused is None and state.elapsed_ms(at_ms) > state.allowed_ms(side):
            return Rejected(code=Code.WINDOW_CLOSED, at="$.window")
        return refused

    def close_due_windows(self, now_ms: int) -> None:
        """Close the open window, and whatever follows from it, as far as it is due."""
        for _ in range(_WINDOWS_AT_ONCE):
            state = self._running()
            due_ms = state.due_ms
            if due_ms is None or now_ms < due_ms:
                return
            allowance = state.options.allowance_beats
            at_ms = recorded_close_ms(state.preset, due_ms, now_ms, allowance)
            self._seal(WindowDue(window=state.standing.window), at_ms)

    @property
    def is_over(self) -> bool:
        """Return whether the match has ended."""
        return self._running().is_over

    def tick(self, now_ms: int) -> None:
        """Step what time alone has brought: pauses and waits that end, seats absent too long."""
        while (due := next_tick(self._running())) is not None and due[0] <= now_ms:
            self._seal(due[1], now_ms)

    def slip(self, slipped: Slipped, now_ms: int) -> None:
        """Put the open window off, if it is still the one whose release slipped."""
        state = self._running()
        if not state.is_over and state.standing.window == slipped.window:
            self._seal(slipped, now_ms)

    def put(self, body: Body, at_ms: int) -> None:
        """Step an input that no seat sent."""
        self._seal(body, at_ms)

    def _running(self) -> MatchState:
        if self.state is None:
            raise ValueError("the match has not been opened")
        return self.state

    def _decree(self, side: Side | None, body: Body, at_ms: int) -> Taken | Rejected:
        state = self._running()
        if state.is_over:
            return Rejected(code=Code.MATCH_OVER)
        if side is not None and side in state.table.resigned:
            return Rejected(code=Code.SEAT_NONE)
        self._seal(body, at_ms, side=side)
        return Taken(0)

    def _check_orders(
        self, state: MatchState, side: Side, given: OrdersGiven, shown: FrameView | None
    ) -> Rejected | None:
        view = fog.of_a_side(shown)
        if view is None or not given.window == view.stage.window == state.standing.window:
            return Rejected(code=Code.WINDOW_CLOSED, at="$.window")
        if side in state.table.resigned or not state.standing.takes_orders_of(side):
            return Rejected(code=Code.WINDOW_OTHERS, at="$.window")
        staged = state.staged.get(side)
        if staged is not None and given.rev <= staged.rev:
            return Rejected(code=Code.REV_OLD, at="$.rev")
        return check(view, given.orders)

    def _seal(
        self,
        body: Body,
        at_ms: int,
        *,
        side: Side | None = None,
        command: int | None = None,
        lag_ms: int = 0,
    ) -> None:
        number = self.number + 1
        record = Record(
            v=RECORD_VERSION,
            m=self.match,
            n=number,
            k=_KINDS.get(type(body), Kind.COMMAND),
            t=at_ms,
            b=body,
            s=side,
            c=command,
            e=self.epoch,
            lag=lag_ms,
            p=self.last,
            h=self._digest(number, body),
        )
        blob = packed(record)
        began_s = stopwatch_s()
        stepped = step(self.state, record)
        took_ms = (stopwatch_s() - began_s) * 1000
        head = chain(blob)
        self.sealed.append(Sealed(blob, head, stepped, at_ms, took_ms))
        self.number, self.last, self.state = number, head, stepped.state
        self.is_slip = self.is_slip and isinstance(body, Slipped)

    def _digest(self, number: int, body: Body) -> bytes:
        is_due = isinstance(body, Owned) or number % DIGEST_EVERY == 0
        return b"" if self.state is None or not is_due else digest(self.state)


def _first_answer(known: tuple[Taken, ...], command: int) -> Taken | Rejected:
    """Return what a command that is not newer than the `known` ones was answered, if kept."""
    for taken in known:
        if taken.id == command:
            return taken
    return Rejected(code=Code.MESSAGE_STALE, at="$.id")
