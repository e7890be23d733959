"""The command `sunglare conformance`: play a server through recorded sessions, or record them."""

import argparse
from pathlib import Path
from typing import Final

from sunglare_client.cli.addresses import server_url
from sunglare_client.cli.flags import add_json
from sunglare_client.conformance.lines import PATIENCE_S
from sunglare_client.conformance.playing import SessionPlayer
from sunglare_client.conformance.recording import Recorder
from sunglare_client.conformance.scripts import SCRIPTS
from sunglare_client.conformance.sessions import NAMES, recorded, written
from sunglare_client.text.json_line import json_line
from sunglare_client.text.printable import printable

SEED: Final = "conformance"
"""What a server is to draw from whose bytes are compared; of bots it is to have one."""

FLAGS: Final = ("--seed", SEED, "--bots", "random")
"""The flags of such a server."""

_HELP: Final = f"""\
Three sessions are played by new guests, who are forgotten afterwards: a match, a line that is
lost, and refusals with a spectator. Kinds, order and fields are compared. What is a server's own
may differ: names, secrets, times, what the dice decide, and texts.

--bytes compares all the bytes as well, which only a new server with the same seed can pass:

  sunglare-server --seed {SEED} --bots random --port 8799 --journal new.db
  sunglare conformance ws://127.0.0.1:8799 --bytes

exit codes:
  0  the server speaks as recorded
  1  it does not; each line says where, what was expected, and what came
  3  no server answers there
"""


def add_conformance(parser: argparse.ArgumentParser) -> None:
    """Add what `sunglare conformance` takes."""
    parser.epilog = _HELP
    parser.add_argument("url", type=server_url, help="the server, such as ws://127.0.0.1:8765")
    parser.add_argument("--bytes", action="store_true", help="compare all bytes as well")
    add_json(parser)
    parser.add_argument(
        "--record", metavar="FOLDER", help="write the sessions there, as the server speaks now"
    )


async def conform(options: argparse.Namespace) -> int:
    """Do what the command line says; return the exit code."""
    if options.record is not None:
        return await record(options.url, Path(options.record))
    return await check(options.url, with_bytes=options.bytes, as_json=options.json)


async def check(
    url: str, *, with_bytes: bool, as_json: bool = False, patience_s: float = PATIENCE_S
) -> int:
    """Play a server through all sessions and print what differs; return 0 if nothing does."""
    others = 0
    for name in NAMES:
        player = SessionPlayer(url, with_bytes=with_bytes, patience_s=patience_s)
        steps = recorded(name)
        await player.play(steps)
        others += len(player.found)
        messages = sum(bool(step.hears) for step in steps)
        if as_json:
            print(json_line({"session": name, "messages": messages, "differs": player.found}))
            continue
        for line in player.found:
            print(f"{name}: {printable(line)}")
        if not player.found:
            print(f"{name}: {messages} messages as recorded")
    if not as_json:
        print(f"{others} differences" if others else "The server speaks the protocol.")
    return int(others > 0)


async def record(url: str, folder: Path) -> int:
    """Play all sessions by hand and write them to a folder that exists; return 0."""
    for name, script in SCRIPTS.items():
        recorder = Recorder(url)
        await script(recorder)
        await recorder.end()
        text = written(recorder.steps)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
        print(f"{folder / name}.jsonl: {len(recorder.steps)} steps")
    return 0
