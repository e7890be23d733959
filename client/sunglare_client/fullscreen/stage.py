"""Between a match and the full screen: the lines that are typed, and what is shown of it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from typing import final

from sunglare_client.fullscreen.keys import keys_text
from sunglare_client.fullscreen.scene import Scene
from sunglare_client.text.printable import printable

Tell = Callable[[list[str]], None]
Redraw = Callable[[], None]


@final
class Stage:
    """A display that keeps the board: `scene` is what is shown, `lines` yields what is typed.

    `give_map` gives the keys to the map, `turn_to` shows a text from its first line on, `rank`
    puts results before others, `drawn_legend` returns the shapes on the map.
    """

    def __init__(self, *, ascii_only: bool, still: bool = False) -> None:
        """Show nothing yet. A `still` one shows no passages between windows."""
        self.ascii_only = ascii_only
        self.still = still
        self.width = 80
        self.map_height = 24
        self.keeps_board = True
        self.scene: Scene | None = None
        self.opened = asyncio.Event()
        self._typed: asyncio.Queue[str | None] = asyncio.Queue()
        self._tell: Tell = _unheard
        self._redraw: Redraw = _unseen
        self.give_map: Callable[[], object] = _unseen
        self.turn_to: Tell = _unheard
        self.rank: Tell = _unheard
        self.drawn_legend: Callable[[], list[str]] = list

    def open(self, tell: Tell, redraw: Redraw) -> None:
        """Show from now on by these."""
        self._tell, self._redraw = tell, redraw
        self.opened.set()

    def close(self) -> None:
        """Show nothing more; the typed lines end."""
        self._tell = self.turn_to = self.rank = _unheard
        self._redraw = _unseen
        self._typed.put_nowait(None)

    def show(self, lines: Iterable[str]) -> None:
        """Show the lines below what was shown before."""
        self._tell(self._printed(lines))

    def put_first(self, lines: Iterable[str]) -> None:
        """Have these of the lines shown just now come first among the results."""
        self.rank(self._printed(lines))

    def read(self, lines: Iterable[str]) -> None:
        """Show the lines on a record that is large enough to read them, from the first one on."""
        self.turn_to(self._printed(lines))

    def tell(self, line: str) -> None:
        """Show a line; it can't be copied from here, so it is printed again at the end."""
        self.show([line])

    def legend(self) -> list[str]:
        """Return the shapes on the board, each with its meaning, and the keys of the map."""
        keys = [] if self.scene is None else [keys_text(self.scene.occasion)]
        return [*self.drawn_legend(), *keys]

    def draw(self) -> None:
        """Show how the scene stands now."""
        self._redraw()

    def type(self, line: str) -> None:
        """Take a typed line, or a key that means one."""
        self._typed.put_nowait(line)

    def _printed(self, lines: Iterable[str]) -> list[str]:
        return [printable(line, ascii_only=self.ascii_only) for line in lines]

    async def lines(self) -> AsyncIterator[str]:
        """Yield what is typed until the screen is closed."""
        while (line := await self._typed.get()) is not None:
            yield line


def _unheard(lines: list[str]) -> None:
    del lines


def _unseen() -> None:
    return None
