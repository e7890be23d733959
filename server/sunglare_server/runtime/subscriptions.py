"""Subscriptions of seats and spectators to feeds, before a match and during it.

Seats and spectators are two tables. A spectator of a side's feed gets its bytes and is no seat for
all that: nothing here that asks for seats looks among spectators.
"""

from collections.abc import Callable
from typing import final

import msgspec

from sunglare_protocol.ids import Audience, MatchId, Side, audience_of
from sunglare_protocol.messages.replies import Bye, News, NewsKind
from sunglare_protocol.refusals import Code
from sunglare_server.runtime.encoded_message import EncodedMessage, Subscriber
from sunglare_server.runtime.runner import Runner
from sunglare_server.runtime.spectator_fanout import SpectatorBroadcaster, Viewer

AWAY = 1012
"""The close code when a match goes on at another server."""

FAREWELL = Bye(
    code=Code.SERVER_CLOSING,
    text="The match continues on another server; reconnect in a moment.",
    retry_ms=2_000,
)
"""The farewell to all who followed it here, and within how many ms to come back."""


@final
class SeatSubscriber(msgspec.Struct, frozen=True):
    """A connection that holds a seat, and whose it is."""

    side: Side
    subscriber: Subscriber
    account: str


@final
class Spectator(msgspec.Struct, frozen=True):
    """A connection that watches a feed, and whose it is.

    `place` is where it comes from, if it watches by a grant that is not for a seat's own place.
    """

    feed: Audience
    viewer: Viewer
    account: str
    place: str | None


@final
class SeatHistory(msgspec.Struct, frozen=True):
    """That an account has held the seat of a side, by a connection from a place."""

    side: Side
    account: str
    place: str | None


_Watched = tuple[Audience, Subscriber]
"""A feed and where it is sent to."""


