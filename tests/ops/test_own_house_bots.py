"""House bots of the operator's own: programs in his folder, which the server seats as others."""

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace

from builders.forkserver import FORKABLE
from builders.operators import asked
from builders.players import created
from builders.servers import running_app
from builders.wires import Talker, dialled, met
from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages import PROTOCOL_VERSION, AddBot, Hello, RoomState, SeatState
from sunglare_protocol.refusals import Code
from sunglare_server.app import App
from sunglare_server.config import HOUSE_BOTS
from sunglare_server.housebots.custom_bots import own_bots
from sunglare_server.ops.control.requests import Reload, RequestError
from sunglare_server.settingsfile import SettingsError

PATIENT = (
    FORKABLE
    + """
import asyncio
from pathlib import Path

from sunglare_client import run
from sunglare_client.bots import RandomLegal

ENOUGH = Path(__file__).with_name("enough")


class Patient(RandomLegal):
    async def gives_up(self, view):
        Path(__file__).with_name("asked").touch()
        await asyncio.sleep(0.2)
        return ENOUGH.exists()


if __name__ == "__main__":
    run(Patient)
"""
)
"""Plays until there is a file beside it that says that it is enough."""


def folder_with(folder: Path, **programs: str) -> Path:
    """Return a folder of data with these programs of bots."""
    bots = folder / "data" / "bots"
    bots.mkdir(parents=True, exist_ok=True)
    for name, text in programs.items():
        (bots / f"{name}.py").write_text(text, encoding="utf-8")
    return folder / "data"


def offer(app: App, *bots: str) -> None:
    """Have the settings name these bots when they are read again."""
    found = replace(app.settings, bots=bots)
    app.reloading.read = lambda: found


async def begun(host: Talker, bot: str) -> MatchId:
    """Open a match between two house bots, which begins when both have come, and return it."""
    match = await created(host)
    for side in "AB":
        await host.accepted(AddBot, match=match, name=bot, side=side)
    return match


async def until_asked(data: Path) -> None:
    """Wait until a bot of the folder was asked for orders."""
    asked_for = data / "bots" / "asked"
    async with asyncio.timeout(60):
        while not await asyncio.to_thread(asked_for.exists):  # noqa: ASYNC110 - another process
            await asyncio.sleep(0.02)


async def until_over(talker: Talker, match: MatchId) -> None:
    """Wait until a match is over."""
    async with asyncio.timeout(60):
        while (await talker.info(match)).line.state is not RoomState.OVER:  # noqa: ASYNC110
            await asyncio.sleep(0.02)


async def test_a_bot_of_the_operators_own_is_added_without_a_restart_and_plays(
    tmp_path: Path,
) -> None:
    data = folder_with(tmp_path)
    async with running_app(tmp_path, data=data) as app, met(app.url) as anna:
        offer(app, "patient")
        with pytest.raises(RequestError, match=r"one of your own would be bots/patient\.py of"):
            await asked(app, Reload())
        folder_with(tmp_path, patient=PATIENT)
        assert (await asked(app, Reload())).done == "read again; changed: --bots"
        match = await begun(anna, "patient")
        await until_asked(data)
        seats = (await anna.info(match)).line.seats
        assert [(seat.state, seat.name) for seat in seats] == [(SeatState.BOT, "patient")] * 2
        (data / "bots" / "enough").touch()
        await until_over(anna, match)


async def test_a_bot_of_the_operators_own_takes_its_seat_again_after_a_restart(
    tmp_path: Path,
) -> None:
    data = folder_with(tmp_path, patient=PATIENT)
    async with running_app(tmp_path, data=data, bots=("patient",)) as app, met(app.url) as anna:
        match = await begun(anna, "patient")
        await until_asked(data)
    (data / "bots" / "enough").touch()
    async with running_app(tmp_path, data=data, bots=("patient",)) as app, met(app.url) as anna:
        await until_over(anna, match)


async def test_nobody_takes_the_name_of_a_bot_that_was_added(tmp_path: Path) -> None:
    data = folder_with(tmp_path, patient=PATIENT)
    async with running_app(tmp_path, data=data) as app:
        offer(app, "patient")
        await asked(app, Reload())
        async with dialled(app.url) as talker:
            refused = await talker.refused(Hello, v=PROTOCOL_VERSION, name="Patient")
            assert refused.code is Code.NAME_RESERVED


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("huntress", "'huntress' is no house bot; known are random, .* and one of your own would"),
        ("hunter", r"'hunter' is a shipped bot, and bots/hunter\.py in the data folder another"),
        ("../evil", "'../evil' is no house bot; .* a small letter and up to 23 more"),
        ("Patient", "'Patient' is no house bot; .* a small letter"),
        ("", "'' is no house bot"),
        ("operator", "'operator' is no house bot; .* nor like who runs a server"),
        ("dr1fter", "'dr1fter' is no house bot; .* may look like none of these"),
    ],
)
def test_a_bot_that_is_none_is_refused_with_what_would_be_right(
    name: str, why: str, tmp_path: Path
) -> None:
    data = folder_with(tmp_path, hunter=PATIENT)
    with pytest.raises(SettingsError, match=f"bots: {why}"):
        own_bots((name,), data)


def test_without_a_folder_it_is_said_where_one_would_be() -> None:
    with pytest.raises(SettingsError, match=r"bots/patient\.py of a folder that --data names"):
        own_bots(("patient",), None)


def test_shipped_bots_need_no_folder_and_no_program(tmp_path: Path) -> None:
    assert own_bots(HOUSE_BOTS, None) == {}
    assert own_bots(HOUSE_BOTS, folder_with(tmp_path, patient=PATIENT)) == {}
