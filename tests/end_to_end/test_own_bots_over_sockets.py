"""People's own bots over the wire: that they say so, and where everybody is shown it."""

from pathlib import Path

import pytest

from builders.commandlines import sunglare
from builders.fakeclock import FakeClock
from builders.players import Player, created, seated, started
from builders.ratedmatches import noted_over, resigned, to_turn_2, until
from builders.ratedresults import CERES, result
from builders.venues import Venue
from builders.wires import Talker
from sunglare_client import Bot, connect, play
from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages import (
    PROTOCOL_VERSION,
    AddBot,
    AskLadder,
    Create,
    Created,
    Hello,
    Info,
    Join,
    Ladder,
    MatchInfo,
    Queued,
    QuickMatch,
    Ready,
    Resume,
    Resumed,
    Seated,
    SeatInfo,
    SeatState,
    Welcome,
)
from sunglare_protocol.refusals import Code
from sunglare_protocol.replay.file import read_header
from sunglare_protocol.views import View
from sunglare_server.ports.rating_model import player_of


async def seats(talker: Talker, match: MatchId) -> list[SeatInfo]:
    return list((await talker.expect(MatchInfo, Info, match=match)).line.seats)


async def marks(talker: Talker, match: MatchId) -> list[bool]:
    """Return of which seats everybody is shown that bots play them."""
    return [seat.is_of_bot for seat in await seats(talker, match)]


async def pair(venue: Venue) -> list[Talker]:
    """Return a person, and a bot that says so."""
    return [await venue.one("Anna"), await venue.one("Robot", bot=True)]


async def test_everybody_is_shown_that_a_bot_has_a_seat(venue: Venue) -> None:
    anna, robot = await pair(venue)
    match = await created(anna)
    for talker in (anna, robot):
        await seated(talker, match)
    stranger = await venue.one()
    of_anna, of_robot = await seats(stranger, match)
    assert (of_anna.name, of_anna.state, of_anna.bot) == ("Anna", SeatState.ACCOUNT, False)
    assert (of_robot.name, of_robot.state, of_robot.bot) == ("Robot", SeatState.ACCOUNT, True)


async def test_a_hello_without_the_flag_is_a_person_s(venue: Venue) -> None:
    await venue.open()
    raw = await venue.unknown()
    await raw.expect(Welcome, Hello, v=PROTOCOL_VERSION)
    match = await created(raw)
    await seated(raw, match)
    assert await marks(raw, match) == [False, False]


async def test_a_house_bot_is_the_server_s_and_no_account_s(venue: Venue) -> None:
    await venue.open(bots=("lurker",))
    anna = await venue.one("Anna")
    match = await created(anna)
    await anna.accepted(AddBot, match=match, name="lurker", side="B")
    house = (await seats(anna, match))[1]
    assert (house.state, house.bot, house.is_of_bot) == (SeatState.BOT, False, True)


async def test_a_bot_that_comes_to_a_person_s_seat_is_shown_from_then_on(venue: Venue) -> None:
    players = await venue.duel(names=("Anna", "Boris"))
    match, stranger = players[0].match, await venue.one()
    robot = await venue.one(token=players[0].talker.token, bot=True)
    await robot.expect(Resumed, Resume, match=match, ticket=players[0].ticket, have=0)
    assert await marks(stranger, match) == [True, False]
    again = await venue.one(token=players[0].talker.token)
    await again.expect(Resumed, Join, match=match)
    assert await marks(stranger, match) == [True, False]


async def test_a_person_may_look_after_a_bot_s_seat_and_it_stays_a_bot_s(venue: Venue) -> None:
    players = await started(await pair(venue))
    again = await venue.one(token=players[1].talker.token)
    await again.expect(Resumed, Join, match=players[1].match)
    assert await marks(again, players[1].match) == [False, True]


async def test_a_bot_without_a_right_to_a_seat_marks_none(venue: Venue) -> None:
    players = await venue.duel()
    match = players[0].match
    robot = await venue.one(bot=True)
    assert await robot.code(Resume, match=match, ticket="bad", have=0) is Code.TICKET_BAD
    assert await robot.code(Resume, match=match, have=0) is Code.SEAT_NONE
    assert await marks(robot, match) == [False, False]


async def test_what_bots_played_is_shown_after_a_restart_and_after_the_end(venue: Venue) -> None:
    await venue.open()
    anna, robot = await pair(venue)
    players = await started([anna, robot])
    match, tokens = players[0].match, (anna.token, robot.token)
    await venue.close()
    await venue.open()
    anna, robot = [await venue.one(token=token) for token in tokens]
    assert await marks(anna, match) == [False, True]
    back = await anna.expect(Resumed, Join, match=match)
    assert back.side == players[0].side
    await anna.resign(match)
    await Player(anna, back).over()
    assert await marks(robot, match) == [False, True]


async def test_the_record_says_which_sides_bots_have_played(venue: Venue) -> None:
    anna, robot = await pair(venue)
    players = await started([anna, robot])
    await anna.resign(players[0].match)
    await players[1].over()
    header = read_header(await anna.record(players[0].match))
    assert (header["names"], header["bots"]) == ({"A": "Anna", "B": "Robot"}, ["B"])


