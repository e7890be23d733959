"""What is answered to whom in a match and its lobby: checks of the outlet matrix."""

import itertools
from collections.abc import Awaitable, Callable

from builders.questions import UNKNOWN, Asked
from outlets.matrix import Gives
from outlets.places import SCENARIO, SIDES, as_heard
from outlets.streams import come_back_by_joining
from outlets.visit import Visit
from sunglare_protocol.ids import OMNI, Handle, OwnId, audience_of
from sunglare_protocol.messages import (
    Accepted,
    Answer,
    Matches,
    MatchInfo,
    MatchLine,
    News,
    Ping,
    Pong,
    Refused,
    RoomState,
    Seated,
    commands,
)
from sunglare_protocol.orders import Fire, Order, Scan
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.words.scans import ScanSize, ScanType
from sunglare_rules.advice.answer import answer
from sunglare_rules.advice.check.check import check as refusal_of
from sunglare_server.api.refusals import refused
from sunglare_server.ports.cards import class_cards


async def check_orders(visit: Visit) -> None:
    """Order a shot at something that is not held: refused by the own view, or for want of one."""
    place = visit.place
    window = place.state.standing.window if place.has_started else "1.plot"
    rev, order = 10**6, _shot(visit)
    told = await visit.asked(
        commands.GiveOrders, match=place.match, window=window, rev=rev, orders=(order,)
    )
    if visit.is_refused:
        return
    expected = refusal_of(place.view(visit.audience), (order,))
    assert expected is not None
    assert isinstance(told, Refused)
    assert told == refused(told.id, expected)


def _shot(visit: Visit) -> Fire:
    """Return a shot by an own ship, or by none, at a handle that another side holds."""
    place = visit.place
    if not place.has_started:
        return Fire(ship=OwnId("S1"), weapon="B1", at=UNKNOWN)
    own = place.view(visit.audience).own if visit.audience in SIDES else ()
    armed = [ship for ship in own if ship.weapons]
    ship, weapon = (armed[0].id, armed[0].weapons[0].id) if armed else (OwnId("S1"), "B1")
    return Fire(ship=ship, weapon=weapon, at=_foreign(visit))


def _foreign(visit: Visit) -> Handle:
    """Return a handle by which another side holds something."""
    intel = visit.place.state.intel
    return next(
        (
            held.handle
            for side in SIDES.values()
            if audience_of(side) != as_heard(visit.audience)
            for held in intel[audience_of(side)].held.values()
        ),
        UNKNOWN,
    )


def asking(kind: commands.Question) -> Callable[[Visit], Awaitable[None]]:
    """Return a check of one kind of question: the answer is a function of the own view."""

    async def check(visit: Visit) -> None:
        place = visit.place
        for question in _questions(visit, kind):
            told = await visit.asked(commands.Ask, match=place.match, **question._asdict())
            if visit.is_refused:
                continue
            expected = answer(await place.shown(visit.audience), *question)
            if isinstance(expected, Rejected):
                assert isinstance(told, Refused)
                assert told == refused(told.id, expected)
            else:
                assert isinstance(told, Answer), told
                assert told.answer == expected

    return check


def _questions(visit: Visit, kind: commands.Question) -> tuple[Asked, ...]:
    """Return what to ask: about something own, and what only another side holds."""
    if kind is commands.Question.REVIEW:
        return Asked(kind), Asked(kind, orders=(_shot(visit),))
    if kind is commands.Question.SHEET:
        own = OwnId("S1")
        return Asked(kind, own), Asked(kind, own, (_shot(visit),)), Asked(kind, _foreign_of(visit))
    return tuple(Asked(kind, about) for about in _subjects(visit, kind))


def _subjects(visit: Visit, kind: commands.Question) -> tuple[Order | str | None, ...]:
    """Return what to ask about: something own, and something that only another side holds."""
    ship, foreign = OwnId("S1"), _foreign_of(visit)
    scan = Scan(ship=ship, type=ScanType.MASS, size=ScanSize.BOXES, at="C2", sense=True)
    match kind:
        case commands.Question.LEGAL:
            return (None,)
        case commands.Question.PREVIEW:
            return (scan,)
        case commands.Question.ODDS:
            return (ship, Fire(ship=ship, weapon="B1", at=foreign))
        case commands.Question.WHY:
            return ("last", foreign)
        case _:
            return (None, foreign)


