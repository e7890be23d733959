"""Keys and pasted text of the full screen, handled in the order of their arrival.

Theory of operation. Textual hands a letter to the focused widget at once, while Enter, Tab and a
change of focus take several messages more: whatever is typed fast ended in the wrong line, or in
the line before. So the app takes every key itself, before Textual does, and handles it to its end
before it looks at the next: `on_event` is called for one event after the other. Where no screen
lies over the board, the keys of `ALWAYS` come first, then those of what has the focus: the map
(`ON_MAP`, and the commands of the scene) or the line, which edits by its own table.
"""

import re
from abc import abstractmethod

from textual import events
from textual.app import App
from textual.widget import Widget

from sunglare_client.fullscreen.boardmap import BoardMap
from sunglare_client.fullscreen.keys import ALWAYS, LEAVING, ON_MAP
from sunglare_client.fullscreen.stage import Stage
from sunglare_client.fullscreen.typedline import TypedLine
from sunglare_client.terminal.screen import CTRL_D
from sunglare_client.verbs.table import VERBS

_NEWLINE = re.compile(r"\r\n|\r|\n")


class KeyRouter(App[None]):
    """An app with a map and a line; exactly one of them has the keys."""

    def __init__(self, stage: Stage, *, ansi_color: bool) -> None:
        """Give commands to a stage."""
        super().__init__(ansi_color=ansi_color)
        self._stage = stage

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
        is_new = isinstance(event, events.InputEvent | events.Paste) and not event.is_forwarded
        if is_new and isinstance(event, events.Key) and await self._press(event):
            return
        if is_new and isinstance(event, events.Paste) and not self._is_covered:
            self._paste(event.text)
            return
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
        if self._is_covered:
            return False
        if event.key.startswith("alt+") and len(letter := event.key.removeprefix("alt+")) == 1:
            # A terminal gives Escape and a letter that follows at once as one key.
            await self.run_action(ALWAYS["escape"], self)
            return await self._press(events.Key(letter, letter))
        if event.key in ALWAYS:
            return await self.run_action(ALWAYS[event.key], self)
        return await (self._press_on_map(event) if self.is_pointing else self.line.press(event))

    async def _press_on_map(self, event: events.Key) -> bool:
        """Handle a key of the map; a letter that is none but begins a command goes to the line."""
        scene = self._stage.scene
        if scene is None:
            return False
        if line := scene.keys().get(event.key):
            self.say(line)
            return True
        if not scene.points:
            return False
        if event.key in ON_MAP:
            return await self.run_action(ON_MAP[event.key], self)
        if any(event.key in (verb.name[0], verb.alias) for verb in VERBS):
            self.give_keys(self.line)
            return await self.line.press(event)
        return False

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