@final
class Subscriptions:
    """Every listener by match; those of a running match are attached to its feeds as well.

    A place is the address of a connection as far as it distinguishes accounts: None for our own
    bots and for whatever is on the server's own machine.
    """

    def __init__(self, runners: dict[MatchId, Runner], broadcaster: SpectatorBroadcaster) -> None:
        """Find running matches in `runners`; `broadcaster` serves spectators."""
        self._runners = runners
        self._broadcaster = broadcaster
        self._seat_subscribers: dict[MatchId, list[SeatSubscriber]] = {}
        self._spectators: dict[MatchId, dict[_Watched, Spectator]] = {}
        self._seat_history: dict[MatchId, dict[SeatHistory, None]] = {}

    def sit(
        self,
        match: MatchId,
        side: Side,
        subscriber: Subscriber,
        account: str,
        place: str | None = None,
    ) -> None:
        """Send what a side gets to `subscriber`; the seat's older connection is superseded.

        Spectators by a grant for others watch from the seat's place no more.
        """
        for older in self._at(match, side):
            if older.subscriber is not subscriber:
                self.stand_up(match, side, older.subscriber)
                older.subscriber.supersede()
        self.stand_up(match, side, subscriber)
        self._seat_subscribers.setdefault(match, []).append(
            SeatSubscriber(side, subscriber, account)
        )
        runner = self._runners.get(match)
        if runner is None or not runner.is_told_over:
            self._note(match, SeatHistory(side, account, place))
        if runner is not None:
            runner.feeds.sit(audience_of(side), subscriber)
            self._look(runner, side)

    def stand_up(
        self, match: MatchId, side: Side, subscriber: Subscriber, *, deliberate: bool = False
    ) -> None:
        """Send nothing more of a side to a seat's `subscriber`; `deliberate`: its peer hung up."""
        seat_subscribers = self._seat_subscribers.get(match, [])
        left = [
            one for one in seat_subscribers if one.subscriber is not subscriber or one.side != side
        ]
        if len(left) < len(seat_subscribers):
            subscriber.let_go()
        self._seat_subscribers[match] = left
        if not left:
            del self._seat_subscribers[match]
        runner = self._runners.get(match)
        if runner is not None:
            runner.feeds.stand_up(audience_of(side), subscriber)
            self._look(runner, side, deliberate=deliberate)

    def watch(
        self,
        match: MatchId,
        feed: Audience,
        subscriber: Subscriber,
        account: str,
        place: str | None = None,
    ) -> None:
        """Send what is released of a feed to `subscriber` as well, and take it for no seat."""
        self.leave(match, feed, subscriber)
        spectator = Spectator(feed, Viewer(subscriber), account, place)
        self._spectators.setdefault(match, {})[feed, subscriber] = spectator
        runner = self._runners.get(match)
        if runner is not None:
            runner.feeds.watch(feed, spectator.viewer)

    def leave(self, match: MatchId, feed: Audience, subscriber: Subscriber) -> None:
        """Send nothing more of a feed to `subscriber`."""
        spectators = self._spectators.get(match, {})
        spectator = spectators.pop((feed, subscriber), None)
        if spectator is None:
            return
        if not spectators:
            del self._spectators[match]
        spectator.viewer.has_gone = True
        subscriber.let_go()
        runner = self._runners.get(match)
        if runner is not None:
            runner.feeds.leave(feed, spectator.viewer)

    def end_feed(self, match: MatchId, feed: Audience, account: str | None = None) -> None:
        """Send nothing more of a feed to an account that watches it, or to anybody."""
        self._end(match, lambda one: one.feed == feed and account in (None, one.account))

    def end_feeds(self, match: MatchId, account: str, besides: Audience) -> None:
        """Send no feed of a match to `account` any more but one."""
        self._end(match, lambda one: one.account == account and one.feed != besides)

    def let_go(self, match: MatchId, side: Side) -> None:
        """Send nothing more of a side to anybody: its seat is free."""
        for seat_subscriber in self._at(match, side):
            self.stand_up(match, side, seat_subscriber.subscriber)
        self.forget_seat(match, side)

    def forget_seat(self, match: MatchId, side: Side) -> None:
        """Send the view of a side to no spectator any more, and forget who sat there."""
        self.end_feed(match, audience_of(side))
        others = [past for past in self._seat_history.get(match, ()) if past.side != side]
        self._seat_history[match] = dict.fromkeys(others)

    def holds(self, match: MatchId, side: Side, subscriber: Subscriber) -> bool:
        """Return whether `subscriber` holds the seat of a side."""
        return any(
            seat_subscriber.subscriber is subscriber for seat_subscriber in self._at(match, side)
        )

    def is_held(self, match: MatchId, side: Side) -> bool:
        """Return whether any connection holds the seat of a side."""
        return bool(self._at(match, side))

    def watches(self, match: MatchId, feed: Audience, subscriber: Subscriber) -> bool:
        """Return whether `subscriber` is sent a feed as a spectator."""
        return (feed, subscriber) in self._spectators.get(match, {})

    def dismiss(
        self, match: MatchId, side: Side, bye: Bye, code: int, *, besides: str | None = None
    ) -> None:
        """End every connection that holds the seat of a side, but those of one account."""
        for seat_subscriber in self._at(match, side):
            if seat_subscriber.account != besides:
                seat_subscriber.subscriber.dismiss(bye, code)

    def send_away(self, match: MatchId) -> None:
        """End every connection of a match, to come back where it goes on: at another server."""
        for subscriber in self._subscribers(match):
            subscriber.dismiss(FAREWELL, AWAY)

    @property
    def spectators(self) -> int:
        """Return how many connections watch something, each as often as it does."""
        return sum(map(len, self._spectators.values()))

    def count(self, match: MatchId) -> int:
        """Return how many connections sit in a match, wait for it or watch it."""
        return len(self._subscribers(match))

    def side_of(self, match: MatchId, account: str) -> Side | None:
        """Return the side whose seat `account` holds, be it by another one's ticket."""
        seat_subscribers = self._seat_subscribers.get(match, [])
        return next(
            (
                seat_subscriber.side
                for seat_subscriber in seat_subscribers
                if seat_subscriber.account == account
            ),
            None,
        )

    def is_at_seat(self, match: MatchId, place: str | None, feed: Audience) -> bool:
        """Return whether a seat of the match has come from a place, that of the feed apart."""
        return place is not None and any(
            past.place == place and audience_of(past.side) != feed
            for past in self._seat_history.get(match, ())
        )

    def places_of(self, match: MatchId, account: str) -> tuple[str, ...]:
        """Return the places from which an account has held a seat, if they tell accounts apart."""
        history = self._seat_history.get(match, ())
        return tuple(
            [past.place for past in history if past.account == account and past.place is not None]
        )

    def has_sat(self, match: MatchId, account: str) -> bool:
        """Return whether `account` holds a seat of a match, or has held one that is not free."""
        return any(past.account == account for past in self._seat_history.get(match, ()))

    def forget_seats(self, match: MatchId) -> None:
        """Forget who has held the seats of a match, which is over."""
        self._seat_history.pop(match, None)

    def attach_all(self, runner: Runner) -> None:
        """Attach all who waited for a match to its feeds."""
        for seat_subscriber in self._seat_subscribers.get(runner.match, []):
            runner.feeds.sit(audience_of(seat_subscriber.side), seat_subscriber.subscriber)
        for spectator in self._spectators.get(runner.match, {}).values():
            runner.feeds.watch(spectator.feed, spectator.viewer)
        for side in runner.state.standing.sides:
            self._look(runner, side)

    def drop(self, match: MatchId) -> None:
        """Forget all who wait for a match that will not come; `let_go` is called on each."""
        waiting = [
            seat_subscriber.subscriber for seat_subscriber in self._seat_subscribers.pop(match, ())
        ]
        waiting += [subscriber for _, subscriber in self._spectators.pop(match, ())]
        for subscriber in waiting:
            subscriber.let_go()
        self.forget_seats(match)

    def tell_room(
        self,
        match: MatchId,
        side: Side | None,
        text: str,
        kind: NewsKind = NewsKind.SEAT,
    ) -> None:
        """Inform those who wait in a lobby room of what happened there; outside any sequence."""
        self.tell_all(match, News(match=match, seq=0, kind=kind, side=side, text=text))

    def tell_all(self, match: MatchId, news: News, deaf: tuple[Audience, ...] = ()) -> None:
        """Send news to the seats, spectators and waiting players of a match; outside any sequence.

        Connections of the audiences in `deaf` are left out.
        """
        encoded_message = EncodedMessage(news)
        seats = {one.subscriber: one.side for one in self._seat_subscribers.get(match, [])}
        for subscriber, side in seats.items():
            if audience_of(side) not in deaf:
                subscriber.put(encoded_message)
        spectators = self._spectators.get(match, {}).values()
        others = {one.viewer.subscriber: one.viewer for one in spectators if one.feed not in deaf}
        self._broadcaster.send(
            encoded_message,
            [others[subscriber] for subscriber in others if subscriber not in seats],
        )

    def tell_seats(self, match: MatchId, news: News) -> None:
        """Send all seats of a match news outside any sequence."""
        encoded_message = EncodedMessage(news)
        for subscriber in {
            seat_subscriber.subscriber: None
            for seat_subscriber in self._seat_subscribers.get(match, [])
        }:
            subscriber.put(encoded_message)

    def _note(self, match: MatchId, past: SeatHistory) -> None:
        """Note who has sat down, and end what is watched by a grant from the same place."""
        self._seat_history.setdefault(match, {})[past] = None
        if past.place is not None:
            own = audience_of(past.side)
            self._end(match, lambda one: one.place == past.place and one.feed != own)

    def _look(self, runner: Runner, side: Side, *, deliberate: bool = False) -> None:
        """Inform a match whether a seat has a connection."""
        if self._at(runner.match, side):
            runner.seat_connections.came(side)
        else:
            runner.seat_connections.went(side, deliberate=deliberate)

    def _at(self, match: MatchId, side: Side) -> list[SeatSubscriber]:
        return [
            seat_subscriber
            for seat_subscriber in self._seat_subscribers.get(match, [])
            if seat_subscriber.side == side
        ]

    def _subscribers(self, match: MatchId) -> dict[Subscriber, None]:
        subscribers = {
            seat_subscriber.subscriber: None
            for seat_subscriber in self._seat_subscribers.get(match, [])
        }
        return subscribers | {
            subscriber: None for _, subscriber in self._spectators.get(match, {})
        }

    def _end(self, match: MatchId, ends: Callable[[Spectator], bool]) -> None:
        for spectator in tuple(self._spectators.get(match, {}).values()):
            if ends(spectator):
                self.leave(match, spectator.feed, spectator.viewer.subscriber)
