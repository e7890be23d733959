"""The canonical form of frames: the same for every client, whatever it speaks and knows."""

from typing import Any

import msgpack  # type: ignore[import-untyped]
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.verified import A, finished
from sunglare_protocol.codec import Form, decode_server, encode_server
from sunglare_protocol.ids import audience_of
from sunglare_protocol.messages.replies import Frame
from sunglare_protocol.seals import canonical, link, linked

INTEGERS = st.integers(-(2**53) + 1, 2**53 - 1)
LEAVES = st.none() | st.booleans() | INTEGERS | st.text(max_size=300)
VALUES: st.SearchStrategy[Any] = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=20) | st.dictionaries(st.text(max_size=4), inner, max_size=20)
    ),
    max_leaves=40,
)
MAPS = st.dictionaries(st.text(max_size=4), VALUES, max_size=20)


def by_hand(value: Any) -> Any:
    """Return a value with the keys of all its maps sorted by their bytes."""
    if isinstance(value, dict):
        return {key: by_hand(value[key]) for key in sorted(value, key=str.encode)}
    return [by_hand(part) for part in value] if isinstance(value, list) else value


@given(found=MAPS)
def test_any_map_has_one_canonical_form_in_both_subprotocols(found: dict[str, Any]) -> None:
    found.pop("pad", None)
    form = canonical(msgpack.packb(found), Form.PACKED)
    assert form == msgpack.packb(by_hand(found))
    assert form == canonical(msgspec.json.encode(found).decode(), Form.JSON)
    # Bytewise and not as anybody happened to write it.
    turned = dict(reversed(found.items()))
    assert form == canonical(msgpack.packb({**turned, "pad": "..."}), Form.PACKED)


@pytest.mark.parametrize("name", ["duel", "siege", "orlog"])
def test_the_frames_of_a_match_have_the_same_form_in_both_subprotocols(name: str) -> None:
    match = finished(name)
    frames = 0
    for data in match.sent[audience_of(A)]:
        post = decode_server(data, Form.PACKED)
        if isinstance(post, Frame):
            text = encode_server(post, Form.JSON).decode()
            form = canonical(data, Form.PACKED)
            assert form == canonical(text, Form.JSON)
            assert link(bytes(16), post) == linked(bytes(16), form)
            assert form == msgpack.packb(by_hand(msgpack.unpackb(form)))
            frames += 1
    assert frames > 10


def test_a_null_is_no_absent_field() -> None:
    forms = [canonical(msgpack.packb(form), Form.PACKED) for form in ({"a": None}, {})]
    assert forms[0] != forms[1]
