"""Data files that change while a match is under way: it goes on as it was opened."""

from pathlib import Path

import pytest
from structlog.testing import capture_logs

from builders.players import Player, created, play_on, started
from builders.servers import running_app
from builders.venues import Venue
from builders.watchers import watch
from builders.wires import Talker, met
from sunglare_protocol.ids import PUBLIC, MatchId
from sunglare_protocol.messages import Info, Resumed, ScenarioCard, Seated
from sunglare_protocol.refusals import Code

NAME = "meeting"
MEETING = """
title = "Meeting"
turns = 9
[sides.A]
zone = ["A1"]
ships = [{ name = "Kite", type = "frigate", at = [3, 3], facing = "N" }]
[sides.B]
zone = ["F6"]
ships = [{ name = "Lark", type = "corvette", at = [30, 30], facing = "S" }]
"""
OTHER = MEETING.replace("Meeting", "Another").replace("turns = 9", "turns = 30")
OTHER = OTHER.replace("frigate", "courier")
FOR_THREE = (
    MEETING
    + """
[sides.C]
zone = ["A6"]
ships = [{ name = "Wren", type = "corvette", at = [3, 30], facing = "S" }]
"""
)

CHANGES = [pytest.param(OTHER, id="changed"), pytest.param(None, id="gone")]


def write(folder: Path, text: str | None) -> None:
    """Put the scenario into the data files of a server, or take it out."""
    file = folder / "scenarios" / f"{NAME}.toml"
    file.parent.mkdir(exist_ok=True)
    if text is None:
        file.unlink()
    else:
        file.write_text(text)


async def begun(folder: Path) -> tuple[list[Player], ScenarioCard]:
    """Begin a match on a server that is stopped then; return its players and its card."""
    write(folder, MEETING)
    async with (
        running_app(folder, data=folder) as app,
        met(app.url) as anna,
        met(app.url) as boris,
    ):
        players = await started([anna, boris], scenario=NAME)
        await play_on(players, 2)
        return players, await card(anna, players[0].match)


async def card(talker: Talker, match: MatchId) -> ScenarioCard:
    """Return the card of a match, as anybody may ask for it."""
    return (await talker.info(match)).card


@pytest.mark.parametrize("text", CHANGES)
async def test_a_running_match_is_shown_and_played_as_it_was_opened(
    venue: Venue, tmp_path: Path, text: str | None
) -> None:
    players, before = await begun(tmp_path)
    write(tmp_path, text)
    match = players[0].match
    await venue.open(data=tmp_path)
    stranger = await venue.one()
    anna = await venue.one(token=players[0].talker.token)
    boris = await venue.one(token=players[1].talker.token)
    assert await card(stranger, match) == before
    assert (await watch(stranger, match, PUBLIC)).card == before
    back = [await players[0].resume(anna), await players[1].resume(boris)]
    for old, new in zip(players, back, strict=True):
        assert isinstance(old.taken, Seated)
        assert isinstance(new.taken, Resumed)
        assert (new.taken.card, new.taken.classes) == (old.taken.card, old.taken.classes)
    await play_on(back, 2)


@pytest.mark.parametrize("text", [None, FOR_THREE], ids=["gone", "for others"])
async def test_a_room_whose_scenario_is_gone_waits_until_it_is_there_again(
    venue: Venue, tmp_path: Path, text: str | None
) -> None:
    write(tmp_path, MEETING)
    await venue.open(data=tmp_path)
    anna = await venue.one()
    match = await created(anna, scenario=NAME)
    await venue.close()
    write(tmp_path, text)
    with capture_logs() as lines:
        await venue.open(data=tmp_path)
        anna = await venue.one()
        assert await anna.code(Info, match=match) is Code.MATCH_UNKNOWN
        await venue.close()
    told = [line for line in lines if line["log_level"] == "warning"]
    assert [(line["match"], line["scenario"]) for line in told] == [(match, NAME)]
    write(tmp_path, MEETING)
    await venue.open(data=tmp_path)
    anna = await venue.one()
    assert (await card(anna, match)).title == "Meeting"
