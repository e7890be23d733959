"""What a server keeps as entries of a log, and the tables that the entries fold to."""

from typing import final

import msgspec
from msgspec.structs import replace

from sunglare_protocol.ids import MatchId, Side
from sunglare_server.matchmaking.strengths import Strengths
from sunglare_server.ports.journal import Archive
from sunglare_server.ports.rating_model import RatedResult
from sunglare_server.ports.store import Account, Ended, PlayerReport, Ticket
from sunglare_server.sqlite.store import SPARE_TICKETS


class _Entry(msgspec.Struct, frozen=True, tag=True):
    """One change, whole or not there."""


@final
class Appended(_Entry, frozen=True):
    """Records of a match."""

    match: MatchId
    blobs: tuple[bytes, ...]


@final
class Finished(_Entry, frozen=True):
    """A match is over, and what is archived of it."""

    match: MatchId
    archive: Archive = ()


@final
class SnapshotKept(_Entry, frozen=True):
    """A snapshot, and from which record on snapshots are kept."""

    match: MatchId
    number: int
    blob: bytes
    least: int


@final
class Lived(_Entry, frozen=True):
    """The server was there."""

    at_ms: int


@final
class AccountPut(_Entry, frozen=True):
    """Somebody came, or has another name."""

    account: Account


@final
class AccountForgotten(_Entry, frozen=True):
    """Somebody went for good."""

    account: str


@final
class WebhookPut(_Entry, frozen=True):
    """Whom the server tells that it is somebody's turn; None for nobody."""

    account: str
    url: str | None


@final
class ReportPut(_Entry, frozen=True):
    """Somebody told the operator of a side."""

    report: PlayerReport


@final
class ReportsDropped(_Entry, frozen=True):
    """The reports of a match are dealt with."""

    match: MatchId


@final
class ReportsEnded(_Entry, frozen=True):
    """The operator has dealt with the reports of a match, and keeps them."""

    match: MatchId
    now_ms: int


@final
class ResultPut(_Entry, frozen=True):
    """A rated match ended."""

    result: RatedResult


@final
class RoomPut(_Entry, frozen=True):
    """A room as it is now, None is no room any more; and of a match that is over its end."""

    match: MatchId
    blob: bytes | None
    ended: Ended | None = None


@final
class TicketPut(_Entry, frozen=True):
    """A ticket, and which other one was used for it."""

    ticket: Ticket
    used: str | None = None


@final
class SeatDropped(_Entry, frozen=True):
    """A seat has no tickets any more."""

    match: MatchId
    side: Side


@final
class TicketsDropped(_Entry, frozen=True):
    """The tickets that have ended are dropped."""

    now_ms: int


Entry = (
    Appended
    | Finished
    | SnapshotKept
    | Lived
    | AccountPut
    | AccountForgotten
    | WebhookPut
    | ReportPut
    | ReportsDropped
    | ReportsEnded
    | ResultPut
    | RoomPut
    | TicketPut
    | SeatDropped
    | TicketsDropped
)
"""Whatever is kept."""

_decoder: msgspec.msgpack.Decoder[Entry] = msgspec.msgpack.Decoder(Entry)


def packed_entry(entry: Entry) -> bytes:
    """Return the bytes of an entry."""
    return msgspec.msgpack.encode(entry)


def unpacked_entry(blob: bytes) -> Entry:
    """Return an entry from its bytes."""
    return _decoder.decode(blob)


