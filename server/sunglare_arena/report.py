"""A series in words: a block of lines for each entrant, and what concerns all of them."""

from collections.abc import Iterator

from sunglare_arena.tally import Score, Tally

FAULTS_SHOWN = 5
"""So many faults are told one by one."""


def report(tally: Tally, offered: tuple[str, ...], seconds: float) -> Iterator[str]:
    """Yield the lines about a series that took so many seconds of real time."""
    for score in tally.scores:
        yield from _score(score, offered)
    used = {kind for score in tally.scores for kind in score.used}
    missing = [kind for kind in offered if kind not in used]
    yield f"never used by anybody: {', '.join(missing) or 'nothing'}"
    yield (
        f"{tally.matches} matches, {_percent(tally.early_share)} decided before the turn limit,"
        f" {tally.draws} drawn, {tally.turns / tally.matches:.1f} turns each"
    )
    yield (
        f"{tally.matches / seconds:.2f} matches/s, {tally.windows / seconds:.0f} windows/s,"
        f" {seconds:.1f} s"
    )
    for fault in tally.faults[:FAULTS_SHOWN]:
        name = tally.scores[fault.entrant].name
        what = f"{fault.refused} refused" if fault.refused else "crashed"
        yield f"  {name}, match {fault.game}, {fault.window}: {what}: {fault.text}"
    more = len(tally.faults) - FAULTS_SHOWN
    if more > 0:
        yield f"  and {more} more faults"


def _score(score: Score, offered: tuple[str, ...]) -> Iterator[str]:
    low, high = score.interval
    yield (
        f"{score.name}: {score.matches} matches: {score.wins} won, {score.draws} drawn,"
        f" {score.losses} lost; wins {_percent(score.win_rate)}"
        f" (95 % interval {_percent(low)} to {_percent(high)})"
    )
    yield f"  crashes {score.crashes}, refused orders {score.refused}"
    counts = ", ".join(f"{kind} {count}" for kind, count in sorted(score.used.items()))
    yield f"  orders: {counts or 'none'}"
    unused = [kind for kind in offered if kind not in score.used]
    if unused:
        yield f"  not used: {', '.join(unused)}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
