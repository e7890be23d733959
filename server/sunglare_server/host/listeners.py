"""Who listens to what: the sinks of connections by match and audience, before and during it."""

from typing import final

import msgspec

from sunglare_protocol.ids import OMNI, PUBLIC, Audience, MatchId, Side, audience_of
from sunglare_protocol.messages.replies import Bye, News, NewsKind
from sunglare_server.host.parcel import Parcel, Sink
from sunglare_server.host.runner import Runner


@final
class Listener(msgspec.Struct, frozen=True):
    """A sink that gets what one audience of a match is sent, and whose it is."""

    audience: Audience
    sink: Sink
    account: str


@final
class Listeners:
    """Every listener by match; those of a running match are attached to its feeds as well."""

    def __init__(self, runners: dict[MatchId, Runner]) -> None:
        """Find running matches in `runners`."""
        self._runners = runners
        self._by_match: dict[MatchId, list[Listener]] = {}

    def attach(self, match: MatchId, audience: Audience, sink: Sink, account: str) -> None:
        """Send what `audience` gets to `sink`; a seat's older connection is superseded."""
        if audience not in (PUBLIC, OMNI):
            for older in self._at(match, audience):
                if older.sink is not sink:
                    self.detach(match, audience, older.sink)
                    older.sink.supersede()
        self.detach(match, audience, sink)
        self._by_match.setdefault(match, []).append(Listener(audience, sink, account))
        runner = self._runners.get(match)
        if runner is not None:
            runner.feeds.attach(audience, sink)
            self._look(runner, audience)

    def detach(
        self, match: MatchId, audience: Audience, sink: Sink, *, deliberate: bool = False
    ) -> None:
        """Send nothing more of `audience` to `sink`; `deliberate`: its peer hung up."""
        left = [
            listener
            for listener in self._by_match.get(match, [])
            if listener.sink is not sink or listener.audience != audience
        ]
        self._by_match[match] = left
        if not left:
            del self._by_match[match]
        runner = self._runners.get(match)
        if runner is not None:
            runner.feeds.detach(audience, sink)
            self._look(runner, audience, deliberate=deliberate)

    def let_go(self, match: MatchId, audience: Audience) -> None:
        """Send nothing more of `audience` to anybody: its seat is free."""
        for listener in self._at(match, audience):
            self.detach(match, audience, listener.sink)

    def holds(self, match: MatchId, audience: Audience, sink: Sink) -> bool:
        """Return whether `sink` gets what `audience` is sent."""
        return any(listener.sink is sink for listener in self._at(match, audience))

    def end_truth(self, match: MatchId, account: str) -> None:
        """Send no truth to `account` any more, who takes a seat."""
        for listener in self._at(match, OMNI):
            if listener.account == account:
                self.detach(match, OMNI, listener.sink)

    def dismiss(self, match: MatchId, audience: Audience, bye: Bye, code: int) -> None:
        """End every connection that gets what `audience` of a match is sent."""
        for listener in self._at(match, audience):
            listener.sink.dismiss(bye, code)

    def count(self, match: MatchId) -> int:
        """Return how many connections sit in a match, wait for it or watch it."""
        return len({listener.sink: None for listener in self._by_match.get(match, [])})

    def sits(self, match: MatchId, account: str) -> bool:
        """Return whether `account` holds a seat of a match, be it by another one's ticket."""
        at_match = self._by_match.get(match, [])
        return any(
            listener.account == account and listener.audience not in (PUBLIC, OMNI)
            for listener in at_match
        )

    def attach_all(self, runner: Runner) -> None:
        """Attach everybody who waited for a match to its feeds."""
        for listener in self._by_match.get(runner.match, []):
            runner.feeds.attach(listener.audience, listener.sink)
        for side in runner.state.standing.sides:
            self._look(runner, audience_of(side))

    def drop(self, match: MatchId) -> None:
        """Forget everybody who waits for a match that will not come."""
        self._by_match.pop(match, None)

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
        sinks = {listener.sink: None for listener in self._by_match.get(match, [])}
        for sink in sinks:
            sink.put(parcel)

    def _look(self, runner: Runner, audience: Audience, *, deliberate: bool = False) -> None:
        """Tell a match whether a seat has a connection."""
        if audience in (PUBLIC, OMNI):
            return
        if self._at(runner.match, audience):
            runner.doors.came(Side(audience))
        else:
            runner.doors.went(Side(audience), deliberate=deliberate)

    def _at(self, match: MatchId, audience: Audience) -> list[Listener]:
        return [
            listener for listener in self._by_match.get(match, []) if listener.audience == audience
        ]