@final
class Tables:
    """Everything that is kept, in memory: the fold of a log's entries."""

    def __init__(self) -> None:
        """Begin empty."""
        self.records: dict[MatchId, tuple[bytes, ...]] = {}
        self.finished: dict[MatchId, bool] = {}
        self.archives: dict[MatchId, dict[str, bytes]] = {}
        self.snapshots: dict[MatchId, dict[int, bytes]] = {}
        self.lived_ms: int | None = None
        self.newest: bytes | None = None
        self.accounts: dict[str, Account] = {}
        self.webhooks: dict[str, str] = {}
        self.reports: tuple[PlayerReport, ...] = ()
        self.rooms: dict[MatchId, bytes] = {}
        self.ends: dict[MatchId, Ended] = {}
        self.tickets: dict[str, Ticket] = {}
        self.results: list[RatedResult] = []
        self.strengths = Strengths()

    def take_packed(self, entry: bytes) -> None:
        """Apply an entry from its bytes."""
        self.take(unpacked_entry(entry))

    def take(self, entry: Entry) -> None:
        """Apply an entry."""
        match entry:
            case Appended(match=match, blobs=blobs):
                self.records[match] = self.records.get(match, ()) + blobs
                self.newest = blobs[-1]
            case Lived(at_ms=at_ms):
                self.lived_ms = at_ms
            case Finished(match=match, archive=archive):
                self.finished[match] = True
                self.archives[match] = {**self.archives.get(match, {}), **dict(archive)}
            case SnapshotKept(match=match, number=number, blob=blob, least=least):
                kept = {**self.snapshots.get(match, {}), number: blob}
                self.snapshots[match] = {n: kept[n] for n in sorted(kept) if n >= least}
            case AccountPut(account=account):
                self.accounts[account.id] = account
            case ResultPut(result=result):
                self.results.append(result)
                self.strengths.take(result)
            case (
                AccountForgotten() | WebhookPut() | ReportPut() | ReportsDropped() | ReportsEnded()
            ):
                self._take_of_people(entry)
            case _:
                self._take_of_rooms(entry)

    def seat(self, match: MatchId, side: Side) -> tuple[Ticket, ...]:
        """Return the tickets of a seat, the oldest first."""
        held = [
            ticket
            for ticket in self.tickets.values()
            if (ticket.match, ticket.side) == (match, side)
        ]
        return tuple(sorted(held, key=lambda ticket: ticket.session))

    def _take_of_people(
        self, entry: AccountForgotten | WebhookPut | ReportPut | ReportsDropped | ReportsEnded
    ) -> None:
        match entry:
            case AccountForgotten(account=gone):
                self.accounts.pop(gone, None)
                self.webhooks.pop(gone, None)
            case WebhookPut(account=account, url=url):
                self.webhooks.pop(account, None)
                self.webhooks |= {} if url is None else {account: url}
            case ReportPut(report=report):
                self.reports = (*self.reports, report)
            case ReportsEnded(match=match, now_ms=now_ms):
                self.reports = tuple(
                    replace(kept, done_ms=kept.done_ms or now_ms) if kept.match == match else kept
                    for kept in self.reports
                )
            case ReportsDropped(match=match):
                self.reports = tuple(kept for kept in self.reports if kept.match != match)

    def _take_of_rooms(self, entry: RoomPut | TicketPut | SeatDropped | TicketsDropped) -> None:
        match entry:
            case RoomPut():
                self._put_room(entry)
            case TicketPut(ticket=ticket, used=used):
                self._put_ticket(ticket, used)
            case SeatDropped(match=match, side=side):
                self._drop(self.seat(match, side))
            case TicketsDropped(now_ms=now_ms):
                self._drop(tuple(t for t in self.tickets.values() if self._has_ended(t, now_ms)))

    def _put_room(self, entry: RoomPut) -> None:
        given = tuple(ticket for ticket in self.tickets.values() if ticket.match == entry.match)
        self.ends.pop(entry.match, None)
        if entry.blob is None:
            self.rooms.pop(entry.match, None)
            self._drop(given)
            return
        self.rooms[entry.match] = entry.blob
        if (ended := entry.ended) is not None:
            self.ends[entry.match] = ended
            self.tickets |= {t.hash: replace(t, expires_ms=ended.expires_ms) for t in given}

    def _put_ticket(self, ticket: Ticket, used: str | None) -> None:
        self.tickets[ticket.hash] = ticket
        oldest, *others = self.seat(ticket.match, ticket.side)
        if used not in (None, oldest.hash):
            self._drop((oldest, *(t for t in others if t.hash not in (used, ticket.hash))))
            return
        last = ticket.session - SPARE_TICKETS
        self._drop(tuple(t for t in others if t.session <= last))

    def _has_ended(self, ticket: Ticket, now_ms: int) -> bool:
        is_over = ticket.match in self.finished or ticket.match not in self.rooms
        return is_over and ticket.expires_ms <= now_ms

    def _drop(self, tickets: tuple[Ticket, ...]) -> None:
        for ticket in tickets:
            self.tickets.pop(ticket.hash, None)
