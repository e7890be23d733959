"""Converts a command to the body of a record, or rejects it."""

from typing import assert_never

from sunglare_protocol import messages
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.text import CHAT_MOST, clean
from sunglare_server.api.port import Command
from sunglare_server.match.record import (
    Body,
    ChatSaid,
    DrawOffered,
    Muted,
    OrdersGiven,
    PauseAsked,
    Resigned,
)


def body_of(message: Command) -> Body | Rejected:
    """Return the body of a command's record, or a refusal of what no record may hold."""
    match message:
        case messages.GiveOrders():
            return OrdersGiven(
                window=message.window,
                rev=message.rev,
                orders=message.orders,
                lock=message.lock,
            )
        case messages.Resign():
            return Resigned()
        case messages.OfferDraw():
            return DrawOffered(on=message.on)
        case messages.AskPause():
            return PauseAsked(on=message.on)
        case messages.Mute():
            return Muted(whom=message.side, on=message.on)
        case messages.Chat():
            text = clean(message.text, CHAT_MOST)
            return (
                Rejected(code=Code.TEXT_UNFIT, at="$.text")
                if text is None
                else ChatSaid(text=text)
            )
        case _:
            assert_never(message)
