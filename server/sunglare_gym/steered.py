"""A seat that is steered from outside: what it is shown in numbers, and what it answers."""

from collections.abc import Sequence
from typing import final

from sunglare_arena.minds import Decision, Wrong, given_in
from sunglare_client.bot import BotMatch
from sunglare_client.choosing.chooser import Asked, Observer, Shape
from sunglare_protocol.messages.replies import Frame, News, Over
from sunglare_protocol.replay.notes import Note
from sunglare_server.match.fog import view as fog


@final
class Steered:
    """The mind of such a seat: it knows what the seat is sent, and is given its decisions."""

    def __init__(self, shape: Shape) -> None:
        """Wait for the match; until answers come, nothing is ordered."""
        self._shape = shape
        self._observer: Observer | None = None
        self._asked: Asked | None = None
        self._answers: Sequence[int] = ()

    @property
    def asked(self) -> Asked:
        """Return what the window that was shown last asks, which is nothing after the end."""
        if self._asked is None:
            raise RuntimeError("this seat was not shown anything yet")
        return self._asked

    def answer(self, answers: Sequence[int]) -> None:
        """Answer what the window asks: for each decision the number of a candidate, or 0."""
        self._answers = answers

    def start(self, told: BotMatch) -> None:
        """Begin to observe."""
        self._observer = Observer.of(told, self._shape)

    def hear(self, post: Frame | News | Over) -> None:
        """Take in what the seat is sent; of news and of the end nothing is observed."""
        view = fog.of_a_side(post.view) if isinstance(post, Frame) else None
        if isinstance(post, Frame) and view is not None and self._observer is not None:
            for notice in post.notices:
                self._observer.heard(notice)
            self._asked = self._observer.see(view)

    def decide(self, frame: Frame) -> Decision:
        """Return what the answers order; each is for one window."""
        answers, self._answers = self._answers, ()
        return Decision(given=given_in(frame, self.asked.orders(answers)))

    def wrongs(self) -> list[Wrong]:
        """Return nothing: whatever is answered comes to legal orders."""
        return []

    def notes(self) -> tuple[Note, ...]:
        """Return nothing: answers come without notes."""
        return ()

    def close(self) -> None:
        """Be done with the match."""
