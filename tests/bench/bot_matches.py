"""Whole arena matches a minute and core: per scenario with bots that answer at once, or by name.

Bots that answer at once give no orders, so what is measured is the arena itself: the fold, every
side's views, the check of the orders, and what holds in every match.
"""

import argparse
import sys
import time
from collections.abc import Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from sunglare_arena.entrants import bot_called, games
from sunglare_arena.playing import play
from sunglare_arena.series import scenario_called, tune_python
from sunglare_client.advice import Advice
from sunglare_client.bot import Bot
from sunglare_protocol.orders import Order
from sunglare_protocol.views import View
from sunglare_server.base.library import load_library

SECONDS = 3.0
"""About so long each scenario is played, in processor time."""


class AtOnce(Bot):
    """Answers at once, with nothing."""

    def on_window(self, view: View, advice: Advice) -> Iterable[Order]:  # noqa: ARG002 - as it says
        """Return no orders."""
        return ()


def a_minute(name: str, kinds: tuple[type[Bot], ...], matches: int, seconds: float) -> float:
    """Return how many matches a core plays in a minute, of so many or of so many seconds."""
    scenario = scenario_called(name)
    played, began = 0, time.process_time()
    for game in games(scenario.sides, len(kinds), matches, 0, swap=True):
        play(scenario, game, kinds)
        played += 1
        if time.process_time() - began > seconds:
            break
    return 60 * played / (time.process_time() - began)


def main() -> None:
    """Print the figure of the bots that are named, or of every scenario."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bots", nargs="*", help="who plays; without any, bots that answer at once")
    parser.add_argument("--scenario", help="what is played (default: every scenario)")
    parser.add_argument("--games", type=int, default=10_000, help="no more matches than these")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="nor longer than this")
    options = parser.parse_args()
    tune_python()
    if options.bots:
        kinds = tuple(bot_called(name) for name in options.bots)
        print(f"{a_minute(options.scenario, kinds, options.games, options.seconds):.1f}")
        return
    print("whole arena matches a minute and core, with bots that answer at once:")
    for name in [options.scenario] if options.scenario else load_library().scenarios:
        found = a_minute(name, (AtOnce,), options.games, options.seconds)
        print(f"  {name:18}{found:8.0f}", flush=True)


if __name__ == "__main__":
    main()
