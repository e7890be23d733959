"""The lobby: matches by number, and what is chosen by a line, a key or a click."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from builders.fullscreens import screen_rows, settled, stage_of
from builders.servers import running_app
from builders.terminals import Paper, typed
from builders.wires import met
from sunglare_client.commands.lobby import asked
from sunglare_client.fullscreen.lobbying import Lobbying
from sunglare_client.link.connection import Connection, connect
from sunglare_client.terminal.lobby_model import LeaveLobby, LobbyModel, match_row, shown_lists
from sunglare_client.terminal.screen import CTRL_D, Screen
from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.messages import (
    Create,
    Created,
    Join,
    Listing,
    MatchLine,
    RoomState,
    Seated,
    SeatInfo,
    SeatState,
)
from sunglare_protocol.words.ladder import Phase

A, B = Side("A"), Side("B")
FREE = SeatInfo(side=B, state=SeatState.FREE)
ANNA = SeatInfo(side=A, state=SeatState.ACCOUNT, name="anna")
HAWK = SeatInfo(side=B, state=SeatState.BOT, name="hawk")

OPEN = MatchLine(
    match=MatchId("o" * 26), scenario="orlog", state=RoomState.LOBBY, seats=(ANNA, FREE)
)
RUNNING = MatchLine(
    match=MatchId("r" * 26),
    scenario="redondo",
    state=RoomState.RUNNING,
    seats=(ANNA, HAWK),
    turn=3,
    phase=Phase.SCAN,
)
MINE = MatchLine(
    match=MatchId("m" * 26),
    scenario="picket-line",
    state=RoomState.RUNNING,
    seats=(ANNA, HAWK),
    turn=7,
    mine=A,
    your_turn=True,
)


def lobby(*lines: MatchLine) -> LobbyModel:
    """Return a lobby with these matches in its lists."""
    shown = LobbyModel("ws://somewhere/play", "anna")
    shown.take(
        {
            Listing.MINE: tuple(line for line in lines if line.mine is not None),
            Listing.OPEN: tuple(line for line in lines if line.state is RoomState.LOBBY),
            Listing.RUNNING: tuple(line for line in lines if line.state is RoomState.RUNNING),
        }
    )
    return shown


@pytest.mark.parametrize(
    ("line", "chosen"),
    [
        ("1", ("play", "--match", MINE.match)),
        ("2", ("play", "--match", OPEN.match)),
        ("3", ("watch", RUNNING.match)),
        ("watch 2", ("watch", OPEN.match)),
        ("w", ("watch",)),
        ("new redondo", ("play", "--new", "redondo")),
        ("bot", ("play", "--local", "--new", "shadow-of-ceres")),
        ("bot orlog", ("play", "--local", "--new", "orlog")),
    ],
)
def test_a_line_chooses_what_it_says(line: str, chosen: tuple[str, ...]) -> None:
    assert lobby(OPEN, RUNNING, MINE).obey(line) == chosen


@pytest.mark.parametrize("line", ["0", "4", "99999999999", "watch x", "²", "new", "jump", "né"])
def test_a_line_that_chooses_nothing_is_told_what_would(line: str) -> None:
    told = lobby(OPEN, RUNNING, MINE).obey(line)
    assert isinstance(told, list)
    assert any("E-" in row for row in told)


@pytest.mark.parametrize("line", ["quit", "q"])
def test_leaving_is_one_word(line: str) -> None:
    with pytest.raises(LeaveLobby):
        lobby().obey(line)


def test_every_list_says_so_if_it_is_empty() -> None:
    assert lobby().rows() == ["yours:", "     none", "open:", "     none", "running:", "     none"]


def test_a_row_says_who_sits_there_and_whose_turn_it_is() -> None:
    assert match_row(2, OPEN).split()[-4:] == ["anna", "v", "_", "WAITING"]
    assert match_row(3, RUNNING).endswith("anna v bot:hawk  T3 SCAN")
    assert match_row(1, MINE).endswith("T7  YOUR TURN")


def test_no_match_has_two_numbers() -> None:
    own = lobby(MINE)
    assert [line.match for line in own.matches] == [MINE.match]


def test_names_that_others_chose_reach_no_terminal_as_they_are() -> None:
    evil = SeatInfo(side=A, state=SeatState.ACCOUNT, name="\x1b[2Janna")
    row = match_row(1, MatchLine(match=OPEN.match, scenario="x", state=OPEN.state, seats=(evil,)))
    assert "\x1b" not in row


@pytest.fixture
async def line(tmp_path: Path) -> AsyncIterator[Connection]:
    """Yield a connection to a server on which somebody has opened a match."""
    async with running_app(tmp_path) as app, met(app.url) as other:
        made = await other.expect(Created, Create, scenario="shadow-of-ceres")
        await other.expect(Seated, Join, match=made.match)
        async with await connect(app.url) as connection:
            yield connection


async def test_a_match_that_somebody_opened_is_joined_by_its_number(line: Connection) -> None:
    paper, own = Paper(), LobbyModel("ws://somewhere/play", "")
    chosen = await asked(own, line, typed("look", "1"), Screen(paper))
    assert chosen == ("play", "--match", own.matches[0].match)
    assert "shadow-of-ceres" in paper.getvalue()


@pytest.mark.parametrize("words", [("quit",), (CTRL_D,), ()], ids=["a word", "a key", "the end"])
async def test_whoever_leaves_chooses_nothing(line: Connection, words: tuple[str, ...]) -> None:
    assert await asked(LobbyModel("", ""), line, typed(*words), Screen(Paper())) is None


async def test_the_lists_are_those_of_the_server(line: Connection) -> None:
    lists = await shown_lists(line)
    assert [len(lists[which]) for which in (Listing.MINE, Listing.OPEN, Listing.RUNNING)] == [
        0,
        1,
        0,
    ]


@pytest.mark.parametrize("size", [(80, 24), (140, 45)], ids=["80x24", "140x45"])
async def test_on_the_full_screen_a_click_on_a_row_or_a_number_chooses(
    line: Connection, size: tuple[int, int]
) -> None:
    for by_click in (True, False):
        own = LobbyModel("ws://somewhere/play", "")
        async with stage_of(size) as (stage, board, pilot):
            stage.scene = Lobbying(own)
            asking = asyncio.create_task(asked(own, line, stage.lines(), stage))
            while not own.matches:
                await settled(pilot)
            await settled(pilot)
            rows = screen_rows(board)
            assert all(len(row) <= size[0] for row in rows)
            assert "WAITING" in "\n".join(rows)
            row = next(n for n, text in enumerate(rows) if "shadow-of-ceres" in text)
            if by_click:
                await pilot.click("#map", offset=(5, row - 1))
            else:
                await pilot.press("1", "enter")
            await settled(pilot)
            chosen = await asyncio.wait_for(asking, 10)
        assert chosen == ("play", "--match", own.matches[0].match)
