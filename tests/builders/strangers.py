"""Bots that do what no bot should, and whether a process is still there."""

import os
import time
from pathlib import Path

GONE_S = 60.0
"""How long a process may take to be gone."""

STRANGERS = '''
"""Bots that do what no bot should."""

import os
import signal
import subprocess
import sys
import time

from sunglare_client import Bot
from sunglare_protocol.words.ladder import Phase

FOLDER = os.path.dirname(__file__)


def fights(view):
    return view.stage.phase is Phase.ENGAGE


def note(name, process):
    with open(os.path.join(FOLDER, f"{name}.new"), "w") as file:
        file.write(str(process))
    os.replace(os.path.join(FOLDER, f"{name}.new"), os.path.join(FOLDER, name))


class Hanging(Bot):
    """Never comes back from its first fight."""

    def on_start(self, match):
        note(f"hanging {match.side}", os.getpid())

    def on_window(self, view, advice):
        while fights(view) and view.stage.turn == 1:
            pass
        return []


class Asleep(Hanging):
    """Sleeps through the whole of its first fight."""

    def on_window(self, view, advice):
        if fights(view):
            time.sleep(3600)
        return []


class Staying(Bot):
    """Never comes back from the start of its second match."""

    def on_start(self, match):
        if os.path.exists(os.path.join(FOLDER, "first")):
            note("staying", os.getpid())
            time.sleep(3600)
        note("first", os.getpid())


class Dying(Bot):
    """Is gone in its first fight."""

    def on_window(self, view, advice):
        if fights(view) and view.stage.turn == 1:
            os.kill(os.getpid(), signal.SIGSEGV)
        return []


class Leaving(Bot):
    """Leaves the program in every fight."""

    def on_window(self, view, advice):
        if fights(view):
            os._exit(7)
        return []


class Vanishing(Bot):
    """Ends its process at once, as a success, in every fight."""

    def on_window(self, view, advice):
        if fights(view):
            os._exit(0)
        return []


class Greedy(Bot):
    """Wants more memory than it may have."""

    def on_window(self, view, advice):
        self.all = bytearray(4 << 30) if fights(view) else None
        return []


class Babbling(Bot):
    """Writes nonsense to everything that it can write to."""

    def on_window(self, view, advice):
        for number in range(3, 64):
            try:
                os.write(number, b"\\xff" * 64)
            except OSError:
                pass
        return []


class Slow(Bot):
    """Thinks for a fifth of a second in every fight."""

    def on_window(self, view, advice):
        began = time.thread_time()
        while fights(view) and time.thread_time() < began + 0.2:
            pass
        return []


class Faint(Bot):
    """Gives up in the first fight."""

    def gives_up(self, view):
        return fights(view)


class Stillborn(Bot):
    """Cannot be made."""

    def __init__(self, seed=0):
        raise RuntimeError("not <today>")


COUNTED = []


class Counting(Bot):
    """Notes how many of its kind were made in its process before it."""

    def on_start(self, match):
        self.note(f"number {len(COUNTED)}")
        COUNTED.append(self)


class Parricide(Bot):
    """Kills the process that started its own, in its first fight."""

    def on_window(self, view, advice):
        if fights(view) and view.stage.turn == 1:
            os.kill(os.getppid(), signal.SIGKILL)
        return []


class Parent(Bot):
    """Leaves a process of its own behind."""

    def on_start(self, match):
        self.child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"])
        note("child", self.child.pid)
'''


def strangers_in(folder: Path) -> str:
    """Return the path of a file with these bots, which is written to a folder."""
    path = folder / "strangers.py"
    path.write_text(STRANGERS)
    return str(path)


def noted(folder: Path, name: str) -> int:
    """Wait until a bot has noted a process, and return that."""
    path, end = folder / name, time.monotonic() + GONE_S
    while not path.exists() and time.monotonic() < end:
        time.sleep(0.02)
    return int(path.read_text())


def runs(process: int) -> bool:
    """Return whether a process is there and has not merely ended unnoticed by its parent."""
    try:
        os.kill(process, 0)
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except ProcessLookupError:
        return False
    except FileNotFoundError:
        return not Path("/proc/self").exists()
    return state != "Z"


def is_gone_soon(process: int) -> bool:
    """Wait until a process is gone; return whether it is."""
    end = time.monotonic() + GONE_S
    while runs(process) and time.monotonic() < end:
        time.sleep(0.05)
    return not runs(process)
