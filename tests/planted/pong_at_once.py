"""A ping is answered as soon as it is read, which shows how long the server was busy before."""

from builders.plants import Real, in_place_of
from sunglare_protocol.messages.replies import Pong
from sunglare_server.gateway.outbox import Outbox
from sunglare_server.gateway.pongs import Pongs


@in_place_of(Pongs, "take")
def plant(_real: Real[None], self: Pongs, outbox: Outbox, number: int) -> None:
    outbox.say(Pong(id=number, time_ms=self._clock.now_ms()))
