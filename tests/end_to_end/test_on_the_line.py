"""What somebody on the line sees: no compression ever, and padded frames in steps of 256 bytes."""

import pytest
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from builders.venues import Venue
from sunglare_protocol.codec import PAD_STEP, Form
from sunglare_protocol.messages import Frame
from sunglare_server.app import App

OFFERS = (
    "permessage-deflate",
    "permessage-deflate; client_max_window_bits",
    "permessage-deflate; server_no_context_takeover; client_no_context_takeover",
    "x-webkit-deflate-frame, permessage-deflate; server_max_window_bits=10",
)
"""What clients offer who would like to compress."""


@pytest.mark.parametrize("form", list(Form), ids=["packed", "json", "compact"])
async def test_no_handshake_agrees_on_compression(app: App, form: Form) -> None:
    for offer in OFFERS:
        async with connect(
            app.url,
            subprotocols=[Subprotocol(form.value)],
            compression=None,
            additional_headers={"Sec-WebSocket-Extensions": offer},
            proxy=None,
        ) as socket:
            assert socket.request is not None
            assert socket.request.headers["Sec-WebSocket-Extensions"] == offer
            assert socket.response is not None
            assert "Sec-WebSocket-Extensions" not in socket.response.headers, offer


async def test_a_client_that_can_decompress_is_sent_nothing_compressed(app: App) -> None:
    async with connect(app.url, compression="deflate", proxy=None) as socket:
        assert socket.protocol.extensions == []


@pytest.mark.parametrize(("pad", "is_padded"), [("auto", True), ("yes", True), ("no", False)])
async def test_frames_of_rated_matches_are_padded_unless_an_option_says_no(
    venue: Venue, pad: str, is_padded: bool
) -> None:
    one, two = await venue.duel(options={"clock": "blitz", "pad_frames": pad})
    sizes = [
        len(data)
        for player in [one, two]
        for data, message in zip(player.talker.raw, player.talker.messages, strict=True)
        if isinstance(message, Frame)
    ]
    assert len(sizes) == 2
    assert all(size % PAD_STEP == 0 for size in sizes) == is_padded
