"""The matrix of all shipped bots against all: this program plays it and writes it into BOTS.md.

It is no table of `doctables`, since it takes minutes to make. The same bots and the same number of
matches give the same matrix.
"""

import argparse
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from documents.doctables import BOTS, ROOT, text_of
from sunglare_arena.contest import Conditions, Contest, contested
from sunglare_arena.findings import Findings
from sunglare_arena.jobs import processors
from sunglare_arena.series import scenario_called
from sunglare_arena.standings import Against, Rating
from sunglare_client.bots import BOTS as SHIPPED
from sunglare_client.cli.progress_bar import watched

SCENARIOS = ("shadow-of-ceres", "picket-line", "orlog")
"""What is played: ships that look for each other, ships under cloaks, and agents on the ground."""

GAMES = 60

PLACE = re.compile(r"(<!-- matrix -->\n).*?(<!-- end of matrix -->)", re.DOTALL)
"""Where the matrix stands on the page."""


def played(scenario: str, games: int, jobs: int) -> Findings:
    """Return what so many matches of each pairing come to."""
    contest = Contest(
        scenarios=(scenario_called(scenario),), bots=tuple(SHIPPED), matches=games, seed=0
    )
    findings = Findings(contest)
    results = contested(contest, Conditions(), jobs)
    for result in watched(results, len(contest.bouts()), scenario):
        findings.take(result)
    return findings


def table(findings: Findings) -> str:
    """Return the matrix as a table of a page, the best bot first."""
    labels, scores, ratings = findings.labels, findings.matrix, findings.ratings
    order = sorted(range(len(labels)), key=lambda place: -ratings[place].points)
    heads = [f"`{findings.contest.scenarios[0].name}`", *(f"`{labels[n]}`" for n in order)]
    rows = [[*heads, "rating"], ["---", *("---:" for _ in range(len(order) + 1))]]
    for row in order:
        cells = (_cell(scores[row][column]) for column in order)
        rows.append([f"`{labels[row]}`", *cells, _rating(ratings[row])])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _cell(score: Against) -> str:
    return f"{100 * score.share:.0f}" if score.matches else ""


def _rating(rating: Rating) -> str:
    return f"{rating.points:+.0f} ({rating.low:+.0f} to {rating.high:+.0f})"


def section(found: list[Findings], games: int) -> str:
    """Return what stands between the marks of the page."""
    matches = sum(len(findings.results) for findings in found)
    faults = sum(len(findings.tally.faults) for findings in found)
    said = (
        f"{games} matches of each pairing in each scenario, seed 0, {matches} in all with {faults}"
        " faults. By row: points of a hundred against the bot of the column, a draw half; the"
        " rating with its interval of 95 %."
    )
    return "\n\n".join(("", said, *map(table, found), ""))[1:]


def main() -> None:
    """Play and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES, help="of each pairing and scenario")
    parser.add_argument("--jobs", type=int, default=processors(), help="processes")
    options = parser.parse_args()
    found = [played(scenario, options.games, options.jobs) for scenario in SCENARIOS]
    written = PLACE.sub(
        lambda place: f"{place[1]}{section(found, options.games)}{place[2]}", text_of(BOTS)
    )
    (ROOT / BOTS).write_text(written, encoding="utf-8")


if __name__ == "__main__":
    main()
