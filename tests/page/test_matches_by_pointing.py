"""Matches played on the page by pointing at random, against bots: of every scenario, one whole."""

from pathlib import Path
from random import Random
from typing import Final

import pytest

from builders.data import shipped
from builders.players import created
from builders.servers import running_app
from builders.wires import met
from page.pointing import begun, played
from page.seats import OVER
from page.watching import text, visitor

SCENARIOS: Final = sorted(shipped().scenarios)


@pytest.mark.parametrize("scenario", SCENARIOS)
async def test_three_turns_of_a_scenario_are_played_by_pointing_at_random(
    scenario: str, tmp_path: Path
) -> None:
    async with (
        running_app(tmp_path, bots=("random",)) as app,
        met(app.url) as host,
        visitor() as tab,
    ):
        await begun(tab, app.url, await created(host, scenario=scenario))
        await played(tab, Random(scenario), 3)
        assert "turn" in await text(tab, "turn")


async def test_a_match_is_played_by_pointing_to_its_end_and_then_shown_to_all_eyes(
    tmp_path: Path,
) -> None:
    async with (
        running_app(tmp_path, bots=("scout",)) as app,
        met(app.url) as host,
        visitor() as tab,
    ):
        await begun(tab, app.url, await created(host))
        await played(tab, Random(5), 40)
        assert await tab.value(OVER)
        assert "THE END" in await text(tab, "field-story")
        await tab.until("document.getElementById('record').offsetParent")
        await tab.value("document.getElementById('record').click()")
        await tab.until("document.querySelectorAll('#eyes button').length === 5")
