"""A picture of one audience's match so far, folded from the posts as they come."""

from collections import deque

from sunglare_client.errors import GapError
from sunglare_client.link.connection import Post
from sunglare_protocol.ids import WindowId
from sunglare_protocol.messages import Frame, News, Over
from sunglare_protocol.notices import Notice
from sunglare_protocol.seals import CHAIN_START, link, linked
from sunglare_protocol.views import TruthView, View

NEWS_KEPT = 200
"""So many pieces of news are remembered."""


class Picture:
    """The latest frame, the notices of every window, the news and the end.

    `have` is the number of the last post folded. `chain` is the BLAKE2b hash of the link before
    and of the frame's canonical form, over all frames since number `chain_from`: two clients with
    the same chain have been sent the same. `notices` lists, by the window that a frame opened,
    what had happened when the one before it closed.
    """

    def __init__(self, *, from_keyframe: bool = False) -> None:
        self.have = 0
        self.frame: Frame | None = None
        self.notices: dict[WindowId, tuple[Notice, ...]] = {}
        self.news: deque[News] = deque(maxlen=NEWS_KEPT)
        self.over: Over | None = None
        self.chain = CHAIN_START
        self.chain_from = 1
        self._may_jump = from_keyframe

    @property
    def view(self) -> View | TruthView | None:
        """Return the view of the latest frame, or None before the first."""
        return None if self.frame is None else self.frame.view

    def expect_keyframe(self) -> None:
        """Let the next frame have any higher number: it replaces the picture.

        The chain restarts with it.
        """
        self._may_jump = True

    def fold(self, post: Post, form: bytes = b"") -> bool:
        """Take a post in; return whether it was new. Raise `GapError` if one before it is missing.

        `form` is the canonical form of a frame as it came, which has also the fields that this
        library does not know; without it the form is made of the fields it knows.
        News numbered 0 stand outside the sequence and are always new.
        """
        if isinstance(post, News) and post.seq == 0:
            self.news.append(post)
            return True
        if post.seq <= self.have:
            return False
        self._step_to(post)
        match post:
            case Frame():
                self._show(post)
                self.chain = linked(self.chain, form) if form else link(self.chain, post)
            case News():
                self.news.append(post)
            case Over():
                self.over = post
        return True

    def _step_to(self, post: Post) -> None:
        due = self.have + 1
        if self._may_jump and isinstance(post, Frame):
            if post.seq != due:
                self.chain, self.chain_from = CHAIN_START, post.seq
            self._may_jump = False
        elif post.seq != due:
            raise GapError(due, post.seq)
        self.have = post.seq

    def _show(self, frame: Frame) -> None:
        self.frame = frame
        self.notices[frame.window] = frame.notices
