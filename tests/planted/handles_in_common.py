"""Handles are numbered for all viewers together, as one global counter would."""

from collections.abc import Iterable

from msgspec.structs import replace

from builders.plants import Real, in_place_of
from sunglare_protocol.ids import Audience
from sunglare_server.match.dice import Dice
from sunglare_server.match.facts.space import Grant
from sunglare_server.match.intel.space import Intel
from sunglare_server.match.turn import flow


@in_place_of(flow, "perceived")
def plant(
    real: Real[dict[Audience, Intel]],
    intel: dict[Audience, Intel],
    grants: Iterable[Grant],
    dice: Dice,
) -> dict[Audience, Intel]:
    known = real(intel, grants, dice)
    most = max(holder.handles for holder in known.values())
    return {name: replace(holder, handles=most) for name, holder in known.items()}
