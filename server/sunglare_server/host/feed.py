"""The feed of one audience: what waits for its release, what was released, who gets it.

Frames are made when the window closes and released on the beat or after the delay; this queue
is the only place where a message waits, and it holds no clock: the runner tells the time.
"""

from collections import deque
from typing import final

from sunglare_protocol.ids import OMNI, PUBLIC, Audience, MatchId
from sunglare_server.host.parcel import Parcel, Sink
from sunglare_server.match.frames import keyframe, posted
from sunglare_server.match.state import MatchState, Stepped

RING = 256
"""How many encoded messages of an audience are kept for a resume."""


@final
class Feed:
    """One audience of one match.

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
            self._give_out(stepped, head)

    def next_release_ms(self) -> int | None:
        """Return when the next message may be due; None if nothing waits for the clock."""
        return self._pending[0][0] if self._pending else None

    def missed(self, have: int) -> list[Parcel] | None:
        """Return what was released after sequence number `have`; None if too old to tell."""
        newest = self.ring[-1][0] if self.ring else 0
        if have > newest or (self.ring and have < self.ring[0][0] - 1):
            return None
        return [parcel for seq, parcel in self.ring if seq > have]

    def keyframe(self) -> Parcel | None:
        """Return the whole present view; None before anything was released."""
        if self.released is None:
            return None
        return Parcel(keyframe(self.match, self.released, self.audience))

    def _is_due(self, waiting: tuple[int, Stepped, str], now_ms: int, newest: MatchState) -> bool:
        release_ms, stepped, _ = waiting
        if newest.is_over and self.delay_turns + self.delay_ms:
            return True
        turns = newest.standing.turn - stepped.state.standing.turn
        return now_ms >= release_ms and turns >= self.delay_turns

    def _give_out(self, stepped: Stepped, head: str) -> None:
        # Spectators' frames are made only for those who watch; a seat's always, for its resume.
        if not self.sinks and self.audience in (PUBLIC, OMNI):
            return
        for message in posted(self.match, stepped, self.audience, head):
            parcel = Parcel(message)
            self.ring.append((message.seq, parcel))
            for sink in tuple(self.sinks):
                sink.put(parcel)
