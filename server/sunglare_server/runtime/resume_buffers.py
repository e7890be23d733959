"""Posts sent to the seats, kept with the snapshots so that their rings outlive the process.

A turn's posts are packed once, when the snapshot of the next turn is kept; each snapshot holds
the packed turns that are still wanted. In memory the rings' own messages become places in the pack
as well, all but the newest ones: what was sent before is seldom asked for again.
"""

import zlib
from collections.abc import Iterable, Mapping
from functools import lru_cache, partial
from itertools import takewhile
from typing import NamedTuple, final

import msgspec

from sunglare_protocol.codec import Form
from sunglare_protocol.ids import Audience
from sunglare_server.runtime.encoded_message import EncodedMessage
from sunglare_server.runtime.feed import RING, Numbered

RING_BYTES = 2 * 1024 * 1024
"""So many bytes of an audience's posts are kept at most, in memory by whole packs, and `RING`."""

_UNPACKED_KEPT = 4
"""OWN: how many packs are kept read: who comes back asks for the posts of one after another."""

_LEVEL = 1
_UNPACKED_MOST = 64 * 1024 * 1024

Post = tuple[int, bytes]
"""A packed message with its number in the audience's sequence."""

_decoder = msgspec.msgpack.Decoder(dict[Audience, list[Post]])


@final
class _Turn(NamedTuple):
    """A turn's posts, packed, with the number and the bytes of each audience's."""

    packed: bytes
    counts: dict[Audience, int]
    sizes: dict[Audience, int]


@final
class ResumeBuffers:
    """The packed turns of one match, and up to which post of each audience they go."""

    def __init__(self, stored: tuple[bytes, ...] = ()) -> None:
        """Begin with what a snapshot held; what can't be read of it is left out."""
        self._turns: list[_Turn] = []
        self._last: dict[Audience, int] = {}
        self._posts: dict[Audience, list[Post]] = {}
        self._packs: dict[tuple[Audience, int], bytes] = {}
        self._newest: list[tuple[Audience, int, EncodedMessage]] = []
        for packed in stored:
            posts = unpacked_posts(packed)
            self._add(packed, posts)
            for audience, added in posts.items():
                self._posts.setdefault(audience, []).extend(added)
                self._packs.update(((audience, seq), packed) for seq, _ in added)

    def note(self, rings: Mapping[Audience, Iterable[Numbered]]) -> tuple[bytes, ...]:
        """Pack what the rings hold beyond what was noted; return all packed turns."""
        # Once a match goes on, what was read at its loading stands in its rings.
        self._posts, self._packs = {}, {}
        new = [
            (audience, seq, encoded_message)
            for audience, ring in rings.items()
            for seq, encoded_message in ring
            if seq > self._last.get(audience, 0)
        ]
        fresh: dict[Audience, list[Post]] = {audience: [] for audience in rings}
        for audience, seq, encoded_message in new:
            fresh[audience].append((seq, encoded_message.encoded(Form.PACKED)))
        if new:
            self._shelve(self._newest)
            self._add(zlib.compress(msgspec.msgpack.encode(fresh), _LEVEL), fresh)
            # What was given out this moment may be written as a change yet.
            self._newest = [post for post in new if post[1] == self._last[post[0]]]
            self._shelve([post for post in new if post[1] != self._last[post[0]]])
        while len(self._turns) > 1 and self._is_spare():
            self._turns.pop(0)
        return tuple([turn.packed for turn in self._turns])

    @property
    def firsts(self) -> dict[Audience, int]:
        """Return with which post of each audience the turns begin that are wanted of it."""
        return {audience: self._first(audience, last) for audience, last in self._last.items()}

    def _first(self, audience: Audience, last: int) -> int:
        first, size = last + 1, 0
        for turn in reversed(self._turns):
            if size >= RING_BYTES:
                break
            first -= turn.counts.get(audience, 0)
            size += turn.sizes.get(audience, 0)
        return first

    def _shelve(self, posts: Iterable[tuple[Audience, int, EncodedMessage]]) -> None:
        """Have encoded messages that are in the newest pack read from it from now on."""
        for audience, seq, encoded_message in posts:
            encoded_message.shelve(partial(_post, self._turns[-1].packed, audience, seq))

    def before(self, audience: Audience, first: int) -> list[Numbered]:
        """Return what was read for an audience and leads up to post `first` without a gap."""
        known = dict(self._posts.get(audience, []))
        found: list[Numbered] = []
        size = 0
        for seq in takewhile(known.__contains__, range(first - 1, max(0, first - 1 - RING), -1)):
            size += len(known[seq])
            if size > RING_BYTES:
                break
            encoded_message = EncodedMessage(None)
            encoded_message.shelve(partial(_post, self._packs[audience, seq], audience, seq))
            found.append((seq, encoded_message))
        return found[::-1]

    def _add(self, packed: bytes, posts: dict[Audience, list[Post]]) -> None:
        counts = {audience: len(added) for audience, added in posts.items()}
        sizes = {
            audience: sum(len(data) for _, data in added) for audience, added in posts.items()
        }
        self._turns.append(_Turn(packed, counts, sizes))
        self._last |= {audience: added[-1][0] for audience, added in posts.items() if added}

    def _is_spare(self) -> bool:
        """Return whether every ring is full, by number or by bytes, without the oldest turn."""
        return all(
            sum(turn.counts.get(audience, 0) for turn in self._turns[1:]) >= RING
            or sum(turn.sizes.get(audience, 0) for turn in self._turns[1:]) >= RING_BYTES
            for audience in self._last
        )


def _post(packed: bytes, audience: Audience, seq: int) -> bytes:
    return _read(packed)[audience, seq]


@lru_cache(maxsize=_UNPACKED_KEPT)
def _read(packed: bytes) -> dict[tuple[Audience, int], bytes]:
    posts = unpacked_posts(packed)
    return {(audience, seq): data for audience, added in posts.items() for seq, data in added}


def unpacked_posts(packed: bytes) -> dict[Audience, list[Post]]:
    """Return the posts of a pack; nothing if it can't be read."""
    try:
        return _decoder.decode(zlib.decompressobj().decompress(packed, _UNPACKED_MOST))
    except (zlib.error, msgspec.DecodeError, UnicodeError):
        return {}
