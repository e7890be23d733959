"""A replay with the layer of one audience alone: nothing that others were sent is in its bytes."""

import msgspec

from sunglare_protocol.replay.file import FRAMES, read_replay


def layer_alone(data: bytes, eyes: str) -> bytes:
    """Return the file of what one audience was sent, as people save their own before the end.

    It has the messages, the match, the scenario and the names of the seats.
    """
    replay = read_replay(data)
    sent = [_encode(one.sent) for one in replay.layers.messages if one.layer == eyes]
    kept = {key: replay.header[key] for key in _KEPT if key in replay.header}
    header = {
        **kept,
        "format": FRAMES,
        "version": _VERSION,
        "audience": eyes,
        "frames": len(sent),
    }
    return b"".join(_encode(value) for value in (header, *sent))


_VERSION = 1

_KEPT = ("match", "scenario", "names", "bots")
"""The public part of a header."""

_encode = msgspec.msgpack.encode
