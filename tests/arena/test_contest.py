"""A contest: who meets whom, from which seats, what it adds up to, and that it stays the same."""

import json
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from math import log10
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sunglare_arena.contest import Conditions, Contest, Result, contested
from sunglare_arena.findings import Findings
from sunglare_arena.report.page import page
from sunglare_arena.report.report import report
from sunglare_arena.report.result_lines import totals_line
from sunglare_arena.series import scenario_called
from sunglare_arena.standings import APART, Against, Matrix, Rating, rated
from sunglare_protocol.ids import Side

CERES = "shadow-of-ceres"

TRANSCRIPTS = {
    (CERES, ("scout", "lurker"), 3): "0f77f2a558400041321235f2b47f8d55",
    (CERES, ("random", "scout", "hunter"), 2): "76dd88f2bbc113232adebf8302f020db",
    ("picket-line", ("hunter", "random"), 3): "16eb52e3ef514944504ef7a7d6e0815f",
    ("orlog", ("raider", "admiral"), 2): "b5c56d311bbfd0fa4b2346627ade7e16",
}
"""The transcripts of two matches of these bots with so many turns.

They are the same on every version of Python. Where rules, records or bots have changed on purpose
they are others: `sunglare arena scout lurker --games 2 --turns 3` prints the first.
"""


def contest(*bots: str, scenarios: Sequence[str] = (CERES,), **changes: int) -> Contest:
    wanted = {"matches": 2, "turns": 2, **changes}
    return Contest(
        scenarios=tuple(scenario_called(name) for name in scenarios), bots=bots, **wanted
    )


def found(wanted: Contest, jobs: int = 1) -> Findings:
    """Return what a contest comes to."""
    findings = Findings(wanted)
    for result in contested(wanted, Conditions(), jobs):
        findings.take(result)
    return findings


def met(wanted: Contest) -> Counter[tuple[int, ...]]:
    """Return how often whom sat at a table."""
    seats = (bout.game.seats for bout in wanted.bouts())
    return Counter(tuple(sorted({entrant for _, entrant in seat})) for seat in seats)


def test_what_was_interrupted_is_told_in_report_lines_and_page(tmp_path: Path) -> None:
    findings = Findings(contest("scout", "lurker", "random"))
    with closing(contested(findings.contest, Conditions(), 1)) as results:
        findings.take(next(results))
    findings.is_interrupted = True
    said = "interrupted after 1 of 6 matches"
    first, *rest = report(findings, 1.0)
    assert first == said
    assert APART in rest
    assert f"<p>{said}</p>" in page(findings, tmp_path / "page.html")
    totals = json.loads(totals_line(findings))["totals"]
    assert (totals["matches"], totals["interrupted"]) == (1, True)


def test_of_more_bots_than_seats_each_meets_each_other_equally_often() -> None:
    assert met(contest("random", "lurker", "scout", matches=4)) == {
        (0, 1): 4,
        (0, 2): 4,
        (1, 2): 4,
    }


def test_no_more_bots_than_seats_sit_at_one_table() -> None:
    four = contest("random", "lurker", "scout", scenarios=("four-corners",), matches=4)
    assert met(four) == {(0, 1, 2): 4}


def test_more_bots_than_four_seats_meet_two_by_two_and_take_turns_around_the_table() -> None:
    five = contest(*("random",) * 5, scenarios=("four-corners",), matches=1)
    assert set(met(five)) == {(one, other) for other in range(5) for one in range(other)}
    assert {len(bout.game.seats) for bout in five.bouts()} == {4}


@pytest.mark.parametrize("bots", [2, 3, 4])
def test_every_pair_plays_the_same_seeds_from_both_seats(bots: int) -> None:
    bouts = contest(*("random",) * bots, matches=4).bouts()
    seats = Counter((bout.game.seed, bout.game.seats) for bout in bouts)
    seeds = {bout.game.seed for bout in bouts}
    assert len(seeds) == 2
    a, b = Side("A"), Side("B")
    orders = [(one, other) for one in range(bots) for other in range(bots) if one != other]
    assert seats == {(seed, ((a, one), (b, other))): 1 for seed in seeds for one, other in orders}


