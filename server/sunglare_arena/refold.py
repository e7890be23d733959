"""A finished match run again from its records, and compared with what its file says of it."""

import reprlib
import struct
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any, Final, final

import msgspec

from sunglare_arena.matchfile import HEADER, TRAILER, DifferenceError, MatchFile
from sunglare_protocol.codec import Form, encode_server
from sunglare_protocol.ids import Audience, MatchId, audience_of
from sunglare_protocol.replay.analysis import ANALYSIS
from sunglare_protocol.replay.notes import side_of_notes
from sunglare_protocol.seals import Link, commitment, pledge
from sunglare_rules.advice.check.check import check
from sunglare_server.match.analysis.analysis import (
    analysed,
    at_once,
    has_analysis,
    packed_analysis,
)
from sunglare_server.match.dice import Dice, Purpose, Roll, match_seed
from sunglare_server.match.fog import view as fog
from sunglare_server.match.frames import Posted
from sunglare_server.match.record import (
    Basics,
    Opened,
    OrdersGiven,
    Record,
    RecordError,
    chain,
    unpacked,
)
from sunglare_server.match.state import MatchState, Stepped, digest
from sunglare_server.match.step import step
from sunglare_server.match.trailer import TrailerDraft
from sunglare_server.runtime.archive import with_head

FOLDED: Final = ("match", "scenario", "winner", "ending", "points")
"""The fields of a header that are compared with what a fold of the records makes."""


def opening(file: MatchFile) -> Opened:
    """Return how the match was opened; raise `DifferenceError` if its first record doesn't say."""
    body = _unpacked(file, 1).b
    if not isinstance(body, Opened):
        raise DifferenceError("record 1", "it opens no match")
    return body


def check_seed(file: MatchFile, opened: Opened | Basics) -> None:
    """Raise `DifferenceError` unless commitment, pledges and match seed fit the opening."""
    if file.trailer.commitment != commitment(opened.server_seed):
        what = "its commitment is not that to the server's seed in record 1"
        raise DifferenceError(TRAILER, what)
    check_pledges(opened)
    entropies = tuple(seat.entropy for seat in opened.seats if seat.entropy)
    if file.trailer.seed != match_seed(opened.server_seed, entropies):
        what = "its match seed does not follow from the seeds in record 1"
        raise DifferenceError(TRAILER, what)


def check_pledges(opened: Opened | Basics) -> None:
    """Raise `DifferenceError` if a seat's entropy is not what it pledged."""
    for seat in opened.seats:
        if seat.entropy and seat.pledge != pledge(seat.entropy):
            what = f"the entropy of seat {seat.side} is not what it pledged"
            raise DifferenceError("record 1", what)


def check_dice(file: MatchFile) -> None:
    """Raise `DifferenceError` at the first roll of the trailer that the seed does not give."""
    dice = Dice(seed=file.trailer.seed)
    for roll in file.trailer.rolls:
        try:
            due = _looked_up(dice, roll)
        except (ValueError, struct.error) as fault:
            raise DifferenceError(_named(roll), f"there is no such roll: {fault}") from None
        if roll.result != due:
            what = f"the file says {roll.result}, the seed gives {due}"
            raise DifferenceError(_named(roll), what)


def _looked_up(dice: Dice, roll: Roll) -> int | str:
    match Purpose(roll.purpose):
        case Purpose.TIE:
            return dice.tie(roll.turn, roll.viewer, roll.piece).hex()
        case Purpose.HANDLE:
            return dice.token(roll.viewer, roll.index)
        case purpose:
            return dice.roll(roll.sides, roll.turn, purpose, roll.piece, roll.index)


def _named(roll: Roll) -> str:
    """Return the key of a roll in words."""
    of = " and ".join(part for part in (roll.piece, roll.viewer) if part) or "nobody"
    return f"the roll {roll.purpose} of {of}, turn {roll.turn}, number {roll.index}"


