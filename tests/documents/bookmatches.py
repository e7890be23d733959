"""The matches of the book, played by their orders: `python tests/documents/bookmatches.py [NAME]`.

Each is a scenario file and the lines that its players type, in `tests/documents/matches`. What is
played is stored beside them as a replay, from which pictures, tables and quotations are made; so
nothing on a page changes before the match is played again.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from builders.data import CLASSES
from builders.ground import ground_classes
from builders.matches import Match, opened, options
from builders.orders import read_on
from builders.truths import MATCH, seed_of
from builders.verified import completed
from sunglare_client.terminal.input.parser import split_line
from sunglare_protocol.ids import Side
from sunglare_protocol.replay.analysis import ANALYSIS
from sunglare_protocol.words.ladder import Phase
from sunglare_server.archive.files import layers_of
from sunglare_server.archive.recordfile import Played, record_file
from sunglare_server.match.data.files import read_scenario
from sunglare_server.match.data.scenario import Scenario
from sunglare_server.match.record import RULES_VERSION, Closed, Kind
from sunglare_server.runtime.archive import SUMMARY, Sent, read_sent, read_summary
from sunglare_server.runtime.archiving import analysis_of, archive_of

MATCHES: Final = Path(__file__).with_name("matches")

PLAYERS: Final = {Side("A"): "Ada", Side("B"): "Bo"}

Said = dict[tuple[int, Phase, Side], str]
"""What each side types, by turn and window."""


def scenario_named(name: str) -> Scenario:
    """Return the scenario of a match of the book."""
    file = MATCHES / f"{name}.toml"
    text = file.read_text(encoding="utf-8")
    return read_scenario(text, name, file.name, CLASSES, ground_classes())


def orders_of(name: str) -> tuple[int, Said]:
    """Return the seed of a match of the book, and what its players type."""
    seed, said = 0, Said()
    for line in (MATCHES / f"{name}.orders").read_text(encoding="utf-8").splitlines():
        head, _, typed = line.partition(":")
        match head.split():
            case ["seed"]:
                seed = int(typed)
            case [turn, phase, side]:
                said[int(turn), Phase(phase), Side(side)] = typed.strip()
            case _:
                pass
    return seed, said


def played(name: str) -> bytes:
    """Return a match of the book as a replay, played to its end by its orders."""
    seed, said = orders_of(name)
    scenario = scenario_named(name)
    match = Match(opened(scenario, options(clock="local"), seed_of(seed)))
    while not match.state.is_over:
        _window(match, said)
    match.put(Closed(), kind=Kind.CLOSE)
    return _replay(scenario, tuple(match.journal))


def _window(match: Match, said: Said) -> None:
    """Let each side type what it has to say in the open window, and close that."""
    standing = match.state.standing
    for side in match.sides:
        typed = said.pop((standing.turn, standing.phase, side), "")
        if standing.takes_orders_of(side):
            match.give(side, read_on(match.view(side), *split_line(typed)))
        elif typed:
            # Not yet the slot of this side.
            said[standing.turn, standing.phase, side] = typed
    match.close()


def _replay(scenario: Scenario, journal: tuple[bytes, ...]) -> bytes:
    archive = dict(completed(archive_of(MATCH, journal)))
    summary = read_summary(archive[SUMMARY])
    if summary is None or summary.trailer is None:
        raise ValueError("the match has no end")
    sent: dict[str, tuple[Sent, ...]] = {
        audience: read_sent(archive[audience]) for audience in summary.trailer.chains
    }
    sent[ANALYSIS] = read_sent(completed(analysis_of(journal)))
    header = Played(MATCH, scenario.name, RULES_VERSION, PLAYERS, summary.result)
    return record_file(header, journal, summary.trailer, completed(layers_of(sent)))


def names() -> Iterator[str]:
    """Yield the names of all matches that are played by their orders."""
    return (path.stem for path in sorted(MATCHES.glob("*.orders")))


def main() -> None:
    """Play the matches that are named, else all, and store them."""
    for name in sys.argv[1:] or names():
        (MATCHES / f"{name}.sgr").write_bytes(played(name))


if __name__ == "__main__":
    main()
