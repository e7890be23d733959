"""A snapshot holds the state before its record, and says that it is the state after it."""

import pytest
from msgspec.structs import replace

from sunglare_server.match.state import MatchState
from sunglare_server.runtime.batch import Sealed
from sunglare_server.runtime.snapshots import Snapshots, starts_turn


def _note(self: Snapshots, number: int, before: MatchState | None, sealed: Sealed) -> None:
    if starts_turn(before, sealed):
        state = sealed.stepped.state if before is None else before
        early = replace(sealed, stepped=replace(sealed.stepped, state=state))
        self._begun.append((number, early))


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(Snapshots, "note", _note)
