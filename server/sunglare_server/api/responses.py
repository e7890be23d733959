"""Answers about rooms and commands: lines, cards and outcomes."""

from collections.abc import Iterable

from sunglare_protocol.ids import MatchId, Side, audience_of
from sunglare_protocol.messages.replies import (
    Accepted,
    MatchInfo,
    MatchLine,
    Origin,
    Refused,
    RoomState,
    ScenarioCard,
    SeatInfo,
    SeatState,
)
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.words.ladder import Phase
from sunglare_server.api.incompatible_handlers import card_of_incompatible
from sunglare_server.api.refusals import refused
from sunglare_server.lobby.match_service import MatchService
from sunglare_server.match.clock.phases import Standing
from sunglare_server.match.data.scenario import Scenario
from sunglare_server.match.state import Taken
from sunglare_server.ports.cards import scenario_card
from sunglare_server.ports.rooms import PublicStanding, Room, RoomSeat


def outcome(command: int, given: Taken | Rejected | None) -> Accepted | Refused:
    """Return the message for the outcome of a command; None is plain acceptance."""
    if isinstance(given, Rejected):
        return refused(command, given)
    if given is None:
        return Accepted(id=command)
    return Accepted(id=command, window=given.window, rev=given.rev)


def card_of(service: MatchService, room: Room) -> ScenarioCard:
    """Return the scenario card of a room's match; see `MatchService.scenario_of`."""
    return scenario_card(service.scenario_of(room), room.options)


async def lines_of(
    service: MatchService, rooms: Iterable[Room], account: str
) -> dict[MatchId, MatchLine]:
    """Return rooms as lines of a list, as `account` sees them."""
    shown = tuple(rooms)
    accounts = [seat.account for room in shown for seat in room.seats]
    accounts += [grant.account for room in shown for grant in room.grants]
    names = await service.accounts.shown_names(tuple(dict.fromkeys(accounts)))
    return {room.match: await _line_of(service, room, account, names) for room in shown}


async def _line_of(
    service: MatchService, room: Room, account: str, names: dict[str, str]
) -> MatchLine:
    mine = room.seat_of(account)
    standing = await _standing_of(service, room, mine)
    return MatchLine(
        match=room.match,
        scenario=room.scenario,
        state=room.state,
        seats=tuple(_seat_info(room, side, names) for side in room.sides),
        title=room.title,
        clock=room.options.clock,
        turn=0 if standing is None else standing.turn,
        phase=None if standing is None else standing.phase,
        mine=None if mine is None else mine.side,
        your_turn=_is_your_turn(service, room, account),
        awaits_bot=_awaits_bot(service, room, account, standing),
        origin=None if room.past is None else Origin(match=room.past.match, turn=room.past.turn),
        rated=room.rated,
        result=room.result,
    )


async def _standing_of(
    service: MatchService, room: Room, mine: RoomSeat | None
) -> Standing | PublicStanding | None:
    """Return where a match that runs here stands: as the seat, or else the public, was shown it.

    Only a seat has its match loaded for that, and of a private match only a seat gets an answer.
    """
    if room.state is not RoomState.RUNNING or service.room(room.match) is None:
        return None
    if mine is None:
        return service.public_standing(room) if room.code is None else None
    handle = await service.load(room)
    return None if handle is None else handle.shown(mine.side)


async def info_of(
    service: MatchService, room: Room, account: str, command: int
) -> MatchInfo | Refused:
    """Return the answer to `info`; a match that is over is not loaded for it."""
    scenario = await _played(service, room)
    kept = None if scenario is None else scenario_card(scenario, room.options)
    card = await card_of_incompatible(service, room) if kept is None else kept
    if isinstance(card, Rejected):
        return refused(command, card)
    lines = await lines_of(service, (room,), account)
    wishing, following = await service.rematches.standing(room)
    return MatchInfo(
        id=command, line=lines[room.match], card=card, rematch=wishing, next=following
    )


async def _played(service: MatchService, room: Room) -> Scenario | None:
    """Return what is played in a room; None if the records of its match can't be used."""
    if room.state is RoomState.OVER:
        return await service.stored_scenario_of(room)
    if room.state is RoomState.RUNNING and await service.load(room) is None:
        return None
    return service.scenario_of(room)


def _is_your_turn(service: MatchService, room: Room, account: str) -> bool:
    seat = room.seat_of(account)
    handle = service.handle(room.match)
    if seat is None:
        return False
    if room.state is RoomState.LOBBY:
        return not seat.is_ready
    return handle is not None and handle.is_awaited(seat.side)


def _awaits_bot(
    service: MatchService, room: Room, account: str, shown: Standing | PublicStanding | None
) -> bool:
    """Return whether a program took the seat of `account`, and no line holds it any more.

    `shown` is what the seat was shown last. Of a match of another worker nothing is known here:
    its lines are at that one.
    """
    seat = room.seat_of(account)
    if seat is None or not seat.is_bot or room.state is RoomState.OVER:
        return False
    if shown is not None and shown.phase is Phase.OVER:
        return False
    return service.room(room.match) is not None and not service.subscriptions.is_held(
        room.match, seat.side
    )


def _seat_info(room: Room, side: Side, names: dict[str, str]) -> SeatInfo:
    seat = room.seat_at(side)
    if seat is None:
        return SeatInfo(side=side, state=SeatState.FREE)
    watchers = room.watchers_of(audience_of(side))
    return SeatInfo(
        side=side,
        state=SeatState.ACCOUNT if seat.bot is None else SeatState.BOT,
        name=seat.bot or names[seat.account],
        ready=seat.is_ready,
        watched_by=tuple(names[account] for account in watchers),
        bot=seat.bot is None and seat.is_of_bot,
    )