@final
class Refold:
    """The match as it is run again: `steps` yields what every record results in, compared.

    `head` is the hash of the record that ended the match, which every audience received.
    """

    def __init__(self, file: MatchFile) -> None:
        """Begin before the first record."""
        self.file = file
        self.match = MatchId(str(file.header.get("match")))
        self.draft = TrailerDraft(self.match)
        self.head = b""
        self._rolls = iter(file.trailer.rolls)
        self._links = {audience: iter(chain) for audience, chain in file.trailer.chains.items()}
        # What sides noted for themselves follows from nothing.
        made = {name: layer for name, layer in file.layers.items() if side_of_notes(name) is None}
        self._sent = {name: deque(layer) for name, layer in made.items() if layer}
        self._begun: dict[str, bool] = {}
        self._analysed = 0

    def steps(self) -> Iterator[Stepped]:
        """Yield every step; raise `DifferenceError` at the first that differs from the file."""
        for number in range(1, len(self.file.records) + 1):
            record = _unpacked(self.file, number)
            if record.m != self.match:
                raise DifferenceError(
                    HEADER, f"it names match {self.match}, its records {record.m}"
                )
            stepped = _stepped(self.draft.state, record)
            hashed = chain(self.file.records[number - 1])
            rolls, links = self.draft.take(stepped, hashed)
            self._compare(number, rolls, links)
            if stepped.state.is_over and not self.head:
                self.head = hashed
            for audience, posts in self.draft.sent.items():
                self._compare_posts(number, audience, posts)
            if ANALYSIS in self._sent and has_analysis(stepped):
                self._compare_analysis(number, stepped.state)
            yield stepped
        self._compare_rest()
        _compare_header(self.file, self.draft.state)
        told = self.file.trailer
        if told != self.draft.trailer(told.header, told.last):
            raise DifferenceError(TRAILER, "it is not the one that follows from the records")

    def _compare(self, number: int, rolls: list[Roll], links: list[tuple[Audience, Link]]) -> None:
        for roll in rolls:
            told = next(self._rolls, None)
            if told != roll:
                stands = "nothing" if told is None else f"{_named(told)}: {told.result}"
                what = f"record {number} makes it {roll.result}, the trailer has {stands}"
                raise DifferenceError(_named(roll), what)
        for audience, link in links:
            told_link = next(self._links.get(audience, iter(())), None)
            if told_link != link:
                what = f"record {number} makes another than the trailer has"
                raise DifferenceError(frame_named(audience, link), what)

    def _compare_posts(self, number: int, audience: Audience, posts: Sequence[Posted]) -> None:
        if audience in self._sent:
            for post in posts:
                self._compare_message(number, audience, _sent(with_head(post, self.head)))

    def _compare_analysis(self, number: int, state: MatchState) -> None:
        self._analysed += 1
        made = packed_analysis(at_once(analysed(state, self._analysed)))
        due = msgspec.msgpack.decode(made, type=dict[str, Any])
        self._compare_message(number, ANALYSIS, due)

    def _compare_message(self, number: int, name: str, due: dict[str, Any]) -> None:
        """Compare what a record makes with a layer, of which the oldest may not be kept."""
        layer, where = self._sent[name], f"message {due['seq']} of {name}"
        if not layer:
            raise DifferenceError(where, f"record {number} makes it, the file has none")
        is_kept = bool(self._begun.get(name)) or layer[0].get("seq") == due["seq"]
        self._begun[name] = is_kept
        if is_kept and layer.popleft() != due:
            raise DifferenceError(where, f"record {number} makes another than the file has")

    def _compare_rest(self) -> None:
        for roll in self._rolls:
            raise DifferenceError(_named(roll), "the trailer has it, no record makes it")
        for audience, links in self._links.items():
            for link in links:
                what = "the trailer has it, no record makes it"
                raise DifferenceError(frame_named(audience, link), what)
        for name, layer in self._sent.items():
            for message in layer:
                where = f"message {message.get('seq')} of {name}"
                raise DifferenceError(where, "the file has it, no record makes it")


def _sent(post: Posted) -> dict[str, Any]:
    """Return a message as its receiver decodes it, without its `pad`."""
    found = msgspec.msgpack.decode(encode_server(post, Form.PACKED), type=dict[str, Any])
    found.pop("pad", None)
    return found


def frame_named(audience: Audience, link: Link) -> str:
    """Return in words which frame a link is of."""
    return f"frame {link.seq} of {audience} (window {link.window})"


def _unpacked(file: MatchFile, number: int) -> Record:
    before = b"" if number == 1 else file.records[number - 2]
    try:
        return unpacked(file.records[number - 1], number, before)
    except RecordError as fault:
        raise DifferenceError(f"record {number}", fault.why) from None


def _stepped(state: MatchState | None, record: Record) -> Stepped:
    where = f"record {record.n}"
    if state is not None:
        where = f"record {record.n} (window {state.standing.window})"
        if record.h and record.h != digest(state):
            what = "the records before it do not come to the state that it names"
            raise DifferenceError(where, what)
        _check_orders(state, record, where)
    try:
        return step(state, record)
    except RecordError as fault:
        raise DifferenceError(where, fault.why) from None
    except Exception as fault:  # noqa: BLE001 - a forged record may be anything
        raise DifferenceError(where, f"the rules can't take it: {fault!r}") from None


def _check_orders(state: MatchState, record: Record, where: str) -> None:
    """Raise `DifferenceError` for orders that the server should have refused."""
    given, side = record.b, record.s
    if not isinstance(given, OrdersGiven) or side not in state.standing.sides:
        return
    view = fog.view(state.intel[audience_of(side)], state.standing, state.board)
    refused = check(view, given.orders)
    if given.window != state.standing.window or not state.standing.takes_orders_of(side):
        raise DifferenceError(where, f"orders of {side} that this window does not take")
    if refused is not None:
        raise DifferenceError(where, f"orders of {side} that are not legal: {refused.text}")


def _compare_header(file: MatchFile, state: MatchState | None) -> None:
    """Raise `DifferenceError` unless the header says what the records result in."""
    if state is None or state.result is None:
        raise DifferenceError(f"record {len(file.records)}", "the match does not end with it")
    opened, result = opening(file), state.result
    due: dict[str, Any] = {
        "rules": opened.rules,
        "scenario": opened.scenario.name,
        "winner": result.winner,
        "ending": result.ending.value,
        "points": dict(result.points),
    }
    for key, made in due.items():
        if file.header.get(key) != made:
            told = reprlib.repr(file.header.get(key))
            what = f"{key}: it says {told}, the records make it {made!r}"
            raise DifferenceError(HEADER, what)
