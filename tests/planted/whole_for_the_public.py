"""Public frames come whole, and not as changes, after a window in which much has happened."""

import pytest

from sunglare_protocol.ids import PUBLIC
from sunglare_server.runtime.batch import Sealed
from sunglare_server.runtime.encoded_message import EncodedMessage, Header
from sunglare_server.runtime.runner import Runner

_adopt, _header = Runner._adopt, EncodedMessage.header

MUCH = 30
"""How many events are much."""


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    is_much = False

    def noting(runner: Runner, sealed: Sealed) -> None:
        nonlocal is_much
        is_much = len(sealed.stepped.events) > MUCH
        _adopt(runner, sealed)

    def header(encoded_message: EncodedMessage) -> Header:
        found: Header = _header.__get__(encoded_message)
        is_public = found.stream is not None and found.stream.feed == PUBLIC
        return found._replace(before=0) if is_much and is_public else found

    patch.setattr(Runner, "_adopt", noting)
    patch.setattr(EncodedMessage, "header", property(header))
