"""Faults to be planted in the product: a function in the place of one of its own."""

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

import pytest

_Made = TypeVar("_Made")

Real: TypeAlias = Callable[..., _Made]
"""What stands in the product, by what it returns."""

Plant: TypeAlias = Callable[[pytest.MonkeyPatch], None]
"""Plants a fault, which the patch takes out again."""


def in_place_of(owner: object, name: str) -> Callable[[Callable[..., object]], Plant]:
    """Return what makes a plant of a function that stands in the place of the owner's own.

    It is given the real one, and then what that was to be given.
    """

    def planter(fault: Callable[..., object]) -> Plant:
        def plant(patch: pytest.MonkeyPatch) -> None:
            real = getattr(owner, name)

            def faulty(*given: Any, **named: Any) -> object:
                return fault(real, *given, **named)

            patch.setattr(owner, name, faulty)

        return plant

    return planter
