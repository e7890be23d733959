"""The match aloud: what a screen reader hears on the page is what the terminal says."""

from pathlib import Path
from typing import Final

from builders.servers import running_app
from builders.wires import met
from page.closequarters import answering, data_of_changed
from page.seats import SEALED, SENSORS, in_window, locked, planned, press, seat_against
from page.watching import text, visitor
from sunglare_protocol.ids import WindowId


def says(words: str, region: str = "voice") -> str:
    """Return whether a region has a sentence with these words."""
    return (
        f"[...document.querySelectorAll('#{region} p')]"
        f".some((one) => one.textContent.includes({words!r}))"
    )


async def test_a_turn_is_heard_sentence_by_sentence(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, met(app.url, name="Bo") as bo, visitor() as tab:
        theirs = await seat_against(tab, app.url, bo, options=SEALED)
        await planned(tab, *SENSORS)
        await tab.until(says("Turn 1 of 20: plot."))
        await tab.until(says("Your orders, please. The window closes in "))
        await press(tab, "lock", "Lock")
        await tab.until("document.getElementById('doubts').textContent")
        await press(tab, "lock", "Lock all the same")
        await tab.until(says("Ready: sensors S1 out; sensors S2 out; waiting for the others."))
        await press(tab, "lock", "Unlock")
        await tab.until(
            "[...document.querySelectorAll('#voice p')].filter((one) =>"
            " one.textContent.startsWith('Your orders, please.')).length === 2"
        )
        await press(tab, "lock", "Lock")
        await press(tab, "lock", "Lock all the same")
        await theirs.frame()
        await theirs.ordered()
        await tab.until(in_window("SCAN"))
        await tab.until(says("Turn 1 of 20: scan."))
        await theirs.reached(WindowId("1.scan"))
        await theirs.resign()
        await tab.until(says("THE END: A wins; all other sides resigned."))
        live = "document.getElementById('voice').getAttribute('aria-live')"
        assert await tab.value(live) == "polite"
        # Nothing else says the same again.
        assert (
            await tab.value("document.querySelector('#field-story[aria-live], #turn[role]')")
            is None
        )


async def test_the_end_is_not_said_to_leave_a_side_without_pieces(tmp_path: Path) -> None:
    data = data_of_changed(tmp_path, "brief-duel", "turns = 20", "turns = 1")
    async with (
        running_app(tmp_path, data=data) as app,
        met(app.url, name="Bo") as bo,
        visitor() as tab,
    ):
        theirs = await seat_against(tab, app.url, bo, "brief-duel", options=SEALED)
        async with answering(theirs):
            for phase in ("PLOT", "SCAN"):
                await tab.until(in_window(phase))
                await locked(tab)
            await tab.until(says("THE END: a draw; the last turn is over."))
        assert "no piece left" not in await text(tab, "voice")


HASTE: Final = """
const { setTimeout: wait } = globalThis;
globalThis.setTimeout = (act, ms, ...more) => wait(act, ms > 15_000 ? 0 : ms, ...more);
"""
"""Has what would come in more than a quarter of a minute come at once."""


async def test_who_thinks_for_long_is_warned_at_once(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, met(app.url, name="Bo") as bo, visitor() as tab:
        await tab.tell("Page.addScriptToEvaluateOnNewDocument", source=HASTE)
        await seat_against(tab, app.url, bo, options=SEALED)
        for seconds in (30, 10):
            await tab.until(says(f"The window closes in {seconds} s.", "voice-loud"))
        role = "document.getElementById('voice-loud').getAttribute('role')"
        assert await tab.value(role) == "alert"
