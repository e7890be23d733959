"""Who listens to what: the sinks of connections by match and audience, before and during it."""

from typing import final

from sunglare_protocol.ids import OMNI, PUBLIC, Audience, MatchId, Side
from sunglare_protocol.replies import News, NewsKind
from sunglare_server.host.parcel import Parcel, Sink
from sunglare_server.host.runner import Runner


@final
class Listeners:
    """The sinks that wait in lobby rooms, and the way to the feeds once a match runs."""

    def __init__(self, runners: dict[MatchId, Runner]) -> None:
        """Find running matches in `runners`."""
        self._runners = runners
        self._waiting: dict[MatchId, list[tuple[Audience, Sink]]] = {}

    def attach(self, match: MatchId, audience: Audience, sink: Sink) -> None:
        """Send what `audience` gets to `sink`; a seat's older connection is superseded."""
        if audience not in (PUBLIC, OMNI):
            for older in self._at(match, audience):
                if older is not sink:
                    self.detach(match, older)
                    older.supersede()
        runner = self._runners.get(match)
        if runner is None:
            self._waiting.setdefault(match, []).append((audience, sink))
        elif sink not in runner.feeds[audience].sinks:
            runner.attach(audience, sink)

    def detach(self, match: MatchId, sink: Sink) -> None:
        """Send nothing more of `match` to `sink`."""
        waiting = self._waiting.get(match, [])
        self._waiting[match] = [each for each in waiting if each[1] is not sink]
        runner = self._runners.get(match)
        if runner is not None:
            runner.detach(sink)

    def hand_over(self, match: MatchId) -> list[tuple[Audience, Sink]]:
        """Return the sinks that waited for `match`, and keep them no longer."""
        return self._waiting.pop(match, [])

    def tell_room(
        self,
        match: MatchId,
        side: Side | None,
        text: str,
        kind: NewsKind = NewsKind.SEAT,
    ) -> None:
        """Tell those who wait in a lobby room what happened there; outside any sequence."""
        news = News(match=match, seq=0, kind=kind, side=side, text=text)
        parcel = Parcel(news)
        for _, sink in tuple(self._waiting.get(match, [])):
            sink.put(parcel)

    def _at(self, match: MatchId, audience: Audience) -> list[Sink]:
        runner = self._runners.get(match)
        if runner is not None:
            return list(runner.feeds[audience].sinks)
        return [sink for other, sink in self._waiting.get(match, []) if other == audience]
