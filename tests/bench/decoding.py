"""How long hostile messages keep the server: beside the slowest legal message of their length.

A message goes the way of a session from its frame to that of its answer, which for the legal
ones is `accepted`, the shortest there is.

`make fuzz` runs it; it leaves with 1 if one takes more than ten times as long.
"""

import math
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec

sys.path.insert(0, str(Path(__file__).parents[1]))

from websockets.frames import Frame as WireFrame
from websockets.frames import Opcode
from websockets.protocol import State
from websockets.server import ServerProtocol

from builders.corpus import CLIENT, corpus
from builders.hostile import mutated
from sunglare_protocol.codec import Form, decode_client, encode_server, probe
from sunglare_protocol.errors import DecodeError
from sunglare_protocol.messages.commands import INBOUND_BYTES, ORDERS_MOST
from sunglare_protocol.messages.replies import Accepted
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.api.refusals import refused

MOST = 10.0
TRIES = 40_000
ROUNDS = 3
AGAIN = 25
"""Rounds for whatever seems slow: the machine may have been busy elsewhere."""


def answered(data: bytes | str, form: Form) -> bytes:
    """Return the shortest answer to a message, read and refused as a session does it."""
    try:
        message = decode_client(data, form)
    except DecodeError as fault:
        rejected = Rejected(code=Code.MESSAGE_MALFORMED, at=fault.at, detail=f"{fault.why}.")
        return encode_server(refused(probe(data, form).id, rejected), form)
    return encode_server(Accepted(id=message.id), form)


def taken(data: bytes, form: Form, rounds: int) -> float:
    """Return the least time that a message took from its frame to the answer's, in us."""
    text = form is Form.JSON
    # What is no text ends the connection before it is a message.
    sound = data.decode("utf-8", "replace").encode() if text else data
    frame = WireFrame(Opcode.TEXT if text else Opcode.BINARY, sound).serialize(mask=True)
    line, least = ServerProtocol(state=State.OPEN, max_size=None), math.inf
    for _ in range(rounds):
        start = time.perf_counter_ns()
        line.receive_data(frame)
        (came,) = line.events_received()
        assert isinstance(came, WireFrame)
        heard = bytes(came.data)
        answer = answered(heard.decode() if text else heard, form)
        (line.send_text if text else line.send_binary)(answer)
        line.data_to_send()
        least = min(least, time.perf_counter_ns() - start)
    return least / 1000


def legal(form: Form) -> Iterator[bytes]:
    """Yield legal messages of all lengths: the corpus, and its orders over and over."""
    encode = msgspec.msgpack.encode if form is not Form.JSON else msgspec.json.encode
    for data in corpus(CLIENT, Form.PACKED):
        message = msgspec.msgpack.decode(data)
        yield encode(message)
        times = 2
        while message["t"] == "orders" and message["orders"] and times <= ORDERS_MOST:
            longer = encode({**message, "orders": message["orders"] * times})
            if len(longer) > INBOUND_BYTES:
                break
            yield longer
            times *= 2


def slowest(form: Form) -> dict[int, float]:
    """Return the time of the slowest legal message by length, in powers of two."""
    found: dict[int, float] = {}
    for data in legal(form):
        size = len(data).bit_length()
        found[size] = max(found.get(size, 0), taken(data, form, AGAIN))
    # Where no legal message is as long or as short, the next shorter one is the measure.
    shortest = min(found)
    for size in range(INBOUND_BYTES.bit_length() + 1):
        found.setdefault(size, found.get(max(size - 1, 0), found[shortest]))
    return found


def worst(form: Form, measure: dict[int, float]) -> tuple[float, bytes]:
    """Return the greatest ratio of a hostile message to its measure, and that message."""
    rng, messages = Random(f"time {form}"), corpus(CLIENT, form)
    found, which = 0.0, b""
    for _ in range(TRIES):
        data = mutated(rng, rng.choice(messages), messages, form, INBOUND_BYTES)
        most = measure[len(data).bit_length()]
        ratio = taken(data, form, ROUNDS) / most
        if ratio > max(found, MOST / 2):
            ratio = taken(data, form, AGAIN) / most
        if ratio > found:
            found, which = ratio, data
    return found, which


def main() -> int:
    """Print the worst ratios; return 1 if one is too high."""
    code = 0
    for form in Form:
        measure = slowest(form)
        told = ", ".join(
            f"{2**size}: {us:.1f}" for size, us in sorted(measure.items()) if size > 5
        )
        print(f"{form.name.lower()}: slowest legal message in us, by length below: {told}")
        ratio, data = worst(form, measure)
        print(
            f"  of {TRIES} hostile ones the worst takes {ratio:.2f} times as long: {data[:60]!r}"
        )
        code |= ratio > MOST
    return code


if __name__ == "__main__":
    sys.exit(main())
