"""The journal and the store on a simulated disk: a second implementation of both ports."""

from typing import final

from msgspec.structs import replace

from simulation.diskentries import (
    AccountForgotten,
    AccountPut,
    Appended,
    Entry,
    Finished,
    Lived,
    ReportPut,
    ReportsDropped,
    ReportsEnded,
    RoomPut,
    SeatDropped,
    SnapshotKept,
    Tables,
    TicketPut,
    TicketsDropped,
    WebhookPut,
)
from simulation.shelves import OnShelf
from sunglare_protocol.ids import MatchId, Side
from sunglare_server.base.heartbeat import latest_ms
from sunglare_server.match.record import time_of
from sunglare_server.ports.journal import Archive, JournalError, NumberTakenError
from sunglare_server.ports.store import (
    Account,
    Ended,
    FinishedRoom,
    Place,
    PlayerReport,
    StoreError,
    TakenError,
    Ticket,
)


@final
class DiskJournal(OnShelf):
    """Keeps records on a simulated disk."""

    error = JournalError

    async def append(self, match: MatchId, first: int, blobs: tuple[bytes, ...]) -> None:
        """Store the blobs as records `first`, `first` + 1, …; see the port for the refusals."""
        if not blobs:
            return

        def make(tables: Tables) -> Entry:
            if first != len(tables.records.get(match, ())) + 1:
                raise NumberTakenError(match, first)
            return Appended(match, blobs)

        await self._make(make)

    async def read(
        self, match: MatchId, after: int = 0, most: int | None = None
    ) -> tuple[bytes, ...]:
        """Return the first `most` records, or all, above number `after`, in their order."""
        return self._tables().records.get(match, ())[max(after, 0) :][:most]

    async def last(self, match: MatchId) -> int:
        """Return the number of the newest record, 0 if there is none."""
        await self._repository.settled()
        return len(self._tables().records.get(match, ()))

    async def matches(self) -> tuple[MatchId, ...]:
        """Return the matches that have records and are not finished, in the order of their ids."""
        tables = self._tables()
        return tuple(sorted(match for match in tables.records if match not in tables.finished))

    async def finish(self, match: MatchId, archive: Archive = ()) -> None:
        """Mark a match as over and keep its archive, both durably or none; its records stay."""
        await self._keep(Finished(match, archive))

    async def archived(self, match: MatchId, part: str) -> bytes | None:
        """Return a part of the archive of a match; None if it is not kept."""
        return self._tables().archives.get(match, {}).get(part)

    async def keep_snapshot(self, match: MatchId, number: int, blob: bytes, least: int) -> None:
        """Keep a snapshot of a match after record `number`, and none of records before `least`."""
        await self._keep(SnapshotKept(match, number, blob, least))

    async def snapshots(self, match: MatchId) -> tuple[tuple[int, bytes], ...]:
        """Return the snapshots of a match with their records' numbers, in the order of these."""
        return tuple(self._tables().snapshots.get(match, {}).items())

    async def mark_alive(self, at_ms: int) -> None:
        """Keep `at_ms` as a sign of life of the server."""
        await self._keep(Lived(at_ms))

    async def alive_ms(self) -> int | None:
        """Return when the server last showed a sign of life."""
        tables = self._tables()
        record_ms = None if tables.newest is None else time_of(tables.newest)
        return latest_ms(tables.lived_ms, record_ms)

    async def close(self) -> None:
        """Close the log, also for the store."""
        await self._repository.close()


