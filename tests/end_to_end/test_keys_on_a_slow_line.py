"""Keys over slow lines, to a real server: the orders that it gets are those that were typed.

`PYTHONPATH=tests python tests/end_to_end/test_keys_on_a_slow_line.py 9600 200` types so many
bursts at that speed, with two busy loops beside: the long form, which takes an hour.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random

import pytest

from builders.servers import server_process
from builders.slowlines import slow_line
from end_to_end.test_the_full_screen import waiting_rival

SUNGLARE = (sys.executable, "-m", "sunglare_client")
LIMIT_S = 120
BUSY = 2
STYLE = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]|\r\n")
ORDERS = {
    "sensors S1": ("out", "in"),
    "sensors S2": ("out", "in"),
    "turn S1": ("+1", "-1"),
    "turn S2": ("+1", "-1"),
}
"""Orders that are legal in every window of a PLOT, each of which replaces the one before."""

BURSTS = 10
"""So many are typed in one match: its PLOT closes after ten minutes."""


def burst(dice: Random, plan: dict[str, str]) -> list[str]:
    """Return the keys of some lines and pointed places, and write the orders into `plan`."""
    keys: list[str] = []
    for _ in range(dice.randrange(2, 5)):
        if dice.random() < 0.3:
            keys += [
                "F1",
                *dice.choices(("Up", "Down", "Right", "s", "n", "m"), k=3),
                "b",
                "Backspace",
            ]
        if dice.random() < 0.2:
            keys.append("Enter")
            keys.append("Enter")
        order = dice.choice(tuple(ORDERS))
        value = dice.choice(ORDERS[order])
        plan[order] = value
        keys += [*f"{order} {value}", "Enter"]
    return keys


@contextmanager
def busy(loops: int) -> Iterator[None]:
    """Keep processors busy meanwhile."""
    # A program of two statements has nothing to import, so none is forked for it.
    spin = [sys.executable, "-c", "while True: pass"]
    programs = [subprocess.Popen(spin) for _ in range(loops)]
    try:
        yield
    finally:
        for program in programs:
            program.kill()
            program.wait()


def typed_over(folder: Path, baud_in: int, baud_out: int, bursts: int, seed: int) -> None:
    """Type bursts in one PLOT, and compare what the server holds with what was typed."""
    # At set-up sensors go out by themselves.
    dice, plan = Random(seed), {"sensors S1": "out", "sensors S2": "out"}
    with server_process(folder) as server:
        new = ("play", "--url", server.url, "--new", "shadow-of-ceres", "--clock", "local")
        home = folder / "anna"
        home.mkdir()
        line_of = partial(slow_line, baud_in=baud_in, baud_out=baud_out, SUNGLARE_HOME="home")
        with line_of(home, *SUNGLARE, *new, "--side", "A") as line:
            line.run_until(b"A is ready", LIMIT_S)
            found = re.search(rb"--match\s*(\w{26})", STYLE.sub(b"", line.drawn))
            assert found is not None
            match = found[1].decode()
            with waiting_rival(server, match, folder / "ben"):
                line.run_until(b"PLOT", LIMIT_S)
                for number in range(bursts):
                    line.press(*burst(dice, plan), *f"note C{number} seen", "Enter")
                    line.run_until(f"note on C{number}".encode(), LIMIT_S)
                assert b"READY" not in line.drawn
                assert held(server.url, match, home) == plan


def held(url: str, match: str, home: Path) -> dict[str, str]:
    """Return the orders that the server holds for the seat, which is taken once more for that."""
    words = [*SUNGLARE, "play", "--url", url, "--match", match, "--plain", "--quit-on-eof"]
    env = {**os.environ, "SUNGLARE_HOME": str(home / "home")}
    done = subprocess.run(
        words,
        input="orders\n",
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        env=env,
        check=False,
    )
    assert "orders given:" in done.stdout, done.stdout + done.stderr
    rows = re.findall(r"^  (\w+ S\d) (\S+)$", done.stdout, re.MULTILINE)
    return dict(rows)


@pytest.mark.parametrize(
    ("baud_in", "baud_out", "bursts"),
    [pytest.param(9600, 9600, 2, id="slow"), pytest.param(300, 0, 1, id="slow keys alone")],
)
def test_the_server_gets_the_orders_that_were_typed_and_nothing_is_committed(
    baud_in: int, baud_out: int, bursts: int, tmp_path: Path
) -> None:
    typed_over(tmp_path, baud_in, baud_out, bursts, seed=0)


if __name__ == "__main__":
    speed, wanted = int(sys.argv[1]), int(sys.argv[2])
    with busy(BUSY):
        for seed in range(-(-wanted // BURSTS)):
            with tempfile.TemporaryDirectory() as folder:
                out = 0 if speed < 1000 else speed
                typed_over(Path(folder), speed, out, min(BURSTS, wanted - BURSTS * seed), seed)
                sys.stdout.write(f"{min(BURSTS * (seed + 1), wanted)} bursts as typed\n")
