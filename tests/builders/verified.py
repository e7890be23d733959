"""Finished matches as files, and what a forger may do to them: with every hash made anew."""

from collections.abc import Callable, Coroutine, Iterable
from pathlib import Path
from random import Random
from typing import Any, TypeVar, final

import msgspec

from builders.matches import opened, options, view_of
from builders.matchstore import stored
from builders.played import Rig, audiences
from builders.records import link, read_record
from builders.scenarios import scenarios
from builders.truths import MATCH, seed_of
from sunglare_client.advice import Advice
from sunglare_client.link.connection import Post
from sunglare_client.link.matchlog import Line, MatchLog, read_log
from sunglare_client.link.picture import Picture
from sunglare_protocol.codec import Form, decode_server
from sunglare_protocol.ids import Audience, Side, audience_of
from sunglare_protocol.messages import Seated
from sunglare_protocol.messages.replies import Frame, News, Over
from sunglare_protocol.replay.analysis import ANALYSIS
from sunglare_protocol.seals import commitment, pledge
from sunglare_server.archive.files import layers_of
from sunglare_server.archive.recordfile import Played, record_file
from sunglare_server.match.past import past_of, played_on
from sunglare_server.match.record import RULES_VERSION, Closed, Kind, Opened, unpacked
from sunglare_server.match.state import MatchState
from sunglare_server.match.step import step
from sunglare_server.ports.cards import scenario_card
from sunglare_server.runtime.archive import SUMMARY, Sent, read_sent, read_summary
from sunglare_server.runtime.archiving import analysis_of, archive_of

packed = msgspec.msgpack.encode

A, B = Side("A"), Side("B")
PLEDGED = {A: b"a" * 32, B: b"b" * 32}
"""The entropy that two seats pledge; B does not reveal it."""

REVEALED = {A: PLEDGED[A]}

CHATTY = 0.1
"""How often a window has a line of chat, which stands in the sequences between the frames."""

Made = TypeVar("Made")

Change = Callable[[dict[str, Any]], object]
"""Changes a header, a record or a trailer in place."""


@final
class Finished(msgspec.Struct, frozen=True):
    """A match that is over: its file, its records, and what each audience was sent."""

    data: bytes
    journal: tuple[bytes, ...]
    sent: dict[Audience, tuple[bytes, ...]]

    @property
    def opened(self) -> Opened:
        """Return how it was opened."""
        return opening(self.journal)

    def posts(self, side: Side) -> list[Post]:
        """Return what a side was sent."""
        sent = [decode_server(data, Form.PACKED) for data in self.sent[audience_of(side)]]
        return [message for message in sent if isinstance(message, Frame | News | Over)]

    def forged(
        self,
        *,
        records: Callable[[list[bytes]], object] | None = None,
        record: Change | None = None,
        header: Change | None = None,
        trailer: Change | None = None,
    ) -> bytes:
        """Return the file with a change of these parts, and with all hashes made to fit it.

        `records` changes their list, `record` each of them as a map, which is linked anew.
        """
        file, blobs = read_record(self.data), list(read_record(self.data).blobs)
        if records is not None:
            records(blobs)
        if record is not None:
            _rechained(blobs, record)
        for part, change in ((file.header, header), (file.trailer, trailer)):
            if change is not None:
                change(part)
        return _sealed(file.header, blobs, file.trailer) + file.layers


def _sealed(header: dict[str, Any], records: list[bytes], trailer: dict[str, Any]) -> bytes:
    head = packed(header)
    trailer["header"], trailer["last"] = link(head), link(records[-1])
    tail = packed(trailer)
    return b"".join((head, *map(packed, records), tail, packed(link(tail))))


def opening(journal: Iterable[bytes]) -> Opened:
    """Return the body of the first record."""
    body = unpacked(next(iter(journal)), 1, b"").b
    assert isinstance(body, Opened)
    return body


@stored(Finished)
def finished(
    name: str = "duel", seed: int = 3, clock: str = "test", revealed: str = A, turns: int = 0
) -> Finished:
    """Return a match of random orders played to its end; these sides revealed what they pledged.

    It has so many `turns` at most, with 0 as many as the scenario has.
    No server of today starts a match that a pledged entropy is missing from: a cheat does.
    """
    scenario = scenarios()[name]
    if turns:
        data = msgspec.structs.replace(scenario.data, turns=turns)
        scenario = msgspec.structs.replace(scenario, data=data)
    body = opened(scenario, options(clock=clock), seed_of(seed))
    return _finished(_pledged(body, revealed), seed)


