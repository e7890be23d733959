"""The feed of one audience: what waits for its release, what was released, who gets it.

Theory of operation. A feed is a queue with one end closed. What a step gives out is held at the
end, its bytes made at once if anybody wants them, and is let out at the front when its time has
come: on the beat, after the delay of the feed of the truth, or at the end of the match. Releasing
costs the same then whatever the frames hold, so no delay can reveal how much there was to show.
This queue holds no clock: the runner supplies the time. Seats get at once what is released, and
spectators after all seats, from the broadcaster. Bytes are made once for all of them, and so is a
keyframe.

Whatever waits in front holds back what is behind it, so the order of posts is the order of steps,
and numbers have no gaps. What has gone out stays in a ring, as far as its bounds go: who comes
back gets what was missed from there, or, if that is gone, a keyframe, the whole of the newest view
that was released. Never one that waits.

`released` is the state as its audience knows it, and `shown` its view; whatever a seat is answered
about the match follows from these. A spectators' feed without spectators makes no frames, and a
keyframe when one comes.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable
from typing import final

import msgspec

from sunglare_protocol.codec import Form
from sunglare_protocol.ids import Audience, MatchId, is_of_side
from sunglare_protocol.messages.replies import Frame, FrameView
from sunglare_server.match.clock.presets import NO_DELAY, Delay
from sunglare_server.match.frames import Posted, is_padded, keyframe, posted
from sunglare_server.match.state import FramePost, MatchState, NewsPost, Post, Stepped
from sunglare_server.runtime.encoded_message import EncodedMessage, Subscriber
from sunglare_server.runtime.spectator_fanout import SpectatorBroadcaster, Viewer

RING = 256
"""How many encoded messages of an audience are kept for a resume."""


Numbered = tuple[int, EncodedMessage]
"""An encoded message with its number in the audience's sequence."""


@final
class _Held(msgspec.Struct):
    """What a step gave out, when it is released without and with the delay, and the messages."""

    undelayed_ms: int
    release_ms: int
    stepped: Stepped
    head: str
    encoded_messages: tuple[Numbered, ...] | None = None


