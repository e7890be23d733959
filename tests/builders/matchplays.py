"""Plays that are stored and counted, also in other processes, for the tests of the store."""

import os
from collections.abc import Callable
from multiprocessing.synchronize import Barrier
from pathlib import Path

from builders import matchstore
from builders.matchstore import read_or_played, stored


class Counting:
    """A function that is stored in a folder, with how often it has played."""

    def __init__(self, folder: Path) -> None:
        self.plays = 0
        self.folder = folder

    def fresh(self) -> Callable[..., str]:
        """Return the function as another process has it, which has nothing in memory."""

        @stored(str, lambda: self.folder)
        def played(name: str, seed: int = 1) -> str:
            self.plays += 1
            return f"{name} {seed}"

        return played


def play_together(folder: Path, together: Barrier) -> None:
    """Play a match when the others are there, too, and leave a mark of having done so."""

    def play() -> str:
        (folder / f"played-{os.getpid()}").touch()
        return "a match" * 10_000

    together.wait()
    assert read_or_played(folder / "match", str, play) == "a match" * 10_000


def play_switched_off(folder: Path) -> None:
    """Play before and after the process is switched off, and check what was played and stored."""
    counting = Counting(folder)
    played = counting.fresh()
    played("duel")
    matchstore.switch_off()
    played("duel")
    played("duel")
    assert counting.plays == 2, "what was played before the mutant is forgotten"
    played("melee")
    assert len([path for path in folder.iterdir() if not path.suffix]) == 1
