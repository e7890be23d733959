"""The shape of a row of the disclosure ledger, and the notices that several tables name."""

from typing import Final, final

import msgspec

GONE_TOLD: Final = ("TruthGone", "side", "piece", "cause")
SHOT_TOLD: Final = ("TruthShot", "side", "ship", "weapon", "owner", "target", "damage", "dice")
PROBED_TOLD: Final = ("TruthProbed", "side", "ship", "owner", "target", "outcome", "by_probe")
DESTROYED_TOLD: Final = ("OwnDestroyed", "ship", "cause")


@final
class Row(msgspec.Struct, frozen=True, gc=False):
    """One permission: in `event`, an audience as `role` may be told `fact` with `fields`.

    Where the fact is a notice, its kind stands first among the fields: of a notice no field may
    be set that is not named, and those that are named may be left out.
    """

    event: str
    role: str
    fact: str
    fields: tuple[str, ...]
    condition: str
    source: str
