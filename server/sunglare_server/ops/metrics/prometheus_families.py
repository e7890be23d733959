"""Figures as Prometheus's own library takes them: their makers, and those of any process."""

import os
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
)
from prometheus_client.metrics_core import Metric

from sunglare_protocol import __version__
from sunglare_server.base.histograms import CounterByName, Histogram, LineFigures
from sunglare_server.gateway.admission import CROWDED, FOREIGN, FULL, HASTY, MISDIRECTED
from sunglare_server.gateway.gateway import Gateway
from sunglare_server.ops.metrics.memory import memory_bytes, virtual_bytes

PREFIX: Final = "sunglare_"
"""How every name begins."""

PROCESS: Final = "process_"
"""How the names begin that Prometheus's libraries give figures of any process."""

_BEGAN: Final = 19
"""Where in Linux's `stat`, from the state on, the ticks from the boot to the start stand."""

REASONS: Final = {
    HASTY: "hasty",
    FULL: "full",
    CROWDED: "crowded",
    FOREIGN: "foreign",
    MISDIRECTED: "misdirected",
}
"""Why connections are turned away, in a word."""

if sys.platform != "win32":
    import resource

Labelled = Mapping[str, float]
"""Numbers by the value of their one label."""


def gauge(
    name: str, meaning: str, value: float | Labelled, label: str = "", prefix: str = PREFIX
) -> Metric:
    """Return a figure that rises and falls, with `label` one for each of its values."""
    family = GaugeMetricFamily(prefix + name, meaning, labels=[label] if label else [])
    for values, number in _each(value):
        family.add_metric(values, number)
    return family


def counter(name: str, meaning: str, value: float | Labelled, label: str = "") -> Metric:
    """Return a figure that only rises; its name gets its ending `_total` by itself."""
    family = CounterMetricFamily(PREFIX + name, meaning, labels=[label] if label else [])
    for values, number in _each(value):
        family.add_metric(values, number)
    return family


def histogram(
    name: str, meaning: str, histogram: Histogram | Mapping[str, Histogram], label: str = ""
) -> Metric:
    """Return durations by step, in seconds, as is the unit of Prometheus."""
    family = HistogramMetricFamily(PREFIX + name, meaning, labels=[label] if label else [])
    spreads = {"": histogram} if isinstance(histogram, Histogram) else histogram
    for value, shown in spreads.items():
        family.add_metric([value] if label else [], _buckets(shown), shown.most_ms / 1000)
    return family


def _each(value: float | Labelled) -> list[tuple[list[str], float]]:
    if isinstance(value, Mapping):
        return [([name], number) for name, number in value.items()]
    return [([], value)]


def _buckets(histogram: Histogram) -> list[tuple[str, float]]:
    """Return how many lay in each step and those below it."""
    bounds = [*[f"{ms / 1000:g}" for ms in histogram.bounds_ms], "+Inf"]
    sums = [sum(histogram.counts[: place + 1]) for place in range(len(bounds))]
    return list(zip(bounds, sums, strict=True))


def of_process(uptime_s: int, *, is_draining: bool, lag: Histogram) -> tuple[Metric, ...]:
    """Return what any process shows of itself."""
    info = InfoMetricFamily("sunglare", "The version.", value={"version": __version__})
    return (
        info,
        gauge("uptime_seconds", "Time since the start.", uptime_s),
        gauge("draining", "1 while the process takes on nothing new.", int(is_draining)),
        gauge("memory_bytes", "Memory of the process, in whole MiB.", memory_bytes()),
        gauge("threads", "Threads of the process.", threading.active_count()),
        *_open_files(),
        *_standard(),
        histogram("loop_lag_seconds", "By how much a sleep of 100 ms ended too late.", lag),
    )


def _open_files() -> tuple[Metric, ...]:
    folder = Path("/proc/self/fd")
    if sys.platform == "win32" or not folder.is_dir():
        return ()
    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    count = len(os.listdir(folder))
    return (
        gauge("open_files", "Open files of the process.", count),
        gauge("open_files_most", "As many it may have open.", most),
        gauge("open_fds", "Open files of the process.", count, prefix=PROCESS),
        gauge("max_fds", "As many it may have open.", most, prefix=PROCESS),
    )


def _standard() -> tuple[Metric, ...]:
    """Return what Prometheus's libraries show of any process, sizes in whole MiB.

    Its time on the processor is left out: where one match runs, that is the work of its windows.
    """
    memory = "Memory of the process, in whole MiB."
    shown = [gauge("resident_memory_bytes", memory, memory_bytes(), prefix=PROCESS)]
    if (virtual := virtual_bytes()) is not None:
        text = "Memory that it has addresses for, in whole MiB."
        shown.append(gauge("virtual_memory_bytes", text, virtual, prefix=PROCESS))
    if (began_s := _began_s()) is not None:
        text = "When the process began, in seconds since 1970."
        shown.append(gauge("start_time_seconds", text, began_s, prefix=PROCESS))
    return tuple(shown)


def _began_s() -> int | None:
    """Return when the process began, in whole seconds since 1970, by Linux's count; or None."""
    try:
        boot = Path("/proc/stat").read_text(encoding="ascii").partition("\nbtime ")[2].split()[0]
        # The name before may hold anything, spaces and brackets too.
        fields = Path("/proc/self/stat").read_text(errors="replace").rpartition(") ")[2].split()
        return int(boot) + int(fields[_BEGAN]) // os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return None


def of_lines(gateway: Gateway, played: CounterByName, *more: LineFigures) -> tuple[Metric, ...]:
    """Return what a process shows of connections; `more` counts those of gateways.

    `played` are the refusals of play of matches that are over.
    """
    figures = LineFigures()
    figures.refused.add(played)
    for counted in (gateway.figures, *more):
        figures.refused.add(counted.refused)
        figures.closed.add(counted.closed)
    turned_away = gateway.admission.turned_away
    reasons = {word: turned_away.get(why, 0) for why, word in REASONS.items()}
    closed = {"superseded": 0, "too slow": 0, **figures.closed.by_name}
    return (
        gauge("connections_most", "As many connections there may be.", gateway.admission.most),
        counter("connections_turned_away", "Those not let in.", reasons, "reason"),
        counter("connections_closed", "Those that have ended, by why.", closed, "why"),
        counter(
            "refusals",
            "Refusals by code; those of orders and questions, once their match is over.",
            figures.refused.by_name,
            "code",
        ),
    )
