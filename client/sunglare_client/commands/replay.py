"""`sunglare replay`: a match that is over, in the terminal."""

import argparse
import sys
from pathlib import Path

from sunglare_client.commands.replay_data import replay_data, unusable
from sunglare_client.fullscreen.opening import can_fill, full_screen
from sunglare_client.fullscreen.replaying import go_through_on
from sunglare_client.replays.choosing import NoSuchError, eyes_of, steps_of
from sunglare_client.replays.own import recording_with
from sunglare_client.replays.recording import read_recording
from sunglare_client.replays.showing import go_through, print_all
from sunglare_client.terminal.screen import screen_on
from sunglare_client.text.printable import printable
from sunglare_protocol.replay.values import ReplayError


async def replay(options: argparse.Namespace) -> int:
    """Show a replay in the terminal; return the exit code."""
    try:
        recording = read_recording((await replay_data(options)).data)
        if options.mine is not None:
            recording = recording_with(recording, Path(options.mine))
        eyes, indices = eyes_of(recording, options.eyes), steps_of(recording, options.turns)
    except (ReplayError, NoSuchError) as fault:
        return unusable(fault)
    screen = screen_on(sys.stdout, ascii_only=options.ascii)
    if sys.stdin.isatty() and sys.stdout.isatty() and not options.plain:
        if can_fill() and not options.lines:
            async with full_screen(
                ascii_only=screen.ascii_only, mono=options.mono, still=options.still
            ) as stage:
                await go_through_on(stage, recording, eyes, indices[0])
            return 0
        screen.show([recording.fault] if recording.fault else [])
        await go_through(recording, eyes, indices[0], screen)
        return 0
    why = print_all(recording, eyes, screen, options.turns)
    if why:
        print(f"sunglare: {printable(why)}", file=sys.stderr)
    return 0
