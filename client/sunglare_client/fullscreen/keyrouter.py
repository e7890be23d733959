"""Keys and pasted text of the full screen, handled in the order of their arrival.

Theory of operation. Textual hands a letter to the focused widget at once, while Enter, Tab and a
change of focus take several messages more: whatever is typed fast ended in the wrong line, or in
the line before. So the app takes every key itself, before Textual does, and handles it to its end
before it looks at the next: `on_event` is called for one event after the other. Where no screen
lies over the board, the keys of `ALWAYS` come first, then those of what has the focus: the map
(`ON_MAP`, and the commands of the scene) or the line, which edits by its own table. Letters that
the map took come back to the line if they turn out to begin its first word (`MapLetters`).
"""

import os
import re
from abc import abstractmethod

from textual import events
from textual.app import App
from textual.driver import Driver
from textual.widget import Widget

from sunglare_client.fullscreen.boardmap import BoardMap
from sunglare_client.fullscreen.keys import ALWAYS, LEAVING, LOOKING, ON_MAP, SUSPENDING
from sunglare_client.fullscreen.mapletters import MapLetters
from sunglare_client.fullscreen.stage import Stage
from sunglare_client.fullscreen.typedline import TypedLine
from sunglare_client.terminal.screen import CTRL_D

_NEWLINE = re.compile(r"\r\n|\r|\n")

_ENDS_WORD = ("space", "enter", "tab")
"""The keys after which a word of the line is whole."""


class KeyRouter(App[None]):
    """An app with a map and a line; exactly one of them has the keys."""

    def __init__(self, stage: Stage, *, ansi_color: bool) -> None:
        """Give commands to a stage."""
        super().__init__(ansi_color=ansi_color)
        self._stage = stage
        self._letters = MapLetters()

    def get_driver_class(self) -> type[Driver]:
        """Return what reads the keys of the terminal and draws on it."""
        if os.name != "posix":
            return super().get_driver_class()
        from sunglare_client.fullscreen.terminal_driver import TerminalDriver

        return TerminalDriver

    @property
    def line(self) -> TypedLine:
        """Return the line that one types."""
        return self.query_one("#line", TypedLine)

    @property
    def board(self) -> BoardMap:
        """Return the map."""
        return self.query_one("#map", BoardMap)

    @abstractmethod
    def tell(self, lines: list[str]) -> None:
        """Show lines in the record."""

    def echo(self, lines: list[str]) -> None:
        """Show commands in the record as they are given."""
        self.tell([f"> {line}" for line in lines])

    @property
    def is_pointing(self) -> bool:
        """Return whether the map has the keys."""
        # Focus events arrive later; what has the focus is known at once.
        return self.screen_stack[0].focused is self.board

    def give_keys(self, widget: Widget) -> None:
        """Give the keys to a widget, from the very next one on."""
        self.screen_stack[0].set_focus(widget)

    def say(self, line: str) -> None:
        """Give a command: it stands in the record, and is carried out like one that is typed."""
        if line != CTRL_D:
            self.echo([line])
        self._stage.type(line)

    async def on_event(self, event: events.Event) -> None:
        """Handle keys and pasted text at once, in the order of their arrival."""
        if isinstance(event, events.InputEvent) and not self.screen_stack:
            return  # a key that meant nothing to a widget comes back after the screen has closed
        is_new = isinstance(event, events.InputEvent | events.Paste) and not event.is_forwarded
        if is_new and isinstance(event, events.Key) and await self._press(event):
            return
        if is_new and isinstance(event, events.Paste) and not self._is_covered:
            self._letters.forget()
            self._paste(event.text)
            return
        if is_new and isinstance(event, events.MouseDown):
            self._letters.forget()
        await super().on_event(event)

    @property
    def _is_covered(self) -> bool:
        """Return whether another screen, such as the palette of commands, lies over this one."""
        return len(self.screen_stack) > 1

    async def _press(self, event: events.Key) -> bool:
        """Handle a key to its end; return whether it means anything here."""
        if event.key in LEAVING:
            self.action_leave()
            return True
        if event.key == SUSPENDING:
            self.action_suspend_process()
            return True
        if self._is_covered:
            return False
        if event.key.startswith("alt+") and len(letter := event.key.removeprefix("alt+")) == 1:
            # A terminal gives Escape and a letter that follows at once as one key.
            await self.run_action(ALWAYS["escape"], self)
            return await self._press(events.Key(letter, letter))
        if event.key in ALWAYS:
            self._letters.forget()
            return await self.run_action(ALWAYS[event.key], self)
        return await (
            self._press_on_map(event) if self.is_pointing else self._press_in_line(event)
        )

    async def _press_on_map(self, event: events.Key) -> bool:
        """Handle a key of the map; a letter that is none but begins a command goes to the line."""
        scene = self._stage.scene
        if scene is None:
            return False
        line, action = scene.keys().get(event.key), ON_MAP.get(event.key)
        if not scene.points:
            action = None
        elif not line and not action and self._begins_command(event.key):
            return await self._begin_command(event)
        if scene.points and event.key in LOOKING:
            self._letters.take(event.key)
        else:
            self._letters.forget()
        if line:
            self.say(line)
            return True
        return action is not None and await self.run_action(action, self)

    def _begins_command(self, key: str) -> bool:
        """Return whether a command begins with a letter, or a blank ends one that has begun."""
        if key == "space":
            return bool(self._letters.completed(""))
        return len(key) == 1 and self._letters.begins_verb(key)

    async def _begin_command(self, event: events.Key) -> bool:
        """Give the keys to the line, and the key that shows that a command is typed."""
        if self.line.value:
            self._letters.forget()
        elif event.key == "space":
            self.line.put(self._letters.completed(""))
        self.give_keys(self.line)
        return await self._press_in_line(event)

    async def _press_in_line(self, event: events.Key) -> bool:
        """Handle a key of the line, which gets back what the map took of its first word."""
        line = self.line
        if event.key in _ENDS_WORD and line.value and " " not in line.value:
            whole = self._letters.completed(line.value)
            if whole != line.value:
                line.put(whole)
        is_within_word = event.is_printable and event.key not in _ENDS_WORD
        if not is_within_word and event.key != "backspace":
            self._letters.forget()
        means_anything = await line.press(event)
        if not line.value:
            self._letters.forget()
        return means_anything

    def _paste(self, text: str) -> None:
        """Put pasted text into the line; all whole lines of it are given as one block."""
        *whole, rest = _NEWLINE.split(text)
        if whole:
            whole[0] = f"{self.line.value}{whole[0]}"
            self.echo(whole)
            self._stage.type("".join(f"{line}\n" for line in whole))
            self.line.put(rest)
        else:
            self.line.replace(rest, *self.line.selection)

    def action_map(self) -> None:
        """Give the keys to the map, or back to the line."""
        self.give_keys(self.line if self.is_pointing else self.board)

    def action_escape(self) -> None:
        """Take back what may still be taken back, else give the keys to the line."""
        scene = self._stage.scene
        line = "" if scene is None else scene.taking_back()
        if line:
            self.say(line)
        else:
            self.give_keys(self.line)

    def action_leave(self) -> None:
        """Ask to leave; again: leave."""
        self.say(CTRL_D)