def test_the_tables_are_even_wherever_a_contest_ends_early() -> None:
    bouts = contest("random", "lurker", "scout", matches=6).bouts()
    for place in range(0, len(bouts), 3):
        now = {
            tuple(sorted(entrant for _, entrant in bout.game.seats))
            for bout in bouts[place : place + 3]
        }
        assert now == {(0, 1), (0, 2), (1, 2)}
    assert [bout.game.number for bout in bouts] == list(range(18))


def test_every_scenario_has_all_the_matches() -> None:
    bouts = contest("random", "lurker", scenarios=(CERES, "picket-line"), matches=3).bouts()
    assert Counter(bout.scenario for bout in bouts) == {0: 3, 1: 3}


@pytest.mark.parametrize("series", TRANSCRIPTS, ids=lambda series: f"{series[0]}-{series[1][0]}")
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_series_comes_out_as_it_was_stored(
    series: tuple[str, tuple[str, ...], int], jobs: int
) -> None:
    scenario, bots, turns = series
    findings = found(contest(*bots, scenarios=(scenario,), turns=turns), jobs)
    assert findings.transcript == TRANSCRIPTS[series]


def test_another_seed_has_another_transcript() -> None:
    first, other = (found(contest("random", turns=1, seed=seed)) for seed in (0, 1))
    assert first.transcript != other.transcript


def test_the_matrix_counts_every_match_of_a_pair_from_both_sides() -> None:
    findings = found(contest("scout", "random", "lurker", matches=2, turns=4))
    scores = findings.matrix
    for one in range(3):
        for other in range(3):
            seen, back = scores[one][other], scores[other][one]
            assert seen.matches == (0 if one == other else 2)
            assert (seen.wins, seen.draws, seen.losses) == (back.losses, back.draws, back.wins)
    for place, score in enumerate(findings.tally.scores):
        assert sum(cell.wins for cell in scores[place]) == score.wins


def test_at_a_table_of_four_the_winner_has_beaten_all_others_and_they_nobody() -> None:
    wanted = contest("scout", *("random",) * 3, scenarios=("four-corners",), matches=1)
    (result,) = contested(wanted, Conditions(), 1)
    won = Findings(wanted)
    won.take(_won_by(result, Side("C")))
    winner = dict(result.bout.game.seats)[Side("C")]
    for one, row in enumerate(won.matrix):
        for other, cell in enumerate(row):
            due = Against() if one == other or winner not in (one, other) else None
            assert cell == (due or Against(wins=one == winner, losses=one != winner))


def _won_by(result: Result, side: Side) -> Result:
    ended = msgspec.structs.replace(result.outcome.result, winner=side)
    return result._replace(outcome=msgspec.structs.replace(result.outcome, result=ended))


def matrix_of(wins: int, draws: int, losses: int) -> Matrix:
    """Return the matrix of two bots."""
    nobody = Against()
    return (
        (nobody, Against(wins, draws, losses)),
        (Against(losses, draws, wins), nobody),
    )


@given(st.integers(0, 300), st.integers(0, 300), st.integers(0, 300))
def test_two_ratings_differ_by_the_odds_of_the_matches(wins: int, draws: int, losses: int) -> None:
    if not wins + draws + losses:
        return
    one, other = rated(matrix_of(wins, draws, losses))
    odds = (wins + (draws + 1) / 2) / (losses + (draws + 1) / 2)
    assert one.points - other.points == pytest.approx(400 * log10(odds), abs=0.01)
    assert one.points == pytest.approx(-other.points, abs=1e-6)
    assert one.low < one.points < one.high


def test_more_matches_make_narrower_intervals() -> None:
    few, many = (rated(matrix_of(6 * n, n, 3 * n))[0] for n in (1, 100))
    assert many.high - many.low < (few.high - few.low) / 9


def test_whoever_wins_all_has_a_rating_with_an_end() -> None:
    one, other = rated(matrix_of(400, 0, 0))
    assert isinstance(one, Rating)
    assert 400 < one.points < 800
    assert other.high < one.low


def test_one_bot_alone_has_no_rating() -> None:
    assert rated(((Against(),),)) == ()
