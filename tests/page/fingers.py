"""A player with a touch screen: swipes and taps on what is seen, with nothing lying over it."""

import asyncio
import re
from typing import Any, Final

from page.browser import Tab
from page.keyboard import button
from page.watching import text

PHONE: Final = (360, 740)

SWIPES: Final = 60
"""So many swipes bring anything into sight."""

TRIES: Final = 10

REST_S: Final = 0.15

EDGE: Final = 4
"""Points from the left edge at which nothing has gestures of its own."""

BORDER: Final = 12
"""So near to the upper and lower edge, in points, nothing is tapped."""

PLACE: Final = "[0-9]+,[0-9]+"

CARD: Final = "document.getElementById('card-lines').textContent"

LEAST: Final = 24
"""A target of touch is at least so many points wide and high (WCAG 2.2)."""

BOARD: Final = "document.querySelector('#field-boards canvas')"

WHERE: Final = """
((target) => {
  if (!target) return null;
  const { x, y, width, height } = target.getBoundingClientRect();
  return [x, y, width, height];
})(%s)
"""

STANDS: Final = """
((target) => target && new Promise((done) => {
  const { x, y } = target.getBoundingClientRect();
  const look = () => {
    const now = target.getBoundingClientRect();
    done(now.x === x && now.y === y);
  };
  requestAnimationFrame(() => requestAnimationFrame(look));
}))(%s)
"""
"""Whether an element stays where it is for two pictures of the screen."""

LIES_ABOVE: Final = """
((target, x, y) => {
  const found = document.elementFromPoint(x, y);
  return target?.contains(found) ? '' : found?.outerHTML ?? 'nothing';
})(%s, %s, %s)
"""

SIDEWAYS: Final = "document.scrollingElement.scrollWidth - innerWidth"


async def hold(tab: Tab) -> None:
    """Be a phone that is held upright."""
    await tab.size(*PHONE)
    await tab.tell("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=5)


async def touched(tab: Tab, *points: tuple[float, float]) -> None:
    """Put a finger down at the first point, move it over the others, and lift it.

    It rests before it is lifted: what it has moved does not go on by itself then.
    """
    for place, (x, y) in enumerate(points):
        kind = "touchMove" if place else "touchStart"
        await tab.tell("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y}])
    if points[1:]:
        await asyncio.sleep(REST_S)
    await tab.tell("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])


async def tapped(tab: Tab, target: str, part: tuple[float, float] = (0.5, 0.5)) -> None:
    """Tap an element, at its middle or another part of it, once it is brought into sight.

    What the server answers may move it at the last moment; then it is looked for again.
    """
    above = ""
    for _ in range(TRIES):
        await tab.until(f"{target}?.offsetParent && !{target}.disabled")
        x, y = await _in_sight(tab, target, part)
        assert await tab.value(SIDEWAYS) <= 0
        above = await tab.value(LIES_ABOVE % (target, x, y))
        if not above:
            await touched(tab, (x, y))
            return
    raise AssertionError(f"above {target} lies {above}")


async def pressed(tab: Tab, group: str, words: str) -> None:
    """Tap the button of a group that has these words."""
    await tapped(tab, button(group, words))


async def picked(tab: Tab, square: tuple[int, int], edge: int = 40) -> None:
    """Tap the middle of a square of a map of so many squares each way."""
    _, _, width, height = await tab.value(WHERE % BOARD)
    unit = min(width - 36, height - 36) / edge
    west, north = (width - edge * unit) / 2, (height - edge * unit) / 2
    x, y = west + (square[0] + 0.5) * unit, north + (square[1] + 0.5) * unit
    await tapped(tab, BOARD, (x / width, y / height))


async def drift(tab: Tab) -> tuple[int, int]:
    """Return the square to which the chosen ship drifts, or where it is, as its card says."""
    await tab.until(f"/{PLACE}/.test({CARD})")
    found = sorted(re.findall(rf"(drifts to|At) ({PLACE})", await text(tab, "card-lines")))
    x, y = found[-1][1].split(",")
    return int(x), int(y)


async def _in_sight(tab: Tab, target: str, part: tuple[float, float]) -> tuple[float, float]:
    """Swipe until a part of an element is in sight; return where."""
    height = PHONE[1]
    for _ in range(SWIPES):
        where: Any = await tab.value(WHERE % target)
        if where is None:
            continue
        x, y = where[0] + where[2] * part[0], where[1] + where[3] * part[1]
        if BORDER < y < height - BORDER and await tab.value(STANDS % target):
            assert min(where[2:]) >= LEAST, f"{target} is small: {where}"
            return x, y
        way = max(-300.0, min(300.0, height / 2 - y))
        start = height / 2 - way / 2
        await touched(tab, *((EDGE, start + way * step / 6) for step in range(7)))
    raise AssertionError(f"no swipe leads to {target}")
