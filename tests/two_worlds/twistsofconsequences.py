"""Twists of consequences: the same is there, and something else has come of it.

They have a course of their own, in whose matches all pause now and then.
"""

from typing import Final

from two_worlds import otherconsequences as consequences
from two_worlds.twistkinds import Twist, orders_differ, twist

CONSEQUENCES: Final[tuple[Twist, ...]] = (
    twist(consequences.hurt_unseen, "DamageTaken/ SystemLost/owner ShipHeated/"),
    twist(consequences.hurt_before_the_shot, "ShotFired/shooter ShotFired/target DamageTaken/"),
    twist(
        consequences.destroyed_for_points,
        "ShipDestroyed/owner ShipDestroyed/killer PointsScored/scorer",
    ),
    twist(consequences.crowd_unseen, "ShipMoved/holder ShipMoved/public ShipDeployed/"),
    Twist(name="fewer_orders", alters=consequences.fewer_orders, bites=orders_differ),
)
"""The twists, in the order in which they are tried."""

PLAYED: Final = ("melee", "four-corners", "gunnery", "duel", "broadside")
"""Where they find their place: several sides that fight each other."""
