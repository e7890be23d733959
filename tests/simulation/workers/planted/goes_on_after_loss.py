"""An owner goes on after it has lost its lease, as if what others have written were its own."""

import pytest

from sunglare_server.ports.journal import NumberTakenError
from sunglare_server.runtime.journal_writer import JournalWriter
from sunglare_server.runtime.runner import Runner


async def _settle(
    self: JournalWriter, first: int, blobs: tuple[bytes, ...], error: NumberTakenError
) -> None:
    del self, first, blobs, error


def _fence(self: Runner, why: str) -> None:
    del self, why


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(JournalWriter, "_settle", _settle)
    patch.setattr(JournalWriter, "is_held", property(lambda _: True))
    patch.setattr(Runner, "fence", _fence)
