"""The first match of the book: its table can be typed, and a side that follows it wins."""

import re
import shlex
import subprocess
import sys
from functools import cache
from itertools import cycle
from pathlib import Path
from typing import ClassVar, final

from builders.commandlines import SOURCES, without_settings
from builders.orders import read_on
from documents.doctables import LEARNING, fenced, text_of
from sunglare_arena.entrants import bot_called, games
from sunglare_arena.playing import play
from sunglare_arena.series import scenario_called
from sunglare_client.advice import Advice
from sunglare_client.bot import Bot
from sunglare_client.bots.movement.steering import bearing
from sunglare_protocol.geometry import Compass, box_of
from sunglare_protocol.orders import Order
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.ladder import Fix, Phase

WINDOW = re.compile(r"-- turn (\d+) of \d+: (\w+)")

LAST = "every window, when its lines are typed"
"""The window of the line that ends each."""

TURNS = 4
"""So many turns of the first match are typed by the lines of the book."""

PATIENCE_S = 60

MATCHES = 10
"""So many matches are played by the plan of the book."""

WINS = 8
"""So many of them it wins at least."""

SEED = 1


def commands() -> list[str]:
    """Return what the book has one type in a shell."""
    return [line for block in fenced(LEARNING, "sh") for line in block.splitlines() if line]


def table() -> dict[str, list[str]]:
    """Return what the book has one type in the first match, by window."""
    rows = text_of(LEARNING).partition("| window | you decide |")[2].partition("\n\n")[0]
    found: dict[str, list[str]] = {}
    window = ""
    for line in rows.splitlines()[2:]:
        named, _, typed = (cell.strip() for cell in line.strip("|").split("|"))
        window = named or window
        found.setdefault(window, []).append(typed.strip("`"))
    return found


def lines_of(phase: Phase, turn: int) -> list[str]:
    """Return the lines of the table for a window; none where it says to wait."""
    lines, name = table(), phase.name
    wanted = lines.get(f"{name} of turn {turn}", lines.get(f"later {name}", lines.get(name, [])))
    return [line for line in wanted if line != "ready!"]


@final
class Newcomer(Bot):
    """Plays the first match as the book says: by its table, then by its steps.

    `found` is how many enemies turn 2 found, match by match.
    """

    name = "newcomer"
    found: ClassVar[list[int]] = []

    def on_window(self, view: View, advice: Advice) -> tuple[Order, ...]:
        """Return the orders of the lines for the open window."""
        stage = view.stage
        if stage.turn == 2 and stage.phase is Phase.ENGAGE:
            self.found.append(sum(one.fix in (Fix.CONTACT, Fix.TRACKED) for one in view.contacts))
        typed = advice.legal_part(read_on(view, *self._lines(view, advice)))
        if stage.turn == 1 and stage.phase is Phase.PLOT:
            return (*typed, *advice.sensors_out(typed))
        return advice.fire_all() if stage.phase is Phase.ENGAGE else typed

    def _lines(self, view: View, advice: Advice) -> list[str]:
        turn, phase = view.stage.turn, view.stage.phase
        tracks = [one for one in view.contacts if one.vector is not None and one.fix in LIVE]
        if turn < 3 or not tracks or phase not in (Phase.PLOT, Phase.SCAN):
            return [] if phase is Phase.ENGAGE else _in_play(view, lines_of(phase, turn))
        if phase is Phase.PLOT:
            return [_turning(view, advice, ship) for ship in advice.ships()]
        boxes = cycle(dict.fromkeys(box_of(one.square).name for one in tracks))
        return [f"scan {ship.id} visual 1box {next(boxes)}" for ship in advice.ships()]


LIVE = (Fix.TRACKED, Fix.COASTING)


def _in_play(view: View, lines: list[str]) -> list[str]:
    ships = {ship.id for ship in Advice(view).ships()}
    return [line for line in lines if line.split()[1] in ships]


def _turning(view: View, advice: Advice, ship: OwnView) -> str:
    """Return the line that turns a ship to where the nearest track will be, as far as it can."""
    ahead = [
        one.square.moved(one.vector)
        for one in view.contacts
        if one.vector is not None and one.fix in LIVE
    ]
    wanted = bearing(ship.square, min(ahead, key=ship.square.distance_squared))
    for facing in sorted(Compass, key=wanted.apart):
        if facing is ship.facing:
            break
        line = f"face {ship.id} {facing.value}"
        if advice.check(read_on(view, line)) is None:
            return line
    return f"drift {ship.id}"


@cache
def played() -> tuple[list[int | None], list[int]]:
    """Return who won each match of the plan, and how many enemies turn 2 found in it."""
    scenario, kinds = scenario_called("shadow-of-ceres"), (Newcomer, bot_called("scout-1"))
    Newcomer.found.clear()
    drawn = games(scenario.sides, len(kinds), MATCHES, SEED, swap=False)
    return [play(scenario, game, kinds).winner for game in drawn], Newcomer.found


def test_the_scans_of_turn_2_find_both_enemies() -> None:
    _, found = played()
    assert found == [2] * MATCHES


def test_a_side_that_plays_by_the_book_wins_most_matches() -> None:
    winners, _ = played()
    assert winners.count(0) >= WINS


def test_the_first_match_is_played_by_the_lines_of_the_book(tmp_path: Path) -> None:
    lines = table()
    (command,) = [line for line in commands() if "--bot scout" in line]
    process = subprocess.Popen(
        [sys.executable, "-m", "sunglare_client", *shlex.split(command)[1:], "--plain"],
        env=without_settings(PYTHONPATH=SOURCES, SUNGLARE_HOME=str(tmp_path)),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    )
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        turn, phase, shown = 0, "", list[str]()
        for line in process.stdout:
            shown.append(line)
            if found := WINDOW.match(line):
                turn, phase = int(found[1]), found[2]
            if line.startswith("your orders, please"):
                usual = lines.get(phase, lines.get(f"later {phase}", []))
                wanted = [*lines.get(f"{phase} of turn {turn}", usual)]
                if wanted != ["ready!"]:
                    wanted += lines[LAST]
                wanted = wanted if turn <= TURNS else ["quit yes"]
                process.stdin.writelines(f"{typed}\n" for typed in wanted)
                process.stdin.flush()
    assert process.wait(PATIENCE_S) == 0
    assert turn > TURNS
    refused = [line for line in shown if line.startswith("E-")]
    # With nothing in its arcs yet a ship has nothing to fire at, which the book says.
    assert [line for line in refused if "fire" not in line] == []
    assert [line for line in shown if line.startswith("  CONTACT C")]