@final
class Feed:
    """One audience of one match; `shown` is the view of the last frame that was released.

    At `released_ms` that frame was released, or news since that gave the time again. `seats` are
    connections that hold the seat of a side, `viewers` all others that get the same. `delay` holds
    a truth feed back: its turns and its seconds must have passed, or the end. With None nothing is
    shown before the end. `on_release` hears every step when it is shown.
    """

    def __init__(
        self,
        match: MatchId,
        audience: Audience,
        broadcaster: SpectatorBroadcaster,
        *,
        delay: Delay | None = NO_DELAY,
        on_release: Callable[[Stepped], None] | None = None,
    ) -> None:
        """Begin empty; spectators are served by `broadcaster`."""
        self.match = match
        self.audience = audience
        self._is_seat = is_of_side(audience)
        self.delay = delay
        self.seats: list[Subscriber] = []
        self.viewers: dict[Viewer, None] = {}
        self.ring: deque[Numbered] = deque(maxlen=RING)
        self.released: MatchState | None = None
        self.released_ms = 0
        self.shown: FrameView | None = None
        self._broadcaster = broadcaster
        self._on_release = on_release
        self._forms: Counter[Form] = Counter()
        self._head = ""
        self._newest: Frame | None = None
        self._keyframe: list[EncodedMessage] | None = None
        self._pending: deque[_Held] = deque()
        self._not_before_ms = 0

    @property
    def is_empty(self) -> bool:
        """Return whether nothing waits."""
        return not self._pending

    @property
    def is_followed(self) -> bool:
        """Return whether anybody gets what is released."""
        return bool(self.seats or self.viewers)

    def sit(self, subscriber: Subscriber) -> None:
        """Send what is released to a seat as well, from now on and at once."""
        self.seats.append(subscriber)
        self._forms.update(subscriber.forms)
        self._prepare()

    def stand_up(self, subscriber: Subscriber) -> None:
        """Send nothing more to a seat."""
        if subscriber in self.seats:
            self.seats.remove(subscriber)
            self._forms.subtract(subscriber.forms)

    def watch(self, viewer: Viewer) -> None:
        """Send what is released to a viewer as well, from now on, after the seats."""
        self.viewers[viewer] = None
        self._forms.update(viewer.subscriber.forms)
        self._prepare()

    def leave(self, viewer: Viewer) -> None:
        """Send nothing more to a viewer, what has been released included."""
        if viewer in self.viewers:
            del self.viewers[viewer]
            self._forms.subtract(viewer.subscriber.forms)
        viewer.has_gone = True

    def cut(self) -> None:
        """Send nothing more to anybody, what waits and what was released included."""
        self.seats.clear()
        for viewer in tuple(self.viewers):
            self.leave(viewer)
        self._pending.clear()
        self.ring.clear()
        self.released = self.shown = self._keyframe = None

    def queue(self, stepped: Stepped, head: str, release_ms: int) -> None:
        """Queue what a step gave out, to be released at `release_ms` plus the delay."""
        if self.delay is None:
            # A client that asks after the end is shown how it stands then.
            self._pending.clear()
        delay_ms = 0 if self.delay is None else self.delay.seconds * 1000
        held = _Held(release_ms, release_ms + delay_ms, stepped, head)
        if self._is_wanted:
            held.encoded_messages = self._made(held)
        self._pending.append(held)

    @property
    def first(self) -> int | None:
        """Return the number of the first post that waits; None if none does."""
        waiting = (seq for held in self._pending for seq, _ in held.encoded_messages or ())
        return next(waiting, None)

    def postpone(self, to_ms: int) -> None:
        """Release nothing of what waits before `to_ms`."""
        self._not_before_ms = to_ms
        for held in self._pending:
            held.release_ms = max(held.release_ms, to_ms)

    def release(self, now_ms: int, newest: MatchState) -> None:
        """Release everything whose time has come; `newest` is the state of the match now."""
        while (due_ms := self.next_release_ms(newest)) is not None and due_ms <= now_ms:
            held = self._pending.popleft()
            self._keyframe = None
            self.released = held.stepped.state
            if any(map(_tells_time, held.stepped.posts)):
                self.released_ms = now_ms
            self._head = held.head
            if self._on_release is not None:
                self._on_release(held.stepped)
            self._give_out(held)

    def next_release_ms(self, newest: MatchState) -> int | None:
        """Return when the clock alone releases a message; None if none waits for the clock.

        What waits for the turns of a delay goes out on the beat that shows the movement: how
        long the work before it took is nothing that a spectator may learn.
        """
        if not self._pending:
            return None
        held = self._pending[0]
        if self.delay == NO_DELAY:
            return held.release_ms
        # The end ends the delay: once a result is final the truth is public, to all at once.
        if newest.is_over:
            return max(self._pending[-1].undelayed_ms, self._not_before_ms)
        if self.delay is None or not _has_passed(self.delay, held.stepped.state, newest):
            return None
        return max(held.release_ms, newest.opened_ms, self._not_before_ms)

    def forget(self, before: int) -> None:
        """Keep nothing more of the posts before number `before`."""
        while self.ring and self.ring[0][0] < before:
            self.ring.popleft()

    def missed(self, have: int) -> list[EncodedMessage] | None:
        """Return what was released after sequence number `have`; None if it is not kept."""
        newest = 0 if self.released is None else self.released.seqs[self.audience]
        if have == newest:
            return []
        kept = [encoded_message for seq, encoded_message in self.ring if seq > have]
        is_whole = bool(kept) and self.ring[0][0] <= have + 1 and self.ring[-1][0] == newest
        return kept if is_whole else None

    def keyframe(self) -> list[EncodedMessage]:
        """Return the whole present view, and the end if it is over; nothing before the start."""
        if self.released is None:
            return []
        if self._keyframe is None:
            made = keyframe(self.match, self.released, self.audience, self._head)
            self._keyframe = [EncodedMessage(message) for message in made]
        return self._keyframe

    @property
    def _is_wanted(self) -> bool:
        # Spectators' frames are made only for those who watch; a seat's always, for its resume.
        return self._is_seat or self.is_followed

    def _prepare(self) -> None:
        """Have all that waits made, in every form that is wanted by now."""
        for held in self._pending:
            if held.encoded_messages is None:
                held.encoded_messages = self._made(held)
            else:
                self._encode(held.encoded_messages)

    def _made(self, held: _Held) -> tuple[Numbered, ...]:
        messages = posted(self.match, held.stepped, self.audience, held.head)
        is_filled = is_padded(held.stepped.state)
        made = tuple(
            [(message.seq, self._encoded_message(message, is_filled)) for message in messages]
        )
        self._encode(made)
        return made

    def _encoded_message(self, message: Posted, is_filled: bool) -> EncodedMessage:
        if not isinstance(message, Frame):
            return EncodedMessage(message)
        before, self._newest = self._newest, message
        return EncodedMessage(message, before=before, is_padded=is_filled)

    def _encode(self, made: Iterable[Numbered]) -> None:
        for form, wanted in self._forms.items():
            for _, encoded_message in made if wanted else ():
                encoded_message.encoded(form)

    def _give_out(self, held: _Held) -> None:
        if not self._is_wanted:
            self.ring.clear()
            return
        for seq, encoded_message in held.encoded_messages or ():
            if isinstance(encoded_message.message, Frame):
                self.shown = encoded_message.message.view
            self.ring.append((seq, encoded_message))
            for subscriber in tuple(self.seats):
                subscriber.put(encoded_message)
            if self.viewers:
                self._broadcaster.send(encoded_message, self.viewers)


def _has_passed(delay: Delay, shown: MatchState, newest: MatchState) -> bool:
    """Return whether the turns of a delay have passed since the state that would be shown.

    A turn counts as passed when the movement of the turn after it has been made. No state is
    shown that no movement has followed yet, whatever the delay.
    """
    return newest.standing.moved_turn >= shown.standing.turn + max(delay.turns, 1)


def _tells_time(post: Post) -> bool:
    return isinstance(post, FramePost) or (isinstance(post, NewsPost) and post.moves_clock)
