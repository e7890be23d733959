"""What a running match has given out so far, packed, so that its archive needs no second fold.

What the seats were sent lies in the packs of their rings. Beside those stands here what only the
archive wants: the frames of the audiences without a seat, and the dice that were looked up. The
work is done once a step's frames are out, so that none of it makes them late. It is a cache and
nothing more: where anything is missing, as after a restart, the records are folded instead.
"""

import zlib
from collections.abc import Generator, Iterable, Iterator
from typing import final

import msgspec

from sunglare_protocol.codec import Form, encode_server
from sunglare_protocol.ids import Audience, MatchId, is_of_side
from sunglare_server.host.archive import Archiver, Sent, summary_of
from sunglare_server.host.batch import Sealed
from sunglare_server.host.journal import Archive
from sunglare_server.host.rings import Post, unpacked_posts
from sunglare_server.match.data.scenario import Scenario
from sunglare_server.match.dice import Roll
from sunglare_server.match.frames import posted
from sunglare_server.match.trailer import TrailerDraft

SO_FAR_BYTES_MOST = 4 * 1024 * 1024
"""OWN: of a match with more, packed, nothing is kept; the longest shipped one has half of it."""

OPEN_BYTES_MOST = 64 * 1024
"""OWN: so much is held as it is and then packed, or what came since a turn began."""

_LEVEL = 1


@final
class _Rest(msgspec.Struct, array_like=True, gc=False):
    """Of some steps, the dice, and what was sent to the audiences without a seat."""

    rolls: list[Roll]
    posts: dict[Audience, list[Post]]


_rests = msgspec.msgpack.Decoder(_Rest)


@final
class SoFar:
    """What one match has given out since its opening, but for what its seats were sent."""

    def __init__(self, match: MatchId, scenario: Scenario) -> None:
        """Begin before the first record of a match of this scenario."""
        self._scenario = scenario
        self._draft = TrailerDraft(match)
        self._last = b""
        self._waiting: list[Sealed] = []
        self._open, self._open_size = _Rest([], {}), 0
        self._packs: list[bytes] = []
        self._size = 0

    def note(self, sealed: Sealed) -> None:
        """Take the next record that is stored; what it gives out is made by `make`."""
        self._waiting.append(sealed)

    def make(self) -> None:
        """Make what the noted records give out, and pack it when it is much."""
        waiting, self._waiting = self._waiting, []
        for sealed in waiting:
            self._draft.reach(sealed.stepped.state, sealed.head)
            self._last = sealed.head
            self._open.rolls += sealed.stepped.rolls
            if sealed.stepped.posts:
                self._post(sealed)
        if self._open_size > OPEN_BYTES_MOST:
            self.pack()

    def pack(self) -> None:
        """Pack what was made since the last time."""
        self._packs.append(zlib.compress(msgspec.msgpack.encode(self._open), _LEVEL))
        self._size += len(self._packs[-1])
        self._open, self._open_size = _Rest([], {}), 0

    def is_too_long(self, packs: Iterable[bytes]) -> bool:
        """Return whether it is more than is kept, together with the seats' `packs`."""
        return self._size + sum(map(len, packs)) > SO_FAR_BYTES_MOST

    def archive(self, packs: Iterable[bytes]) -> Generator[None, None, Archive | None]:
        """Return the archive, `packs` being what the seats were sent; yields for breath.

        There is none of a match that is not over or where anything is missing.
        """
        archiver, draft = Archiver(), self._draft
        state = draft.state
        if state is None or not state.is_over:
            return None
        counts = dict.fromkeys(state.intel, 0)
        for posts in self._all(packs):
            for audience, sent in posts.items():
                first = counts[audience] + 1
                counts[audience] += len(sent)
                if [seq for seq, _ in sent] != list(range(first, counts[audience] + 1)):
                    return None
                archiver.put(audience, [Sent(seq, data) for seq, data in sent])
                for _, data in sent:
                    draft.note_packed(audience, data)
                yield
        if counts != state.seqs:
            return None
        summary = summary_of(self._scenario, state.options, draft, self._last)
        return archiver.archive(summary, tuple(counts))

    def _post(self, sealed: Sealed) -> None:
        stepped, head = sealed.stepped, sealed.head.hex()
        for audience in stepped.state.intel:
            if not is_of_side(audience):
                sent = self._open.posts.setdefault(audience, [])
                for post in posted(self._draft.match, stepped, audience, head):
                    sent.append((post.seq, encode_server(post, Form.PACKED)))
                    self._open_size += len(sent[-1][1])

    def _all(self, packs: Iterable[bytes]) -> Iterator[dict[Audience, list[Post]]]:
        for packed in packs:
            yield unpacked_posts(packed)
        for packed in self._packs:
            rest = _rests.decode(zlib.decompress(packed))
            self._draft.note_rolls(rest.rolls)
            yield rest.posts
