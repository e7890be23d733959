"""What others may write, names, titles, chat and the texts of a scenario, is text on the page."""

from pathlib import Path
from typing import Final

from builders.players import created, seated
from builders.servers import running_app
from builders.wires import Talker, met
from page.browser import Tab, second
from page.seats import in_window, press
from page.watching import foreign, home, visitor
from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages import Chat, Ready

HARM: Final = "<img src=x onerror=a()>"

NAME: Final = "hostile"

TEXT: Final = f"""
title = "{HARM} title"
brief = "</p><script>a()</script> {HARM} brief"
fixed = true
turns = 3
[[planets]]
name = "{HARM}"
at = [19, 17]
size = "small"
environs = [{{ number = 1, sector = "N" }}]
[sides.A]
zone = ["A1"]
ships = [{{ name = "{HARM}", type = "frigate", at = [3, 3], facing = "N" }}]
agents = [{{ name = "Ann", combat = 1, endurance = 2, intelligence = 2, at = ["{HARM}", 1] }}]
[sides.B]
zone = ["F6"]
ships = [{{ name = "{HARM}", type = "corvette", at = [30, 30], facing = "S" }}]
"""

LIVE: Final = "document.getElementById('pill').textContent === 'LIVE'"

MADE: Final = "document.querySelectorAll('img, iframe, main script, [onerror]').length"


async def is_unharmed(tab: Tab, url: str, group: str, words: str) -> None:
    """Check that words stand in a part of the page as they were written, and did nothing."""
    await tab.until(f"document.getElementById({group!r}).textContent.includes({words!r})")
    assert await tab.value(MADE) == 0
    assert foreign(tab, url) == []
    assert not any(address.endswith("/x") for address in tab.asked)


async def opened_by(host: Talker) -> MatchId:
    """Open a match with a hostile title and take its second seat."""
    match = await created(host, scenario=NAME, title=f"{HARM} match")
    await seated(host, match, "B")
    return match


async def test_names_titles_chat_and_the_texts_of_a_scenario_are_text_everywhere(
    tmp_path: Path,
) -> None:
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / f"{NAME}.toml").write_text(TEXT)
    async with (
        running_app(tmp_path, data=tmp_path) as app,
        met(app.url, name="<b>Bo</b>") as bo,
        visitor() as tab,
    ):
        match = await opened_by(bo)
        await tab.open(f"{home(app.url)}#m={match}")
        await is_unharmed(tab, app.url, "room-title", f"{HARM} title")
        await is_unharmed(tab, app.url, "room-brief", f"{HARM} brief")
        await is_unharmed(tab, app.url, "room-seats", "<b>Bo</b>")
        await press(tab, "room-seats", "Play A")
        await press(tab, "ready", "Ready")
        await bo.accepted(Ready, match=match)
        await tab.until(in_window("PLOT"))
        await is_unharmed(tab, app.url, "title", f"{HARM} title")
        await is_unharmed(tab, app.url, "own", HARM)
        await is_unharmed(tab, app.url, "sites", HARM)
        await press(tab, "own", HARM)
        await is_unharmed(tab, app.url, "card-title", HARM)
        await bo.accepted(Chat, match=match, text=f"{HARM} said")
        await is_unharmed(tab, app.url, "field-story", f"{HARM} said")
        async with second(tab) as other:
            await other.open(home(app.url))
            await is_unharmed(other, app.url, "running", f"{HARM} match")
            await other.open(f"{home(app.url)}#m={match}&w=public")
            await other.until(LIVE)
            await bo.accepted(Chat, match=match, text=f"{HARM} said again")
            await is_unharmed(other, app.url, "story", f"{HARM} said again")
