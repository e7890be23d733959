"""How the cost of a window grows with the pieces: `redondo` once, twice and four times over.

Admirals play the first turns of `redondo` with every piece of its rosters one, two and four times
on the same map; each part is timed as `in_process.py` does.
A slope is that of the best line through the logarithms: 1 is as the pieces, 2 as their pairs.
"""

import argparse
import math
from collections.abc import Iterator
from typing import NamedTuple, TypeVar, final

import msgspec
from in_process import Figures, measured

from sunglare_server.base.library import load_library
from sunglare_server.match.data.scenario import (
    AgentEntry,
    GroundEntry,
    Scenario,
    ShipEntry,
    SideSetup,
)

SCENARIO = "redondo"
FACTORS = (1, 2, 4)
WINDOWS = 70
"""So many windows of each match are played, which is about ten turns."""

YARDSTICK = "shadow-of-ceres"
COST_MOST = 2.0
"""So many times what the yardstick costs for each piece and side a window may cost."""

SLOPE_MOST = 1.3
"""The slope of the whole should be at most this."""

NAMED_ABOVE = 1.1
"""Parts whose slope is steeper are named."""

Entry = TypeVar("Entry", ShipEntry, GroundEntry, AgentEntry)


@final
class Slope(NamedTuple):
    """How a part of a window grows with the pieces."""

    part: str
    slope: float


def crowded(scenario: Scenario, factor: int) -> Scenario:
    """Return a scenario with every piece of its rosters `factor` times over."""
    sides = {side: _crowd(setup, factor) for side, setup in scenario.data.sides.items()}
    data = msgspec.structs.replace(scenario.data, sides=sides)
    return msgspec.structs.replace(scenario, data=data)


def _crowd(setup: SideSetup, factor: int) -> SideSetup:
    return msgspec.structs.replace(
        setup,
        ships=tuple(_copies(setup.ships, factor)),
        ground=tuple(_copies(setup.ground, factor)),
        agents=tuple(_copies(setup.agents, factor)),
    )


def _copies(entries: tuple[Entry, ...], factor: int) -> Iterator[Entry]:
    yield from entries
    for number in range(2, factor + 1):
        for entry in entries:
            yield msgspec.structs.replace(entry, name=f"{entry.name} {number}")


def pieces(scenario: Scenario) -> int:
    """Return how many pieces the rosters of a scenario have."""
    setups = scenario.data.sides.values()
    return sum(len(setup.ships) + len(setup.ground) + len(setup.agents) for setup in setups)


def slope(points: list[tuple[float, float]]) -> float:
    """Return the slope of the best line through the logarithms of the points."""
    logs = [(math.log(x), math.log(y)) for x, y in points]
    middle_x = math.fsum(x for x, _ in logs) / len(logs)
    middle_y = math.fsum(y for _, y in logs) / len(logs)
    above = math.fsum((x - middle_x) * (y - middle_y) for x, y in logs)
    return above / math.fsum((x - middle_x) ** 2 for x, _ in logs)


def slopes(sizes: list[int], runs: list[Figures]) -> list[Slope]:
    """Return the slope of every part over runs with so many pieces."""
    found: list[Slope] = []
    for number, part in enumerate(runs[0].parts):
        costs = [run.parts[number].cpu_s / run.windows for run in runs]
        found.append(Slope(part.name, slope(list(zip(map(float, sizes), costs, strict=True)))))
    return found


def cost(scenario: Scenario, figures: Figures) -> float:
    """Return the microseconds of a window for each piece and side."""
    window_us = figures.parts[0].cpu_s / figures.windows * 1e6
    return window_us / (pieces(scenario) * len(scenario.sides))


def main() -> None:
    """Print what a window costs for each piece and side, and the slopes."""
    parser = argparse.ArgumentParser(description="Measure how a window's cost grows.")
    parser.add_argument("--windows", type=int, default=WINDOWS, help="of each match")
    windows: int = parser.parse_args().windows
    scenarios = load_library().scenarios
    whole, yardstick = scenarios[SCENARIO], scenarios[YARDSTICK]
    full = cost(whole, measured(whole, 1, 3 * windows))
    least = cost(yardstick, measured(yardstick, 4, 4 * windows))
    print(
        f"{SCENARIO}: {full:.1f} us a window for each piece and side, {full / least:.2f} times"
        f" {YARDSTICK} ({least:.1f} us); at most {COST_MOST:g} is wanted"
    )
    worlds = [crowded(whole, factor) for factor in FACTORS]
    sizes = [pieces(world) for world in worlds]
    runs = [measured(world, 1, windows) for world in worlds]
    costs = [run.parts[0].cpu_s / run.windows * 1e3 for run in runs]
    growth = slopes(sizes, runs)
    told = ", ".join(f"{size}: {cost_us:.1f}" for size, cost_us in zip(sizes, costs, strict=True))
    print(f"milliseconds a window by pieces: {told}; slopes, at most {SLOPE_MOST:g} is wanted:")
    for grown in growth:
        mark = f"  above {NAMED_ABOVE:g}" if grown.slope > NAMED_ABOVE else ""
        print(f"  {grown.part:26}{grown.slope:8.2f}{mark}")


if __name__ == "__main__":
    main()
