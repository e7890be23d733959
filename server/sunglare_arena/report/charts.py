"""Charts of a contest as SVG, drawn with the colours of the page they stand in."""

from collections.abc import Sequence
from html import escape
from math import ceil, floor, log10

from sunglare_arena.player import Thinking
from sunglare_arena.standings import Rating
from sunglare_arena.tally import Score

WIDTH = 720
"""How wide every chart is drawn, in its own units; the page scales it."""

ROW = 30
LABEL = 170
VALUE = 110
"""The height of a row, and the room for the names on the left and the numbers on the right."""

_MIDDLE = ROW / 2
_TOP = 22


def ratings_chart(labels: Sequence[str], ratings: Sequence[Rating]) -> str:
    """Return the ratings, best first: a dot for the value, a line for its interval."""
    ranked = sorted(zip(labels, ratings, strict=True), key=lambda one: -one[1].points)
    low = min(rating.low for _, rating in ranked)
    high = max(rating.high for _, rating in ranked)
    ticks = _ticks(low, high)
    scale = _Scale(min(low, ticks[0]), max(high, ticks[-1]))
    parts = [_tick(scale.x(tick), f"{tick:+g}" if tick else "0", len(ranked)) for tick in ticks]
    for row, (label, rating) in enumerate(ranked):
        y = _TOP + row * ROW + _MIDDLE
        left, at, right = map(scale.x, (rating.low, rating.points, rating.high))
        parts.append(_name(label, y))
        parts.append(
            f'<line class="interval" x1="{left:.1f}" x2="{right:.1f}" y1="{y}" y2="{y}"/>'
        )
        parts.append(f'<circle class="win" cx="{at:.1f}" cy="{y}" r="5"/>')
        parts.append(_number(f"{rating.points:+.0f}", y))
    return _svg("Ratings with their intervals of 95 %", _TOP + len(ranked) * ROW, parts)


def shares_chart(scores: Sequence[Score]) -> str:
    """Return how many matches each bot won, drew and lost, as parts of a bar."""
    parts: list[str] = []
    for row, score in enumerate(scores):
        y = row * ROW
        parts.append(_name(score.name, y + _MIDDLE))
        left = float(LABEL)
        for kind, count in (("win", score.wins), ("draw", score.draws), ("loss", score.losses)):
            width = (WIDTH - LABEL - VALUE) * count / max(1, score.matches)
            parts.append(_bar(kind, left, y, width, f"{score.name}: {count} {_SAID[kind]}"))
            left += width
        parts.append(_number(f"{score.wins}-{score.draws}-{score.losses}", y + _MIDDLE))
    return _svg("Matches won, drawn and lost", len(scores) * ROW, parts)


def thinking_chart(labels: Sequence[str], thinking: Sequence[Thinking]) -> str:
    """Return how long each bot thought for a window, in the mean."""
    means = [1000 * one.cpu_s / max(1, one.decisions) for one in thinking]
    most = max(means, default=0.0) or 1.0
    parts: list[str] = []
    for row, (label, mean) in enumerate(zip(labels, means, strict=True)):
        y = row * ROW
        width = (WIDTH - LABEL - VALUE) * mean / most
        parts.append(_name(label, y + _MIDDLE))
        parts.append(_bar("draw", LABEL, y, width, f"{label}: {mean:.2f} ms"))
        parts.append(_number(f"{mean:.2f} ms", y + _MIDDLE))
    return _svg("Thinking for a window", len(labels) * ROW, parts)


def course_chart(values: Sequence[float], marks: Sequence[tuple[float, str]], about: str) -> str:
    """Return a line through values, one for each match, with level lines that are named."""
    height = 180
    low = min(*values, *(at for at, _ in marks))
    high = max(*values, *(at for at, _ in marks))
    span = (high - low) or 1.0

    def y(value: float) -> float:
        return 10 + (height - 20) * (high - value) / span

    step = (WIDTH - VALUE) / max(1, len(values) - 1)
    points = " ".join(f"{n * step:.1f},{y(value):.1f}" for n, value in enumerate(values))
    parts = [
        f'<line class="axis" x1="0" x2="{WIDTH - VALUE}" y1="{y(at):.1f}" y2="{y(at):.1f}"/>'
        f'<text x="{WIDTH - VALUE + 8}" y="{y(at) + 4:.1f}">{escape(name)}</text>'
        for at, name in marks
    ]
    parts.append(f'<polyline class="course" points="{points}"/>')
    return _svg(about, height, parts)


_SAID = {"win": "won", "draw": "drawn", "loss": "lost"}


class _Scale:
    """From values to places between the names and the numbers."""

    def __init__(self, low: float, high: float) -> None:
        self._low, self._span = low, (high - low) or 1.0

    def x(self, value: float) -> float:
        return LABEL + 10 + (WIDTH - LABEL - VALUE - 20) * (value - self._low) / self._span


def _ticks(low: float, high: float) -> list[float]:
    """Return some round numbers from `low` to `high`."""
    rough = max(high - low, 1.0) / 5
    power = 10 ** floor(log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    return [step * n for n in range(floor(low / step), ceil(high / step) + 1)]


def _tick(x: float, text: str, rows: int) -> str:
    bottom = _TOP + rows * ROW
    return (
        f'<line class="axis" x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP - 4}" y2="{bottom}"/>'
        f'<text class="tick" x="{x:.1f}" y="12">{escape(text)}</text>'
    )


def _name(label: str, y: float) -> str:
    return f'<text class="name" x="{LABEL - 10}" y="{y + 5}">{escape(label)}</text>'


def _number(text: str, y: float) -> str:
    return f'<text class="number" x="{WIDTH}" y="{y + 5}">{escape(text)}</text>'


def _bar(kind: str, x: float, y: float, width: float, about: str) -> str:
    return (
        f'<rect class="{kind}" x="{x:.1f}" y="{y + 5}" width="{max(0, width - 2):.1f}"'
        f' height="{ROW - 10}"><title>{escape(about)}</title></rect>'
    )


def _svg(about: str, height: float, parts: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {height:g}" role="img" aria-label="{escape(about)}">'
        f"{''.join(parts)}</svg>"
    )
