"""The line that a person edits on a terminal: prompt, history, completion, and news above it."""

import contextlib
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from typing import TextIO, cast, final

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.patch_stdout import StdoutProxy
from prompt_toolkit.shortcuts import CompleteStyle

from sunglare_client.terminal.screen import CTRL_D, on_interrupt

PROMPT = "> "
"""What stands before the line."""

REPAINT_S = 0.02
"""Lines that come within so many seconds are written at once."""


async def edited_lines(complete: Callable[[str], list[str]]) -> AsyncIterator[str]:
    """Yield the lines that are typed; `complete` says what the last word of one may become.

    Ctrl-D on an empty line yields `CTRL_D`, and so does Ctrl-C; between two lines, where the
    terminal makes a signal of that key, it ends the program only if the one before it has not been
    read. A block of lines that was pasted comes as one line, with its line breaks.
    """
    session: PromptSession[str] = PromptSession(
        PROMPT,
        completer=_Words(complete),
        complete_while_typing=False,
        complete_style=CompleteStyle.READLINE_LIKE,
        reserve_space_for_menu=0,
        enable_suspend=True,
    )
    unread: list[str] = []

    def leave() -> bool:
        # A line that is taken keeps its editor a while, until the terminal has answered.
        if session.app.is_running and not session.app.is_done:
            session.app.exit(exception=KeyboardInterrupt)
            return True
        unread.append(CTRL_D)
        return len(unread) == 1

    with on_interrupt(leave):
        while True:
            if unread:
                yield unread.pop()
                continue
            try:
                line = await session.prompt_async(handle_sigint=False)
            except (EOFError, KeyboardInterrupt):
                line = CTRL_D
            yield line


@contextlib.contextmanager
def above_the_line() -> Iterator[TextIO]:
    """Yield a stream whose lines stand above the one that is being typed."""
    with StdoutProxy(sleep_between_writes=REPAINT_S) as proxy:
        yield cast(TextIO, proxy)


@final
class _Words(Completer):
    """The words of the command language, for the editor."""

    def __init__(self, complete: Callable[[str], list[str]]) -> None:
        self._complete = complete

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        """Yield what the word before the cursor may become."""
        del complete_event
        line = document.text_before_cursor
        begun = len(line.rpartition(" ")[2])
        for word in self._complete(line):
            yield Completion(f"{word} ", start_position=-begun, display=word)
