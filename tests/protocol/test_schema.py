"""The documents of the wire for other languages: fresh as the types, true of real messages."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator, SchemaError, ValidationError  # type: ignore[import-untyped]
from jsonschema.validators import extend  # type: ignore[import-untyped]

from builders.corpus import CLIENT, SERVER, corpus
from builders.hostile import changed
from documents.wirewords import tag
from sunglare_protocol.codec import Form, decode_client
from sunglare_protocol.errors import DecodeError
from sunglare_protocol.messages import ClientMessage, ServerMessage
from sunglare_protocol.refusals import SENTENCES
from sunglare_protocol.schema import asyncapi, documents, main, message_schema

FOLDER = Path(__file__).parents[2] / "protocol" / "schema"
PROGRAM = Path(__file__).parents[1] / "foreign" / "read_asyncapi.js"
PATIENCE_S = 120

SIDES = {"ClientMessage": CLIENT, "ServerMessage": SERVER}
KINDS = {
    "ClientMessage": set(map(tag, get_args(ClientMessage))),
    "ServerMessage": set(map(tag, get_args(ServerMessage))),
}
DIRECTIONS = pytest.mark.parametrize("direction", SIDES)


schema_of_messages = cache(message_schema)
"""Returns the schema of all messages, made once: nothing below changes it."""

written_anew = cache(documents)
"""Returns the text of every document by its name, made once."""


@cache
def shape_at(reference: str) -> Any:
    """Return the part of the schema of all messages to which a reference leads."""
    place: Any = schema_of_messages()
    for key in reference.removeprefix("#/").split("/"):
        place = place[key]
    return place


@cache
def tags_at(reference: str) -> tuple[str, ...]:
    """Return the tags that the shape at a reference takes; none if it has no tag."""
    tag_of_shape = shape_at(reference).get("properties", {}).get("t", {})
    return tuple(tag_of_shape.get("enum", ()))


def is_of_another_kind(shape: Any, instance: object) -> bool:
    """Return whether a map has a tag that a shape does not take, so that it can't fit."""
    if not isinstance(instance, dict) or "$ref" not in shape or "t" not in instance:
        return False
    tags = tags_at(shape["$ref"])
    return bool(tags) and instance["t"] not in tags


def _referred(
    validator: Any, reference: str, instance: object, _schema: object
) -> Iterator[ValidationError]:
    yield from validator.descend(instance, shape_at(reference))


def _any_of(
    validator: Any, shapes: list[Any], instance: object, _schema: object
) -> Iterator[ValidationError]:
    faults = (
        next(validator.descend(instance, shape), None)
        for shape in shapes
        if not is_of_another_kind(shape, instance)
    )
    if all(faults):
        yield ValidationError("is not valid under any of the given schemas")


_Quick = extend(Draft202012Validator, {"$ref": _referred, "anyOf": _any_of})
"""Follows each reference once, and leaves a shape at its first fault: a tenth of the time."""


@cache
def quick_reader(direction: str) -> Any:
    """Return what finds whether a message fits the schema of a direction, without the reasons."""
    return _Quick(shape_at(f"#/$defs/{direction}"))


@cache
def reader(direction: str) -> Draft202012Validator:
    """Return what reads the messages of a direction by the schema alone, with the reasons."""
    shapes = schema_of_messages()["$defs"]
    return Draft202012Validator({"$ref": f"#/$defs/{direction}", "$defs": shapes})


@cache
def messages(direction: str) -> list[Any]:
    """Return the real messages of a direction, as JSON has them."""
    return [json.loads(line) for line in corpus(SIDES[direction], Form.JSON)]


def maps_in(value: object) -> Iterator[dict[str, Any]]:
    """Yield every map in a value."""
    if isinstance(value, dict):
        yield value
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from maps_in(part)


def test_the_documents_are_what_the_types_say() -> None:
    made = written_anew()
    assert sorted(made) == sorted(path.name for path in FOLDER.iterdir())
    for name, text in made.items():
        stored = (FOLDER / name).read_text(encoding="utf-8")
        assert stored == text, f"{name} is not what the types say: make schema"


def test_the_command_writes_all_of_them(tmp_path: Path) -> None:
    assert main([str(tmp_path)]) == 0
    written = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()}
    assert written == written_anew()