async def rated(venue: Venue, anna: Talker, robot: Talker, clock: FakeClock) -> MatchId:
    """Have two begin a rated match and end its first turn."""
    wish = {"scenario": CERES, "options": {"clock": "standard"}}
    match = (await anna.expect(Created, Create, rated=True, **wish)).match
    players = [await seated(talker, match) for talker in (anna, robot)]
    for player in players:
        await player.talker.accepted(Ready, match=match)
    await until(venue.app, clock, lambda: venue.app.lobby.matches.handle(match) is not None)
    await to_turn_2(venue.app, clock, match)
    return match


async def ranks(talker: Talker) -> list[tuple[str, bool]]:
    lines = (await talker.expect(Ladder, AskLadder)).lines
    return [(line.name, line.bot) for line in lines]


async def test_a_bot_is_rated_apart_from_the_person_of_its_account(venue: Venue) -> None:
    await venue.open()
    anna, boris = await venue.named("Anna", "Boris")
    robot = await venue.one(token=boris.token, bot=True)
    called = venue.app.lobby.accounts.called
    ann, ben = await called("Anna"), await called("Boris")
    assert ann is not None
    assert ben is not None
    ratings = venue.app.lobby.ladder.ratings
    await ratings.add(result(1, player_of(ben, None, is_bot=True), ann))
    await ratings.add(result(2, ann, ben))
    assert await ranks(anna) == [("Boris", True), ("Anna", False), ("Boris", False)]
    of_person = (await boris.expect(Ladder, AskLadder)).mine
    of_robot = (await robot.expect(Ladder, AskLadder)).mine
    assert of_person is not None
    assert of_robot is not None
    assert (of_person.rank, of_person.bot) == (3, False)
    assert (of_robot.rank, of_robot.bot) == (1, True)


@pytest.mark.parametrize("is_late", [False, True], ids=["who joined", "who comes later"])
async def test_a_rated_match_counts_for_whoever_joined_and_not_for_who_comes_later(
    venue: Venue, is_late: bool
) -> None:
    clock = await venue.still()
    anna, robot = await venue.one("Anna"), await venue.one("Robot", bot=not is_late)
    match = await rated(venue, anna, robot, clock)
    if is_late:
        robot = await venue.one(token=robot.token, bot=True)
        await robot.expect(Resumed, Join, match=match)
        assert await marks(anna, match) == [False, True]
    await resigned(venue.app, clock, match, "B")
    await noted_over(venue.app, clock, match)
    assert await ranks(anna) == [("Anna", False), ("Robot", not is_late)]


async def test_a_bot_that_waits_for_a_quick_match_is_shown_as_one_at_once(venue: Venue) -> None:
    await venue.still()
    anna, robot = await pair(venue)
    assert (await robot.expect(Queued, QuickMatch, family=CERES)).match is None
    match = (await anna.expect(Queued, QuickMatch, family=CERES)).match
    assert match is not None
    assert sorted((seat.name, seat.bot) for seat in await seats(anna, match)) == [
        ("Anna", False),
        ("Robot", True),
    ]


async def test_an_account_of_a_bot_sits_in_so_many_matches_and_no_more(venue: Venue) -> None:
    await venue.open(seats_per_bot=1)
    first = await venue.one("Robot", bot=True)
    more, person = [await venue.one(token=first.token, bot=bot) for bot in (True, False)]
    await seated(first, await created(first))
    match = await created(first)
    assert await more.code(Join, match=match) is Code.SEAT_MANY
    await seated(person, match)


class Quitter(Bot):
    """Gives up as soon as it may."""

    def gives_up(self, view: View) -> bool:  # noqa: ARG002 - whatever it sees
        """Return that it does."""
        return True


async def test_a_bot_of_the_library_says_what_it_is(venue: Venue) -> None:
    await venue.open()
    anna = await venue.one("Anna")
    match = await created(anna)
    player = await seated(anna, match)

    await anna.accepted(Ready, match=match)
    await play(Quitter(), venue.app.url, match=match, name="Robot")
    await player.over()
    assert [(seat.name, seat.bot) for seat in await seats(anna, match)] == [
        ("Anna", False),
        ("Robot", True),
    ]


async def test_a_line_that_says_so_says_so_again_after_it_was_lost(venue: Venue) -> None:
    await venue.open()
    match = await created(await venue.one())
    async with await connect(venue.app.url, bot=True) as first, await first.again() as again:
        await again.expect(Seated, Join, match=match)
    assert await marks(await venue.one(), match) == [True, False]


async def test_the_terminal_marks_bots_in_its_list(venue: Venue, tmp_path: Path) -> None:
    await venue.open()
    anna, robot = await pair(venue)
    await seated(robot, await created(anna))
    done = await sunglare("matches", "--url", venue.app.url, home=tmp_path)
    assert "Robot (bot)" in done.out
