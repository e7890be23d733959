"""News as the terminal shows it: a sentence for every text that the server knows."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Final

from sunglare_client.text.players import Names, called
from sunglare_client.text.printable import printable
from sunglare_protocol.messages import News, NewsKind
from sunglare_protocol.text import (
    CODE_NEWS,
    ENDS_NEWS,
    ENDS_NOT_NEWS,
    REMATCH_NEWS,
    UNRATED_NEWS,
    WISH_NEWS,
    WISH_NOT_NEWS,
)

HALF_DAY: Final = timedelta(hours=12)
"""A time of day that is further off is shown with its date."""

_NO_NAMES: Final[Names] = {}

_SENTENCES: Final[Mapping[tuple[NewsKind, str], str]] = {
    (NewsKind.SEAT, "joined"): "{side} has joined",
    (NewsKind.SEAT, "left"): "{side} has left the seat",
    (NewsKind.SEAT, "ready"): "{side} is ready",
    (NewsKind.SEAT, "not ready"): "{side} is not ready any more",
    (NewsKind.SEAT, "unrevealed"): "{side} added nothing to the dice in time: the seat is free",
    (NewsKind.SEAT, "closed"): "the room is closed",
    (NewsKind.SEAT, "resigned"): "{side} has given up",
    (NewsKind.SEAT, "forfeit"): "{side} was absent for too long and is out",
    (NewsKind.SEAT, "away"): "{side} is away: the line is down",
    (NewsKind.SEAT, "autopilot"): "{side} is on the autopilot",
    (NewsKind.SEAT, "back"): "{side} is back",
    (NewsKind.PAUSE, "asked"): "{side} asks for a pause; who agrees says: pause",
    (NewsKind.PAUSE, "paused"): "the match is paused",
    (NewsKind.PAUSE, "over"): "the pause is over",
    (NewsKind.PAUSE, "absent"): "the match waits for {side}",
    (NewsKind.DRAW, "agreed"): "all agree on a draw",
    (NewsKind.CLOCK, "excused"): "you gave no orders; this time it is excused",
    (NewsKind.CLOCK, "missed"): "you gave no orders; after three such windows you are absent",
    (NewsKind.CLOCK, "halved"): "again you gave no orders; your windows are half as long now",
    (NewsKind.CLOCK, "ready"): "{side} has locked",
    (NewsKind.CLOCK, "not ready"): "{side} thinks on",
    (NewsKind.CLOCK, "restarted"): "the server was away; the window lasts longer by that and 20 s",
    (NewsKind.SERVER, "server/journal"): "nothing can be stored: the match stands still",
    (NewsKind.SERVER, "server/again"): "the server works again; the window lasts that much longer",
    (NewsKind.SERVER, "server/fault"): "a fault of the server has stopped the match",
    (NewsKind.SERVER, "match/rules"): "the server plays other rules: the match ends undecided",
    (NewsKind.SERVER, "reveal"): "the match is about to start",
    (NewsKind.SERVER, UNRATED_NEWS): "two players share a network: the match is not rated",
    (NewsKind.SERVER, WISH_NEWS): "{side} wants a rematch",
    (NewsKind.SERVER, WISH_NOT_NEWS): "{side} wants no rematch any more",
    (NewsKind.SERVER, ENDS_NOT_NEWS): "the server does not end after all",
}

_NAMING: Final[Mapping[str, str]] = {
    "truth ": "{name} may watch the truth of this match, late",
    "no truth ": "{name} may not watch the truth of this match any more",
    "caster ": "{name} may watch the truth of this match at once, by the operator's leave",
    "no caster ": "{name} may not watch the truth of this match at once any more",
    REMATCH_NEWS: "the rematch waits for its players: {name}",
    CODE_NEWS: "with this code anyone may join or watch it: {name}",
    "eyes ": "{name} may see what {side} sees",
    "no eyes ": "{name} may not see any more what {side} sees",
}
"""Those that name a player, a bot or a thing, by how the text begins."""


def news_line(news: News, names: Names = _NO_NAMES, now: datetime | None = None) -> str:
    """Return a piece of news as one line; chat names the side that speaks, and its player.

    Times of day are those of this machine's clock, which `now` stands for.
    """
    if news.kind is NewsKind.CHAT:
        speaks = "-" if news.side is None else called(news.side, names)
        return printable(f"[chat] {speaks}: {news.text}")
    if news.ends_ms is not None:
        return printable(f"* {_end(news.text, timedelta(milliseconds=news.ends_ms), now)}")
    time = "" if news.closes_ms is None else f"; {news.closes_ms / 1000:.0f} s left"
    return printable(f"* {_sentence(news)}{time}")


def _end(text: str, left: timedelta, now: datetime | None) -> str:
    """Return that the server ends at a time of day, how soon that is, and what is said of it."""
    if now is None:
        now = datetime.now(UTC).astimezone()  # noqa: TID251 - the time of day, for a person
    then = now + left
    # What is left was sent a moment ago: the nearest second is the one that was meant.
    then += timedelta(microseconds=500_000)
    day = f"{then:%Y-%m-%d} " if left > HALF_DAY else ""
    note = text.removeprefix(ENDS_NEWS)
    return f"the server ends at {day}{then:%H:%M}, in {_lasting(left)}{note}"


def _lasting(left: timedelta) -> str:
    """Return a time in words, rounded to its largest unit but one."""
    seconds = round(left.total_seconds())
    if seconds < 60:
        return f"{seconds} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def _sentence(news: News) -> str:
    for start, sentence in _NAMING.items():
        if news.kind is NewsKind.SERVER and news.text.startswith(start):
            return sentence.format(name=news.text.removeprefix(start), side=news.side)
    known = _SENTENCES.get((news.kind, news.text))
    if known is not None:
        return known.format(side=news.side or "the operator")
    side = f" {news.side}" if news.side is not None else ""
    return f"{news.kind.value}{side}: {news.text}"
