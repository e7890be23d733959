"""A match log: what a seat received and sent, kept line by line for `sunglare verify --mine`.

One JSON object a line, `t` its kind; it has hashes and no view, and the seat's own notes, which
are never sent. Every process that takes the seat begins with a line of its own, so the log of a
seat that was taken again goes on.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import final

import msgspec

from sunglare_client.link.connection import Post
from sunglare_client.link.identity import PRIVATE, PRIVATE_FOLDER
from sunglare_client.link.picture import Picture
from sunglare_protocol.errors import SunglareError
from sunglare_protocol.ids import MatchId, Side, WindowId
from sunglare_protocol.messages import Frame, Over, Resumed, Seated
from sunglare_protocol.replay.notes import Note

LOG_VERSION = 3
"""The version of the lines."""

LOG_VERSIONS = (2, LOG_VERSION)
"""The versions that are read; 2 has no notes."""

_APPENDING = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)


class _Line(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="t", gc=False
):
    pass


@final
class Begun(_Line, frozen=True, tag="seat"):
    """A process took the seat; `commitment` is what it received when it joined."""

    version: int
    match: MatchId
    side: Side
    commitment: str = ""


@final
class Pledged(_Line, frozen=True, tag="pledge"):
    """The seat is about to pledge: with the `join` that follows, or `again` with `ready`."""

    pledge: str
    again: bool = False


@final
class Revealed(_Line, frozen=True, tag="reveal"):
    """The seat is about to reveal its entropy (hexadecimal); it has heard these pledges."""

    entropy: str
    pledges: dict[Side, str]


@final
class Seen(_Line, frozen=True, tag="frame"):
    """A frame came: the chain up to it (hexadecimal), which begins with frame `since`."""

    seq: int
    window: WindowId
    chain: str
    since: int


@final
class Ended(_Line, frozen=True, tag="over"):
    """The end came: the server's seed and the head of the record, both hexadecimal."""

    seq: int
    seed: str
    head: str


Line = Begun | Pledged | Revealed | Seen | Ended | Note
"""Everything that stands in a log."""


class LogError(SunglareError):
    """A file that is no match log; the text says which line and why."""


@final
class MatchLog:
    """The log of one match, written as it goes; only its owner can read it.

    A log that can't be written any more stops no match: `fault` then says why.
    """

    def __init__(self, path: Path) -> None:
        """Keep the log in `path`, at its end if there is one; nothing is written yet."""
        self.path = path
        self.fault: OSError | None = None

    def open(self) -> None:
        """Make the file; raise `OSError` if it can't be written."""
        os.close(self._opened())

    def seated(self, taken: Seated | Resumed) -> None:
        """Note that a process took the seat."""
        told = taken.commitment if isinstance(taken, Seated) else ""
        self._add(Begun(version=LOG_VERSION, match=taken.match, side=taken.side, commitment=told))

    def pledged(self, pledge: str, *, again: bool = False) -> None:
        """Note what is about to be pledged with `join`, or with `ready` after that."""
        self._add(Pledged(pledge=pledge, again=again))

    def revealed(self, entropy: bytes, pledges: dict[Side, str]) -> None:
        """Note the entropy that is about to be revealed, and what was pledged until then."""
        self._add(Revealed(entropy=entropy.hex(), pledges=dict(pledges)))

    def folded(self, post: Post, picture: Picture) -> None:
        """Note a post that was new to the picture."""
        match post:
            case Frame():
                chain, since = picture.chain.hex(), picture.chain_from
                self._add(Seen(seq=post.seq, window=post.window, chain=chain, since=since))
            case Over():
                self._add(Ended(seq=post.seq, seed=post.seed, head=post.head))
            case _:
                return

    def noted(self, note: Note) -> None:
        """Note what the seat noted for itself."""
        self._add(note)

    def _add(self, line: Line) -> None:
        if self.fault is not None:
            return
        try:
            handle = self._opened()
            with os.fdopen(handle, "ab") as file:
                file.write(msgspec.json.encode(line) + b"\n")
        except OSError as fault:
            self.fault = fault

    def _opened(self) -> int:
        self.path.parent.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
        return os.open(self.path, _APPENDING, PRIVATE)


def kept_log(path: str | None) -> Callable[[MatchId], MatchLog] | None:
    """Return what gives the log that was asked for; raise `OSError` if it can't be written."""
    if path is None:
        return None
    log = MatchLog(Path(path))
    log.open()
    return lambda _: log


def pledging_log(
    opener: Callable[[MatchId], MatchLog] | None, match: MatchId | None, pledge: str | None
) -> MatchLog | None:
    """Return the log of a match in which the pledge stands that is about to be made.

    None if no log is kept, or the match is not known yet.
    """
    if opener is None or match is None:
        return None
    log = opener(match)
    if pledge is not None:
        log.pledged(pledge)
    return log


_decoder: msgspec.json.Decoder[Line] = msgspec.json.Decoder(Line)


def read_log(path: Path) -> list[Line]:
    """Return the lines of a log; raise `LogError` if it is none, `OSError` if it can't be read."""
    lines: list[Line] = []
    for number, text in enumerate(path.read_bytes().splitlines(), 1):
        try:
            lines.append(_decoder.decode(text))
        except (msgspec.DecodeError, UnicodeError, RecursionError) as fault:
            raise LogError(f"{path}: line {number} is no line of a match log: {fault}") from None
    first = next((line for line in lines if not isinstance(line, Pledged)), None)
    if not isinstance(first, Begun):
        raise LogError(f"{path}: a match log begins with the seat that was taken")
    return lines
