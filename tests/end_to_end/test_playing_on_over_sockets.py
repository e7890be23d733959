"""Playing on over real sockets: from a turn of a match that is over, to the end of another one."""

import asyncio
from pathlib import Path

import pytest

from builders.commandlines import sunglare
from builders.players import Player, all_ready, created, finished, play_on, seated, started
from builders.records import read_record
from builders.servers import ServerProcess
from builders.venues import Venue
from builders.wires import Talker, met
from sunglare_arena.verify import verified
from sunglare_client.bot import play
from sunglare_client.bots import BOTS
from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.messages import (
    AddBot,
    Create,
    Frame,
    From,
    Listing,
    MatchLine,
    Origin,
    Over,
    RoomState,
)
from sunglare_protocol.refusals import Code

TURN = 2
UNKNOWN = MatchId("a" * 26)


def origin(match: MatchId, turn: int = TURN) -> From:
    """Return what `create` says of where to play on."""
    return From(match=match, turn=turn)


async def over_at(players: list[Player], turns: int = TURN) -> MatchId:
    """Play to a window after so many turns have begun, and end the match there."""
    while players[0].view.stage.turn < turns:
        await play_on(players, 1)
    await play_on(players, 2)
    await players[1].resign()
    for player in players:
        await player.over()
    return players[0].match


async def line_of(talker: Talker, match: MatchId) -> MatchLine:
    """Return the line of a match."""
    return (await talker.info(match)).line


async def test_both_sides_see_what_they_saw_at_that_turn_and_play_on_through_a_kill(
    own_server: ServerProcess,
) -> None:
    server = own_server
    async with met(server.url, "anna") as anna, met(server.url, "boris") as boris:
        old = await started([anna, boris])
        match = await over_at(old)
        then = [first_frame(player, f"{TURN}.plot") for player in old]
        again = await created(anna, scenario="", origin=origin(match), options={"clock": "test"})
        await asyncio.to_thread(server.kill)
    server.start()
    async with (
        met(server.url, token=anna.token) as first,
        met(server.url, token=boris.token) as second,
    ):
        assert (await line_of(second, again)).origin == Origin(match=match, turn=TURN)
        players = [await seated(first, again, "A"), await seated(second, again, "B")]
        await all_ready(players)
        for player, before in zip(players, then, strict=True):
            frame = await player.frame()
            assert (frame.seq, frame.turn, frame.window) == (1, TURN, f"{TURN}.plot")
            assert frame.view == before.view
            assert frame.notices == before.notices
        await play_on(players, 3)
        await asyncio.to_thread(server.kill)
    server.start()
    async with (
        met(server.url, token=anna.token) as first,
        met(server.url, token=boris.token) as second,
    ):
        back = [await players[0].resume(first), await players[1].resume(second)]
        await play_on(back, 3)
        await finished(back)
        assert (await line_of(first, again)).origin == Origin(match=match, turn=TURN)
        found = verified(await first.record(again))
        assert any(match in line for line in found)
    assert "Traceback" not in server.said()


def first_frame(player: Player, window: str) -> Frame:
    """Return the frame with which a window opened."""
    frames = [post for post in player.posts if isinstance(post, Frame)]
    return next(frame for frame in frames if frame.window == window)


async def test_bots_play_on_to_the_end_and_the_record_is_verified(
    server: ServerProcess, tmp_path: Path
) -> None:
    async with met(server.url, "anna") as anna, met(server.url, "boris") as boris:
        match = await over_at(await started([anna, boris]))
        for turn in (1, TURN):
            again = await created(anna, scenario="", origin=origin(match, turn))
            await anna.leave(again)
        again = await created(anna, scenario="", origin=origin(match), options={"clock": "test"})
        bots = [
            play(BOTS[name](1), server.url, match=again, side=Side(side))
            for name, side in (("random", "A"), ("hunter", "B"))
        ]
        ends = await asyncio.gather(*bots)
        assert ends[0] == ends[1]
        data = await anna.record(again)
        file = read_record(data)
        assert file.maps[0]["b"]["past"]["match"] == match
        assert file.maps[0]["b"]["server_seed"].hex() == ends[0].seed
        (tmp_path / "again.sgr").write_bytes(data)
        checked = await sunglare("verify", str(tmp_path / "again.sgr"), home=tmp_path)
        assert checked.code == 0, checked
        third = await created(anna, scenario="", origin=origin(again, TURN + 1))
        assert (await line_of(anna, third)).origin == Origin(match=again, turn=TURN + 1)


async def test_what_cannot_be_played_on_is_refused_as_its_record_would_be(venue: Venue) -> None:
    anna, boris, carla = await venue.some(3)
    players = await started([anna, boris])
    match = players[0].match

    async def refused(match: MatchId, turn: int = TURN, **fields: object) -> tuple[Code, str]:
        return await carla.fault(
            Create, **{"origin": origin(match, turn), "scenario": "", **fields}
        )

    at = "$.from.match"
    assert await refused(UNKNOWN) == (Code.MATCH_UNKNOWN, at)
    assert await refused(match) == (Code.RECORD_SEALED, at)
    assert await refused(await created(carla)) == (Code.RECORD_SEALED, at)
    await over_at(players)
    assert await refused(match, TURN + 1) == (Code.MATCH_TURN, "$.from.turn")
    assert await refused(match, 0) == (Code.MESSAGE_MALFORMED, "$.from.turn")
    assert await refused(match, options={"clock": "standard"}) == (
        Code.OPTION_VALUE,
        "$.options.clock",
    )
    assert await refused(match, scenario="redondo") == (Code.SCENARIO_UNKNOWN, "$.scenario")
    assert await carla.fault(Create, scenario="") == (Code.SCENARIO_UNKNOWN, "$.scenario")


async def test_a_private_match_is_played_on_by_a_seat_of_it_and_may_be_private(
    venue: Venue,
) -> None:
    anna, boris = await venue.some(2)
    match = await over_at(await started([anna, boris], private=True))
    again = await created(boris, scenario="", origin=origin(match), private=True)
    line = await line_of(boris, again)
    assert (line.state, line.origin) == (RoomState.LOBBY, Origin(match=match, turn=TURN))
    past = venue.app.lobby.rooms[again].past
    assert past is not None
    assert (past.match, past.turn) == (match, TURN)
    assert again not in [line.match for line in (await anna.listed(Listing.OPEN)).open]


async def test_a_house_bot_takes_the_other_seat(server: ServerProcess) -> None:
    async with met(server.url) as anna, met(server.url) as boris:
        match = await over_at(await started([anna, boris]))
        again = await created(anna, scenario="", origin=origin(match), options={"clock": "test"})
        player = await seated(anna, again, "B")
        await anna.accepted(AddBot, match=again, name="random")
        await all_ready([player])
        assert (await player.frame()).window == f"{TURN}.plot"
        await player.resign()
        assert isinstance(await player.over(), Over)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (("--from", UNKNOWN), "--from needs --turn"),
        (("--turn", "3"), "--turn goes with --from"),
        (("--from", UNKNOWN, "--turn", "3", "--local"), "a private server has no match"),
    ],
)
async def test_a_command_line_that_does_not_fit_is_told_so(
    line: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    done = await sunglare("play", *line, home=tmp_path)
    assert done.code == 2
    assert said in done.err
