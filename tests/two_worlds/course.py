"""The course of the two-worlds test: which match is played next, and what all came to.

Theory of operation. Secrecy is a statement about two worlds: if they differ only in what an
audience may not know, that audience must not be able to tell them apart. So beside one random
match others are played that differ from it by a *twist*: a foreign ship stands elsewhere, has
other weapons, has been seen by somebody else, orders came early or late. The same orders are given
in both (what the twist forbids is left out), and every byte that the audience gets is compared:
messages with their numbers and order, the beat of their release, snapshots for a resume, and the
answers to questions and refusals (`match`). A difference is a leak, whatever made it. The
test knows nothing of the rules of disclosure but when a twist may begin and when it ends, which
is written down a second time, from the rule book (`twists`).

A twist proves nothing where it makes no difference, so what is counted are windows in which the
truth of both worlds differed. Rare twists find their place in few matches; the course therefore
plays every scenario in turn first, and then those in which what is still lacking can happen.
Planted leaks show that the comparison would find one.

The same course is taken by the small form, in one process, and by the long one (leaks.py).
"""

from collections import Counter
from collections.abc import Mapping
from typing import final

from builders.scenarios import scenarios
from two_worlds.match import WHOLE, Depth, LeakError, Plan, played
from two_worlds.twistkinds import Twist
from two_worlds.twistplaces import PLACES
from two_worlds.twists import CATALOGUE

WANTED_MOST = 2
"""For how many twists a match is played that is played for rare ones: others crowd them out."""

GENERAL_EVERY = 4
"""After every scenario has had its turn, one match in so many still tries all twists."""

__all__ = ["Campaign", "Course", "LeakError"]


@final
class Course:
    """Chooses matches: first every scenario in turn, then where the rarest twists find a place."""

    def __init__(
        self, seed: int, names: tuple[str, ...] = (), catalogue: tuple[Twist, ...] = CATALOGUE
    ) -> None:
        """Prepare a course over the scenarios named, or all, with these twists."""
        self.seed, self.names = seed, names or tuple(scenarios())
        self.twists = tuple(twist.name for twist in catalogue)
        # The words of a plan stay short where nothing is left out. A choice of twists is tried
        # as it is in every match.
        self.all = () if catalogue is CATALOGUE else self.twists

    def plan(self, number: int, covered: Mapping[str, int], goal: int) -> Plan:
        """Return the match of this number, of which every twist should cover `goal` windows."""
        lacking = [name for name in self.twists if covered.get(name, 0) < goal]
        lacking.sort(key=lambda name: covered.get(name, 0))
        round_, place = divmod(number, GENERAL_EVERY)
        if number < len(self.names) or not lacking or place == 0 or self.all:
            at = number if number < len(self.names) else round_
            return Plan(self.names[at % len(self.names)], self.seed, number, self.all)
        rarest = [name for name in PLACES[lacking[0]] if name in self.names]
        scenario = (rarest or self.names)[number % len(rarest or self.names)]
        served = [name for name in lacking if scenario in PLACES[name] or not rarest]
        return Plan(scenario, self.seed, number, tuple(served[:WANTED_MOST]))


@final
class Campaign:
    """A run of paired matches in this process, and what it has come to."""

    def __init__(
        self,
        seed: int,
        names: tuple[str, ...] = (),
        catalogue: tuple[Twist, ...] = CATALOGUE,
        depth: Depth = WHOLE,
    ) -> None:
        """Prepare a run over the scenarios named, or all, with these twists."""
        self.course, self.depth = Course(seed, names, catalogue), depth
        self.matches = self.pairs = self.windows = 0
        self.covered: Counter[str] = Counter(dict.fromkeys(self.course.twists, 0))

    def run(self, goal: int, *, pairs_most: int = 10**9) -> None:
        """Play until every twist has covered `goal` windows, or so many pairs were compared.

        Raise `LeakError` at the first difference.
        """
        while min(self.covered.values()) < goal and self.pairs < pairs_most:
            self.play(self.course.plan(self.matches, self.covered, goal), self.depth)

    def play(self, plan: Plan, depth: Depth) -> None:
        """Play one match; raise `LeakError` at the first difference."""
        tally = played(plan, depth)
        self.matches += 1
        self.pairs += tally.pairs
        self.windows += tally.windows
        self.covered.update(tally.covered)

    def table(self) -> str:
        """Return the windows that each twist has covered, a line each."""
        return table(self.matches, self.pairs, self.windows, self.covered)


def table(matches: int, pairs: int, windows: int, covered: Mapping[str, int]) -> str:
    """Return what paired matches came to, the windows that each twist has covered a line each."""
    name, least = min(covered.items(), key=lambda pair: pair[1])
    head = (
        f"{matches:,} matches, {pairs:,} pairs of worlds, {windows:,} windows compared, "
        f"{sum(covered.values()):,} of them to the point; least: {name} {least:,}"
    )
    return "\n".join((head, *(f"{count:9,}  {name}" for name, count in covered.items())))
