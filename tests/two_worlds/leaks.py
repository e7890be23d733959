"""The long form of the two-worlds test: it looks for anything hidden on the wire.

`make leaks` plays paired matches in several processes until enough windows were compared, and
keeps what is done in a folder: interrupted, it goes on where it was. Another state of the code
begins anew.
"""

import argparse
import os
import selectors
import signal
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Final, final

sys.path.insert(0, str(Path(__file__).parents[1]))

import msgspec
import pytest

from two_worlds.course import Course, table
from two_worlds.leakruns import ROOT, Goals, Leak, Progress, code_hash, loaded, save
from two_worlds.match import Depth, LeakError, Plan, Tally, plan_of, played
from two_worlds.twistsofconsequences import CONSEQUENCES, PLAYED

SEED: Final = 11
"""The seed of the long form; the small one has another, so that the two do not repeat matches."""

FOUGHT_EVERY: Final = 5
"""In one of so many matches the twists are those of consequences."""

SHOWN_EVERY_S: Final = 1.0
"""How often the line of progress is drawn on a terminal."""

LINE_EVERY_S: Final = 30.0
"""How often a line of progress is written where it can't be drawn over the last one."""

BAR: Final = 24
"""The letters of the bar."""

FOUND, INTERRUPTED = 1, 130
"""The exit codes of a run that found a leak, and of one that was interrupted."""


@final
class Report(msgspec.Struct):
    """What a worker answers to a plan."""

    plan: Plan
    tally: Tally | None = None
    leak: str = ""


def main(arguments: list[str] | None = None) -> int:
    """Run the program; return 0 if all was compared and nothing leaked."""
    options = _options(arguments)
    if options.worker:
        work(options.planted)
        return 0
    if options.replay:
        return replay(options.replay, options.planted)
    goals = Goals(windows=options.windows, per_twist=options.each)
    path = Path(options.folder) / f"{code_hash()}{options.planted and '-' + options.planted}.json"
    run = Run(path, goals, options.processes, options.planted)
    try:
        run.go()
    except KeyboardInterrupt:
        sys.stderr.write("\ninterrupted; the same command goes on from here\n")
        return INTERRUPTED
    finally:
        run.end()
    return run.verdict()


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", default=str(ROOT / ".leaks"), help="where progress is kept")
    parser.add_argument("--windows", type=int, default=Goals().windows, help="windows in all")
    parser.add_argument(
        "--each", type=int, default=Goals().per_twist, help="windows of each twist"
    )
    parser.add_argument("--processes", type=int, default=2, help="how many play at once")
    parser.add_argument("--replay", metavar="MATCH", help="play one match: 'duel 11/7 all'")
    parser.add_argument("--planted", default="", help="with this leak of tests/planted planted")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


