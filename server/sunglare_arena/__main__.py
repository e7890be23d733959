"""The program behind `sunglare arena`: bots play one another, and it says how they fared."""

import contextlib
import re
import sys
import time
from argparse import Namespace
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import TextIO

from sunglare_arena.contest import Conditions, Contest, Result, contested
from sunglare_arena.findings import Findings
from sunglare_arena.isolation import limits
from sunglare_arena.jobs import end_with_parent, processors
from sunglare_arena.report.page import page
from sunglare_arena.report.report import report
from sunglare_arena.report.result_lines import match_line, totals_line
from sunglare_arena.series import scenario_called, tune_python
from sunglare_arena.sprt import Sprt
from sunglare_client.bots import BOTS
from sunglare_client.cli.arena_args import JOBS_MOST, arena_fault, arena_parser, stopping_rule
from sunglare_client.cli.output import check_folder
from sunglare_client.cli.progress_bar import watched
from sunglare_client.cli.streams import with_streams
from sunglare_protocol.errors import SunglareError
from sunglare_protocol.standard_streams import unwritten
from sunglare_server.base.library import load_library

OK = 0
FAULTY = 1
UNFIT = 2
INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Play what the command line asks for, say what it came to, return the exit code."""
    parser = arena_parser()
    options = parser.parse_args(argv)
    if fault := arena_fault(options):
        parser.error(fault)
    try:
        return _played(options)
    except (SunglareError, OSError) as fault:
        sys.stderr.write(f"sunglare arena: {unwritten() or fault}\n")
        return UNFIT
    except KeyboardInterrupt:
        return INTERRUPTED  # the client that started this says so


def _played(options: Namespace) -> int:
    bots = (*options.bots, *(BOTS if options.all else ()))
    most, scores = stopping_rule(len(bots), options.games, options.sprt)
    contest = _contest(options, bots, most)
    findings = Findings(contest, None if scores is None else Sprt(*scores))
    for path in filter(None, (options.json, options.html)):
        check_folder(path)
    if options.keep is not None:
        options.keep.mkdir(parents=True, exist_ok=True)
    end_with_parent()
    tune_python()
    began = time.perf_counter()
    with _opened(options.json) as lines:
        try:
            _play(findings, options, lines)
        except KeyboardInterrupt:
            if not findings.results:
                raise
            findings.is_interrupted = True
        if lines is not None:
            lines.write(totals_line(findings))
    sys.stdout.writelines(f"{line}\n" for line in report(findings, time.perf_counter() - began))
    if options.html is not None:
        options.html.write_text(page(findings, options.html), encoding="utf-8")
    if findings.is_interrupted:
        return INTERRUPTED
    return FAULTY if findings.tally.faults else OK


def _play(findings: Findings, options: Namespace, lines: TextIO | None) -> None:
    """Play until all is played or a verdict is there; what ends it early ends all processes."""
    with contextlib.closing(_results(findings.contest, options)) as results:
        for result in results:
            _keep(findings, result, options.keep)
            is_known = findings.take(result)
            if lines is not None:
                lines.write(match_line(findings, result))
            if is_known:
                return


def _contest(options: Namespace, bots: tuple[str, ...], matches: int) -> Contest:
    library = None if options.data is None else load_library(options.data).scenarios
    return Contest(
        scenarios=tuple(
            scenario_called(name, library) for name in dict.fromkeys(options.scenario)
        ),
        bots=bots,
        matches=matches,
        seed=options.seed,
        turns=options.turns,
    )


def _results(contest: Contest, options: Namespace) -> Generator[Result, None, None]:
    """Yield the results under a bar for a person who waits; all processes end with the reading."""
    conditions = Conditions(
        think_s=options.think,
        limits=limits(options.memory, options.think),
        is_kept=options.keep is not None,
    )
    jobs = options.jobs or min(processors(), JOBS_MOST)
    with contextlib.closing(contested(contest, conditions, jobs)) as results:
        yield from watched(results, len(contest.bouts()), "matches")


@contextlib.contextmanager
def _opened(path: Path | None) -> Iterator[TextIO | None]:
    """Open a file to write lines to, each of them at once, if there is to be one."""
    if path is None:
        yield None
        return
    with path.open("w", buffering=1, encoding="utf-8") as file:
        yield file


def _keep(findings: Findings, result: Result, folder: Path | None) -> None:
    """Write the record file of a match that is kept."""
    if folder is None or result.file is None:
        return
    game = result.bout.game
    scenario = findings.contest.scenarios[result.bout.scenario].name
    seats = "-".join(findings.labels[entrant] for _, entrant in game.seats)
    path = folder / f"{game.number:05}-{scenario}-{re.sub(r'[^A-Za-z0-9_-]+', '_', seats)}.sgr"
    path.write_bytes(result.file)
    findings.files[game.number] = str(path)


if __name__ == "__main__":
    sys.exit(with_streams("sunglare arena", main))
