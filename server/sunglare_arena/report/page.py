"""The report of a contest as a page of one file: charts and tables, and nothing is fetched."""

import os
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path
from urllib.parse import quote

from sunglare_arena.findings import Findings
from sunglare_arena.player import Fault
from sunglare_arena.report.charts import (
    course_chart,
    ratings_chart,
    shares_chart,
    thinking_chart,
)
from sunglare_arena.sprt import BOUND, Sprt
from sunglare_arena.standings import Against, unrated
from sunglare_arena.tally import Tally

FAULTS_SHOWN = 200
"""So many faults stand on the page one by one."""

STYLE = """
:root { color-scheme: light dark; --paper: #fbfaf7; --ink: #22262b; --quiet: #667079;
  --rule: #d9d6cd; --win: #2f6db3; --draw: #a9b0b6; --loss: #c8632f; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171b; --ink: #e6e4dd;
  --quiet: #98a1aa; --rule: #333a42; --win: #6ea8e6; --draw: #69737c; --loss: #e28a58; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 60rem; background: var(--paper);
  color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; margin: 0; } h2 { font-size: 1.1rem; margin: 2.2rem 0 .6rem; }
p.quiet, figcaption { color: var(--quiet); margin: .25rem 0; }
code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere; }
dl { display: flex; flex-wrap: wrap; gap: 1rem 2.5rem; margin: 1.2rem 0; }
dt { color: var(--quiet); font-size: .85rem; } dd { margin: 0; font-size: 1.25rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .35rem .7rem; border-bottom: 1px solid var(--rule); text-align: right; }
th:first-child, td.text { text-align: left; } thead th { color: var(--quiet); font-weight: 500; }
td small { display: block; opacity: .8; } .lines th { text-align: left; }
figure { margin: 0; } svg { width: 100%; height: auto; display: block; }
svg text { fill: var(--ink); font: 13px system-ui, sans-serif; }
svg .name, svg .number { text-anchor: end; } svg .tick { text-anchor: middle; fill: var(--quiet); }
svg .win { fill: var(--win); } svg .draw { fill: var(--draw); } svg .loss { fill: var(--loss); }
svg .interval { stroke: var(--win); stroke-width: 3; opacity: .55; }
svg .axis { stroke: var(--rule); } svg .course { fill: none; stroke: var(--win);
  stroke-width: 2; }
.key i { display: inline-block; width: .8rem; height: .8rem; border-radius: 2px;
  margin: 0 .35rem 0 .9rem; } .key i:first-child { margin-left: 0; }
a { color: var(--win); }
"""

_KEY = (
    '<figcaption class="key"><i style="background:var(--win)"></i>won'
    '<i style="background:var(--draw)"></i>drawn<i style="background:var(--loss)"></i>lost'
    "</figcaption>"
)


def page(findings: Findings, path: Path) -> str:
    """Return the page of a contest; links to kept records lead there from where it is written."""
    tally = findings.tally
    names = ", ".join(scenario.name for scenario in findings.contest.scenarios)
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    body = "".join(
        (*_head(findings, tally, names), *_who(findings, tally), *_rest(findings, path))
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(' against '.join(findings.labels))} on {escape(names)}</title>"
        f"<style>{STYLE}</style></head><body>{body}</body></html>\n"
    )


def _head(findings: Findings, tally: Tally, names: str) -> Iterator[str]:
    contest = findings.contest
    yield f"<h1>Arena: {escape(names)}</h1>"
    yield f'<p class="quiet">{escape(", ".join(findings.labels))}; seed {contest.seed}</p>'
    facts = (
        ("matches", str(tally.matches)),
        ("decided before the turn limit", f"{100 * tally.early_share:.1f} %"),
        ("drawn", str(tally.draws)),
        ("turns each", f"{tally.turns / tally.matches:.1f}"),
        ("won by seat", findings.by_seat),
        ("faults", str(len(tally.faults))),
    )
    yield "<dl>"
    yield from (
        f"<div><dt>{escape(what)}</dt><dd>{escape(said)}</dd></div>" for what, said in facts
    )
    yield "</dl>"
    if said := findings.interruption():
        yield f"<p>{escape(said)}</p>"
    if findings.sprt is not None:
        yield f"<p>{escape(findings.verdict())}</p>"


def _who(findings: Findings, tally: Tally) -> Iterator[str]:
    if len(findings.labels) > 1:
        ratings = findings.ratings
        yield "<h2>Ratings</h2>"
        yield _figure(
            ratings_chart(findings.labels, ratings)
            if ratings
            else escape(unrated(findings.matrix)),
            "Bradley and Terry; 400 points are odds of ten to one, lines are intervals of 95 %.",
        )
        yield "<h2>Who beat whom</h2>"
        yield from _matrix(findings)
    yield f"<h2>Matches</h2><figure>{shares_chart(tally.scores)}{_KEY}</figure>"
    yield from _course(findings)


