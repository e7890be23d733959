"""Who listens to what: the connections of seats and of spectators, before a match and during it.

Seats and spectators are two tables. Whoever watches the feed of a side gets its bytes and is no
seat for all that: nothing here that asks for seats looks among spectators.
"""

from collections.abc import Callable
from typing import final

import msgspec

from sunglare_protocol.ids import Audience, MatchId, Side, audience_of
from sunglare_protocol.messages.replies import Bye, News, NewsKind
from sunglare_protocol.refusals import Code
from sunglare_server.runtime.encoded_message import Parcel, Sink
from sunglare_server.runtime.runner import Runner
from sunglare_server.runtime.spectator_fanout import Gallery, Viewer

AWAY = 1012
"""The close code when a match goes on at another server."""

FAREWELL = Bye(
    code=Code.SERVER_CLOSING,
    text="The match goes on at another server; come back in a moment.",
    retry_ms=2_000,
)
"""What everybody is told who followed it here, and within how many ms to come back."""


@final
class Sitter(msgspec.Struct, frozen=True):
    """A connection that holds a seat, and whose it is."""

    side: Side
    sink: Sink
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
class Sat(msgspec.Struct, frozen=True):
    """That an account has held the seat of a side, by a connection from a place."""

    side: Side
    account: str
    place: str | None


_Watched = tuple[Audience, Sink]
"""A feed and where it is sent to."""


