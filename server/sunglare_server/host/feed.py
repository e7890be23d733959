"""The feed of one audience: what waits for its release, what was released, who gets it.

Frames are made when the window closes and released on the beat or after the delay; this queue
is the only place where a message waits, and it holds no clock: the runner tells the time.
"""

from collections import deque
from typing import final

from sunglare_protocol.ids import OMNI, PUBLIC, Audience, MatchId
from sunglare_protocol.replies import Frame, FrameView
from sunglare_server.host.parcel import Parcel, Sink
from sunglare_server.match.frames import keyframe, posted
from sunglare_server.match.state import MatchState, Stepped

RING = 256
"""How many encoded messages of an audience are kept for a resume."""


@final
class Feed:
    """One audience of one match; `shown` is the view of the last frame that was released.

    `delay_turns` and `delay_ms` hold a truth feed back: both must have passed, or the end.
    """

    def __init__(
        self, match: MatchId, audience: Audience, *, delay_turns: int = 0, delay_ms: int = 0
    ) -> None:
        """Begin empty."""
        self.match = match
        self.audience = audience
        self.delay_turns = delay_turns
        self.delay_ms = delay_ms
        self.sinks: list[Sink] = []
        self.ring: deque[tuple[int, Parcel]] = deque(maxlen=RING)
        self.released: MatchState | None = None
        self.released_ms = 0
        self.shown: FrameView | None = None
        self._head = ""
        self._pending: deque[tuple[int, Stepped, str]] = deque()

    def hold(self, stepped: Stepped, head: str, release_ms: int) -> None:
        """Queue what a step gave out, to be released at `release_ms` plus the delay."""
        last = self._pending[-1][0] if self._pending else 0
        self._pending.append((max(release_ms + self.delay_ms, last), stepped, head))

    def release(self, now_ms: int, newest: MatchState) -> None:
        """Release everything whose time has come; `newest` is the state of the match now."""
        while self._pending and self._is_due(self._pending[0], now_ms, newest):
            _, stepped, head = self._pending.popleft()
            self.released = stepped.state
            self.released_ms = now_ms
            self._head = head
            self._give_out(stepped, head)

    def next_release_ms(self, newest: MatchState) -> int | None:
        """Return when the clock alone releases a message; None if none waits for the clock."""
        if not self._pending:
            return None
        release_ms, stepped, _ = self._pending[0]
        return release_ms if self._has_turns(stepped, newest) else None

    def missed(self, have: int) -> list[Parcel] | None:
        """Return what was released after sequence number `have`; None if it is not kept."""
        newest = 0 if self.released is None else self.released.seqs[self.audience]
        if have == newest:
            return []
        kept = [parcel for seq, parcel in self.ring if seq > have]
        is_whole = bool(kept) and self.ring[0][0] <= have + 1 and self.ring[-1][0] == newest
        return kept if is_whole else None

    def keyframe(self) -> list[Parcel]:
        """Return the whole present view, and the end if it is over; nothing before the start."""
        if self.released is None:
            return []
        made = keyframe(self.match, self.released, self.audience, self._head)
        return [Parcel(message) for message in made]

    def _is_due(self, waiting: tuple[int, Stepped, str], now_ms: int, newest: MatchState) -> bool:
        release_ms, stepped, _ = waiting
        # The end ends the delay: once a result is final the truth is public.
        is_open = newest.is_over and bool(self.delay_turns or self.delay_ms)
        return is_open or (now_ms >= release_ms and self._has_turns(stepped, newest))

    def _has_turns(self, stepped: Stepped, newest: MatchState) -> bool:
        turns = newest.standing.turn - stepped.state.standing.turn
        return turns >= self.delay_turns or newest.is_over

    def _give_out(self, stepped: Stepped, head: str) -> None:
        # Spectators' frames are made only for those who watch; a seat's always, for its resume.
        if not self.sinks and self.audience in (PUBLIC, OMNI):
            self.ring.clear()
            return
        for message in posted(self.match, stepped, self.audience, head):
            if isinstance(message, Frame):
                self.shown = message.view
            parcel = Parcel(message)
            self.ring.append((message.seq, parcel))
            for sink in tuple(self.sinks):
                sink.put(parcel)