def short(seed: int = 3, clock: str = "test", revealed: str = A) -> Finished:
    """Return a finished duel of three turns, with fire, scans and chat: soon checked."""
    return finished("duel", seed, clock, revealed, turns=3)


def brief() -> Finished:
    """Return one of two turns, checked in half the time."""
    return finished("duel", turns=2)


@stored(Finished)
def played_further(name: str = "duel", turn: int = 2, seed: int = 4) -> Finished:
    """Return a match that was played on from a turn of the finished one, by other dice."""
    old = finished(name)
    past = past_of(MATCH, turn, _until(old.journal, turn))
    assert past is not None
    body = opened(old.opened.scenario, old.opened.options, seed_of(seed))
    return _finished(played_on(_pledged(body, A), past), seed)


def _until(journal: Iterable[bytes], turn: int) -> tuple[bytes, ...]:
    """Return the records up to the one that began a turn."""
    state: MatchState | None = None
    found: list[bytes] = []
    for number, blob in enumerate(journal, 1):
        state = step(state, unpacked(blob, number, found[-1] if found else b"")).state
        found.append(blob)
        if state.standing.turn == turn:
            return tuple(found)
    raise AssertionError(f"it has no turn {turn}")


def _pledged(body: Opened, revealed: str) -> Opened:
    seats = tuple(
        msgspec.structs.replace(
            seat,
            entropy=PLEDGED[seat.side] if seat.side in revealed else b"",
            pledge=_pledge(seat.side),
        )
        for seat in body.seats
    )
    return msgspec.structs.replace(body, seats=seats)


def _finished(opening: Opened, seed: int) -> Finished:
    """Return a match with this opening, played to its end."""
    made = Rig(opening, audiences(opening.scenario))
    _play(made, Random(seed))
    made.put(Closed(), kind=Kind.CLOSE)
    sent = {audience: tuple(told) for audience, told in made.sent.items()}
    return Finished(file_of(made.journal), tuple(made.journal), sent)


def _play(match: Rig, rng: Random) -> None:
    """Play to the end; of the random orders only the legal ones, as on a server."""
    while not match.state.is_over:
        for side, orders in match.ordered(rng).items():
            advice = Advice(view_of(match.state, audience_of(side)))
            match.give(side, advice.legal_part(orders))
        if rng.random() < CHATTY:
            match.say(A, "a word")
        match.close()


def _pledge(side: Side) -> str | None:
    return pledge(PLEDGED[side]) if side in PLEDGED else None


def file_of(journal: Iterable[bytes]) -> bytes:
    """Return the file that an honest server makes of these records."""
    records = tuple(journal)
    archive = dict(completed(archive_of(MATCH, records)))
    summary = read_summary(archive[SUMMARY])
    assert summary is not None
    assert summary.trailer is not None
    sent: dict[str, tuple[Sent, ...]] = {
        audience: read_sent(archive[audience]) for audience in summary.trailer.chains
    }
    sent[ANALYSIS] = read_sent(completed(analysis_of(records)))
    scenario = opening(records).scenario
    names = {side: f"player {side}" for side in scenario.sides}
    played = Played(MATCH, scenario.name, RULES_VERSION, names, summary.result)
    return record_file(played, records, summary.trailer, completed(layers_of(sent)))


def completed(work: Coroutine[Any, Any, Made]) -> Made:
    """Return what work results in that waits for nothing but its turn."""
    while True:
        try:
            work.send(None)
        except StopIteration as done:
            return done.value  # type: ignore[no-any-return]


def _rechained(records: list[bytes], change: Change) -> None:
    """Change records as plain maps, and link each to the one before it anew."""
    for index, blob in enumerate(records):
        record = msgspec.msgpack.decode(blob)
        change(record)
        if index:
            record["p"] = link(records[index - 1])
        records[index] = packed(record)


def log_of(match: Finished, path: Path, side: Side = A) -> list[Line]:
    """Return the lines of the log that a seat keeps in `path`."""
    log, picture, opened = MatchLog(path), Picture(), match.opened
    card = scenario_card(opened.scenario, opened.options)
    promise = commitment(opened.server_seed)
    if side in REVEALED:
        log.pledged(pledge(REVEALED[side]))
    log.seated(Seated(id=1, match=MATCH, side=side, ticket="", commitment=promise, card=card))
    if side in REVEALED:
        pledges = {pledger: pledge(entropy) for pledger, entropy in PLEDGED.items()}
        log.revealed(REVEALED[side], pledges)
    for post in match.posts(side):
        assert picture.fold(post)
        log.folded(post, picture)
    return read_log(path)
