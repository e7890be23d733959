"""The heads of the frames that we write ourselves are those that the library would write."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from sunglare_server.gateway.frame_headers import BINARY, TEXT, head

EDGES = (0, 1, 125, 126, 127, 65_535, 65_536, 65_537)


def check(size: int) -> None:
    """Compare both kinds of messages of a size with the library's."""
    data = b"." * size
    for first, opcode in ((BINARY, Opcode.BINARY), (TEXT, Opcode.TEXT)):
        assert head(first, size) + data == Frame(opcode, data).serialize(mask=False)


@pytest.mark.parametrize("size", EDGES)
def test_a_head_at_the_edges_of_its_lengths_is_the_library_s(size: int) -> None:
    check(size)


@given(st.integers(0, 200_000))
def test_a_head_is_the_library_s(size: int) -> None:
    check(size)
