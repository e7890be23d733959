"""Typed lines as commands: answers to questions, empty lines, pasted blocks, the line before."""

from collections import deque
from typing import Final, final

from sunglare_client.terminal.actions import GRAVE, Action, is_no, is_yes
from sunglare_client.terminal.input.parser import AGAIN, split_line
from sunglare_client.terminal.screen import CTRL_D
from sunglare_client.verbs.table import verb_called

SURE: Final = "ready!"
"""The command that commits without a question."""

EMPTY: Final = ""
"""The command that an empty line of a person stands for."""

LEAVE: Final = "quit yes"
"""The command that leaves without a question."""

LEAVING: Final = "Leave the match? Then press the key again, or say y"
"""The question to a player who ends the input."""

NOT_DONE: Final = "Not done."
"""The answer to a player who declines what was asked."""

_COMMITTING: Final = (Action.READY, Action.PASS, *GRAVE)


@final
class LineInput:
    """The commands of the lines that were read and are not carried out yet.

    A question is answered by the line right after it: `y` gives the command that it was about,
    anything else drops it. A `script` is echoed, and its empty lines mean nothing.
    """

    def __init__(self, *, script: bool) -> None:
        """Begin without a question."""
        self.commands: deque[str] = deque()
        self.has_left = False
        self._script = script
        self._question = ""
        self._last = ""

    @property
    def is_asking(self) -> bool:
        """Return whether the next line answers a question."""
        return bool(self._question)

    def ask(self, command: str) -> None:
        """Have the next line answer whether to give this command; with none drop the question."""
        self._question = command

    def forget(self, command: str) -> None:
        """Drop the question about this command, if it is open."""
        if self._question == command:
            self._question = ""

    def take(self, line: str, *, has_started: bool, may_order: bool) -> list[str]:
        """Take a line that was read; return what to show of that."""
        question, self._question = self._question, ""
        if line == CTRL_D or (not has_started and line.split()[:1] == [Action.QUIT]):
            return self._end(question)
        if question and is_yes(line):
            return self._agree(question)
        if question and is_no(line):
            return [NOT_DONE]
        if not (self._script or line.strip()) and question in ("", SURE) and may_order:
            self.commands.append(EMPTY)
        if "\n" in line:
            return self._paste(line)
        self.commands.extend(split_line(line, self._last))
        if line.strip() not in ("", AGAIN):
            self._last = line
        return [f"> {line}"] if self._script else []

    def _end(self, question: str) -> list[str]:
        """Ask a player who ended the input, and leave if that was the answer."""
        if question == LEAVE:
            return self._agree(question)
        self._question = LEAVE
        return [LEAVING]

    def _agree(self, question: str) -> list[str]:
        if question == LEAVE:
            self.has_left = True
        else:
            self.commands.append(question)
        return []

    def _paste(self, block: str) -> list[str]:
        """Take the commands of a block of lines, but none that commits."""
        commands = [text for line in block.splitlines() for text in split_line(line)]
        left_out = [text for text in commands if _commits(text)]
        self.commands.extend(text for text in commands if text not in left_out)
        names = ", ".join(dict.fromkeys(left_out))
        return [f"left out of what was pasted: {names}. Type it."] if names else []


def _commits(text: str) -> bool:
    verb = verb_called(text.split()[0].lower().rstrip("!"))
    return not isinstance(verb, tuple) and verb.name in _COMMITTING
