"""A confidence sequence: bounds of a share that hold after every match at once.

The bounds hold all shares under which the matches are not too unlikely beside the mean over all
shares. By Ville's inequality the true share ever leaves them with a chance of at most `ERROR`, so
one may look after each match, and stop once the bounds are narrow enough.
"""

from math import lgamma, log
from typing import Final

from sunglare_arena.sprt import ERROR

STEPS: Final = 50
"""So often the place of a bound is halved: more than a float holds."""


def is_likely(share: float, some: int, of_all: int) -> bool:
    """Return whether a share, above 0 and below 1, fits that `some` of `of_all` were so far."""
    chances = log(of_all + 1) + lgamma(of_all + 1) - lgamma(some + 1) - lgamma(of_all - some + 1)
    return chances + some * log(share) + (of_all - some) * log(1 - share) > log(ERROR)


def bounds(some: int, of_all: int) -> tuple[float, float]:
    """Return between which shares, 0 to 1, the true one lies if `some` of `of_all` were so far."""
    if not of_all:
        return 0.0, 1.0

    def bound(inside: float, outside: float) -> float:
        for _ in range(STEPS):
            middle = (inside + outside) / 2
            if is_likely(middle, some, of_all):
                inside = middle
            else:
                outside = middle
        return outside

    share = some / of_all
    return bound(share, 0.0) if some else 0.0, bound(share, 1.0) if some < of_all else 1.0
