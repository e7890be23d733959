"""The layers that a server writes into a file: in which order, how many, and what is left out."""

import asyncio
import bisect

import pytest
from structlog.testing import capture_logs

from builders.replays import packed
from sunglare_protocol.ids import OMNI, PUBLIC, Audience
from sunglare_protocol.replay import parts
from sunglare_protocol.replay.layers import Layers, LayerWriter, read_layers
from sunglare_protocol.replay.values import ReplayError
from sunglare_server.archive import files
from sunglare_server.archive.files import KEPT_BYTES_MOST, LAYER_BYTES_MOST, layers_of
from sunglare_server.runtime.archive import Sent

MEBIBYTE = 1 << 20
MANY = 7


def sent(seq: int) -> Sent:
    """Return a message of this number, of which no other holds a part."""
    return Sent(seq, packed({"t": "news", "seq": seq, "text": f"word {seq}"}))


def seqs_of(layers: Layers) -> list[tuple[str, int]]:
    """Return to which audience each message of a file went, with its number."""
    return [(message.layer, message.sent["seq"]) for message in layers.messages]


def size_of(seqs: list[int]) -> int:
    """Return how many bytes the messages of these numbers take, without the index."""
    writer = LayerWriter()
    writer.layer(PUBLIC)
    for seq in seqs:
        writer.add(PUBLIC, sent(seq).data)
    return writer.size


def test_so_much_is_kept_and_so_much_goes_into_a_file() -> None:
    assert (KEPT_BYTES_MOST, LAYER_BYTES_MOST) == (64 * MEBIBYTE, 48 * MEBIBYTE)


async def test_messages_stand_by_their_number_then_in_the_order_of_the_audiences() -> None:
    audiences = (PUBLIC, Audience("B"), Audience("A"))
    data = await layers_of({audience: (sent(1), sent(2)) for audience in audiences})
    assert seqs_of(read_layers(data)) == [
        (audience, seq) for seq in (1, 2) for audience in audiences
    ]


async def test_an_audience_that_was_sent_nothing_has_a_layer_all_the_same() -> None:
    found = read_layers(await layers_of({PUBLIC: (sent(1),), OMNI: ()}))
    assert (set(found.names), seqs_of(found)) == ({PUBLIC, OMNI}, [(PUBLIC, 1)])


@pytest.mark.parametrize("short", [0, 1], ids=["it fits to the byte", "a byte is missing"])
async def test_of_what_is_too_large_more_than_half_is_left_out_from_the_oldest_on(
    monkeypatch: pytest.MonkeyPatch, short: int
) -> None:
    every = list(range(1, MANY + 1))
    monkeypatch.setattr(files, "LAYER_BYTES_MOST", size_of(every) - short)
    found = read_layers(await layers_of({PUBLIC: tuple(map(sent, every))}))
    left = every[MANY // 2 + 1 :] if short else every
    assert seqs_of(found) == [(PUBLIC, seq) for seq in left]


async def test_a_message_that_is_too_large_by_itself_is_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(files, "LAYER_BYTES_MOST", size_of([]))
    found = read_layers(await layers_of({PUBLIC: (sent(1),)}))
    assert (found.names, found.messages) == ((PUBLIC,), ())


# What is written is what readers take.


def large(text_bytes: int, seq: int = 1) -> Sent:
    """Return a message of a text so long, in which some values stand twice."""
    parts = [f"something that stands here {seq} {number}" for number in range(200)]
    view = {"all": parts, "again": [parts, parts[:50]], "text": "h" * text_bytes}
    return Sent(seq, packed({"t": "frame", "seq": seq, "view": view}))


def takes(text_bytes: int) -> bool:
    """Return whether the writer takes a message."""
    try:
        LayerWriter().add(PUBLIC, large(text_bytes).data)
    except ReplayError:
        return False
    return True


async def test_the_largest_message_that_is_written_is_the_largest_that_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    most = bisect.bisect_left(range(MEBIBYTE), 1, key=lambda size: not takes(size)) - 1
    assert 0 < most < MEBIBYTE
    data = await layers_of({PUBLIC: (large(most),)})
    assert read_layers(data).fault == ""
    # A writer that knew no limit writes what no reader takes.
    with monkeypatch.context() as patch:
        patch.setattr(parts, "UNFOLDED_BYTES_MOST", 2 * MEBIBYTE)
        data = await layers_of({PUBLIC: (large(most + 1),)})
    assert read_layers(data).fault == "Unfolded it is larger than any message."


async def test_a_message_that_no_reader_takes_is_left_out_with_all_that_came_before_it() -> None:
    audience = Audience("A")
    messages = (sent(1), large(MEBIBYTE, 2), sent(3), sent(4))
    with capture_logs() as lines:
        data = await layers_of({audience: messages, PUBLIC: tuple(map(sent, range(1, 5)))})
    found = read_layers(data)
    assert found.fault == ""
    assert [seq for name, seq in seqs_of(found) if name == PUBLIC] == [1, 2, 3, 4]
    assert [seq for name, seq in seqs_of(found) if name == audience] == [3, 4]
    [line] = lines
    assert (line["event"], line["audience"], line["seq"]) == (
        "message_too_large",
        audience,
        2,
    )


async def test_what_is_refused_leaves_no_reference_to_what_was_not_written() -> None:
    writer, beside = LayerWriter(), large(MEBIBYTE)
    with pytest.raises(ReplayError):
        writer.add(PUBLIC, beside.data)
    writer.add(PUBLIC, large(10).data)
    assert read_layers(writer.finished()).fault == ""


async def test_the_writer_counts_what_is_unfolded_as_the_reader_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    messages = tuple(large(100, seq) for seq in range(1, 5))
    writer = LayerWriter()
    for message in messages:
        writer.add(PUBLIC, message.data)
    monkeypatch.setattr(parts, "UNFOLDED_ALL_MOST", writer.unfolded)
    assert read_layers(writer.finished()).fault == ""
    monkeypatch.setattr(parts, "UNFOLDED_ALL_MOST", writer.unfolded - 1)
    assert read_layers(writer.finished()).fault == "Unfolded it is larger than any match."
    monkeypatch.setattr(files, "UNFOLDED_ALL_MOST", writer.unfolded)
    assert await layers_of({PUBLIC: messages}) == writer.finished()
    monkeypatch.setattr(files, "UNFOLDED_ALL_MOST", writer.unfolded - 1)
    found = read_layers(await layers_of({PUBLIC: messages}))
    assert (found.fault, seqs_of(found)) == ("", [(PUBLIC, 4)])


async def test_a_file_with_its_records_is_no_larger_than_readers_take() -> None:
    messages = tuple(map(sent, range(1, 200)))
    whole = await layers_of({PUBLIC: messages})
    assert await layers_of({PUBLIC: messages}, len(whole)) == whole
    found = await layers_of({PUBLIC: messages}, len(whole) - 1)
    assert len(found) < len(whole)
    assert seqs_of(read_layers(found)) == [(PUBLIC, seq) for seq in range(101, 200)]
    # Of records that fill it alone no reader shows anything, but what is verified is whole.
    assert await layers_of({PUBLIC: messages}, -1) == whole


async def test_while_a_file_is_made_others_have_their_turn_after_each_message() -> None:
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    counting = asyncio.create_task(count())
    await layers_of({PUBLIC: tuple(map(sent, range(1, MANY + 1)))})
    counting.cancel()
    assert turns >= MANY
