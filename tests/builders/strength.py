"""Whether one bot beats another, as the tests of strength ask it."""

from typing import Final

from sunglare_arena.jobs import processors
from sunglare_arena.series import Series, run, scenario_called
from sunglare_arena.sprt import Sprt, Verdict
from sunglare_arena.tally import Tally
from sunglare_client.cli.arena_args import TESTED_MOST

BEATS: Final = (0.5, 0.6)
"""Who beats another scores the second rather than the first."""


def assert_beats(bot: str, other: str, scenario: str, matches: int | None) -> Tally:
    """Play so many matches with seats swapped: `bot` wins more, and nobody makes a fault.

    With None a sequential test has to find in at most a thousand matches that `bot` beats the
    other; it is wrong about either once in twenty times at most.
    """
    if matches is None:
        return assert_scores((bot, other), scenario, Sprt(*BEATS))
    found = run(_series((bot, other), scenario, matches))
    won, against = (score.wins for score in found.scores)
    assert found.faults == ()
    assert won > against
    return found


def assert_scores(
    bots: tuple[str, ...], scenario: str, sprt: Sprt, most: int = TESTED_MOST
) -> Tally:
    """Play until a test finds that the first bot scores the more, without a fault of anybody."""
    found = run(_series(bots, scenario, most), processors(), sprt=sprt)
    assert found.faults == ()
    assert sprt.verdict is Verdict.HIGHER, (bots, scenario, found.scores[0])
    return found


def _series(bots: tuple[str, ...], scenario: str, matches: int) -> Series:
    return Series(
        scenario=scenario_called(scenario), bots=bots, matches=matches, seed=7, swap=True
    )
