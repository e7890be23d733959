"""The fold of a match's records: what each audience is to be told, and when at the earliest."""

from collections.abc import Iterator
from typing import NamedTuple, final

from simulation.diary import Evidence, Play
from sunglare_arena.invariants import broken
from sunglare_protocol.ids import Audience
from sunglare_server.match.frames import Posted, posted
from sunglare_server.match.record import Record, chain, unpacked
from sunglare_server.match.state import FramePost, MatchState
from sunglare_server.match.step import step


@final
class Folded(NamedTuple):
    """A record with the states around it, and which life of the server wrote it.

    `clocks` say of each life since then when it began, in s, and what the match's clock showed,
    `broken` are the invariants of every match that its step has broken.
    """

    record: Record
    before: MatchState | None
    after: MatchState
    head: str
    posts: dict[Audience, tuple[Posted, ...]]
    release_ms: int
    clocks: tuple[tuple[float, int], ...]
    lives: int
    broken: tuple[str, ...] = ()

    def release_s(self, delay_ms: int = 0) -> float:
        """Return when at the earliest what the record brings goes out, held back for so long.

        A life of the server whose clock is ahead comes to that time sooner.
        """
        at_ms = self.release_ms + delay_ms
        return min(began_s + max(0, at_ms - began_ms) / 1000 for began_s, began_ms in self.clocks)


def folded(evidence: Evidence, play: Play) -> Iterator[Folded]:
    """Return the records of a match in their order; raise `RecordError` if they can't be used."""
    state: MatchState | None = None
    before = b""
    clocks = _clocks(evidence, play)
    counts = [life.records.get(play.match, 0) for life in evidence.lives]
    for number, blob in enumerate(play.records, 1):
        record = unpacked(blob, number, before)
        stepped = step(state, record)
        head, after = chain(blob).hex(), stepped.state
        lives = sum(count < number for count in counts)
        shows = any(isinstance(post, FramePost) for post in stepped.posts)
        yield Folded(
            record=record,
            before=state,
            after=after,
            head=head,
            posts={
                audience: posted(play.match, stepped, audience, head)
                for audience in play.audiences
            },
            release_ms=after.opened_ms if shows else record.t,
            clocks=tuple(clocks[lives - 1 :]),
            lives=lives,
            broken=broken(state, stepped),
        )
        state, before = after, blob


def _clocks(evidence: Evidence, play: Play) -> list[tuple[float, int]]:
    """Return when each life of the server began, in s, and what the match's clock showed."""
    times, before = [0], b""
    for number, blob in enumerate(play.records, 1):
        times.append(unpacked(blob, number, before).t)
        before = blob
    # A match's clock goes on at its last record, if the server's was set back.
    return [
        (life.began_s, max(life.began_ms, times[life.records.get(play.match, 0)]))
        for life in evidence.lives
    ]
