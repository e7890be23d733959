"""What the tests of a seat in the page have in common: gestures on it, and what it says."""

from collections.abc import Awaitable, Callable
from typing import Final

from builders.players import Player, created, seated
from builders.wires import Talker
from page.browser import Screen, Tab
from page.watching import home, text
from sunglare_protocol.messages import Ready

ASKED: Final = "document.getElementById('turn').textContent.includes('Give your orders')"
"""Whether the open window waits for the player of the page."""

OVER: Final = "document.getElementById('turn').textContent.includes('is over')"

SENSORS: Final = ("sensors S1 out", "sensors S2 out")
"""What every set-up begins with."""

SEALED: Final = {"clock": "test", "scan_slots": "sealed"}
"""The options with which all sides scan in one window."""


def in_window(phase: str) -> str:
    """Return whether the page stands in a window that waits for its player."""
    return f"document.getElementById('turn').textContent.includes(': {phase}') && {ASKED}"


async def press(tab: Screen, group: str, words: str) -> None:
    """Press the button of a group that has these words, once there is one."""
    found = f"[...document.querySelectorAll('#{group} button, button#{group}')]"
    named = f"{found}.find((one) => one.textContent.includes({words!r}))"
    await tab.until(f"{named}?.offsetParent && !{named}.disabled")
    await tab.value(f"{named}.click()")


async def place_of(tab: Screen, square: tuple[int, int], edge: int = 40) -> dict[str, float]:
    """Return where the middle of a square is on the screen, of a map that is so many wide."""
    x, y, width, height = await tab.value(
        "(({x, y, width, height}) => [x, y, width, height])"
        "(document.querySelector('#field-boards canvas').getBoundingClientRect())"
    )
    unit = min(width - 36, height - 36) / edge
    west, north = x + (width - edge * unit) / 2, y + (height - edge * unit) / 2
    return {"x": west + (square[0] + 0.5) * unit, "y": north + (square[1] + 0.5) * unit}


async def click(tab: Screen, square: tuple[int, int], edge: int = 40) -> None:
    """Click the middle of a square of a map of so many squares each way."""
    await tab.click(**await place_of(tab, square, edge))


async def plan(tab: Screen) -> list[str]:
    """Return the orders of the plan as the page lists them."""
    script = "[...document.querySelectorAll('#plan code')].map((one) => one.textContent)"
    found: list[str] = await tab.value(script)
    return found


async def start_of(tab: Screen, ship: str, square: tuple[int, int]) -> str:
    """Return the order that the plan has for a ship's start; the dice have faced the ship."""
    begun = f"deploy {ship} {square[0]},{square[1]} vector 0,0 facing "
    await tab.until(f"document.getElementById('plan').textContent.includes({begun!r})")
    (found,) = [line for line in await plan(tab) if line.startswith(begun)]
    return found


async def planned(tab: Screen, *lines: str) -> None:
    """Wait until the plan has these orders, and the server holds them."""
    wanted = " ".join(lines)
    await tab.until(
        "document.getElementById('plan').getAttribute('aria-busy') === 'false' && "
        "[...document.querySelectorAll('#plan code')].map((one) => one.textContent)"
        f".join(' ') === {wanted!r}"
    )


async def seat_against(
    tab: Tab, url: str, rival: Talker, scenario: str = "shadow-of-ceres", **fields: object
) -> Player:
    """Have the page play side A against a rival whose seat is B; return that."""
    match = await created(rival, scenario=scenario, **fields)
    theirs = await seated(rival, match, "B")
    await tab.open(f"{home(url)}#m={match}")
    await press(tab, "room-seats", "Play A")
    await press(tab, "ready", "Ready")
    await tab.until("document.getElementById('ready').getAttribute('aria-pressed') === 'true'")
    await rival.accepted(Ready, match=match)
    await tab.until("!document.getElementById('field').hidden")
    return theirs


async def locked(tab: Screen) -> None:
    """Lock what stands, whatever it leaves undone."""
    before = await text(tab, "turn")
    await press(tab, "lock", "Lock")
    # The next window may wait for the player at once.
    has_moved_on = f"document.getElementById('turn').textContent !== {before!r}"
    is_doubted = "document.getElementById('lock').textContent === 'Lock all the same'"
    await tab.until(f"{is_doubted} || {has_moved_on}")
    if not await tab.value(has_moved_on):
        await press(tab, "lock", "Lock all the same")


async def given(
    tab: Tab,
    stage: str,
    order: Callable[[], Awaitable[None]],
    lock: Callable[[], Awaitable[None]],
) -> None:
    """Order something and lock, as long as the window is open: it may be passed meanwhile."""
    try:
        await order()
        if await text(tab, "turn") == stage:
            await lock()
    except AssertionError:
        if await text(tab, "turn") == stage:
            raise
