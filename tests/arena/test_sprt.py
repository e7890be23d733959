"""The sequential test: what it decides, how often it errs on coins, the same with all jobs."""

from collections.abc import Callable
from math import log
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sunglare_arena.__main__ import OK, main
from sunglare_arena.sprt import BOUND, ERROR, Sprt, Verdict
from sunglare_client.cli.arena_args import stopping_rule

STREAMS = 1_000
"""So many streams of matches are tossed; errors of 5 % are 50 of them, give or take 21."""

ERRORS_MOST = STREAMS * ERROR + 3 * (STREAMS * ERROR * (1 - ERROR)) ** 0.5

Toss = Callable[[Random], int]


def coin(score: float, drawn: float = 0.0) -> Toss:
    """Return what tosses matches with this mean score, such a share of which are drawn."""
    won = score - drawn / 2

    def toss(rng: Random) -> int:
        at = rng.random()
        return 2 if at < won else 1 if at < won + drawn else 0

    return toss


def verdicts(toss: Toss, p0: float, p1: float, seed: int) -> tuple[dict[Verdict, int], float]:
    """Return how often each verdict was found, and after how many matches in the mean."""
    rng, found, matches = Random(seed), dict.fromkeys(Verdict, 0), 0
    for _ in range(STREAMS):
        test = Sprt(p0, p1)
        while (verdict := test.verdict) is Verdict.OPEN:
            test.take(toss(rng))
            matches += 1
        found[verdict] += 1
    return found, matches / STREAMS


@pytest.mark.parametrize("drawn", [0.0, 0.2, 0.6])
@pytest.mark.parametrize(("p0", "p1"), [(0.4, 0.6), (0.5, 0.6), (0.35, 0.5)])
def test_neither_verdict_is_wrong_more_often_than_promised(
    p0: float, p1: float, drawn: float
) -> None:
    lower, _ = verdicts(coin(p0, drawn), p0, p1, 1)
    higher, _ = verdicts(coin(p1, drawn), p0, p1, 2)
    assert lower[Verdict.HIGHER] <= ERRORS_MOST
    assert higher[Verdict.LOWER] <= ERRORS_MOST


def test_errors_do_happen_about_as_often_as_the_bounds_allow() -> None:
    found, _ = verdicts(coin(0.45), 0.45, 0.55, 3)
    assert found[Verdict.HIGHER] >= STREAMS * ERROR / 4


def test_the_test_ends_sooner_the_clearer_the_matter_is() -> None:
    _, clear = verdicts(coin(0.8), 0.5, 0.6, 4)
    _, close = verdicts(coin(0.6), 0.5, 0.6, 4)
    assert clear < close / 2


@given(st.lists(st.sampled_from((0, 1, 2)), max_size=300))
def test_a_draw_counts_as_half_a_match_won_and_half_of_one_lost(matches: list[int]) -> None:
    test = Sprt(0.45, 0.6)
    for halves in matches:
        test.take(halves)
    won, lost = sum(matches) / 2, sum(2 - halves for halves in matches) / 2
    due = won * log(0.6 / 0.45) + lost * log(0.4 / 0.55)
    assert test.ratio == pytest.approx(due)
    assert (test.verdict is Verdict.HIGHER) == (test.ratio >= BOUND)
    assert (test.verdict is Verdict.LOWER) == (test.ratio <= -BOUND)


@given(st.permutations([0] * 7 + [1] * 5 + [2] * 9))
def test_the_order_of_matches_does_not_change_what_they_add_up_to(matches: list[int]) -> None:
    tests = Sprt(0.4, 0.7), Sprt(0.4, 0.7)
    for test, order in zip(tests, (matches, sorted(matches)), strict=True):
        for halves in order:
            test.take(halves)
    assert tests[0].ratio == tests[1].ratio


@pytest.mark.parametrize(("p0", "p1"), [(0.6, 0.5), (0.5, 0.5), (0.0, 0.5), (0.5, 1.0)])
def test_scores_that_cannot_be_told_apart_are_refused(p0: float, p1: float) -> None:
    with pytest.raises(ValueError, match="0 < P0 < P1 < 1"):
        Sprt(p0, p1)


@pytest.mark.parametrize(
    ("bots", "games", "scores", "most", "tested"),
    [
        (2, None, None, 1_000, (0.45, 0.55)),
        (2, 400, None, 400, None),
        (2, None, (0.5, 0.6), 1_000, (0.5, 0.6)),
        (2, 400, (0.5, 0.6), 400, (0.5, 0.6)),
        (1, None, None, 100, None),
        (3, None, None, 100, None),
    ],
)
def test_two_bots_play_until_one_is_better_if_nothing_else_is_asked(
    bots: int,
    games: int | None,
    scores: tuple[float, float] | None,
    most: int,
    tested: tuple[float, float] | None,
) -> None:
    assert stopping_rule(bots, games, scores) == (most, tested)


def test_an_arena_ends_at_its_verdict_and_the_same_one_with_any_number_of_jobs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ("scout", "random", "--turns", "6", "--games", "40", "--sprt", "0.2", "0.8")
    told = []
    for jobs in ("1", "2"):
        assert main((*words, "--jobs", jobs)) == OK
        lines = capsys.readouterr().out.splitlines()
        told.append([line for line in lines if line.startswith(("SPRT", "transcript", "scout"))])
    assert told[0] == told[1]
    (verdict,) = (line for line in told[0] if line.startswith("SPRT: scout scores 0.8"))
    matches = int(verdict.partition(" after ")[2].partition(" matches")[0])
    assert matches % 2 == 0
    assert matches < 40
