"""A contest in words: who beat whom, ratings, lines about each bot, and what concerns all."""

from collections.abc import Iterator, Sequence

from sunglare_arena.findings import Findings
from sunglare_arena.player import Thinking
from sunglare_arena.standings import Matrix, unrated
from sunglare_arena.tally import Score, Tally

FAULTS_SHOWN = 5
"""So many faults are printed one by one."""


def report(findings: Findings, seconds: float) -> Iterator[str]:
    """Yield the lines about a contest that took so many seconds of real time."""
    tally = findings.tally
    if said := findings.interruption():
        yield said
    if len(findings.labels) > 1:
        yield from matrix_lines(findings.labels, findings.matrix)
        yield from _ratings(findings)
    for score, thinking in zip(tally.scores, findings.thinking, strict=True):
        yield from _score(score, findings.offered)
        yield from _thinking(thinking)
    used = {kind for score in tally.scores for kind in score.used}
    missing = [kind for kind in findings.offered if kind not in used]
    yield f"never used by anybody: {', '.join(missing) or 'nothing'}"
    yield f"won by seat: {findings.by_seat}"
    yield from _all(tally, seconds)
    yield f"transcript {findings.transcript}"
    if findings.sprt is not None:
        yield findings.verdict()
    yield from _faults(findings, tally)


def matrix_lines(labels: Sequence[str], scores: Matrix) -> Iterator[str]:
    """Yield the win matrix as a table: by row matches won, drawn and lost against each column."""
    rows = [["won-drawn-lost", *labels]]
    for label, row in zip(labels, scores, strict=True):
        cells = [f"{one.wins}-{one.draws}-{one.losses}" if one.matches else "" for one in row]
        rows.append([label, *cells])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *rest in rows:
        cells = [f"{cell:>{width}}" for cell, width in zip(rest, widths[1:], strict=True)]
        yield "  ".join([f"{first:{widths[0]}}", *cells]).rstrip()


def _ratings(findings: Findings) -> Iterator[str]:
    if why := unrated(findings.matrix):
        yield why
        return
    width = max(map(len, findings.labels))
    found = zip(findings.labels, findings.ratings, strict=True)
    for label, rating in sorted(found, key=lambda one: -one[1].points):
        between = f"95 % interval {rating.low:+.0f} to {rating.high:+.0f}"
        yield f"rating  {label:{width}}  {rating.points:+5.0f}  ({between})"


def _score(score: Score, offered: tuple[str, ...]) -> Iterator[str]:
    low, high = score.interval
    yield (
        f"{score.name}: {score.matches} matches: {score.wins} won, {score.draws} drawn,"
        f" {score.losses} lost; wins {_percent(score.win_rate)}"
        f" (95 % interval {_percent(low)} to {_percent(high)})"
    )
    yield f"  crashes {score.crashes}, refused orders {score.refused}, too late {score.late}"
    counts = ", ".join(f"{kind} {count}" for kind, count in sorted(score.used.items()))
    yield f"  orders: {counts or 'none'}"
    unused = [kind for kind in offered if kind not in score.used]
    if unused:
        yield f"  not used: {', '.join(unused)}"


def _thinking(thinking: Thinking) -> Iterator[str]:
    if thinking.decisions:
        mean_ms = 1000 * thinking.cpu_s / thinking.decisions
        slowest = f"at most {thinking.slowest_s:.3f} s ({thinking.slowest_in})"
        yield f"  thinking: {mean_ms:.1f} ms for each of {thinking.decisions} windows, {slowest}"


def _all(tally: Tally, seconds: float) -> Iterator[str]:
    yield (
        f"{tally.matches} matches, {_percent(tally.early_share)} decided before the turn limit,"
        f" {tally.draws} drawn, {tally.turns / tally.matches:.1f} turns each"
    )
    yield (
        f"{tally.matches / seconds:.2f} matches/s, {tally.windows / seconds:.0f} windows/s,"
        f" {seconds:.1f} s"
    )


def _faults(findings: Findings, tally: Tally) -> Iterator[str]:
    for fault in tally.faults[:FAULTS_SHOWN]:
        kept = findings.files.get(fault.game)
        file = f" [{kept}]" if kept else ""
        name = tally.scores[fault.entrant].name
        yield f"  {name}, match {fault.game}, {fault.window}: {fault.kind}: {fault.text}{file}"
    more = len(tally.faults) - FAULTS_SHOWN
    if more > 0:
        yield f"  and {more} more faults"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
