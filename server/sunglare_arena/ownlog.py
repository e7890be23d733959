"""The log of one seat, compared with the match that was run again from its record."""

from typing import final

from sunglare_arena.matchfile import DifferenceError, UnfitError
from sunglare_client.link.matchlog import LOG_VERSIONS, Begun, Ended, Line, Pledged, Revealed, Seen
from sunglare_protocol.ids import Audience, MatchId, Side, audience_of
from sunglare_protocol.messages.replies import Frame
from sunglare_protocol.seals import CHAIN_START, commitment, link
from sunglare_server.match.frames import keyframe, posted
from sunglare_server.match.record import Opened, Seat
from sunglare_server.match.state import Stepped


@final
class SentPosts:
    """What one audience was sent, or would have been had it come back; frames by their number."""

    def __init__(self, match: MatchId, audience: Audience) -> None:
        """Begin before the first step."""
        self.match = match
        self.audience = audience
        self.frames: dict[int, Frame] = {}
        self.keyframes: dict[int, list[Frame]] = {}

    def take(self, stepped: Stepped) -> None:
        """Take in what a step gave out."""
        if not stepped.posts:
            return
        for post in posted(self.match, stepped, self.audience, ""):
            if isinstance(post, Frame):
                self.frames[post.seq] = post
        for post in keyframe(self.match, stepped.state, self.audience, ""):
            if isinstance(post, Frame):
                self.keyframes.setdefault(post.seq, []).append(post)

    def links(self, before: bytes, seq: int) -> list[bytes]:
        """Return every link that an honest server may make of frame `seq` after `before`."""
        sent = [self.frames[seq]] if seq in self.frames else []
        return [link(before, frame) for frame in (*sent, *self.keyframes.get(seq, []))]


@final
class OwnLog:
    """A log to be checked; `begun` is its first line."""

    def __init__(self, lines: list[Line]) -> None:
        """Take the lines of a log; raise `UnfitError` if they can't be checked."""
        first = next((line for line in lines if isinstance(line, Begun)), None)
        if first is None:
            raise UnfitError("The log does not begin with a seat.")
        if first.version not in LOG_VERSIONS:
            known = " and ".join(map(str, LOG_VERSIONS))
            what = f"The log has version {first.version}; this program reads {known}."
            raise UnfitError(what)
        self.begun = first
        self.lines = lines
        self.frames = sum(isinstance(line, Seen) for line in lines)

    @property
    def audience(self) -> Audience:
        """Return whose log it is."""
        return audience_of(self.begun.side)

    @property
    def is_whole(self) -> bool:
        """Return whether the end of the match stands in it."""
        return any(isinstance(line, Ended) for line in self.lines)

    def check_seat(self, match: MatchId, opened: Opened) -> None:
        """Raise `DifferenceError` unless the match was opened as the seat's log says."""
        if self.begun.match != match:
            raise UnfitError(f"The log is of match {self.begun.match}, the record of {match}.")
        told = [(n, line) for n, line in enumerate(self.lines, 1) if isinstance(line, Begun)]
        for number, line in told:
            if line.match != match or line.side != self.begun.side:
                raise UnfitError(f"The log is of two seats: see its line {number}.")
            if line.commitment and line.commitment != commitment(opened.server_seed):
                what = "the commitment told then is not to the seed of this record"
                raise DifferenceError(_place(number), what)
        self._check_entropy(opened)

    def check_frames(self, sent: SentPosts, head: bytes, seed: bytes) -> None:
        """Raise `DifferenceError` at the first frame that is not what the records make."""
        chain, last = CHAIN_START, 0
        for number, line in enumerate(self.lines, 1):
            match line:
                case Seen(seq=seq, since=since):
                    if seq == since:
                        chain, last = CHAIN_START, seq - 1
                    _check_gap(sent, last, line, number)
                    _check_link(sent, chain, line, number)
                    chain, last = bytes.fromhex(line.chain), seq
                case Ended():
                    _check_end(line, number, head, seed)
                case _:
                    continue

    @property
    def _pledged(self) -> tuple[int, str] | None:
        """Return the pledge of the seat and its line; None if another process made it, or none.

        One for a `join` counts once the seat was taken with it, one with `ready` at once.
        """
        made: tuple[int, str] | None = None
        held: tuple[int, str] | None = None
        for number, line in enumerate(self.lines, 1):
            match line:
                case Pledged(again=True):
                    held = (number, line.pledge)
                case Pledged():
                    made = (number, line.pledge)
                case Begun() if line.commitment:
                    held, made = made, None
                case _:
                    continue
        return held

    def _check_entropy(self, opened: Opened) -> None:
        """Raise `DifferenceError` unless the seat's entropy is in the dice as it was pledged."""
        seats = {seat.side: seat for seat in opened.seats}
        mine, pledged = seats.get(self.begun.side), self._pledged
        if mine is None:
            raise DifferenceError("record 1", f"it has no seat {self.begun.side}")
        revealed = [
            (n, line) for n, line in enumerate(self.lines, 1) if isinstance(line, Revealed)
        ]
        if mine.entropy and self.begun.commitment and not revealed:
            what = "it has entropy of your seat that you did not reveal"
            raise DifferenceError("record 1", what)
        if pledged is not None and (mine.pledge != pledged[1] or not mine.entropy):
            what = "the entropy that you pledged then is not in the dice of record 1"
            raise DifferenceError(_place(pledged[0]), what)
        # What was revealed for a start that was called off is in no dice.
        for number, line in revealed[-1:]:
            if mine.entropy.hex() != line.entropy:
                raise DifferenceError(_place(number), "your entropy is not that in record 1")
            _check_pledges(seats, line, number)


def _check_pledges(seats: dict[Side, Seat], line: Revealed, number: int) -> None:
    for side, seat in seats.items():
        if seat.pledge != line.pledges.get(side):
            what = f"what {side} had pledged when you revealed yours is not in record 1"
            raise DifferenceError(_place(number), what)


def _check_gap(sent: SentPosts, last: int, line: Seen, number: int) -> None:
    missing = [seq for seq in range(last + 1, line.seq) if seq in sent.frames]
    if missing:
        where = f"frame {missing[0]} (window {sent.frames[missing[0]].window})"
        raise DifferenceError(where, f"it is missing from your log before its line {number}")


def _check_link(sent: SentPosts, before: bytes, line: Seen, number: int) -> None:
    if bytes.fromhex(line.chain) not in sent.links(before, line.seq):
        where = f"frame {line.seq} of {sent.audience} (window {line.window})"
        what = "what you were sent does not follow from the records"
        raise DifferenceError(where, f"{what} ({_place(number)})")


def _check_end(line: Ended, number: int, head: bytes, seed: bytes) -> None:
    if line.seed != seed.hex():
        raise DifferenceError(_place(number), "the seed told at the end is not that of record 1")
    if line.head != head.hex():
        what = "the head told at the end is not that of the record which ended the match"
        raise DifferenceError(_place(number), what)


def _place(number: int) -> str:
    return f"line {number} of your log"


def own_log(lines: list[Line]) -> OwnLog:
    """Return the log to be checked; raise `UnfitError` if a chain in it is no hash."""
    for number, line in enumerate(lines, 1):
        if isinstance(line, Seen):
            try:
                bytes.fromhex(line.chain)
            except ValueError:
                raise UnfitError(f"Line {number} of the log has no hash for a chain.") from None
    return OwnLog(lines)
