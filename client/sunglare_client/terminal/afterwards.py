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


def read_after(terminal: Terminal, face: Display, line: str) -> bool:
    """Carry out what a line asks to see of a match that is over; refuse what it asks to do.

    Return whether every command of the line was carried out, and there was one.
    """
    done = [_read(terminal, face, text) for text in split_line(line)]
    return bool(done) and all(done)


def _read(terminal: Terminal, face: Display, text: str) -> bool:
    desk = terminal.desk
    if desk is None:
        return False
    command = parse(text, desk.view, desk.given)
    is_read, show = True, face.show
    match command:
        case Act(deed=deed) if deed in _READ:
            show = face.read if is_reading(command) else face.show
            lines = lines_of(command, desk, terminal.clock)
        case Preview() | ShowMap() | ShowSurface():
            lines = desk.carry_out(command, face)
        case Problem(code=code) if code != "E-PHASE":
            is_read, lines = False, [command.text]
        case _:
            is_read, lines = False, [OVER]
    show(map(desk.labels.in_words, lines))
    return is_read
