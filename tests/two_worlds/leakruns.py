"""What a long run of the two-worlds test has done so far, kept in a file and taken up again."""

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final, final

import msgspec

from two_worlds.match import EVERY, Tally

ROOT: Final = Path(__file__).parents[2]

TESTED: Final = ("server", "client", "protocol", "tests")
"""The folders whose programs and data decide what a match comes to."""


@final
class Goals(msgspec.Struct, frozen=True):
    """When a run is complete: windows compared in all, and to the point of each twist."""

    windows: int = 100_000
    per_twist: int = 2_000


@final
class Leak(msgspec.Struct, frozen=True):
    """A difference that was found: the words of the match that shows it again, and the text."""

    words: str
    text: str


@final
class Progress(msgspec.Struct):
    """What a run has done: the matches played as ranges, first and last, and what they came to."""

    seed: int
    done: list[tuple[int, int]] = []
    pairs: int = 0
    windows: int = 0
    covered: dict[str, int] = msgspec.field(
        default_factory=lambda: {twist.name: 0 for twist in EVERY}
    )
    leaks: list[Leak] = []

    @property
    def matches(self) -> int:
        """Return how many matches were played."""
        return sum(last - first + 1 for first, last in self.done)

    def next_number(self, under_way: Iterable[int]) -> int:
        """Return the lowest number of a match that is neither done nor under way."""
        taken = {number for first, last in self.done for number in range(first, last + 1)}
        taken.update(under_way)
        return next(number for number in range(len(taken) + 1) if number not in taken)

    def add(self, number: int, tally: Tally) -> None:
        """Count a match that was played."""
        self._mark(number)
        self.pairs += tally.pairs
        self.windows += tally.windows
        for name, count in tally.covered.items():
            self.covered[name] = self.covered.get(name, 0) + count

    def add_leak(self, leak: Leak) -> None:
        """Keep a leak; its match is not done, for it was not played to the end."""
        self.leaks.append(leak)

    def share(self, goals: Goals) -> float:
        """Return how much of the goals is reached, from 0 to 1."""
        reached = sum(min(count, goals.per_twist) for count in self.covered.values())
        whole = goals.per_twist * len(self.covered)
        of_each = reached / whole if whole else 1.0
        return min(of_each, self.windows / goals.windows if goals.windows else 1.0, 1.0)

    def is_complete(self, goals: Goals) -> bool:
        """Return whether nothing is left to be played."""
        return self.windows >= goals.windows and min(self.covered.values()) >= goals.per_twist

    def _mark(self, number: int) -> None:
        """Put a number into the ranges of those done, which stay sorted and apart."""
        ranges = sorted([*self.done, (number, number)])
        merged = ranges[:1]
        for first, last in ranges[1:]:
            if first == merged[-1][1] + 1:
                merged[-1] = (merged[-1][0], last)
            else:
                merged.append((first, last))
        self.done = merged


def code_hash(root: Path = ROOT) -> str:
    """Return a short hash of all that decides what a match comes to."""
    found = hashlib.blake2b(digest_size=6)
    for folder in TESTED:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".py", ".toml"):
                found.update(f"{path.relative_to(root)}\0".encode() + path.read_bytes())
    return found.hexdigest()


def loaded(path: Path, seed: int) -> Progress:
    """Return the progress kept in a file, or that of a new run with this seed.

    A file that can't be read is no reason to fail: the run begins anew.
    """
    try:
        found = msgspec.json.decode(path.read_bytes(), type=Progress)
    except (FileNotFoundError, msgspec.DecodeError):
        return Progress(seed=seed)
    return found if found.seed == seed else Progress(seed=seed)


def save(path: Path, progress: Progress) -> None:
    """Keep the progress in a file, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.write_bytes(msgspec.json.format(msgspec.json.encode(progress)))
    os.replace(fresh, path)
