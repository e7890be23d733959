"""The side-by-side run: our server, an earlier one of ours and the peers in turns; prints a table.

    side.py [--rounds 3] [--sets ceres,crowded,redondo] [--only ours,colyseus] [--out FILE]

`run_all.sh` sets up what it needs and names it in the environment: WORK is the folder with the
programs, the recordings (`compact/` and `maps/`, and `before/` of the earlier checkout), PY and
BEFORE_PY are the Pythons of the two checkouts, NODE_PATH the peers' modules. The server has one
processor, the driver the other. CPU is the scheduler's, of all threads of the server.
"""

import argparse
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
WORK = Path(os.environ.get("WORK", "."))
PY = os.environ.get("PY", sys.executable)
BEFORE_PY = os.environ.get("BEFORE_PY", "")
LONGEST_S = 300
COMPACT = "sunglare.v1.compact"

Figures = dict[str, Any]


class Set(NamedTuple):
    """One of the loads: seats, matches, pieces of a side; `many` of a peer's weigh as much.

    That many make Colyseus send as many bytes as our map form does.
    """

    seats: int
    pieces: int
    matches: int
    many: int


SETS = {
    "ceres": Set(2, 2, 20, 116),
    "crowded": Set(4, 16, 6, 190),
    "redondo": Set(4, 15, 6, 200),
}


def pinned(processor: int, *words: str | Path) -> list[str]:
    """Return a command that keeps to one processor."""
    return ["taskset", "-c", str(processor), *map(str, words)]