def _foreign_of(visit: Visit) -> Handle:
    """Return a handle by which another side holds something, of a match that has started."""
    return _foreign(visit) if visit.place.has_started else UNKNOWN


async def check_list(visit: Visit) -> None:
    """Read the list: one line of this match, with what the reader may know of it, or none."""
    place = visit.place
    told = await visit.asked(commands.ListMatches)
    if visit.is_refused:
        return
    assert isinstance(told, Matches)
    ended = await visit.asked(commands.ListMatches, which=commands.Listing.OVER)
    assert isinstance(ended, Matches)
    lively = await visit.asked(commands.ListMatches, which=commands.Listing.LIVELY)
    assert isinstance(lively, Matches)
    lists = {"open": told.open, "running": told.running, "mine": told.mine, "over": ended.over}
    lists["lively"] = lively.lively
    lines = {
        name: [line for line in listed if line.match == place.match]
        for name, listed in lists.items()
    }
    is_shown = place.code is None and place.room.state is not RoomState.OVER
    where = "running" if place.has_started else "open"
    assert len(lines[where]) == (1 if is_shown else 0)
    assert lines["lively"] == lines["running"]
    is_over = place.room.state is RoomState.OVER
    assert len(lines["over"]) == is_over
    is_mine = visit.gives is Gives.OWN or visit.audience == "omni"
    assert len(lines["mine"]) == is_mine
    for line in itertools.chain.from_iterable(lines.values()):
        _check_line(visit, line)


async def check_info(visit: Visit) -> None:
    """Ask for the match: its card is everybody's, its line what the reader may know."""
    told = await visit.asked(commands.Info, match=visit.place.match)
    if visit.is_refused:
        return
    assert isinstance(told, MatchInfo)
    _check_line(visit, told.line)
    assert told.card.name == SCENARIO
    assert told.card.sides == tuple(SIDES.values())


def _check_line(visit: Visit, line: MatchLine) -> None:
    place, side = visit.place, SIDES.get(visit.audience)
    names = {SIDES[player]: place.names[player] for player in place.players}
    assert {seat.side: seat.name for seat in line.seats if seat.name} == names
    assert (line.scenario, line.title, line.state) == (SCENARIO, "", place.room.state)
    assert line.origin == place.origin
    assert line.mine == side
    is_running = place.room.state is RoomState.RUNNING
    is_told = side is not None or place.code is None
    standing = place.state.standing if is_running and is_told else None
    assert line.turn == (0 if standing is None else standing.turn)
    assert line.phase == (None if standing is None else standing.phase)
    assert line.result == (place.state.result if line.state is RoomState.OVER else None)
    if side is None:
        assert not line.your_turn
    elif standing is not None:
        assert line.your_turn == place.state.awaits(side)


async def check_join(visit: Visit) -> None:
    """Try to take a seat; where one is free the ticket and the classes are the taker's own."""
    place = visit.place
    if visit.is_refused:
        wrong = {"code": "zzzzzz"} if visit.gives is Code.MATCH_UNKNOWN else {"match": place.match}
        await visit.asked(commands.Join, **wrong)
        return
    if place.has_started:
        await come_back_by_joining(visit)
        return
    async with visit.talking(fresh=True) as talker:
        told = await talker.ask(commands.Join, match=place.match)
        assert isinstance(told, Seated)
        assert told.classes == class_cards(place.scenario, told.side)
        assert told.side == SIDES["out"]
        left = talker.ids
        await talker.send(commands.Leave(id=next(left), match=place.match))
        await talker.expect(Pong, Ping)
    visit.heard = [message for message in visit.heard if not isinstance(message, News | Accepted)]
    if visit.audience == "omni":
        # Who takes a seat loses the truth and has to ask for it again.
        await place.talkers["omni"].ask(commands.Watch, match=place.match, feed=OMNI)
