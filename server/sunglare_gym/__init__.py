"""Environments of reinforcement learning: matches in process for PettingZoo and Gymnasium.

They need the extra `rl`. `SunglareParallel` has every seat played from outside, `SunglareSeat`
one, against a bot; `seats_side_by_side` plays several of the latter at once.
"""

from gymnasium import register

from sunglare_gym.parallel import SunglareParallel
from sunglare_gym.seat import SEAT_ID, SunglareSeat
from sunglare_gym.sidebyside import seats_side_by_side

__all__ = ["SEAT_ID", "SunglareParallel", "SunglareSeat", "seats_side_by_side"]

register(id=SEAT_ID, entry_point="sunglare_gym.seat:SunglareSeat")
