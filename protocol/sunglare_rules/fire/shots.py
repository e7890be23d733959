"""Effects of one shot: its damage, its dice, and anything else.

Source: Full Thrust fire; fire of our rule book §6. A `roll` is a function from an index (0, 1, 2
...) to the d6 of that index, so that the owner of the dice decides where they come from.
"""

import enum
from collections.abc import Callable
from typing import NamedTuple

Roll = Callable[[int], int]
"""A d6 by its index."""


class Extra(enum.Enum):
    """What a shot does apart from its damage."""

    SYSTEM = "system"
    """The system it was aimed at is destroyed."""

    LEECHES = "leeches"
    """It goes on doing damage in the turns that follow."""


class Shot(NamedTuple):
    """A shot's damage points in this turn, its dice in the order rolled, and any more it does."""

    damage: int
    dice: tuple[int, ...]
    extra: Extra | None = None
