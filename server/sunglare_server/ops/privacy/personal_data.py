"""A person's data: all that is stored of an account is put together, or erased, on request."""

from typing import Final, final

import msgspec

from sunglare_protocol.messages.replies import Bye
from sunglare_protocol.refusals import SENTENCES, Code
from sunglare_server.accounts.role_names import SOMEONE
from sunglare_server.gateway.session import POLICY
from sunglare_server.match.record import RecordError
from sunglare_server.moderation.chat_log import words_after_end, words_of
from sunglare_server.ops.control.overview import Installation, state_of
from sunglare_server.ops.control.requests import RequestError
from sunglare_server.ops.moderation.account_lookup import account_called
from sunglare_server.ops.privacy.account_data import (
    PersonAccusation,
    PersonalFile,
    PersonMatch,
    PersonRating,
    PersonReport,
    PersonResult,
    PersonSanction,
)
from sunglare_server.ports.audit_log import AUDIT_ENTRIES_MOST
from sunglare_server.ports.rating_model import OWN
from sunglare_server.ports.rooms import Room, RoomSeat
from sunglare_server.ports.store import Place, PlayerReport

PAGE: Final = 100
"""So many matches that are over are read at once."""

_FORGOTTEN = Bye(code=Code.OPERATOR_KICKED, text=SENTENCES[Code.OPERATOR_KICKED])


@final
class PersonalData:
    """What one server, or a whole cluster, has of people."""

    def __init__(self, site: Installation) -> None:
        """Look into all parts of `site` that keep something."""
        self._site = site
        self._lobby = site.lobby
        self._accounts = site.lobby.accounts
        self._policy = site.lobby.policy
        self._reports = site.lobby.reports
        self._presence = site.lobby.presence
        self._registry = site.lobby.registry
        self._past = site.lobby.past
        self._player_ratings = site.lobby.ladder.ratings
        self._tickets = site.lobby.tickets
        self._webhooks = site.lobby.webhooks

    async def person(self, name: str) -> PersonalFile:
        """Return all that is stored of an account; raise `RequestError` if none is called so."""
        account = await account_called(self._lobby, name)
        known = (await self._accounts.names((account,)))[account]
        reports = await self._reports.all()
        return PersonalFile(
            account=account,
            name=known,
            webhook=await self._webhooks.of(account),
            lessons=await self._accounts.solved(account),
            matches=tuple([await self._match(one, account) for one in await self._rooms(account)]),
            reports_made=tuple([_told(one) for one in reports if one.account == account]),
            reports_of=tuple([_accused(one) for one in reports if one.accused == account]),
            ratings=await self._ratings(account),
            results=await self._results(account),
            sanctions=self._sanctions(account),
            operators_log=await self._log(account, known),
        )

    async def forget(self, name: str) -> str:
        """Erase an account with its webhook, lessons and sanctions; say what stays."""
        account = await account_called(self._lobby, name)
        known = (await self._accounts.names((account,)))[account]
        if known == SOMEONE:
            raise RequestError(f"{name}: no such account, or it is forgotten already")
        await self._policy.forget(account)
        await self._accounts.forget(account)
        self._presence.turn_out(account, _FORGOTTEN, POLICY)
        return f"{known} is forgotten; records, results and reports name {account} from now on"

    async def _rooms(self, account: str) -> list[Room]:
        """Return the matches that an account has to do with: those that are over come first."""
        there = self._registry.ongoing
        found = {room.match: room for room in there if _has_part(room, account)}
        after: Place | None = None
        while kept := await self._past.over(after, PAGE, account):
            found = {**{room.match: room for _, room in kept if room is not None}, **found}
            after = kept[-1][0]
        return list(found.values())

    async def _match(self, room: Room, account: str) -> PersonMatch:
        seat = room.seat_of(account)
        kept = 0 if seat is None else await self._tickets.count(room.match, seat.side)
        return PersonMatch(
            match=room.match,
            scenario=room.scenario,
            title=room.title,
            state=state_of(room, self._site.handle(room.match)),
            is_host=room.host == account,
            side=None if seat is None else seat.side,
            is_bot=seat is not None and seat.is_of_bot,
            feeds=tuple([str(one.feed) for one in room.grants if one.account == account]),
            started_ms=room.started_ms,
            ended_ms=room.ended_ms,
            tickets=kept,
            said=await self._said(room, seat),
        )

    async def _said(self, room: Room, seat: RoomSeat | None) -> tuple[tuple[int, str], ...] | None:
        if seat is None:
            return ()
        try:
            words = await words_of(self._site.journal, room.match)
        except RecordError:
            # `check` says what is damaged.
            return None
        said = (*words, *words_after_end(room))
        return tuple([(word.at_ms, word.text) for word in said if word.side == seat.side])

    async def _ratings(self, account: str) -> tuple[PersonRating, ...]:
        found: list[PersonRating] = []
        ratings = self._player_ratings
        for family in await ratings.families():
            for player, is_bot in ((account, False), (f"{OWN}{account}", True)):
                strength = await ratings.strength(family, player)
                if strength.matches:
                    low, high = strength.interval
                    found.append(
                        PersonRating(
                            family=family,
                            is_bot=is_bot,
                            low=low,
                            high=high,
                            matches=strength.matches,
                        )
                    )
        return tuple(found)

    async def _results(self, account: str) -> tuple[PersonResult, ...]:
        players = {account: False, f"{OWN}{account}": True}
        return tuple(
            [
                PersonResult(
                    match=one.match,
                    family=one.family,
                    ended_ms=one.ended_ms,
                    is_bot=players[placed.player],
                    place=placed.place,
                )
                for one in await self._player_ratings.results_of(*players)
                for placed in one.placed
                if placed.player in players
            ]
        )

    def _sanctions(self, account: str) -> tuple[PersonSanction, ...]:
        return tuple(
            [
                PersonSanction(
                    kind=one.kind.value,
                    since_ms=one.since_ms,
                    until_ms=one.until_ms,
                    reason=one.reason,
                )
                for one in self._policy.holding
                if one.whom == account
            ]
        )

    async def _log(self, account: str, name: str) -> tuple[str, ...]:
        # Operators name people in small letters or capitals, as they like.
        named = (account, msgspec.json.encode(name).decode().casefold())
        asked = [one.asked for one in await self._site.audit_log.newest(AUDIT_ENTRIES_MOST)]
        return tuple([one for one in asked if any(text in one.casefold() for text in named)])


def _has_part(room: Room, account: str) -> bool:
    is_granted = any(one.account == account for one in room.grants)
    return room.host == account or room.seat_of(account) is not None or is_granted


def _told(one: PlayerReport) -> PersonReport:
    return PersonReport(match=one.match, at_ms=one.at_ms, side=one.side, text=one.text)


def _accused(one: PlayerReport) -> PersonAccusation:
    return PersonAccusation(match=one.match, at_ms=one.at_ms, text=one.text)
