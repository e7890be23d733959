"""What is noted of a run: by each seat what it was sent and promised, by the server its lives."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, final

from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.messages import Frame, News, Over, ResumeKind


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
    accepted: list[int] = field(default_factory=list)
    """The ids of the commands that were acknowledged."""
    complaints: list[str] = field(default_factory=list)
    over: Over | None = None
    ended: asyncio.Event = field(default_factory=asyncio.Event, compare=False)
    """Set by the end of the match."""

    @property
    def seen(self) -> int:
        """Return the number of the last post that came in sequence."""
        heard = [each.post.seq for link in self.links for each in link.heard]
        return heard[-1] if heard else 0

    @property
    def frame(self) -> Frame | None:
        """Return the newest frame that came."""
        posts = [each.post for link in self.links for each in link.heard]
        frames = [post for post in posts if isinstance(post, Frame)]
        return frames[-1] if frames else None


@final
class Life(NamedTuple):
    """One life of the server: when it began, by the simulation and by its own clock.

    `records` is how many records of the match there were.
    """

    began_s: float
    began_ms: int
    records: int


@final
@dataclass
class Evidence:
    """A run that has ended."""

    match: MatchId
    records: tuple[bytes, ...]
    lives: Sequence[Life]
    diaries: Sequence[Diary]
    logged: Sequence[str]
    """What the server logged as a fault of its own."""
    took_s: float
    is_stuck: bool
