"""Fingers on a page: a phone's screen, and touches by the browser's own protocol."""

from collections.abc import Sequence
from typing import Final, NamedTuple, final

from page.browser import Tab

STEPS: Final = 8
"""So many moves a gesture has: a browser notices none in one."""


@final
class Spot(NamedTuple):
    """A place on the screen, in CSS pixels."""

    x: float
    y: float


async def be_a_phone(tab: Tab) -> None:
    """Have the browser be a phone, upright: a small screen and fingers."""
    await tab.tell("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=5)
    await tab.size(360, 740)
    await tab.until("matchMedia('(pointer: coarse)').matches")


async def touched(tab: Tab, kind: str, *spots: Spot) -> None:
    """Have all fingers that touch the screen be at these spots."""
    points = [{"x": spot.x, "y": spot.y, "id": finger} for finger, spot in enumerate(spots)]
    await tab.tell("Input.dispatchTouchEvent", type=kind, touchPoints=points)


async def tapped(tab: Tab, spot: Spot) -> None:
    """Tap a place."""
    await touched(tab, "touchStart", spot)
    await touched(tab, "touchEnd")


async def moved(tab: Tab, before: Sequence[Spot], after: Sequence[Spot]) -> None:
    """Put fingers down at some spots, move each to another one, and lift them."""
    await touched(tab, "touchStart", before[0])
    if len(before) > 1:
        await touched(tab, "touchStart", *before)
    for step in range(1, STEPS + 1):
        part = step / STEPS
        ways = zip(before, after, strict=True)
        spots = [
            Spot(start.x + (end.x - start.x) * part, start.y + (end.y - start.y) * part)
            for start, end in ways
        ]
        await touched(tab, "touchMove", *spots)
    await touched(tab, "touchEnd")
