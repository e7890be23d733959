"""Commands after the end of a match: those that read and chat are carried out, others refused."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, final

from sunglare_client.command import Act, Preview, Problem, ShowMap, ShowSurface
from sunglare_client.errors import LostError, RefusedError
from sunglare_client.terminal.actions import SHOWING, Action, is_reading, lines_of
from sunglare_client.terminal.display import Display
from sunglare_client.terminal.input.parser import parse, split_line
from sunglare_client.terminal.plain import Terminal

OVER: Final = (
    "E-PHASE   the match is over: commands that only read are taken, such as why, and say."
)
"""The refusal of everything that would change a match."""

Say = Callable[[str], Awaitable[object]]
"""Sends chat to the seats and spectators of the match; raises `RefusedError` or `LostError`."""


@final
class AfterMatch:
    """Carries out what is typed after the end of the match of a terminal."""

    def __init__(self, terminal: Terminal, display: Display, say: Say) -> None:
        """Show answers on a display; chat goes out by `say`."""
        self._terminal = terminal
        self._display = display
        self._say = say
        self._saying: set[asyncio.Task[None]] = set()

    def read(self, line: str) -> bool:
        """Carry out what a line asks to see or says; refuse what else it asks to do.

        Return whether every command of the line was carried out, and there was one.
        """
        done = [self._read(text) for text in split_line(line)]
        return bool(done) and all(done)

    def _read(self, text: str) -> bool:
        session = self._terminal.session
        if session is None:
            return False
        command = parse(text, session.view, session.given)
        is_read, show = True, self._display.show
        match command:
            case Act(deed=Action.SAY, text=words):
                self._chat(words)
                lines = []
            case Act(deed=deed) if deed in SHOWING:
                show = self._display.read if is_reading(command) else show
                lines = lines_of(command, session, self._terminal.clock)
            case Preview() | ShowMap() | ShowSurface():
                lines = session.carry_out(command, self._display)
            case Problem(code=code) if code != "E-PHASE":
                is_read, lines = False, [command.text]
            case _:
                is_read, lines = False, [OVER]
        show(map(session.labels.in_words, lines))
        return is_read

    def _chat(self, text: str) -> None:
        """Say something while the next line is read already."""
        saying = asyncio.create_task(self._said(text))
        self._saying.add(saying)
        saying.add_done_callback(self._saying.discard)

    async def _said(self, text: str) -> None:
        try:
            await self._say(text)
        except RefusedError as refused:
            self._display.show([f"E-SERVER  {refused} ({refused.code.value})"])
        except (LostError, TimeoutError) as lost:
            self._display.show([str(lost) or "The server does not answer."])
