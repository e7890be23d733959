"""Scenarios, ships and house bots that are read again while people play."""

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from builders.operators import Typed, asked, typed
from builders.players import all_ready, created, play_on, seated, started
from builders.servers import running_app
from builders.wires import Talker, met
from documents.doctables import OPERATIONS, fenced
from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages import AddBot, Create, Created, Frame, SeatState
from sunglare_protocol.refusals import Code
from sunglare_server.app import App
from sunglare_server.base.library import load_beside, load_library
from sunglare_server.config import Settings
from sunglare_server.ops.control.requests import Reload, RequestError

Capsys = pytest.CaptureFixture[str]


def scenario(folder: Path, name: str = "picket", turns: int = 12, **changed: str) -> Path:
    """Write the scenario of the operator's page into a folder of data, with changes."""
    texts = [text for text in fenced(OPERATIONS, "toml") if "[[planets]]" in text]
    (text,) = texts
    text = text.replace("turns = 12", f"turns = {turns}")
    for old, new in changed.items():
        text = text.replace(old, new)
    path = folder / "scenarios" / f"{name}.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@contextlib.asynccontextmanager
async def serving(folder: Path) -> AsyncIterator[App]:
    """Run a server with a folder of data of its own."""
    data = folder / "data"
    data.mkdir()
    async with running_app(folder, data=data) as app:
        yield app


async def turns_of(talker: Talker, match: MatchId) -> int:
    """Return how many turns the card of a match promises."""
    return (await talker.info(match)).card.turns


async def test_a_scenario_is_added_and_changed_without_a_restart(
    tmp_path: Path, capsys: Capsys
) -> None:
    async with serving(tmp_path) as app, met(app.url) as anna, met(app.url) as boris:
        refused = await anna.refused(Create, scenario="picket")
        assert refused.code is Code.SCENARIO_UNKNOWN
        scenario(tmp_path / "data")
        done = await typed(capsys, app, "reload")
        assert done == Typed(0, "read again; changed: scenario picket (new)\n", "")
        players = await started([anna, boris], scenario="picket")
        scenario(tmp_path / "data", turns=9)
        done = await typed(capsys, app, "reload")
        assert done.out == "read again; changed: scenario picket (changed)\n"
        # What runs goes on as it was opened; what is opened from now on is another.
        assert await turns_of(anna, players[0].match) == 12
        await play_on(players, 1)
        assert await turns_of(anna, await created(anna, scenario="picket")) == 9
        done = await typed(capsys, app, "reload")
        assert done.out == "read again; changed: nothing\n"


async def test_a_room_that_waits_starts_on_the_scenario_that_its_seats_were_shown(
    tmp_path: Path, capsys: Capsys
) -> None:
    async with serving(tmp_path) as app, met(app.url) as anna, met(app.url) as boris:
        path = scenario(tmp_path / "data")
        await typed(capsys, app, "reload")
        rooms = [await created(anna, scenario="picket") for _ in range(2)]
        players = [await seated(anna, rooms[0]), await seated(boris, rooms[0])]
        scenario(tmp_path / "data", turns=9)
        await typed(capsys, app, "reload")
        path.unlink()
        done = await typed(capsys, app, "reload")
        assert done.out == "read again; changed: scenario picket (gone)\n"
        assert [await turns_of(boris, room) for room in rooms] == [12, 12]
        await all_ready(players)
        assert players[0].view.stage.turns == 12
        assert await anna.code(Create, scenario="picket") is Code.SCENARIO_UNKNOWN


async def test_a_broken_file_is_refused_whole_and_all_is_as_it_was(
    tmp_path: Path, capsys: Capsys
) -> None:
    async with serving(tmp_path) as app, met(app.url) as anna:
        data = tmp_path / "data"
        scenario(data)
        await typed(capsys, app, "reload")
        before = app.lobby.matches.library
        scenario(data, "another")
        scenario(data, "broken", corvette="corvet")
        done = await typed(capsys, app, "reload")
        assert (done.code, done.out) == (1, "")
        assert done.err.startswith(
            "sunglare-server: all is as it was: broken.toml: sides.B.ships[0].type: 'corvet' is"
            " not known here; known are corvette"
        )
        assert app.lobby.matches.library is before
        assert await anna.code(Create, scenario="another") is Code.SCENARIO_UNKNOWN
        await anna.expect(Created, Create, scenario="picket")


