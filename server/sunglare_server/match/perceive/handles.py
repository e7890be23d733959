"""The one mint of handles and labels: random for the viewer, dead when the hold ends.

Source: ruling on handles of our own: the k-th handle of a viewer follows from the match seed,
the viewer and k alone.
"""

import msgspec

from sunglare_protocol.ids import Handle
from sunglare_server.match.dice import Dice
from sunglare_server.match.intel import Intel


def mint_handle(intel: Intel, dice: Dice) -> tuple[Intel, Handle]:
    """Return `intel` with one more handle given out, and the handle."""
    handle = Handle(dice.token(intel.audience, intel.handles))
    return msgspec.structs.replace(intel, handles=intel.handles + 1), handle


def mint_label(intel: Intel) -> tuple[Intel, str]:
    """Return `intel` with one more label given out, and the label: C1, C2 and so on."""
    return msgspec.structs.replace(intel, labels=intel.labels + 1), f"C{intel.labels + 1}"