@final
class Listeners:
    """Every listener by match; those of a running match are attached to its feeds as well.

    A place is the address of a connection as far as it tells accounts apart: None for our own
    bots and for whatever is on the server's own machine.
    """

    def __init__(self, runners: dict[MatchId, Runner], gallery: Gallery) -> None:
        """Find running matches in `runners`; `gallery` serves spectators."""
        self._runners = runners
        self._gallery = gallery
        self._sitters: dict[MatchId, list[Sitter]] = {}
        self._spectators: dict[MatchId, dict[_Watched, Spectator]] = {}
        self._sat: dict[MatchId, dict[Sat, None]] = {}

    def sit(
        self, match: MatchId, side: Side, sink: Sink, account: str, place: str | None = None
    ) -> None:
        """Send what a side gets to `sink`; the seat's older connection is superseded.

        Whoever watches from the seat's place by a grant for others does so no more.
        """
        for older in self._at(match, side):
            if older.sink is not sink:
                self.stand_up(match, side, older.sink)
                older.sink.supersede()
        self.stand_up(match, side, sink)
        self._sitters.setdefault(match, []).append(Sitter(side, sink, account))
        runner = self._runners.get(match)
        if runner is None or not runner.is_told_over:
            self._note(match, Sat(side, account, place))
        if runner is not None:
            runner.feeds.sit(audience_of(side), sink)
            self._look(runner, side)

    def stand_up(
        self, match: MatchId, side: Side, sink: Sink, *, deliberate: bool = False
    ) -> None:
        """Send nothing more of a side to the seat at `sink`; `deliberate`: its peer hung up."""
        sitters = self._sitters.get(match, [])
        left = [one for one in sitters if one.sink is not sink or one.side != side]
        if len(left) < len(sitters):
            sink.let_go()
        self._sitters[match] = left
        if not left:
            del self._sitters[match]
        runner = self._runners.get(match)
        if runner is not None:
            runner.feeds.stand_up(audience_of(side), sink)
            self._look(runner, side, deliberate=deliberate)

    def watch(
        self, match: MatchId, feed: Audience, sink: Sink, account: str, place: str | None = None
    ) -> None:
        """Send what is released of a feed to `sink` as well, and take it for no seat."""
        self.leave(match, feed, sink)
        spectator = Spectator(feed, Viewer(sink), account, place)
        self._spectators.setdefault(match, {})[feed, sink] = spectator
        runner = self._runners.get(match)
        if runner is not None:
            runner.feeds.watch(feed, spectator.viewer)

    def leave(self, match: MatchId, feed: Audience, sink: Sink) -> None:
        """Send nothing more of a feed to `sink`."""
        spectators = self._spectators.get(match, {})
        spectator = spectators.pop((feed, sink), None)
        if spectator is None:
            return
        if not spectators:
            del self._spectators[match]
        spectator.viewer.has_gone = True
        sink.let_go()
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
        for sitter in self._at(match, side):
            self.stand_up(match, side, sitter.sink)
        self.forget_seat(match, side)

    def forget_seat(self, match: MatchId, side: Side) -> None:
        """Send the view of a side to no spectator any more, and forget who sat there."""
        self.end_feed(match, audience_of(side))
        others = [sat for sat in self._sat.get(match, ()) if sat.side != side]
        self._sat[match] = dict.fromkeys(others)

    def holds(self, match: MatchId, side: Side, sink: Sink) -> bool:
        """Return whether `sink` holds the seat of a side."""
        return any(sitter.sink is sink for sitter in self._at(match, side))

    def is_held(self, match: MatchId, side: Side) -> bool:
        """Return whether any connection holds the seat of a side."""
        return bool(self._at(match, side))

    def watches(self, match: MatchId, feed: Audience, sink: Sink) -> bool:
        """Return whether `sink` is sent a feed as a spectator."""
        return (feed, sink) in self._spectators.get(match, {})

    def dismiss(
        self, match: MatchId, side: Side, bye: Bye, code: int, *, besides: str | None = None
    ) -> None:
        """End every connection that holds the seat of a side, but those of one account."""
        for sitter in self._at(match, side):
            if sitter.account != besides:
                sitter.sink.dismiss(bye, code)

    def send_away(self, match: MatchId) -> None:
        """End every connection of a match, to come back where it goes on: at another server."""
        for sink in self._sinks(match):
            sink.dismiss(FAREWELL, AWAY)

    @property
    def spectators(self) -> int:
        """Return how many connections watch something, each as often as it does."""
        return sum(map(len, self._spectators.values()))

    def count(self, match: MatchId) -> int:
        """Return how many connections sit in a match, wait for it or watch it."""
        return len(self._sinks(match))

    def side_of(self, match: MatchId, account: str) -> Side | None:
        """Return the side whose seat `account` holds, be it by another one's ticket."""
        sitters = self._sitters.get(match, [])
        return next((sitter.side for sitter in sitters if sitter.account == account), None)

    def is_at_seat(self, match: MatchId, place: str | None, feed: Audience) -> bool:
        """Return whether a seat of the match has come from a place, that of the feed apart."""
        return place is not None and any(
            sat.place == place and audience_of(sat.side) != feed
            for sat in self._sat.get(match, ())
        )

    def has_sat(self, match: MatchId, account: str) -> bool:
        """Return whether `account` holds a seat of a match, or has held one that is not free."""
        return any(sat.account == account for sat in self._sat.get(match, ()))

    def forget_seats(self, match: MatchId) -> None:
        """Forget who has held the seats of a match, which is over."""
        self._sat.pop(match, None)

    def attach_all(self, runner: Runner) -> None:
        """Attach everybody who waited for a match to its feeds."""
        for sitter in self._sitters.get(runner.match, []):
            runner.feeds.sit(audience_of(sitter.side), sitter.sink)
        for spectator in self._spectators.get(runner.match, {}).values():
            runner.feeds.watch(spectator.feed, spectator.viewer)
        for side in runner.state.standing.sides:
            self._look(runner, side)

    def drop(self, match: MatchId) -> None:
        """Forget everybody who waits for a match that will not come; they hear that none does."""
        waiting = [sitter.sink for sitter in self._sitters.pop(match, ())]
        waiting += [sink for _, sink in self._spectators.pop(match, ())]
        for sink in waiting:
            sink.let_go()
        self.forget_seats(match)

    def tell_room(
        self,
        match: MatchId,
        side: Side | None,
        text: str,
        kind: NewsKind = NewsKind.SEAT,
    ) -> None:
        """Tell those who wait in a lobby room what happened there; outside any sequence."""
        self.tell_all(match, News(match=match, seq=0, kind=kind, side=side, text=text))

    def tell_all(self, match: MatchId, news: News) -> None:
        """Tell everybody who sits in a match, waits for it or watches it; outside any sequence."""
        parcel = Parcel(news)
        seats = {sitter.sink: None for sitter in self._sitters.get(match, [])}
        for sink in seats:
            sink.put(parcel)
        spectators = self._spectators.get(match, {}).values()
        others = {one.viewer.sink: one.viewer for one in spectators}
        self._gallery.send(parcel, [others[sink] for sink in others if sink not in seats])

    def tell_seats(self, match: MatchId, news: News) -> None:
        """Send all seats of a match news outside any sequence."""
        parcel = Parcel(news)
        for sink in {sitter.sink: None for sitter in self._sitters.get(match, [])}:
            sink.put(parcel)

    def _note(self, match: MatchId, sat: Sat) -> None:
        """Note who has sat down, and end what is watched by a grant from the same place."""
        self._sat.setdefault(match, {})[sat] = None
        if sat.place is not None:
            own = audience_of(sat.side)
            self._end(match, lambda one: one.place == sat.place and one.feed != own)

    def _look(self, runner: Runner, side: Side, *, deliberate: bool = False) -> None:
        """Tell a match whether a seat has a connection."""
        if self._at(runner.match, side):
            runner.doors.came(side)
        else:
            runner.doors.went(side, deliberate=deliberate)

    def _at(self, match: MatchId, side: Side) -> list[Sitter]:
        return [sitter for sitter in self._sitters.get(match, []) if sitter.side == side]

    def _sinks(self, match: MatchId) -> dict[Sink, None]:
        sinks = {sitter.sink: None for sitter in self._sitters.get(match, [])}
        return sinks | {sink: None for _, sink in self._spectators.get(match, {})}

    def _end(self, match: MatchId, ends: Callable[[Spectator], bool]) -> None:
        for spectator in tuple(self._spectators.get(match, {}).values()):
            if ends(spectator):
                self.leave(match, spectator.feed, spectator.viewer.sink)