def _matrix(findings: Findings) -> Iterator[str]:
    """Yield the win matrix; the deeper a cell's colour, the more points the bot of the row has."""
    heads = [f"<th>{escape(label)}</th>" for label in ("", *findings.labels)]
    yield f'<div class="wide"><table><thead><tr>{"".join(heads)}</tr></thead><tbody>'
    for label, row in zip(findings.labels, findings.matrix, strict=True):
        yield f"<tr><th>{escape(label)}</th>{''.join(map(_cell, row))}</tr>"
    yield '</tbody></table></div><p class="quiet">By row: points of a hundred, a draw half; '
    yield "below, matches won, drawn and lost.</p>"


def _cell(score: Against) -> str:
    if not score.matches:
        return "<td></td>"
    shade = f"background:color-mix(in srgb, var(--win) {50 * score.share:.0f}%, transparent)"
    counts = f"{score.wins}-{score.draws}-{score.losses}"
    return f'<td style="{shade}">{100 * score.share:.1f}<small>{counts}</small></td>'


def _course(findings: Findings) -> Iterator[str]:
    """Yield how the score of the first of two bots came about, or what the test made of it."""
    if len(findings.labels) != len(("one", "other")):
        return
    name, worths = findings.labels[0], [_worth(one.winner) for one in findings.outcomes]
    if findings.sprt is not None:
        test, ratios = Sprt(findings.sprt.p0, findings.sprt.p1), list[float]()
        for worth in worths:
            test.take(worth)
            ratios.append(test.ratio)
        marks = [(BOUND, f"{test.p1:g}"), (0.0, "even"), (-BOUND, f"{test.p0:g}")]
        yield "<h2>The test</h2>"
        yield _figure(
            course_chart(ratios, marks, "Log-likelihood ratio after each match"),
            "Log-likelihood ratio after each match, and where the test ends.",
        )
        return
    shares = [100 * sum(worths[:n]) / (2 * n) for n in range(1, len(worths) + 1)]
    about = f"Points of {name} of a hundred, after each match"
    yield "<h2>Course</h2>"
    yield _figure(course_chart(shares, [(100, "100"), (50, "50"), (0, "0")], about), f"{about}.")


def _worth(winner: int | None) -> int:
    return {0: 2, None: 1}.get(winner, 0)


def _rest(findings: Findings, path: Path) -> Iterator[str]:
    tally = findings.tally
    yield "<h2>Thinking</h2>"
    yield _figure(
        thinking_chart(findings.labels, findings.thinking),
        "Processor time of the thread that decides, the mean over all windows.",
    )
    rows = [
        (label, str(one.decisions), f"{one.slowest_s:.3f} s", one.slowest_in)
        for label, one in zip(findings.labels, findings.thinking, strict=True)
    ]
    yield _table(("bot", "windows", "slowest", "in"), rows)
    yield "<h2>Orders</h2>"
    orders = [
        (score.name, ", ".join(f"{kind} {count}" for kind, count in sorted(score.used.items())))
        for score in tally.scores
    ]
    yield _table(("bot", "accepted"), orders)
    yield from _faults(findings, tally, path)
    yield "<h2>Transcript</h2><p class='quiet'>Of all records of all matches, in order:</p>"
    yield f"<p><code>{findings.transcript}</code></p>"


def _faults(findings: Findings, tally: Tally, path: Path) -> Iterator[str]:
    if not tally.faults and not findings.files:
        return
    yield "<h2>What went wrong</h2>"
    shown = [_fault(findings, fault, path) for fault in tally.faults[:FAULTS_SHOWN]]
    if shown:
        heads = "".join(f"<th>{head}</th>" for head in ("bot", "match", "window", "what", "text"))
        yield f'<div class="wide"><table><thead><tr>{heads}</tr></thead><tbody>'
        yield f"{''.join(shown)}</tbody></table></div>"
    if len(tally.faults) > FAULTS_SHOWN:
        yield f'<p class="quiet">and {len(tally.faults) - FAULTS_SHOWN} more</p>'
    if findings.files:
        yield "<h2>Kept matches</h2><p>"
        yield ", ".join(_link(str(number), file, path) for number, file in findings.files.items())
        yield "</p>"


def _fault(findings: Findings, fault: Fault, path: Path) -> str:
    file, number = findings.files.get(fault.game), str(fault.game)
    cells = (escape(findings.labels[fault.entrant]), number, escape(fault.window))
    match = number if file is None else _link(number, file, path)
    rest = "".join(f'<td class="text">{escape(text)}</td>' for text in (fault.kind, fault.text))
    return f'<tr><td class="text">{cells[0]}</td><td>{match}</td><td>{cells[2]}</td>{rest}</tr>'


def _link(text: str, file: str, path: Path) -> str:
    there = Path(os.path.relpath(file, path.absolute().parent)).as_posix()
    return f'<a href="{escape(quote(there))}">{escape(text)}</a>'


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(one)}</th>" for one in heads)
    body = "".join(
        part
        for row in rows
        for part in ("<tr>", *(f'<td class="text">{escape(cell)}</td>' for cell in row), "</tr>")
    )
    return (
        f'<div class="wide"><table class="lines"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _figure(drawing: str, about: str) -> str:
    return f"<figure>{drawing}<figcaption>{escape(about)}</figcaption></figure>"
