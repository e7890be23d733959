"""Twists of cloaked ships and of those that hunt them."""

from typing import Final

from two_worlds import othercloaks as cloaks
from two_worlds.twistkinds import Twist, orders_differ, twist

_HUNT = "HuntStepped/hunter HuntStepped/public HuntEnded/hunter"
_SWEPT = "SweepRolled/omni"
_HEARD = "PassiveRolled/omni"

OF_HUNTS: Final[tuple[Twist, ...]] = (
    twist(
        cloaks.toggle_cloak,
        f"CloakSwitched/holder UncloakingSeen/watcher {_SWEPT} {_HEARD} {_HUNT}",
    ),
    twist(cloaks.move_cloaked, f"{_HUNT} SweepDeclared/others"),
    twist(cloaks.other_thrust_cloaked, f"{_HUNT} HuntStepped/owner {_HEARD}"),
    twist(cloaks.add_cloaked, f"{_HUNT} {_SWEPT} SpaceJammed/all JamEnded/all"),
    twist(
        cloaks.third_side_hunts,
        "HuntStepped/hunter HuntStepped/owner HuntEnded/owner",
        sides_least=3,
    ),
    Twist(
        name="hold_or_not",
        rows="CloakedFired/hunter CloakedFired/public",
        apply=cloaks.armed_and_hidden,
        alters=cloaks.hold_or_not,
        bites=orders_differ,
    ),
    Twist(
        name="listen_or_not",
        rows=f"{_HEARD} HuntStepped/hunter HuntStepped/public",
        apply=cloaks.searching,
        alters=cloaks.listen_or_not,
        bites=orders_differ,
    ),
)
"""Twists of hunts, in the order in which they are tried."""
