"""A seat on every screen: nothing is wider than it, squeezed together, or out of reach."""

from pathlib import Path
from typing import Final

from builders.servers import running_app
from builders.wires import met
from page.seats import in_window, press, seat_against
from page.watching import SCREENS, visitor

BOARD: Final = "document.querySelector('#field-boards canvas').getBoundingClientRect()"

SQUEEZED: Final = """
[...document.getElementById('desk').children]
  .filter((one) => one.offsetParent && one.textContent.trim() && one.clientHeight < 15)
  .map((one) => one.id)
"""
"""What has words and no room for a line of them."""


IN_SIGHT: Final = """
['state', 'lock'].every((id) => {
  const { top, bottom } = document.getElementById(id).getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight && bottom > top;
})
"""
"""Whether the state of the window and the button that ends it can be seen."""

LOW: Final = (1280, 560)
"""A window in which the orders have to be scrolled."""


async def test_on_every_screen_a_seat_has_room_for_its_board_and_all_its_words(
    tmp_path: Path,
) -> None:
    async with running_app(tmp_path) as app, met(app.url, name="Bo") as bo, visitor() as tab:
        await seat_against(tab, app.url, bo)
        await tab.until(in_window("PLOT"))
        await press(tab, "ways", "other orders")
        await tab.until("document.getElementById('card-title').offsetParent")
        for width, height in SCREENS:
            await tab.size(width, height)
            await tab.until(f"innerWidth === {width}")
            assert await tab.value("document.scrollingElement.scrollWidth <= innerWidth")
            assert await tab.value(f"Math.min({BOARD}.width, {BOARD}.height)") >= 300
            assert await tab.value(SQUEEZED) == []
            if width > 800:
                # The whole seat is in sight, and its orders alone are scrolled.
                assert await tab.value("document.scrollingElement.scrollHeight") <= height
        await tab.size(*LOW)
        await tab.until(f"innerHeight === {LOW[1]}")
        for place in (9_999, 0):
            await tab.value(f"document.getElementById('desk').scrollTop = {place}")
            assert await tab.value(IN_SIGHT), place