@pytest.mark.parametrize("words", [[], ["nowhere"], [".", "."]])
def test_the_command_needs_one_folder_that_exists(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert "FOLDER" in capsys.readouterr().err


def test_the_whole_schema_and_each_shape_in_it_are_valid_of_their_dialect() -> None:
    schema = schema_of_messages()
    Draft202012Validator.check_schema(schema)
    # The dialect says of all that stands in `$defs` that it is a schema itself.
    for planted in ({"type": "text"}, {"properties": {"t": {"enum": 1}}}):
        with pytest.raises(SchemaError):
            Draft202012Validator.check_schema({"$defs": {"Planted": planted}})


@pytest.mark.parametrize("document", [schema_of_messages, asyncapi])
def test_every_reference_leads_to_something(document: Any) -> None:
    whole = document()
    refs = {found["$ref"] for found in maps_in(whole) if "$ref" in found}
    assert len(refs) > 200
    for ref in refs:
        place = whole
        for key in ref.removeprefix("#/").split("/"):
            place = place[key]


def test_every_shape_says_what_it_is_in_whole_words() -> None:
    for name, shape in schema_of_messages()["$defs"].items():
        assert re.fullmatch(r"\S.*\S", shape["description"]), name
        assert "  " not in shape["description"], name


def test_a_client_is_read_strictly_and_a_server_may_grow() -> None:
    shapes = schema_of_messages()["$defs"]
    for kind in get_args(ClientMessage):
        assert shapes[kind.__name__]["additionalProperties"] is False
    for kind in get_args(ServerMessage):
        assert "additionalProperties" not in shapes[kind.__name__]


def test_every_code_of_a_refusal_is_a_word_of_the_schema() -> None:
    words = schema_of_messages()["$defs"]["Code"]["enum"]
    assert sorted(words) == sorted(code.value for code in SENTENCES)


@DIRECTIONS
def test_every_real_message_fits_the_schema_of_its_direction(direction: str) -> None:
    found = messages(direction)
    assert {message["t"] for message in found} == KINDS[direction]
    for message in found:
        if not quick_reader(direction).is_valid(message):
            reader(direction).validate(message)
            pytest.fail(f"the two readers differ on {message}")


@DIRECTIONS
def test_no_message_fits_the_schema_of_the_other_direction(direction: str) -> None:
    (other,) = SIDES.keys() - {direction}
    shared = KINDS["ClientMessage"] & KINDS["ServerMessage"]
    strange = [message for message in messages(direction) if message["t"] not in shared]
    assert len(strange) > 20
    assert not [message for message in strange if quick_reader(other).is_valid(message)]


def is_taken(text: str) -> bool:
    """Return whether the codec takes this for a client's message."""
    try:
        decode_client(text, Form.JSON)
    except DecodeError:
        return False
    return True


def has_whole_float(value: object) -> bool:
    """Return whether there is a number such as 0.0 in a value."""
    if isinstance(value, dict | list):
        return any(map(has_whole_float, value.values() if isinstance(value, dict) else value))
    return isinstance(value, float) and value.is_integer()


@pytest.mark.parametrize(("text", "is_right"), [("22", True), ("22.0", False), ("2.2e1", False)])
def test_an_integer_is_written_without_a_fraction(text: str, *, is_right: bool) -> None:
    assert is_taken(f'{{"t": "ping", "id": {text}}}') == is_right


@given(st.data())
def test_what_the_codec_takes_of_a_client_the_schema_takes_and_nothing_else(
    data: st.DataObject,
) -> None:
    message = changed(data.draw(st.sampled_from(messages("ClientMessage"))), data)
    taken = is_taken(json.dumps(message))
    if has_whole_float(message):
        # JSON Schema knows no types of numbers: to it 0.0 is an integer.
        assert not taken
        return
    assert reader("ClientMessage").is_valid(message) == taken
    assert quick_reader("ClientMessage").is_valid(message) == taken


def test_the_asyncapi_form_has_no_discriminator_that_is_a_map() -> None:
    def counted(document: object) -> int:
        return sum(isinstance(found.get("discriminator"), dict) for found in maps_in(document))

    assert counted(schema_of_messages()) > 2
    assert counted(asyncapi()) == 0


def test_the_asyncapi_form_names_every_message_in_one_direction() -> None:
    operations = asyncapi()["operations"].values()
    refs = [one["$ref"] for operation in operations for one in operation["messages"]]
    kinds = (*get_args(ClientMessage), *get_args(ServerMessage))
    assert len(refs) == len(set(refs)) == len(kinds) + 1  # and the change of the compact form


@pytest.mark.needs_node
def test_the_official_parser_takes_the_asyncapi_form() -> None:
    node = shutil.which("node")
    assert node is not None
    ran = subprocess.run(
        # What V8 gains by optimizing, so short a program does not win back.
        [node, "--no-opt", PROGRAM, FOLDER / "asyncapi.json"],
        capture_output=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, b"")
    *diagnostics, last = map(json.loads, ran.stdout.splitlines())
    assert diagnostics == []
    kinds = (*get_args(ClientMessage), *get_args(ServerMessage))
    assert sorted(last["messages"]) == sorted([*map(tag, kinds), "change"])


def test_the_module_is_a_command(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sunglare_protocol.schema", str(tmp_path)]
    assert subprocess.run(command, timeout=PATIENCE_S, check=False).returncode == 0
    assert (tmp_path / "asyncapi.json").is_file()
