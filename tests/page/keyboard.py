"""A player without a mouse: Tab from one thing to the next, the keys of each, and reading."""

from typing import Final

from page.browser import Tab
from page.watching import text

STEPS: Final = 200
"""So many presses of Tab lead anywhere on the page."""

BOARD: Final = "document.querySelector('#field-boards canvas')"

WAY_TO: Final = """
((target) => {
  const at = document.activeElement;
  if (!target?.offsetParent || target.disabled) return null;
  if (at === target) return 0;
  return at.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_PRECEDING ? -1 : 1;
})(%s)
"""
"""Whether the focus is where it should be, and if not on which side of it that lies."""


def button(group: str, words: str) -> str:
    """Return the button of a group that has these words, as an expression."""
    found = f"[...document.querySelectorAll('#{group} button, button#{group}, #{group} a')]"
    return f"{found}.find((one) => one.textContent.includes({words!r}))"


async def tabbed(tab: Tab, target: str) -> bool:
    """Press Tab, or Shift and Tab, until the focus is on an element; return whether it stayed."""
    for _ in range(STEPS):
        way = await tab.value(WAY_TO % target)
        if way is None or way == 0:
            return way is not None
        await tab.press("Tab", shift=way == -1)
    raise AssertionError(f"no Tab leads to {target}")


async def entered(tab: Tab, group: str, words: str) -> None:
    """Go to the button of a group that has these words, and press Enter."""
    target = button(group, words)
    await tab.until(f"{target}?.offsetParent && !{target}.disabled")
    if await tabbed(tab, target):
        await tab.press("Enter")


async def chosen(tab: Tab, group: str, words: str) -> None:
    """Do what `entered` does and wait until the page shows that the button is the chosen one."""
    await entered(tab, group, words)
    await tab.until(f"{button(group, words)}?.getAttribute('aria-pressed') === 'true'")


async def picked(tab: Tab, square: tuple[int, int]) -> None:
    """Go to a square of the board by the arrows, from wherever its cursor is, and pick it."""
    await tabbed(tab, BOARD)
    await tab.press("ArrowRight")
    words = await text(tab, "field-pointed")
    x, y = map(int, words.split()[0].split(","))
    across = ("ArrowRight" if square[0] > x else "ArrowLeft", abs(square[0] - x))
    down = ("ArrowDown" if square[1] > y else "ArrowUp", abs(square[1] - y))
    for key, times in (across, down):
        for _ in range(times):
            await tab.press(key)
    assert (await text(tab, "field-pointed")).startswith(f"{square[0]},{square[1]} ")
    await tab.press("Enter")
