"""Armed ships and their shots, for the tests of fire."""

from hypothesis import strategies as st
from msgspec.structs import replace

from builders.truths import DICE, FRIGATE
from sunglare_server.match.data.scenario import ShipClass, Weapon
from sunglare_server.match.dice import Dice
from sunglare_server.match.events.space import ShotFired
from sunglare_server.match.resolve.firing import Attack, shots
from sunglare_server.match.truth.truth import Truth

SEEDS = st.binary(min_size=32, max_size=32)


def armed(*weapons: Weapon, like: ShipClass = FRIGATE) -> ShipClass:
    return replace(like, weapons=weapons)


def fired(truth: Truth, *attacks: Attack, dice: Dice = DICE) -> tuple[ShotFired, ...]:
    return tuple(shots(truth, attacks, dice))
