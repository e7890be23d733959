"""What a process holds of its machine while it runs, looked at again and again, and its slope."""

import statistics
from pathlib import Path
from typing import Final, NamedTuple

MIB: Final = 1024 * 1024

WARM: Final = 1 / 3
"""So much of a run is left out: until then the caches are filled."""


class Gauge(NamedTuple):
    """What a process held at a moment: bytes of memory and log, counts of files and threads."""

    at_s: float
    memory: int
    files: int
    threads: int
    log: int


class Trend(NamedTuple):
    """How one figure went: its mean, and by how much it grew from the first to the last look."""

    what: str
    mean: float
    grown: float
    an_hour: float

    @property
    def line(self) -> str:
        """Return a line of the table."""
        return f"{self.what:14} {self.mean:10.2f} {self.grown:+10.2f} {self.an_hour:+10.2f}"


def gauged(at_s: float, pid: int, journal: Path) -> Gauge:
    """Return what a server holds now, and the size of its database's write-ahead log."""
    process = Path(f"/proc/{pid}")
    status = dict(
        line.split(":", 1) for line in (process / "status").read_text().splitlines() if ":" in line
    )
    log = journal.with_name(f"{journal.name}-wal")
    return Gauge(
        at_s,
        int(status["VmRSS"].split()[0]) * 1024,
        len([*(process / "fd").iterdir()]),
        int(status["Threads"]),
        log.stat().st_size if log.exists() else 0,
    )


def trends(looks: list[Gauge]) -> dict[str, Trend]:
    """Return how each figure went after the warm part, by least squares; memory and log in MiB."""
    until = looks[0].at_s + WARM * (looks[-1].at_s - looks[0].at_s)
    late = [look for look in looks if look.at_s >= until]
    figures: dict[str, list[float]] = {
        "memory, MiB": [look.memory / MIB for look in late],
        "files": [look.files for look in late],
        "threads": [look.threads for look in late],
        "log, MiB": [look.log / MIB for look in late],
    }
    return {what: _trend(what, [look.at_s for look in late], of) for what, of in figures.items()}


def _trend(what: str, at_s: list[float], figures: list[float]) -> Trend:
    slope = statistics.linear_regression(at_s, figures).slope
    return Trend(what, statistics.fmean(figures), slope * (at_s[-1] - at_s[0]), slope * 3600)


def table(found: dict[str, Trend], note: str) -> str:
    """Return the table that is printed."""
    head = f"{'':14} {'mean':>10} {'grown':>10} {'an hour':>10}"
    return "\n".join([note, head, *(trend.line for trend in found.values())])