@final
class Run:
    """A run of the long form: the workers, and what they have found."""

    def __init__(self, path: Path, goals: Goals, processes: int, planted: str) -> None:
        """Take up what `path` holds."""
        self.path, self.goals, self.planted = path, goals, planted
        self.progress = loaded(path, SEED)
        self._course = Course(SEED)
        self._fought = Course(SEED, PLAYED, CONSEQUENCES)
        self._workers: dict[int, subprocess.Popen[bytes]] = {}
        self._under_way: dict[int, Plan] = {}
        self._processes = processes
        self._started = time.monotonic()
        self._before = self.progress.share(goals)
        self._shown = 0.0

    def go(self) -> None:
        """Play until the goals are reached or a leak is found."""
        if self._is_at_end:
            return
        with selectors.DefaultSelector() as selector:
            for _ in range(self._processes):
                worker = self._start()
                selector.register(worker.stdout or 0, selectors.EVENT_READ, worker)
                self._give(worker)
            while not self._is_at_end:
                for key, _ in selector.select(SHOWN_EVERY_S):
                    self._take(key.data)
                self._show()

    @property
    def _is_at_end(self) -> bool:
        return bool(self.progress.leaks) or self.progress.is_complete(self.goals)

    def _start(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, __file__, "--worker", "--planted", self.planted]
        # A session of its own: an interrupt from the keyboard is this process's to answer. When
        # this process is killed, the worker's input ends and so does the worker.
        worker = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        )
        self._workers[worker.pid] = worker
        return worker

    def _give(self, worker: subprocess.Popen[bytes]) -> None:
        number = self.progress.next_number(plan.number for plan in self._under_way.values())
        course = self._fought if number % FOUGHT_EVERY == FOUGHT_EVERY - 1 else self._course
        plan = course.plan(number, self.progress.covered, self.goals.per_twist)
        self._under_way[worker.pid] = plan
        assert worker.stdin is not None
        worker.stdin.write(msgspec.json.encode(plan) + b"\n")
        worker.stdin.flush()

    def _take(self, worker: subprocess.Popen[bytes]) -> None:
        assert worker.stdout is not None
        line = worker.stdout.readline()
        if not line:
            raise SystemExit(f"a match failed, {self._under_way[worker.pid].words}: see above")
        report = msgspec.json.decode(line, type=Report)
        if report.tally is None:
            self.progress.add_leak(Leak(report.plan.words, report.leak))
        else:
            self.progress.add(report.plan.number, report.tally)
        save(self.path, self.progress)
        if not self._is_at_end:
            self._give(worker)

    def _show(self) -> None:
        now, is_drawn = time.monotonic(), sys.stderr.isatty()
        if now - self._shown >= (SHOWN_EVERY_S if is_drawn else LINE_EVERY_S):
            self._shown = now
            text = line(self.progress, self.goals, self._left_s(now))
            sys.stderr.write(f"\r{text}\x1b[K" if is_drawn else f"{text}\n")
            sys.stderr.flush()

    def _left_s(self, now: float) -> float | None:
        share = self.progress.share(self.goals)
        gained = share - self._before
        return (1 - share) * (now - self._started) / gained if gained > 0 else None

    def end(self) -> None:
        """End the workers, whatever they play."""
        for worker in self._workers.values():
            worker.send_signal(signal.SIGKILL)
            worker.communicate()

    def verdict(self) -> int:
        """Print the table, and each leak with the command that shows it again."""
        progress = self.progress
        counts = (progress.matches, progress.pairs, progress.windows)
        sys.stdout.write(f"{table(*counts, progress.covered)}\n")
        for leak in progress.leaks:
            planted = f" --planted {self.planted}" if self.planted else ""
            here = os.path.relpath(__file__)
            command = f"{sys.executable} {here}{planted} --replay '{leak.words}'"
            sys.stdout.write(f"\nLEAK: {leak.text}\n\nAgain: {command}\n")
        if not progress.leaks:
            sys.stdout.write("Nothing hidden reached the wire.\n")
        return FOUND if progress.leaks else 0


def line(progress: Progress, goals: Goals, left_s: float | None) -> str:
    """Return the line of progress: a bar, windows, the rarest twist and the time left."""
    share = progress.share(goals)
    full = int(share * BAR)
    name, least = min(progress.covered.items(), key=lambda pair: pair[1])
    left = "" if left_s is None else f", about {left_s / 60:.0f} min left"
    return (
        f"[{'#' * full}{'.' * (BAR - full)}] {share:4.0%} {progress.windows:,} windows, "
        f"least {name} {least:,} of {goals.per_twist:,}{left}"
    )


def work(planted: str) -> None:
    """Play the plans that come as lines and answer each with a line, until no more come."""
    if planted:
        plant(planted, pytest.MonkeyPatch())
    for given in sys.stdin.buffer:
        report = reported(msgspec.json.decode(given, type=Plan))
        sys.stdout.buffer.write(msgspec.json.encode(report) + b"\n")
        sys.stdout.buffer.flush()


def reported(plan: Plan) -> Report:
    """Play a match and say what it came to, or where it leaked."""
    try:
        return Report(plan, tally=played(plan))
    except LeakError as leak:
        return Report(plan, leak=str(leak))


def replay(words: str, planted: str) -> int:
    """Play one match again, asking more; print what it came to."""
    try:
        plan = plan_of(words)
    except ValueError as error:
        raise SystemExit(str(error)) from None
    if planted:
        plant(planted, pytest.MonkeyPatch())
    try:
        tally = played(plan, Depth(answers_every=1))
    except LeakError as leak:
        sys.stdout.write(f"LEAK: {leak}\n")
        return FOUND
    sys.stdout.write(f"{tally.pairs} pairs, {tally.windows} windows compared, no leak\n")
    return 0


def plant(name: str, patch: pytest.MonkeyPatch) -> None:
    """Plant the leak of this name, a module of `tests/planted`."""
    import_module(f"planted.{name}").plant(patch)


if __name__ == "__main__":
    sys.exit(main())
