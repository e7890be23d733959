"""The real journal without power: a process writes and is cut off, and what it was told must hold.

`make proofs` runs it. A child appends records and keeps rooms and snapshots in a database file,
and says so after each; `shim.c`, preloaded, ends it at one of its writes and takes away what was
not synced. Then the file is opened without the shim.
"""

import argparse
import asyncio
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Final

from sunglare_protocol.ids import MatchId
from sunglare_server.sqlite.storage import sqlite_storage

SHIM: Final = Path(__file__).with_name("shim.c")
FILE: Final = "power.db"
MATCHES: Final = tuple(MatchId(letter * 26) for letter in "abc")
ENDED: Final = 137
"""The status of a process whose power failed."""

ROUNDS: Final = 400
"""How many rounds a child writes if nothing ends it."""

SPREAD: Final = 700
"""Up to which of its writes the power fails."""


def blob(match: MatchId, number: int) -> bytes:
    """Return the record that is written: now and then one of several pages."""
    return f"{match[0]}{number}.".encode() * (1_500 if number % 7 == 0 else 20)


async def write(folder: Path) -> None:
    """Write round after round, and say of each that it is stored once it is."""
    storage = await sqlite_storage(folder / FILE)
    for number in range(1, ROUNDS):
        await asyncio.gather(
            *(storage.journal.append(match, number, (blob(match, number),)) for match in MATCHES)
        )
        await storage.store.put_room(MATCHES[0], str(number).encode())
        if number % 5 == 0:
            await storage.journal.keep_snapshot(MATCHES[1], number, blob(MATCHES[1], number), 1)
        sys.stdout.write(f"{number}\n")
        sys.stdout.flush()


def _checked(folder: Path) -> str:
    """Return what SQLite says of a copy: to look at the file itself would fold in its log."""
    with tempfile.TemporaryDirectory() as aside:
        for path in folder.glob(f"{FILE}*"):
            shutil.copy(path, aside)
        with closing(sqlite3.connect(Path(aside) / FILE)) as connection:
            (sound,) = connection.execute("PRAGMA integrity_check").fetchone()
    return str(sound)


async def held(folder: Path, acknowledged: int) -> list[str]:
    """Return what is wrong with a file whose writer was told of so many rounds."""
    sound = _checked(folder)
    if sound != "ok":
        return [f"the file is damaged: {sound}"]
    storage = await sqlite_storage(folder / FILE)
    faults = []
    for match in MATCHES:
        found = await storage.journal.read(match)
        if len(found) < acknowledged:
            faults.append(f"{acknowledged} records were acknowledged, {len(found)} are there")
        if found != tuple(blob(match, number) for number in range(1, len(found) + 1)):
            faults.append("records are other ones than were written")
    rooms = dict(await storage.store.rooms())
    if acknowledged and int(rooms.get(MATCHES[0], b"0")) < acknowledged:
        faults.append("a room is older than was acknowledged")
    await storage.journal.close()
    return faults


def cut_off(shim: Path, seed: int, *, is_deaf: bool) -> list[str] | None:
    """Let a child write until its power fails; return what is wrong, None if it did not fail."""
    with tempfile.TemporaryDirectory() as name:
        wish = {"LD_PRELOAD": str(shim), "SHIM_FILE": f"{name}/{FILE}", "SHIM_SEED": str(seed)}
        wish["SHIM_STEP"] = str(Random(seed).randint(1, SPREAD))
        if is_deaf:
            wish["SHIM_DEAF"] = "1"
        ended = subprocess.run(
            [sys.executable, "-m", "simulation.power", "--write", name],
            env={**os.environ, **wish},
            stdout=subprocess.PIPE,
            timeout=60,
            check=False,
        )
        if ended.returncode != ENDED:
            return None
        try:
            return asyncio.run(held(Path(name), len(ended.stdout.splitlines())))
        except Exception as fault:  # noqa: BLE001 - a file that cannot be opened is what is looked for
            return [f"{type(fault).__name__}: {fault}"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Cut so many writers off; return 1 if anything acknowledged was lost, or nothing can be."""
    given = _parser().parse_args(arguments)
    if given.write:
        asyncio.run(write(given.write))
        return 0
    compiler = shutil.which("cc") if sys.platform == "linux" else None
    if compiler is None:
        sys.stdout.write("power: skipped, as there is no C compiler, or no Linux\n")
        return 0
    with tempfile.TemporaryDirectory() as name:
        shim = Path(name) / "shim.so"
        flags = ["-shared", "-fPIC", "-O1", "-Wall", "-Werror"]
        subprocess.run([compiler, *flags, "-o", shim, SHIM, "-ldl", "-lpthread"], check=True)
        return _tried(shim, range(given.seeds))


def _tried(shim: Path, seeds: range) -> int:
    results = {seed: cut_off(shim, seed, is_deaf=False) for seed in seeds}
    faults = {seed: found for seed, found in results.items() if found or found is None}
    for seed, found in faults.items():
        sys.stdout.write(f"power, seed {seed}: {found or 'its power did not fail'}\n")
    # A disk that says it has synced and has not must be found out, or the shim shows nothing.
    is_seen = any(cut_off(shim, seed, is_deaf=True) for seed in seeds)
    told = "found out" if is_seen else "NOT found out"
    said = f"power: {len(seeds)} writers cut off, {len(faults)} lost something"
    sys.stdout.write(f"{said}; a disk that lies was {told}\n")
    return 0 if is_seen and not faults else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Cut the power of writers of a real journal.")
    parser.add_argument("--seeds", type=int, default=40, help="how many writers")
    parser.add_argument("--write", type=Path, help="be a writer, in this folder")
    return parser


if __name__ == "__main__":
    sys.exit(main())
