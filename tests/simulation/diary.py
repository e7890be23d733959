"""What is noted of a run: by each seat what it was sent and promised, by the server its lives."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, final

from sunglare_protocol.ids import Audience, MatchId, Side, audience_of
from sunglare_protocol.messages import ClientMessage, Frame, News, Over, ResumeKind
from sunglare_server.ports.rooms import PostMatchLine


@final
class Heard(NamedTuple):
    """A post of the sequence and when it came, in seconds of the simulation."""

    at_s: float
    post: Frame | News | Over


@final
@dataclass
class Link:
    """What came over one connection: after `have`, as the answer to a resume said, if it was one.

    `kind` is None for the connection on which the seat was taken.
    """

    have: int
    kind: ResumeKind | None
    heard: list[Heard] = field(default_factory=list)


@final
@dataclass
class Diary:
    """What a seat must not forget, though its player may: on a disk that never fails."""

    name: str
    match: MatchId
    side: Side
    token: str
    ticket: str
    links: list[Link] = field(default_factory=list)
    accepted: list[ClientMessage] = field(default_factory=list)
    """The commands that were acknowledged."""
    complaints: list[str] = field(default_factory=list)
    over: Over | None = None
    ended: asyncio.Event = field(default_factory=asyncio.Event, compare=False)
    """Set by the end of the match, or when there is no way back into it."""

    @property
    def seen(self) -> int:
        """Return the number of the last post that came in sequence."""
        heard = [came.post.seq for link in self.links for came in link.heard]
        return heard[-1] if heard else 0

    @property
    def frame(self) -> Frame | None:
        """Return the newest frame that came."""
        posts = [heard.post for link in self.links for heard in link.heard]
        frames = [post for post in posts if isinstance(post, Frame)]
        return frames[-1] if frames else None


@final
@dataclass
class Watch:
    """What a spectator was sent of a feed that is held back for so many turns and ms."""

    name: str
    match: MatchId
    feed: Audience
    delay_turns: int = 0
    delay_ms: int = 0
    links: list[Link] = field(default_factory=list)


@final
class Life(NamedTuple):
    """One life of the server: when it began, by the simulation and by its own clock.

    `records` is how many records of each match there were.
    """

    began_s: float
    began_ms: int
    records: Mapping[MatchId, int]


@final
class Origin(NamedTuple):
    """From which turn of which match another one is played on."""

    match: MatchId
    turn: int


@final
@dataclass
class Play:
    """A match that was played: its records in the end, and who saw what of it.

    `origin` is from where it was to be played on, if it was, `chat` what its room has of the time
    after its end.
    """

    match: MatchId
    clock: str
    records: tuple[bytes, ...]
    diaries: Sequence[Diary]
    watches: Sequence[Watch] = ()
    origin: Origin | None = None
    chat: tuple[PostMatchLine, ...] = ()

    @property
    def audiences(self) -> tuple[Audience, ...]:
        """Return those whose posts are compared."""
        sides = (audience_of(diary.side) for diary in self.diaries)
        return tuple(dict.fromkeys((*sides, *(watch.feed for watch in self.watches))))


@final
@dataclass
class Evidence:
    """A run that has ended."""

    plays: Sequence[Play]
    lives: Sequence[Life]
    logged: Sequence[str]
    """What the server logged as a fault of its own."""
    took_s: float
    stuck: Sequence[str] = ()
    """The seats that were not told of an end, or what kept the server from starting."""
    lonely_s: float | None = None
    """Since when the server had held a room that nobody joined, if it still did in the end."""
    reached: Counter[str] = field(default_factory=Counter)
    """How often things happened that a run is there for."""
