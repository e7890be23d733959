"""Handles are numbered for all viewers together, as one global counter would."""

from collections.abc import Iterable

import pytest
from msgspec.structs import replace

from sunglare_protocol.ids import Audience
from sunglare_server.match.absorb.perceived import perceived
from sunglare_server.match.dice import Dice
from sunglare_server.match.facts.space import Grant
from sunglare_server.match.intel.space import Intel

_perceived = perceived


def _numbered_together(
    intel: dict[Audience, Intel], grants: Iterable[Grant], dice: Dice
) -> dict[Audience, Intel]:
    known = _perceived(intel, grants, dice)
    most = max(holder.handles for holder in known.values())
    return {name: replace(holder, handles=most) for name, holder in known.items()}


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr("sunglare_server.match.turn.flow.perceived", _numbered_together)
