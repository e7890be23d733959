"""The line that one types: completion, what is left of a word in grey, and the lines before."""

from collections.abc import Callable, Iterable
from itertools import chain
from typing import ClassVar, Final, final

from textual import events
from textual.binding import Binding, BindingType
from textual.suggester import Suggester
from textual.widgets import Input

from sunglare_client.text.printable import printable

Complete = Callable[[str], list[str]]

PROMPT = "type a command, such as help"
"""What stands there while nothing is typed."""

ELSEWHERE = "Escape, to type a command: the map has the keys"
"""What stands there meanwhile, while keys do not go to the line."""

KEPT = 200
"""So many lines are remembered."""


@final
class TypedLine(Input):
    """The line that one types; what has been typed stays whatever else happens on the screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "finish_word", "complete", show=False),
        Binding("up", "before", "the line before", show=False),
        Binding("down", "after", "the line after", show=False),
    ]

    def __init__(
        self,
        complete: Complete,
        take: Callable[[str], object],
        *,
        id: str,  # noqa: A002 - the name that widgets have for it
    ) -> None:
        """Begin empty; `take` receives each line as soon as it is ended."""
        super().__init__(
            placeholder=PROMPT,
            id=id,
            compact=True,
            suggester=_Rest(complete),
            select_on_focus=False,
        )
        # A cursor that blinks would be sent over the line twice a second.
        self.cursor_blink = False
        self._complete = complete
        self._take = take
        self._lines: list[str] = []
        self._at = 0
        self._candidates: list[str] = []
        self._begun = ""

    def on_focus(self) -> None:
        """Ask for a command."""
        self.placeholder = PROMPT

    def on_blur(self) -> None:
        """Say how to type one."""
        self.placeholder = ELSEWHERE

    def put(self, text: str) -> None:
        """Have this text stand there, the cursor behind it."""
        self.value = text
        self.cursor_position = len(text)

    async def press(self, event: events.Key) -> bool:
        """Handle a key to its end; return whether it means anything here."""
        if event.is_printable and event.character is not None:
            self.replace(event.character, *self.selection)
            return True
        action = _EDITING.get(event.key)
        if action is not None:
            await self.app.run_action(action, self)
        return action is not None

    def action_finish_word(self) -> None:
        """Finish the last word; again: with the next word that fits."""
        if self._candidates and self.value in self._finished():
            at = self._finished().index(self.value) + 1
        else:
            self._begun = self.value[: len(self.value) - len(self.value.rpartition(" ")[2])]
            self._candidates, at = self._complete(self.value), 0
        if self._candidates:
            self.put(self._finished()[at % len(self._candidates)])

    def _finished(self) -> list[str]:
        return [f"{self._begun}{word} " for word in self._candidates]

    def action_before(self) -> None:
        """Show the line that was typed before."""
        self._go(-1)

    def action_after(self) -> None:
        """Show the line that was typed after, or none."""
        self._go(1)

    def _go(self, step: int) -> None:
        self._at = min(max(self._at + step, 0), len(self._lines))
        self.put(self._lines[self._at] if self._at < len(self._lines) else "")

    async def action_submit(self) -> None:
        """End the line."""
        line = printable(self.value)
        if line.strip() and self._lines[-1:] != [line]:
            self._lines = [*self._lines, line][-KEPT:]
        self._at = len(self._lines)
        self.put("")
        self._take(line)


def _actions(bindings: Iterable[BindingType]) -> dict[str, str]:
    found: dict[str, str] = {}
    for binding in bindings:
        if isinstance(binding, Binding):
            found |= dict.fromkeys(binding.key.split(","), binding.action)
    return found


_EDITING: Final = _actions(chain(Input.BINDINGS, TypedLine.BINDINGS))
"""The actions of the keys that edit, by key."""


@final
class _Rest(Suggester):
    """What is left of the word that is being typed, if only one will do."""

    def __init__(self, complete: Complete) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._complete = complete

    async def get_suggestion(self, value: str) -> str | None:
        """Return the line with its last word finished; None if several would do, or none."""
        last = value.rpartition(" ")[2]
        found = self._complete(value) if last else []
        if len(found) != 1 or not found[0].startswith(last):
            return None
        return value + found[0][len(last) :]
