"""Twists of cloaked ships and of those that hunt them."""

from typing import Final

from two_worlds import othercloaks as cloaks
from two_worlds.twistkinds import Twist, orders_differ

_HUNT = ("HuntStepped/hunter", "HuntStepped/public", "HuntEnded/hunter")

OF_HUNTS: Final[tuple[Twist, ...]] = (
    Twist(
        name="toggle_cloak",
        rows=(
            "CloakSwitched/holder",
            "UncloakingSeen/watcher",
            "SweepRolled/omni",
            "PassiveRolled/omni",
            *_HUNT,
        ),
        apply=cloaks.toggle_cloak,
    ),
    Twist(name="move_cloaked", rows=(*_HUNT, "SweepDeclared/others"), apply=cloaks.move_cloaked),
    Twist(
        name="other_thrust_cloaked",
        rows=(*_HUNT, "HuntStepped/owner", "PassiveRolled/omni"),
        apply=cloaks.other_thrust_cloaked,
    ),
    Twist(
        name="add_cloaked",
        rows=(*_HUNT, "SweepRolled/omni", "SpaceJammed/all", "JamEnded/all"),
        apply=cloaks.add_cloaked,
    ),
    Twist(
        name="third_side_hunts",
        rows=("HuntStepped/hunter", "HuntStepped/owner", "HuntEnded/owner"),
        apply=cloaks.third_side_hunts,
        sides_least=3,
    ),
    Twist(
        name="hold_or_not",
        rows=("CloakedFired/hunter", "CloakedFired/public"),
        apply=cloaks.armed_and_hidden,
        alters=cloaks.hold_or_not,
        bites=orders_differ,
    ),
    Twist(
        name="listen_or_not",
        rows=("PassiveRolled/omni", "HuntStepped/hunter", "HuntStepped/public"),
        apply=cloaks.searching,
        alters=cloaks.listen_or_not,
        bites=orders_differ,
    ),
)
"""Twists of hunts, in the order in which they are tried."""