@final
class DiskStore(OnShelf):
    """Keeps people, rooms and tickets on a simulated disk."""

    error = StoreError

    async def account_of(self, token_hash: str) -> Account | None:
        """Return who holds the token with this hash."""
        known = self._tables().accounts.values()
        return next((account for account in known if account.token_hash == token_hash), None)

    async def token_hash(self, account: str) -> str | None:
        """Return the hash of an account's token; None for one that there is not."""
        known = self._tables().accounts.get(account)
        return None if known is None else known.token_hash

    async def add_account(self, account: Account) -> None:
        """Add somebody; TakenError if the name, the token or the id is taken."""

        def make(tables: Tables) -> Entry:
            for known in tables.accounts.values():
                is_same = account.id == known.id or account.token_hash == known.token_hash
                if is_same or account.name_key == known.name_key:
                    raise TakenError("the name, the token or the id is taken")
            return AccountPut(account)

        await self._make(make)

    async def name_taken(self, name_key: str) -> str | None:
        """Return the id of the account that has this name, if anybody has."""
        known = self._tables().accounts.values()
        return next((account.id for account in known if account.name_key == name_key), None)

    async def rename(self, account: str, name: str, name_key: str) -> bool:
        """Return whether the account has the name now: it may be taken, or the account gone."""
        return await self._change_account(account, name=name, name_key=name_key)

    async def renew(self, account: str, token_hash: str) -> bool:
        """Return whether the account is known by the token with this hash alone from now on."""
        return await self._change_account(account, token_hash=token_hash)

    async def _change_account(self, account: str, **fields: str) -> bool:
        """Give an account other fields, the last of which no other account may have."""
        unique = next(reversed(fields))

        def make(tables: Tables) -> Entry | None:
            known = tables.accounts.get(account)
            others = [one for one in tables.accounts.values() if one.id != account]
            is_taken = any(getattr(one, unique) == fields[unique] for one in others)
            return None if known is None or is_taken else AccountPut(replace(known, **fields))

        return await self._make(make)

    async def forget(self, account: str) -> None:
        """Erase name and token of an account."""
        await self._keep(AccountForgotten(account))

    async def webhook(self, account: str) -> str | None:
        """Return the address that is told when it is this account's turn, if there is one."""
        return self._tables().webhooks.get(account)

    async def put_webhook(self, account: str, url: str | None) -> None:
        """Keep the address that is told when it is this account's turn; None for none."""

        def make(tables: Tables) -> Entry | None:
            return WebhookPut(account, url) if account in tables.accounts else None

        await self._make(make)

    async def add_report(self, report: PlayerReport, most: int) -> bool:
        """Return whether the report is kept; of an account and match there are `most` at most."""

        def make(tables: Tables) -> Entry | None:
            told = [kept for kept in tables.reports if kept.match == report.match]
            mine = [kept for kept in told if kept.account == report.account]
            return ReportPut(report) if len(mine) < most else None

        return await self._make(make)

    async def reports(self) -> tuple[PlayerReport, ...]:
        """Return all reports, by match, those of each in the order in which they came."""
        return tuple(sorted(self._tables().reports, key=lambda report: report.match))

    async def end_reports(self, match: MatchId, now_ms: int) -> int:
        """Keep that those of a match are dealt with by now; return how many that changes."""
        open_ones = [
            kept for kept in self._tables().reports if kept.match == match and kept.done_ms is None
        ]
        await self._keep(ReportsEnded(match, now_ms))
        return len(open_ones)

    async def drop_reports(self, match: MatchId) -> None:
        """Delete the reports of a match, which somebody has dealt with."""
        await self._keep(ReportsDropped(match))

    async def solved(self, account: str) -> tuple[str, ...]:
        """Return the names of the lessons that an account has solved; none of an unknown one."""
        known = self._tables().accounts.get(account)
        return () if known is None else known.solved

    async def add_solved(self, account: str, lesson: str) -> None:
        """Keep that an account has solved a lesson, once; nothing of an unknown account."""

        def make(tables: Tables) -> Entry | None:
            known = tables.accounts.get(account)
            if known is None or lesson in known.solved:
                return None
            return AccountPut(replace(known, solved=(*known.solved, lesson)))

        await self._make(make)

    async def names(self, accounts: tuple[str, ...]) -> dict[str, str]:
        """Return the names of those people that are known, by id, in the order asked."""
        known = self._tables().accounts
        return {account: known[account].name for account in accounts if account in known}

    async def every_name(self) -> tuple[tuple[str, str], ...]:
        """Return the ids and names of all people that are known, by id."""
        return tuple(
            sorted((account.id, account.name) for account in self._tables().accounts.values())
        )

    async def put_room(self, match: MatchId, blob: bytes) -> None:
        """Keep the room of a match, in place of what was kept of it before."""
        await self._keep(RoomPut(match, blob))

    async def end_room(self, match: MatchId, blob: bytes, ended: Ended) -> None:
        """Keep the room of a match that is over; the tickets of its seats end in time."""
        await self._keep(RoomPut(match, blob, ended))

    async def amend_room(self, match: MatchId, blob: bytes, was: bytes) -> bool:
        """Keep the room of a match that is over, in place of `was`; False if that is not there."""

        def make(tables: Tables) -> Entry | None:
            ended = tables.ends.get(match)
            is_there = ended is not None and tables.rooms.get(match) == was
            return RoomPut(match, blob, ended) if is_there else None

        return await self._make(make)

    async def drop_room(self, match: MatchId) -> None:
        """Keep nothing of this room any more, nor the tickets of its seats."""
        await self._keep(RoomPut(match, None))

    async def rooms(self) -> tuple[tuple[MatchId, bytes], ...]:
        """Return the rooms of all matches that are not over, in the order of their ids."""
        tables = self._tables()
        return tuple(sorted(room for room in tables.rooms.items() if room[0] not in tables.ends))

    async def room(self, match: MatchId) -> bytes | None:
        """Return the room of a match, over or not; None if there is none."""
        return self._tables().rooms.get(match)

    async def over(
        self, after: Place | None, most: int, account: str | None = None
    ) -> tuple[FinishedRoom, ...]:
        """Return the first rooms after a place, of all public matches or of one account's."""
        tables = self._tables()
        listed = [
            Place(ended.ended_ms, match)
            for match, ended in tables.ends.items()
            if (ended.is_public if account is None else account in ended.accounts)
        ]
        listed.sort(key=_newest_first)
        rest = [
            place
            for place in listed
            if after is None or _newest_first(place) > _newest_first(after)
        ]
        return tuple([FinishedRoom(place, tables.rooms[place.match]) for place in rest[:most]])

    async def over_count(self, beside: tuple[MatchId, ...] = ()) -> int:
        """Return how many matches are over, those named left out."""
        return len([match for match in self._tables().ends if match not in beside])

    async def beginning_with(self, letters: str, most: int) -> tuple[MatchId, ...]:
        """Return the first matches whose ids begin with these letters, over or not."""
        found = sorted(match for match in self._tables().rooms if match.startswith(letters))
        return tuple(found[:most])

    async def give_ticket(
        self, ticket_hash: str, match: MatchId, side: Side, expires_ms: int
    ) -> None:
        """Add a seat's newest ticket; TakenError if its hash is taken."""

        def make(tables: Tables) -> Entry:
            if ticket_hash in tables.tickets:
                raise TakenError("the ticket is taken")
            held = tables.seat(match, side)
            session = held[-1].session + 1 if held else 1
            return TicketPut(
                Ticket(
                    hash=ticket_hash,
                    match=match,
                    side=side,
                    session=session,
                    expires_ms=expires_ms,
                )
            )

        await self._make(make)

    async def ticket(self, ticket_hash: str) -> Ticket | None:
        """Return the ticket with this hash, whether or not it has expired."""
        return self._tables().tickets.get(ticket_hash)

    async def use_ticket(self, ticket_hash: str, next_hash: str) -> Ticket | None:
        """Return the next ticket of the seat, stored under `next_hash`; None if used in vain."""

        def make(tables: Tables) -> Entry | None:
            used = tables.tickets.get(ticket_hash)
            if used is None or next_hash in tables.tickets:
                return None
            session = tables.seat(used.match, used.side)[-1].session + 1
            return TicketPut(replace(used, hash=next_hash, session=session), ticket_hash)

        made = await self._make(make)
        return self._tables().tickets[next_hash] if made else None

    async def tickets_of(self, match: MatchId, side: Side) -> tuple[Ticket, ...]:
        """Return the tickets of a seat, the oldest first."""
        return self._tables().seat(match, side)

    async def drop_seat(self, match: MatchId, side: Side) -> None:
        """Delete every ticket of a seat that was left."""
        await self._keep(SeatDropped(match, side))

    async def drop_tickets(self, now_ms: int) -> None:
        """Delete every ticket that has ended by `now_ms`, but none of a match that goes on."""
        await self._keep(TicketsDropped(now_ms))


def _newest_first(place: Place) -> tuple[int, MatchId]:
    return -place.ended_ms, place.match