FAULTY: tuple[tuple[dict[str, object], str], ...] = (
    ({"data": Path("/nowhere/at/all")}, "a folder that may hold weapons.toml"),
    ({"bots": ("hunter", "huntress")}, "bots: 'huntress' is no house bot; known are random"),
    ({"tls_cert": Path("x.pem")}, "only a start goes over to encryption"),
)
"""Settings that cannot be taken, and why not."""


async def test_with_any_fault_no_setting_is_taken(tmp_path: Path) -> None:
    async with serving(tmp_path) as app:
        before, library = app.settings, app.lobby.matches.library
        scenario(tmp_path / "data")
        for wish, why in FAULTY:
            read_again(app, connections=7, **wish)
            with pytest.raises(RequestError, match=why):
                await asked(app, Reload())
            assert app.settings == before
            assert app.lobby.matches.library is library
            assert app.bots.names == ()
            read_again(app, **{name: getattr(before, name) for name in ("connections", *wish)})
        await asked(app, Reload())
        assert "picket" in app.lobby.matches.library.scenarios


def read_again(app: App, **changed: object) -> None:
    """Have these settings found when they are read again, as if they stood in the file."""
    found: Settings = replace(app.settings, **changed)
    app.reloading.read = lambda: found


async def test_a_server_offers_a_bot_at_all_levels_or_at_the_one_that_is_named(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as app, met(app.url) as anna:
        room = await created(anna)
        await seated(anna, room)
        read_again(app, bots=("lurker", "scout-2"))
        await asked(app, Reload())
        for name in ("scout", "scout-3", "lurker-5", "hunter-1"):
            assert await anna.code(AddBot, match=room, name=name) is Code.BOT_UNKNOWN
        await anna.accepted(AddBot, match=room, name="lurker-1")
        seats = (await anna.info(room)).line.seats
        assert [seat.name for seat in seats if seat.state is SeatState.BOT] == ["lurker-1"]
        await anna.ready(room)
        await anna.came(Frame)


async def test_a_retired_name_of_a_house_bot_seats_the_bot_that_plays_in_its_place(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as app, met(app.url) as anna:
        room = await created(anna)
        await seated(anna, room)
        read_again(app, bots=("drifter",))
        await asked(app, Reload())
        assert app.bots.names == ("lurker",)
        await anna.accepted(AddBot, match=room, name="drifter")
        seats = (await anna.info(room)).line.seats
        assert [seat.name for seat in seats if seat.state is SeatState.BOT] == ["lurker"]


async def test_house_bots_are_offered_and_withdrawn_without_a_restart(tmp_path: Path) -> None:
    async with serving(tmp_path) as app, met(app.url) as anna:
        room = await created(anna)
        await seated(anna, room)
        assert await anna.code(AddBot, match=room, name="lurker") is Code.BOT_UNKNOWN
        read_again(app, bots=("lurker",))
        done = await asked(app, Reload())
        assert done.done == "read again; changed: --bots"
        await anna.accepted(AddBot, match=room, name="lurker")
        await anna.ready(room)
        await anna.came(Frame)
        read_again(app, bots=())
        await asked(app, Reload())
        assert await anna.code(AddBot, match=await created(anna), name="lurker") is (
            Code.BOT_UNKNOWN
        )
        # The one that plays goes on.
        seats = (await anna.info(room)).line.seats
        assert [seat.name for seat in seats if seat.state is SeatState.BOT] == ["lurker"]


async def test_files_are_read_beside_the_game_as_at_a_start_with_a_lull_before_each(
    tmp_path: Path,
) -> None:
    scenario(tmp_path)
    lulls = 0

    async def wait_idle() -> None:
        nonlocal lulls
        lulls += 1

    found = await load_beside(tmp_path, wait_idle)
    assert found == load_library(tmp_path)
    assert "picket" in found.scenarios
    assert lulls == 4