@contextmanager
def running(command: list[str], folder: Path, **names: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a server with its output in the folder, and end it."""
    with (folder / "out").open("wb") as out, (folder / "err").open("wb") as err:
        server = subprocess.Popen(command, stdout=out, stderr=err, env={**os.environ, **names})
    try:
        yield server
    finally:
        server.terminate()
        try:
            server.wait(30)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def waited(found: Callable[[], str]) -> str:
    """Return what is found once it is there."""
    for _ in range(1200):
        if answer := found():
            return answer
        time.sleep(0.05)
    raise RuntimeError("a server did not come up")


def driven(*words: str | Path) -> Figures:
    """Run a driver and return its figures."""
    done = subprocess.run(
        pinned(1, *words), capture_output=True, text=True, timeout=LONGEST_S, check=False
    )
    if not done.stdout.startswith("{"):
        raise RuntimeError(f"{words[0]}: {done.stderr[-300:]}")
    found: Figures = json.loads(done.stdout)
    return found


def replayed(recording: Path, *command: str | Path, flags: tuple[str, ...] = ()) -> Figures:
    """Play a recording against a server; a `{folder}` in its command is one for this run alone."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        words = [str(word).replace("{folder}", name) for word in command]
        with running(pinned(0, *words), folder) as server:
            told = waited(lambda: _listening(folder / "out"))
            port = told.split("/play")[0].rsplit(":", 1)[1]
            return driven(
                WORK / "replay", "-f", recording, "-p", port, "-i", str(server.pid), *flags
            )


def _listening(out: Path) -> str:
    told = out.read_text()
    return told.split("listening on ")[1] if "listening on " in told and "\n" in told else ""


def loaded(kind: str, load: Set, *, same_bytes: bool) -> Figures:
    """Have a peer play its own radius game with as many seats, and pieces or bytes."""
    names = {"FOG_P": str(load.seats), "FOG_U": str(load.many if same_bytes else load.pieces)}
    if same_bytes:
        names["FOG_R"] = "9999"
    port, matches = _free_port(), str(load.matches)
    with tempfile.TemporaryDirectory() as name:
        folder, paths = Path(name), Path(name) / "paths"
        script = HERE / "node" / f"{kind}_server.js"
        is_rooms = kind == "colyseus"
        rest = (matches, "0", paths) if is_rooms else ()
        with running(pinned(0, "node", script, port, *rest), folder, **names) as server:
            waited(lambda: "up" if _answers(int(port)) else "")
            if is_rooms:
                waited(lambda: "there" if paths.exists() else "")
            time.sleep(0.3)
            words = ["-p", port, "-i", str(server.pid), "-M", matches, "-P", str(load.seats)]
            units = str(min(int(names["FOG_U"]), 100))
            mode = ["-f", str(paths), "-m", "col"] if is_rooms else ["-m", "raw"]
            timed = ["-S", "0", "-U", units, "-w", "0.7", "-t", "1.5"]
            found = driven(WORK / "wsload2", *words, *timed, *mode)
    return {**found, "us_per_frame": found["us_per_view"], "bytes_frame": found["bytes_view"]}


def _free_port() -> str:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return str(free.getsockname()[1])


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


def rows(name: str) -> Iterator[tuple[str, Callable[[], Figures]]]:
    """Yield what is measured with one load, by its words."""
    load, serve = SETS[name], HERE / "serve.py"
    compact, maps = WORK / "compact" / f"{name}.bin", WORK / "maps" / f"{name}.bin"
    before = WORK / "before" / f"{name}.bin"
    ours = (PY, serve, "{folder}")
    yield "ours", lambda: replayed(compact, *ours, flags=("-s", COMPACT))
    yield "ours in maps", lambda: replayed(maps, *ours)
    if BEFORE_PY:
        yield "ours before, in maps", lambda: replayed(before, BEFORE_PY, serve, "{folder}")
    for kind in ("colyseus", "ws"):
        for same_bytes in (False, True):
            words = f"{kind}, same {'bytes' if same_bytes else 'pieces'}"
            yield words, lambda k=kind, s=same_bytes: loaded(k, load, same_bytes=s)  # type: ignore[misc]
    for form, recording in (("compact", compact), ("maps", maps)):
        for kind in ("plain", "hooked"):
            words = f"echo {kind} of {form}"
            yield (
                words,
                lambda r=recording, k=kind: replayed(  # type: ignore[misc]
                    r, PY, HERE / "echo.py", r, k, flags=("-e",)
                ),
            )
    yield "C floor", lambda: replayed(compact, WORK / "floor_rec", compact, flags=("-e",))


def table(name: str, found: dict[str, list[Figures]]) -> None:
    """Print what one load came to."""
    print(
        f"\n{name:26}{'us a frame':>11}{'from':>8}{'to':>8}{'ours is':>9}{'p50 ms':>8}{'bytes':>8}"
    )
    ours = [run["us_per_frame"] for run in found.get("ours", ())]
    for words, runs in found.items():
        us = [run["us_per_frame"] for run in runs]
        times = [mine / theirs for mine, theirs in zip(ours, us, strict=False)]
        p50 = statistics.median(run["p50_us"] for run in runs) / 1000
        size = statistics.median(run["bytes_frame"] for run in runs)
        paired = f"{statistics.median(times):8.2f}x" if times else ""
        print(
            f"  {words:24}{statistics.median(us):11.1f}{min(us):8.1f}{max(us):8.1f}{paired:>9}"
            f"{p50:8.2f}{size:8.0f}"
        )
        if differing := sum(run.get("differing", 0) for run in runs):
            raise SystemExit(f"{differing} frames are not the recorded ones")


def main() -> None:
    """Measure in rounds, all rows in turns, and print the tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--only", default="")
    parser.add_argument("--budget", type=float, default=1e9)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    found: dict[str, dict[str, list[Figures]]] = {name: {} for name in given.sets.split(",")}
    began = time.monotonic()
    for _ in range(given.rounds):
        for name in found:
            for words, measured in rows(name):
                wanted = not given.only or any(part in words for part in given.only.split(","))
                if wanted and time.monotonic() - began < given.budget:
                    found[name].setdefault(words, []).append(measured())
    for name, runs in found.items():
        table(name, runs)
    if given.out is not None:
        given.out.write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
