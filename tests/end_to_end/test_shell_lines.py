"""Lines of the lists and answers to commands: what each tells whom, over real sockets."""

from builders.fakeserver import until
from builders.players import SCENARIO, all_ready, created, play_on, seated, started
from builders.truths import A, B
from builders.venues import Venue
from builders.watchers import name_of
from builders.wires import Talker
from sunglare_protocol.ids import MatchId, WindowId
from sunglare_protocol.messages import (
    Accepted,
    AddBot,
    Chat,
    GiveOrders,
    Listing,
    ListMatches,
    Matches,
    MatchLine,
    RoomState,
    SeatInfo,
    SeatState,
)
from sunglare_protocol.words.ladder import Phase
from sunglare_server.app import App


async def line_of(talker: Talker, match: MatchId, which: Listing) -> MatchLine:
    """Return the line of a match, which is the same in its list and alone."""
    told = await talker.expect(Matches, ListMatches, which=which)
    [line] = [listed for listed in getattr(told, which.value) if listed.match == match]
    info = await talker.info(match)
    assert info.line == line
    assert info.card.name == SCENARIO
    assert isinstance(line, MatchLine)
    return line


async def test_a_room_is_told_with_its_seats_and_whose_turn_it_is_to_be_ready(
    venue: Venue,
) -> None:
    anna, boris = await venue.some(2)
    match = await created(anna, title="A duel")
    await seated(anna, match, "B")
    free = SeatInfo(side=A, state=SeatState.FREE)
    mine = SeatInfo(side=B, state=SeatState.ACCOUNT, name=name_of(anna))
    line = await line_of(anna, match, Listing.OPEN)
    assert (line.state, line.title, line.scenario) == (RoomState.LOBBY, "A duel", SCENARIO)
    assert (line.clock, line.seats) == ("test", (free, mine))
    assert (line.mine, line.your_turn, line.turn, line.phase) == ("B", True, 0, None)
    await anna.ready(match)
    line = await line_of(anna, match, Listing.OPEN)
    assert (line.seats[1].ready, line.your_turn) == (True, False)
    line = await line_of(boris, match, Listing.OPEN)
    assert (line.mine, line.your_turn) == (None, False)


async def test_anybody_is_told_where_a_public_match_stands_and_a_seat_whether_it_is_waited_for(
    venue: Venue, app: App
) -> None:
    anna, boris, clara = await venue.some(3)
    players = await started([anna, boris])
    match = players[0].match
    stranger = await line_of(clara, match, Listing.RUNNING)
    assert (stranger.turn, stranger.phase) == (1, Phase.PLOT)
    assert (stranger.mine, stranger.your_turn) == (None, False)
    line = await line_of(anna, match, Listing.RUNNING)
    assert (line.turn, line.phase, line.your_turn) == (1, Phase.PLOT, True)
    await players[0].orders()
    line = await line_of(anna, match, Listing.MINE)
    assert (line.turn, line.phase, line.your_turn) == (1, Phase.PLOT, False)
    line = await line_of(boris, match, Listing.MINE)
    assert (line.mine, line.your_turn) == ("B", True)
    await players[1].orders()
    for player in players:
        await player.frame()
    line = await line_of(anna, match, Listing.MINE)
    assert line.phase is Phase.SCAN
    await boris.resign(match)
    for player in players:
        await player.over()
    await until(lambda: not app.lobby.match_service.goes_on(match))
    over = await line_of(anna, match, Listing.OVER)
    assert (over.state, over.your_turn) == (RoomState.OVER, False)


async def test_a_command_is_accepted_with_what_it_was_for(venue: Venue) -> None:
    anna, _ = await venue.duel()
    taken = await anna.accepted(Chat, text="hello")
    assert taken == Accepted(id=taken.id)
    window = WindowId("1.plot")
    for rev in (1, 5):
        taken = await anna.accepted(GiveOrders, window=window, rev=rev)
        assert taken == Accepted(id=taken.id, window=window, rev=rev)


async def test_the_seat_of_a_house_bot_is_told_by_the_name_of_the_bot(venue: Venue) -> None:
    await venue.open(bots=("lurker",))
    anna = await venue.one()
    match = await created(anna)
    await seated(anna, match, "A")
    await anna.accepted(AddBot, match=match, name="lurker")
    line = await line_of(anna, match, Listing.OPEN)
    assert (line.seats[1].state, line.seats[1].name) == (SeatState.BOT, "lurker")


async def test_a_match_is_told_with_what_it_was_opened_with_however_far_it_is(
    venue: Venue,
) -> None:
    anna, boris = await venue.some(2)
    match = await created(anna)
    before = await anna.info(match)
    players = [await seated(anna, match), await seated(boris, match)]
    await all_ready(players)
    await play_on(players, 2)
    during = await boris.info(match)
    venue.app.lobby.matches.library.scenarios.pop(SCENARIO)
    kept = await boris.info(match)
    assert before.card == during.card == kept.card
