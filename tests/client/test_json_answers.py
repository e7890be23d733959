"""With `--json` every line that a subcommand writes is one JSON object, in ASCII alone."""

import json
from pathlib import Path
from typing import Any

import pytest

from builders.commandlines import sunglare
from builders.servers import running_app
from builders.truths import MATCH
from builders.verified import A, short
from sunglare_arena import why
from sunglare_arena.hindsight.tale import Inquiry
from sunglare_arena.verify import verified
from sunglare_client import connect
from sunglare_client.__main__ import main
from sunglare_client.bots import BOTS
from sunglare_client.conformance.sessions import NAMES
from sunglare_protocol.messages import Create, Created


def objects(said: str) -> list[dict[str, Any]]:
    """Return the objects of the lines that were written."""
    assert said.isascii()
    found = [json.loads(line) for line in said.splitlines()]
    assert all(isinstance(one, dict) for one in found)
    return found


async def test_lists_are_the_messages_that_the_server_sent(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, await connect(app.url, name="Zoë") as connection:
        created = await connection.expect(
            Created, Create, scenario="shadow-of-ceres", title="Fünf"
        )
        for words in (["matches"], ["lobby"], ["matches", "--which", "open"]):
            done = await sunglare(*words, "--json", "--url", app.url, home=tmp_path)
            assert done.code == 0, done.err
            [message] = objects(done.out)
            assert message["t"] == "matches"
            assert [line["match"] for line in message["open"]] == [created.match]
            assert message["open"][0]["title"] == "Fünf"
        done = await sunglare("matches", "--over", "--json", "--url", app.url, home=tmp_path)
        kept, over = objects(done.out)
        assert (kept, over["t"]) == ({"kept": []}, "matches")
        done = await sunglare("ladder", "--json", "--url", app.url, home=tmp_path)
        assert objects(done.out)[0]["t"] == "ladder"


async def test_matches_kept_here_are_written_with_their_headers(tmp_path: Path) -> None:
    folder = tmp_path / "records"
    folder.mkdir()
    (folder / f"{MATCH}.sgr").write_bytes(short().data)
    (folder / "damaged.sgr").write_bytes(b"nothing")
    async with running_app(tmp_path) as app:
        done = await sunglare("matches", "--over", "--json", "--url", app.url, home=tmp_path)
    by_match = {one["match"]: one for one in objects(done.out)[0]["kept"]}
    assert by_match[MATCH]["header"]["scenario"] == "duel"
    assert by_match["damaged"]["header"] == {}
    assert by_match["damaged"]["fault"]


async def test_doctor_and_conformance_write_an_object_for_each_finding(tmp_path: Path) -> None:
    async with running_app(tmp_path, bots=("random",)) as app:
        done = await sunglare("doctor", "--json", "--url", app.url, home=tmp_path)
        found = objects(done.out)
        assert {"about": "server", "found": f"{app.url} answers", "fault": False} in found
        assert done.code == 0, done.err
        done = await sunglare("conformance", app.url, "--json", home=tmp_path)
        sessions = objects(done.out)
        assert [one["session"] for one in sessions] == [*NAMES]
        assert not [line for one in sessions for line in one["differs"]]


def test_bots_are_written_with_their_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bots", "--json"]) == 0
    assert [one["name"] for one in objects(capsys.readouterr().out)] == sorted(BOTS)


def test_verify_and_why_write_what_they_say_to_people(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    data = short().data
    file = tmp_path / "match.sgr"
    file.write_bytes(data)
    assert main(["verify", str(file), "--json"]) == 0
    assert [one["good"] for one in objects(capfd.readouterr().out)] == verified(data)
    assert main(["why", str(file), "B.S1", "--side", "A", "--json"]) == 0
    assert [
        (one["turn"], one["piece"], one["phase"], one["words"])
        for one in objects(capfd.readouterr().out)
    ] == [
        (line.turn, line.piece, line.phase.value, line.words)
        for line in why.told(data, Inquiry(A, None, "B.S1"))
    ]
    file.write_bytes(short().forged(records=lambda records: records.pop(6)))
    assert main(["verify", str(file), "--json"]) == 1
    different = {"where": "record 7", "different": "it is numbered 8"}
    assert objects(capfd.readouterr().out) == [different]
