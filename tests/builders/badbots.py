"""Bots that break the rules, each in its own way."""

from pathlib import Path

BAD_BOTS = '''
"""Bots that break the rules, each in its own way."""

import asyncio
import sys

from sunglare_client import Bot
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.orders import Sensors, Thrust, Turn


class Greedy(Bot):
    """Asks each ship for more thrust than it has, besides what is right."""

    def on_window(self, view, advice):
        if view.stage.phase is not Phase.PLOT:
            return []
        ships = advice.ships()
        out = [Sensors(ship=ship.id, out=True) for ship in ships]
        return [*out, *(Thrust(ship=ship.id, to=(ship.facing,) * 9) for ship in ships)]


class Garbled(Bot):
    """Orders what no message can carry."""

    def on_window(self, view, advice):
        return [Turn(ship=ship.id, steps=99) for ship in advice.ships()]


class Clumsy(Bot):
    """Crashes when it has to shoot."""

    def on_window(self, view, advice):
        if view.stage.phase is Phase.ENGAGE:
            raise ValueError("out of shells")
        return []


class Forgetful(Bot):
    """Returns nothing."""

    def on_window(self, view, advice):
        return None


class Deaf(Bot):
    """Crashes when it is told something."""

    def on_notice(self, notice):
        raise KeyError("who?")


class Faint(Bot):
    """Gives up in the first fight."""

    def gives_up(self, view):
        return view.stage.phase is Phase.ENGAGE


class Torn(Bot):
    """Crashes when it is asked whether it gives up."""

    def gives_up(self, view):
        raise LookupError("to be or not to be")


class Stillborn(Bot):
    """Cannot be made."""

    def __init__(self, seed=0):
        raise RuntimeError("not today")


class Quitting(Bot):
    """Ends its program, as a success."""

    def on_window(self, view, advice):
        sys.exit(0)


class Interrupting(Bot):
    """Interrupts its program."""

    def on_window(self, view, advice):
        raise KeyboardInterrupt


class Cancelling(Bot):
    """Cancels whatever waits for it."""

    def on_window(self, view, advice):
        raise asyncio.CancelledError


class Unborn(Bot):
    """Ends its program instead of being made."""

    def __init__(self, seed=0):
        sys.exit(0)


NUMBER = 7
'''


def bad_bots(folder: Path) -> str:
    """Return the path of a file with these bots, which is written to a folder."""
    path = folder / "bad.py"
    path.write_text(BAD_BOTS)
    return str(path)
