"""The handle of a running match: all that connections and the operator get of its runner.

Behind it lies the whole state, with the truth, the intel of all and the seed. What comes out here
is what was released, what a seat gave itself, and what the match is to an operator.
"""

from typing import NamedTuple, final

from sunglare_protocol.ids import (
    OMNI,
    Audience,
    MatchId,
    Side,
    WindowId,
    audience_of,
    content_of,
    is_of_side,
)
from sunglare_protocol.messages.commands import Question
from sunglare_protocol.messages.replies import News, NewsKind, ResumeKind
from sunglare_protocol.orders import Order
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.base.status_texts import FAULT_TEXT
from sunglare_server.match.clock.phases import Standing
from sunglare_server.match.data.scenario import Scenario
from sunglare_server.match.frames import still
from sunglare_server.ports.rooms import PublicStanding
from sunglare_server.runtime.encoded_message import EncodedMessage
from sunglare_server.runtime.inbox import Pending
from sunglare_server.runtime.query_budget import PricedAnswer
from sunglare_server.runtime.runner import Runner


@final
class SeatStanding(NamedTuple):
    """The answer to a seat about its match: nothing of what waits to be shown."""

    since_ms: int = 0
    last_id: int = 0
    seq: int = 0
    window: WindowId | None = None
    rev: int = 0
    locked: bool = False
    orders: tuple[Order, ...] = ()


@final
class MatchHandle:
    """What is given out of one runner; belongs to its event loop."""

    def __init__(self, runner: Runner) -> None:
        """Stand before this runner."""
        self._runner = runner
        self._feeds = runner.feeds

    @property
    def match(self) -> MatchId:
        """Return which match it is."""
        return self._runner.match

    @property
    def epoch(self) -> int:
        """Return by which epoch it is owned here."""
        return self._runner.epoch

    @property
    def is_stalled(self) -> bool:
        """Return whether it stands still since the journal refuses, or takes too long."""
        return self._runner.is_stalled

    @property
    def scenario(self) -> Scenario | None:
        """Return what the match was opened with, whatever the data files have by now."""
        return self._runner.scenario

    def command(self, asked: Pending) -> None:
        """Take a command of a seat or of the operator, and answer it once it is stored."""
        self._runner.command(asked)

    def ask(
        self, side: Side, kind: Question, about: Order | str | None, orders: tuple[Order, ...]
    ) -> PricedAnswer | Rejected:
        """Return the answer to a question, from the side's released view alone."""
        return self._runner.ask(side, kind, about, orders)

    def tell_seats(self, text: str) -> None:
        """Send all seats a text outside the sequence of the match."""
        self._runner.tell_seats(text)

    def following(
        self, audience: Audience, have: int | None
    ) -> tuple[ResumeKind, list[EncodedMessage]]:
        """Return what follows on `have`: the missed messages, or a keyframe that replaces all."""
        feed = self._feeds[audience]
        missed = None if have is None else feed.missed(have)
        if missed is not None:
            return ResumeKind.EXACT, missed
        return ResumeKind.RESET, [*feed.keyframe(), *self.still(audience)]

    def still(self, audience: Audience) -> list[EncodedMessage]:
        """Return why the match stands still, or who asks for that, as an audience knows it."""
        return [*(self._out_of_order() if is_of_side(audience) else []), *self._paused(audience)]

    def _out_of_order(self) -> list[EncodedMessage]:
        """Return the news of the server for the seats, as far as it holds yet."""
        texts = [FAULT_TEXT] if self._runner.is_faulty else []
        if self._runner.is_stalled and not texts:
            texts = [Code.SERVER_JOURNAL.value]
        kind = NewsKind.SERVER
        return [
            EncodedMessage(News(match=self.match, seq=0, kind=kind, text=text)) for text in texts
        ]

    def _paused(self, audience: Audience) -> list[EncodedMessage]:
        feeds = self._feeds
        # The wish for a pause may have ended without news, which the lagging truth has not seen.
        shown = feeds[audience].released if audience == OMNI else feeds.told
        return [] if shown is None else [EncodedMessage(news) for news in still(self.match, shown)]

    def returning(
        self, audience: Audience, have: int | None
    ) -> tuple[ResumeKind, list[EncodedMessage]]:
        """Return what `following` does, for a client that has come back if there is a `have`."""
        kind, encoded_messages = self.following(audience, have)
        if have is not None:
            self._runner.note_return(kind)
        return kind, encoded_messages

    def newest(self, audience: Audience) -> int:
        """Return the number of the newest message that was released to an audience."""
        released = self._feeds[audience].released
        return 0 if released is None else released.seqs[content_of(audience)]

    def seat(self, side: Side) -> SeatStanding:
        """Return the answer to a seat that comes back."""
        runner = self._runner
        told, feed = runner.feeds.told, runner.feeds[audience_of(side)]
        if told is None or feed.released is None:
            return SeatStanding(last_id=runner.unanswered.newest(side))
        taken, staged = told.taken.get(side, ()), told.staged.get(side)
        return SeatStanding(
            since_ms=max(0, runner.clock.now_ms() - feed.released_ms),
            last_id=max(taken[-1].id if taken else 0, runner.unanswered.newest(side)),
            seq=feed.released.seqs[feed.audience],
            window=None if told.is_over else told.standing.window,
            rev=0 if staged is None else staged.rev,
            locked=staged is not None and staged.locked,
            orders=() if staged is None else staged.orders,
        )

    def shown(self, side: Side) -> Standing | None:
        """Return where the match stood in the last frame that `side` was sent."""
        released = self._feeds[audience_of(side)].released
        return None if released is None else released.standing

    @property
    def public_standing(self) -> PublicStanding | None:
        """Return where the public was shown last that the match stands."""
        return self._feeds.public_standing

    def deaf_to(self, side: Side) -> tuple[Audience, ...]:
        """Return the seats that have muted a side; for those who send its chat alone."""
        return self._runner.state.table.deaf_to(side)

    def is_awaited(self, side: Side) -> bool:
        """Return whether the window that `side` was shown waits for it."""
        told = self._feeds.told
        return told is not None and not told.is_over and told.awaits(side)

    def plays(self, side: Side) -> bool:
        """Return whether a seat has not given up; for the operator alone."""
        return side in self._runner.state.seats_left

    @property
    def pause(self) -> str | None:
        """Return `paused` by the seats or `held` by the operator; None while time runs."""
        table = self._runner.state.table
        if table.paused_ms is None:
            return None
        return "held" if table.is_frozen else "paused"

    @property
    def is_faulty(self) -> bool:
        """Return whether a bug has stopped the match."""
        return self._runner.is_faulty

    @property
    def is_told_over(self) -> bool:
        """Return whether the end is known to the seats."""
        return self._runner.is_told_over

    @property
    def is_done(self) -> bool:
        """Return whether all audiences have the end, and all is stored that it leads to."""
        return self._runner.over.is_set()

    @property
    def activity(self) -> int:
        """Return how many entries the public record had in the last turns, as it was shown."""
        return self._feeds.activity.entries

    @property
    def started_ms(self) -> int:
        """Return since when the match is known here."""
        return self._runner.started_ms

    @property
    def slips(self) -> int:
        """Return how many releases came a beat late."""
        return self._runner.slips
