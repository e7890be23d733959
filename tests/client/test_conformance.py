"""The recorded sessions, and `sunglare conformance`: a right server passes, and no wrong one."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgpack  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from builders.fakeclock import FakeClock
from builders.hostile import changed
from builders.servers import running_app, server_process
from builders.sessionserver import parroting
from documents.wirewords import tag
from sunglare_client.__main__ import main
from sunglare_client.conformance.comparing import FREE, WORDS, differences
from sunglare_client.conformance.conforming import FLAGS, SEED, record
from sunglare_client.conformance.playing import SessionPlayer
from sunglare_client.conformance.sessions import (
    NAMES,
    Message,
    SessionError,
    SessionStep,
    read,
    recorded,
    written,
)
from sunglare_protocol.codec import Form
from sunglare_protocol.messages import ClientMessage
from sunglare_protocol.schema import message_schema
from sunglare_server.base.deterministic_clock import START_MS

SESSIONS = pytest.mark.parametrize("name", NAMES)
FOLDER = Path(__file__).parents[2] / "protocol" / "sunglare_protocol" / "sessions"

HASTE_S = 0.3
"""What comes from a server of the tests comes at once."""

STEPS = {name: recorded(name) for name in NAMES}
HEARD = [step.hears for steps in STEPS.values() for step in steps if step.hears]


# What is recorded


async def test_the_sessions_are_what_a_server_with_their_seed_says_byte_by_byte(
    tmp_path: Path,
) -> None:
    (tmp_path / "new").mkdir()
    # Its clock never steps, however slow the machine is.
    clock = FakeClock(START_MS)
    async with running_app(tmp_path, clock, seed=SEED, bots=("random",)) as app:
        await record(app.url, tmp_path / "new")
    for name in NAMES:
        text = (tmp_path / "new" / f"{name}.jsonl").read_text(encoding="utf-8")
        stored = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8")
        assert text == stored, f"{name} is no longer what the server says: make schema"


def forms_of(steps: list[SessionStep]) -> Iterator[tuple[SessionStep, bool]]:
    """Yield each step with a message, and whether its line speaks JSON."""
    forms: dict[str, str] = {}
    for step in steps:
        forms[step.line] = step.form or forms[step.line]
        if step.hex:
            yield step, forms[step.line] == Form.JSON.value


@SESSIONS
def test_the_bytes_of_a_step_are_those_of_its_message(name: str) -> None:
    for step, is_json in forms_of(STEPS[name]):
        data = bytes.fromhex(step.hex)
        message = json.loads(data) if is_json else msgpack.unpackb(data)
        assert message == (step.says or step.hears)


@SESSIONS
def test_what_a_session_has_its_callers_hear_fits_the_schema(name: str) -> None:
    schema = message_schema()
    reader = Draft202012Validator({"$ref": "#/$defs/ServerMessage", "$defs": schema["$defs"]})
    for step in STEPS[name]:
        if step.hears:
            reader.validate(step.hears)


@SESSIONS
def test_no_number_is_missing_between_the_posts_of_a_line(name: str) -> None:
    # Eve takes the seat of Ada where that had come to.
    last: dict[str, int] = {"eve": 2}
    for step in STEPS[name]:
        seq = step.hears.get("seq", 0)
        if seq and "id" not in step.hears:
            assert seq == last.get(step.line, 0) + 1
            last[step.line] = seq
    assert last.keys() - {"eve"}


@SESSIONS
def test_every_session_ends_with_the_end_of_its_match_and_nobody_left(name: str) -> None:
    kinds = [step.hears["t"] for step in STEPS[name] if step.hears]
    assert "over" in kinds
    assert kinds[-1] == "bye"


def test_the_sessions_together_use_most_of_what_a_player_says_and_hears() -> None:
    said = {step.says["t"] for steps in STEPS.values() for step in steps if step.says}
    assert {"hello", "create", "join", "ready", "reveal", "orders", "ask", "draw"} <= said
    assert {"resume", "watch", "chat", "resign", "ping", "info", "forget"} <= said
    assert said - {"dance"} <= set(map(tag, get_args(ClientMessage)))
    codes = {message["code"] for message in HEARD if message["t"] == "refused"}
    assert len(codes) >= 15


def test_a_file_that_holds_no_session_is_told_with_its_line() -> None:
    assert read(written(STEPS["match"]), "match") == STEPS["match"]
    with pytest.raises(SessionError, match="match, line 2"):
        read('{"line": "ada", "does": "open"}\n{"line": 7}\n', "match")


# A server is played through them


@pytest.mark.parametrize("name", NAMES)
async def test_a_server_that_says_what_is_recorded_passes_with_its_bytes(name: str) -> None:
    steps = STEPS[name]
    async with parroting(steps, lambda message: [message]) as url:
        player = SessionPlayer(url, with_bytes=True, patience_s=HASTE_S)
        await player.play(steps)
    assert player.found == []


def test_a_server_with_the_same_seed_passes(tmp_path: Path) -> None:
    with server_process(tmp_path, *FLAGS) as server:
        assert main(["conformance", server.url, "--bytes"]) == 0


def test_a_server_with_another_seed_passes_but_for_the_bytes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with server_process(tmp_path, "--seed", "another", "--bots", "lurker") as server:
        assert main(["conformance", server.url]) == 0
        assert "The server speaks the protocol." in capsys.readouterr().out
        assert main(["conformance", server.url, "--bytes"]) == 1
    said = capsys.readouterr().out.splitlines()
    assert "match: step 4, ada hears welcome: the bytes differ from byte" in said[0]
    assert said[-1] == f"{len(said) - 1} differences"
    assert all("the bytes differ from byte" in line for line in said[:-1])


def test_a_server_without_a_seed_passes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with server_process(tmp_path) as server:
        assert main(["conformance", server.url]) == 0
    assert capsys.readouterr().out.count("as recorded") == len(NAMES)


def test_where_nobody_answers_the_connection_failed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conformance", "ws://127.0.0.1:9"]) == 3
    assert "sunglare: The connection is lost" in capsys.readouterr().err


# A wrong server is found out


def other(message: Message, **fields: Any) -> Message:
    """Return a message with other fields; None takes one away."""
    changed_ = {**message, **fields}
    return {key: value for key, value in changed_.items() if value is not None}


FAULTS: dict[str, tuple[str, list[dict[str, Any]], str]] = {
    "an answer of another kind": ("seated", [{"t": "resumed"}], "resumed came"),
    "no answer": ("created", [], "nothing came within 0.3 s"),
    "the same post twice": ("frame", [{}, {}], "$.seq: 2 was due, 1 came"),
    "a post too many": ("over", [{}, {}], "over came"),
    "a field too few": ("seated", [{"commitment": None}], "$.commitment: missing"),
    "a field too many": ("over", [{"dice": 3}], "$.dice: not due"),
    "another value": ("seated", [{"side": "B"}], "$.side: 'A' was due, 'B' came"),
    "another type of a free value": ("pong", [{"time_ms": "now"}], "a text came"),
    "a number of another command": ("accepted", [{"id": 77}], "77 came"),
    "a gap in the sequence": ("frame", [{"seq": 9}], "$.seq: 1 was due, 9 came"),
    "a message without a kind": ("frame", [{"t": None}], "a message without t came"),
}
"""Faults: the kind of message for which others are said, those, and what is found of it."""


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_server_that_errs_is_told_where(fault: str) -> None:
    kind, others, found = FAULTS[fault]
    name = "refusals" if kind == "pong" else "match"
    left = [1]

    def say(message: Message) -> list[Message]:
        if message["t"] != kind or not left:
            return [message]
        left.clear()
        return [other(message, **fields) for fields in others]

    async with parroting(STEPS[name], say) as url:
        player = SessionPlayer(url, with_bytes=False, patience_s=HASTE_S)
        await player.play(STEPS[name])
    assert found in player.found[0]


async def test_a_post_that_nobody_was_due_at_the_end_is_told() -> None:
    def say(message: Message) -> list[Message]:
        return [message, message] if message["t"] == "bye" else [message]

    async with parroting(STEPS["match"], say) as url:
        player = SessionPlayer(url, with_bytes=False, patience_s=HASTE_S)
        await player.play(STEPS["match"])
    assert player.found[0] == "at the end, ada has heard bye that was not due"


async def test_a_name_of_the_recorded_server_that_is_said_to_another_one_is_a_fault() -> None:
    # The other server calls the match by another name, but in one message.
    (match,) = {step.hears["match"] for step in STEPS["match"] if step.hears.get("t") == "created"}

    def say(message: Message) -> list[Message]:
        if message["t"] == "seated":
            return [message]
        text = json.dumps(message).replace(match, "z" * 26)
        return [json.loads(text)]

    async with parroting(STEPS["match"], say) as url:
        player = SessionPlayer(url, with_bytes=False, patience_s=HASTE_S)
        await player.play(STEPS["match"])
    assert f"hears seated: $.match: '{'z' * 26}' was due, '{match}' came" in player.found[0]


def masked(value: Any, path: str) -> Any:
    """Return a message with the types of free values in their place."""
    if path in FREE | WORDS:
        return type(value).__name__
    if isinstance(value, dict):
        return {key: masked(part, f"{path}.{key}") for key, part in value.items()}
    return [masked(part, path) for part in value] if isinstance(value, list) else value


@given(st.data())
def test_two_messages_differ_where_they_are_not_equal_but_for_what_is_free(
    data: st.DataObject,
) -> None:
    due = data.draw(st.sampled_from(HEARD))
    came = json.loads(json.dumps(changed(due, data), default=str))
    if not isinstance(came, dict):
        return
    is_same = repr(masked(due, due["t"])) == repr(masked(came, due["t"]))
    assert (list(differences(due, came, {})) == []) == is_same


def test_a_message_does_not_differ_from_itself() -> None:
    found = [(due["t"], list(differences(due, due, {}))) for due in HEARD]
    assert found
    assert not [(kind, differing) for kind, differing in found if differing]
