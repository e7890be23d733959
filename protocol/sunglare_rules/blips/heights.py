"""Heights of units and of ground, and whether ground hides two units from one another.

Source: Alpha Strike, "Visual Spotting", on heights; blips of our rule book §2.2 and §3.2, OWN.
Heights are in inches, one inch a level.
"""

from collections.abc import Iterable
from typing import NamedTuple

from sunglare_protocol.surface import Build

PERMILLE = 1000
"""The far end of a line; 0 is the near one."""


HEIGHTS: dict[Build, int] = {
    Build.INFANTRY: 1,
    Build.BATTLE_ARMOUR: 1,
    Build.PROTOMECH: 1,
    Build.VEHICLE: 1,
    Build.LARGE_VEHICLE: 2,
    Build.MECH: 2,
    Build.SUPERHEAVY: 3,
    Build.VERY_LARGE: 4,
    Build.AERODYNE: 5,
    Build.SPHEROID: 10,
    Build.REMOTE: 0,
}
"""OWN: how high each build stands above the ground it is on, in inches.

A very large unit or a mobile structure is `very_large`; aerodyne and spheroid are DropShips.
"""


class Obstacle(NamedTuple):
    """Something a line passes: where along it (in permille), how high its top, how dense.

    `top` is absolute, not above the ground around it. Woods are not solid: they hide from
    eyes, but a probe looks through them.
    """

    along: int
    top: int
    solid: bool


def line_blocked(
    near: int, far: int, obstacles: Iterable[Obstacle], *, solid_only: bool = False
) -> bool:
    """Return whether the line between two ends of these absolute heights is blocked.

    What stands at an end itself does not count, and what the line just grazes blocks it.
    Seen from the other end, with every `along` counted from there, the answer is the same.
    """
    return any(
        obstacle.top * PERMILLE >= near * (PERMILLE - obstacle.along) + far * obstacle.along
        for obstacle in obstacles
        if 0 < obstacle.along < PERMILLE and (obstacle.solid or not solid_only)
    )


def reversed_line(obstacles: Iterable[Obstacle]) -> tuple[Obstacle, ...]:
    """Return the obstacles of a line as they stand seen from its other end."""
    return tuple(obstacle._replace(along=PERMILLE - obstacle.along) for obstacle in obstacles)
