"""The layers that a server writes into a file: in which order, how many, and what is left out."""

import asyncio

import pytest

from builders.replays import packed
from sunglare_protocol.ids import OMNI, PUBLIC, Audience
from sunglare_protocol.replay.layers import Layers, LayerWriter, read_layers
from sunglare_server.host import files
from sunglare_server.host.archive import Sent
from sunglare_server.host.files import KEPT_BYTES_MOST, LAYER_BYTES_MOST, layers_of

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
