"""Whether one bot beats another, as the tests of strength ask it."""

from sunglare_arena.series import Series, run, scenario_called
from sunglare_arena.tally import wilson


def assert_beats(bot: str, other: str, scenario: str, matches: int, *, is_long: bool) -> None:
    """Play so many matches with seats swapped: `bot` wins more, and nobody makes a fault.

    In a long form the interval of its wins must lie above one half besides.
    """
    series = Series(
        scenario=scenario_called(scenario), bots=(bot, other), matches=matches, seed=7, swap=True
    )
    found = run(series, 2 if is_long else 1)
    won, against = (score.wins for score in found.scores)
    assert found.faults == ()
    assert won > against
    if is_long:
        assert wilson(won, matches)[0] > 0.5
