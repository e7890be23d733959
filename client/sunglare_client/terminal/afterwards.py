"""Commands after the end of a match: those that only read are carried out, others refused."""

from typing import Final

from sunglare_client.command import Act, Preview, Problem, ShowMap, ShowSurface
from sunglare_client.terminal.actions import Action, is_reading, lines_of
from sunglare_client.terminal.display import Display
from sunglare_client.terminal.input.parser import parse, split_line
from sunglare_client.terminal.plain import Terminal

OVER: Final = (
    "E-PHASE   the match is over: commands that only read are taken, such as why or goals."
)
"""The refusal of everything that would change a match."""

_READ: Final = (
    Action.ORDERS,
    Action.WHY,
    Action.LOOK,
    Action.RULES,
    Action.NOTE,
    Action.CONTACTS,
    Action.SHIPS,
    Action.GOALS,
    Action.HELP,
)


def read_after(terminal: Terminal, display: Display, line: str) -> bool:
    """Carry out what a line asks to see of a match that is over; refuse what it asks to do.

    Return whether every command of the line was carried out, and there was one.
    """
    done = [_read(terminal, display, text) for text in split_line(line)]
    return bool(done) and all(done)


def _read(terminal: Terminal, display: Display, text: str) -> bool:
    session = terminal.session
    if session is None:
        return False
    command = parse(text, session.view, session.given)
    is_read, show = True, display.show
    match command:
        case Act(deed=deed) if deed in _READ:
            show = display.read if is_reading(command) else display.show
            lines = lines_of(command, session, terminal.clock)
        case Preview() | ShowMap() | ShowSurface():
            lines = session.carry_out(command, display)
        case Problem(code=code) if code != "E-PHASE":
            is_read, lines = False, [command.text]
        case _:
            is_read, lines = False, [OVER]
    show(map(session.labels.in_words, lines))
    return is_read
