"""The lobby's part of a session: lists, rooms, seats, bots, readiness."""

from typing import assert_never, final

from sunglare_protocol.messages.commands import (
    AddBot,
    Create,
    GrantFeed,
    Info,
    Join,
    Leave,
    Listing,
    ListMatches,
    Ready,
    Rematch,
    Report,
    Reveal,
    RevokeFeed,
)
from sunglare_protocol.messages.replies import Created, Matches, Refused, Seated, ServerMessage
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.accounts.accounts import Caller
from sunglare_server.api.match_handlers import MatchHandlers
from sunglare_server.api.port import PeerConnection
from sunglare_server.api.refusals import refused
from sunglare_server.api.responses import card_of, info_of, lines_of, outcome
from sunglare_server.api.resume import rejoined
from sunglare_server.lobby.lobby import Lobby
from sunglare_server.ports.cards import class_cards
from sunglare_server.ports.rooms import Room
from sunglare_server.rooms.listing import Page
from sunglare_server.rooms.quotas import Opener
from sunglare_server.runtime.encoded_message import EncodedMessage

FIRST_LISTS = (Listing.OPEN, Listing.RUNNING, Listing.MINE)
"""The lists whose beginnings are sent to callers that name none."""

InRoom = Reveal | AddBot | GrantFeed | RevokeFeed | Ready | Report
"""Those that are answered by acceptance or a refusal alone."""

LobbyMessage = ListMatches | Info | Create | Join | Leave | Rematch | InRoom
"""The messages that concern rooms."""


@final
class LobbyHandlers:
    """Answers what concerns rooms."""

    def __init__(self, lobby: Lobby, line: PeerConnection, address: str | None) -> None:
        """Speak for `lobby` to a connection from `address`; None is one of our own bots."""
        self._lobby = lobby
        self._matches = lobby.match_service
        self._address = address
        self._line = line

    async def answer(
        self, message: LobbyMessage, caller: Caller, seats: MatchHandlers
    ) -> ServerMessage | None:
        """Return the answer to `message`; `seats` is where a joined seat is held."""
        account = caller.account
        match message:
            case ListMatches():
                return await self._list(message, account)
            case Info():
                return await self._info(message, account)
            case Create():
                return await self._create(message, account)
            case Join():
                return await self._join(message, caller, seats)
            case Leave() if seats.stops_watching(message.match):
                return outcome(message.id, None)
            case Leave():
                return await self._leave(message, account, seats)
            case Rematch():
                return await self._rematch(message, account, seats)
            case _:
                return outcome(message.id, await self._in_room(message, account))

    async def _info(self, message: Info, account: str) -> ServerMessage:
        room = await self._matches.find(message.match)
        if isinstance(room, Rejected):
            return refused(message.id, room)
        return await info_of(self._matches, room, account, message.id)

    async def _leave(self, message: Leave, account: str, seats: MatchHandlers) -> ServerMessage:
        refusal = await self._lobby.leave(message.match, account)
        if refusal is None:
            seats.stand_up(message.match)
        return outcome(message.id, refusal)

    async def _rematch(
        self, message: Rematch, account: str, seats: MatchHandlers
    ) -> ServerMessage:
        """Note a wish, or its end; send the news to a connection that has not received it."""
        opener, held = Opener(account, self._address), seats.side_at(message.match)
        rematches = self._lobby.rematches
        wished = await rematches.wish(message.match, opener, held, on=message.on)
        if isinstance(wished, Rejected):
            return refused(message.id, wished)
        if held is None or not wished.is_told:
            for news in wished.news:
                self._line.give(EncodedMessage(news))
        return outcome(message.id, None)

    async def _in_room(self, message: InRoom, account: str) -> Rejected | None:
        lobby = self._lobby
        match message:
            case Reveal():
                return await lobby.reveal(message.match, account, message.entropy)
            case AddBot():
                opener = Opener(account, self._address)
                return await lobby.bot_seats.add(message.match, opener, message.name, message.side)
            case GrantFeed() | RevokeFeed():
                return await self._grant(message, account)
            case Ready():
                return await lobby.set_ready(message.match, account, message.pledge, on=message.on)
            case Report():
                return await self._report(message, account)
            case _:
                assert_never(message)

    async def _grant(self, message: GrantFeed | RevokeFeed, account: str) -> Rejected | None:
        grants = self._lobby.grants
        change = grants.grant if isinstance(message, GrantFeed) else grants.revoke
        return await change(message.match, account, message.name, message.feed)

    async def _report(self, message: Report, account: str) -> Rejected | None:
        room = await self._matches.find(message.match)
        if isinstance(room, Rejected):
            return room
        window = self._window_of(room, account)
        reports = self._lobby.reports
        return await reports.add(room, account, message.side, message.text, window)

    def _window_of(self, room: Room, account: str) -> str:
        """Return the window that a seat has been shown last; none before the match."""
        seat, handle = room.seat_of(account), self._matches.handle(room.match)
        shown = None if seat is None or handle is None else handle.shown(seat.side)
        return "" if shown is None else shown.window

    async def _list(self, message: ListMatches, account: str) -> Matches | Refused:
        if message.which is None and message.after is not None:
            return refused(message.id, Rejected(code=Code.LIST_AFTER, at="$.after"))
        wanted = FIRST_LISTS if message.which is None else (message.which,)
        pages: dict[Listing, Page] = {}
        for which in wanted:
            found = await self._lobby.listed(which, account, message.after, message.most)
            if isinstance(found, Rejected):
                return refused(message.id, found)
            pages[which] = found
        rooms = {room.match: room for page in pages.values() for room in page.rooms}
        lines = await lines_of(self._matches, rooms.values(), account)
        shown = {
            which.value: tuple(lines[room.match] for room in page.rooms)
            for which, page in pages.items()
        }
        more = {which: page.more for which, page in pages.items() if page.more is not None}
        return Matches(id=message.id, more=more, **shown)

    async def _create(self, message: Create, account: str) -> Created | Refused:
        room = await self._lobby.create(
            Opener(account, self._address),
            message.scenario,
            message.options,
            message.title,
            private=message.private,
            rated=message.rated,
            origin=message.origin,
        )
        if isinstance(room, Rejected):
            return refused(message.id, room)
        return Created(id=message.id, match=room.match, code=room.code)

    async def _join(
        self, message: Join, caller: Caller, seats: MatchHandlers
    ) -> Seated | Refused | None:
        if seats.is_seated:
            return refused(message.id, Rejected(code=Code.SEAT_ONE))
        registry = self._lobby.registry
        room = await registry.find(message.match, message.code)
        if isinstance(room, Rejected):
            return refused(message.id, room)
        claim = await rejoined(self._matches, room, message, caller.account)
        if isinstance(claim, Rejected):
            return refused(message.id, claim)
        if claim is not None:
            return await seats.take_again(message.id, claim, caller)
        joined = await self._lobby.join(
            room.match, caller.account, message.side, message.pledge, is_bot=caller.is_bot
        )
        if isinstance(joined, Rejected):
            return refused(message.id, joined)
        seat, ticket = joined
        self._line.say(
            Seated(
                id=message.id,
                match=room.match,
                side=seat.side,
                ticket=ticket,
                commitment=room.commitment,
                card=card_of(self._matches, room),
                classes=class_cards(self._matches.scenario_of(room), seat.side),
                rated=self._matches.newest(room).rated,
            )
        )
        await seats.sit(room.match, seat.side, caller.account)
        return None
