"""A program of another language shows a replay from its description alone."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from builders.verified import finished, played_further
from sunglare_protocol.replay.file import read_replay

PROGRAM = Path(__file__).parents[1] / "foreign" / "read_replay.js"

PATIENCE_S = 120
"""The program is done long before this."""


def texts_of(value: object) -> Iterator[str]:
    """Yield every text in a value that is not a key."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from texts_of(inner)


def frame_lines(audience: str, sent: dict[str, object]) -> Iterator[list[object]]:
    """Yield what the program prints of a message if it is a frame."""
    if sent["t"] == "frame":
        about = [sent[key] for key in ("seq", "turn", "window")]
        yield [audience, *about, *sorted(texts_of(sent["view"]))]


@pytest.mark.needs_node
@pytest.mark.parametrize(
    ("name", "turn"),
    [("siege", None), ("orlog", None), ("siege", 2)],
    ids=["siege", "orlog", "siege, played on"],
)
def test_a_program_in_javascript_shows_what_every_audience_was_sent(
    name: str, turn: int | None, tmp_path: Path
) -> None:
    match = finished(name) if turn is None else played_further(name, turn)
    file = tmp_path / "match.sgr"
    file.write_bytes(match.data)
    node = shutil.which("node")
    assert node is not None
    ran = subprocess.run(
        [node, PROGRAM, file], capture_output=True, timeout=PATIENCE_S, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, b"")
    printed = [json.loads(line) for line in ran.stdout.splitlines()]
    messages = read_replay(match.data).layers.messages
    assert printed == [line for message in messages for line in frame_lines(*message)]
    for audience, posts in match.sent.items():
        sent = map(msgspec.msgpack.decode, posts)
        due = [line for message in sent for line in frame_lines(audience, message)]
        assert [line for line in printed if line[0] == audience] == due


def test_the_program_has_sixty_lines_at_most() -> None:
    assert len(PROGRAM.read_text(encoding="utf-8").splitlines()) <= 60
