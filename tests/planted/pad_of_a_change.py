"""The changes of public frames are filled up by one block more once a ship is damaged."""

import msgspec
import pytest

from sunglare_protocol.codec import PAD_STEP
from sunglare_protocol.compact import Change, changed
from sunglare_protocol.ids import PUBLIC
from sunglare_protocol.messages.replies import Frame
from sunglare_server.runtime.batch import Sealed
from sunglare_server.runtime.runner import Runner

_adopt = Runner._adopt


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    is_hit = False

    def noting(runner: Runner, sealed: Sealed) -> None:
        nonlocal is_hit
        is_hit = any(ship.damage for ship in sealed.stepped.state.truth.ships.values())
        _adopt(runner, sealed)

    def longer(before: Frame, after: Frame, *, is_padded: bool) -> bytes:
        data = changed(before, after, is_padded=is_padded)
        change = msgspec.msgpack.decode(data, type=Change)
        if not (is_hit and change.feed == PUBLIC and change.pad):
            return data
        pad = change.pad + "." * PAD_STEP
        return msgspec.msgpack.encode(msgspec.structs.replace(change, pad=pad))

    patch.setattr(Runner, "_adopt", noting)
    patch.setattr("sunglare_server.runtime.encoded_message.changed", longer)
