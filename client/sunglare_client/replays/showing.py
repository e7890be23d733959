"""`sunglare replay`: a replay in the terminal, window by window for a person, else all of it."""

import sys
from collections.abc import AsyncIterator

from sunglare_client.replays.recording import Recording
from sunglare_client.replays.telling import all_lines
from sunglare_client.replays.verbs import HELP_LINE, ROWS, Leave, obey
from sunglare_client.replays.viewer import Viewer
from sunglare_client.terminal.screen import CTRL_D, Screen, can_edit, typed_lines
from sunglare_protocol.replay.values import ReplayError


async def go_through(recording: Recording, eyes: str, index: int, screen: Screen) -> None:
    """Let a person go through a replay until they leave."""
    viewer = Viewer(recording, eyes, index, screen)
    screen.show([*viewer.go(index), HELP_LINE])
    async for line in _lines():
        if line == CTRL_D:
            return
        try:
            screen.show(obey(viewer, line))
        except Leave:
            return


def print_all(recording: Recording, eyes: str, screen: Screen, turns: range | None = None) -> str:
    """Print what an audience saw, window by window; return what is wrong with the file."""
    try:
        for lines in all_lines(
            recording, eyes, turns, ascii_only=screen.ascii_only, width=screen.width
        ):
            screen.show(lines)
    except ReplayError as fault:
        return str(fault)
    return recording.fault


def _lines() -> AsyncIterator[str]:
    """Return what a person types, from a line editor where there is one."""
    if not can_edit():
        return typed_lines(sys.stdin)
    from sunglare_client.terminal.input.line_editor import edited_lines

    names = [row.name for row in ROWS]
    return edited_lines(lambda line: [name for name in names if name.startswith(line)])
