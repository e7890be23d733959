"""The refusal of an order differs for a handle that another side holds and one that none does."""

import pytest

from sunglare_protocol.orders import Order
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.views import View
from sunglare_rules.advice.check import check as checking
from sunglare_server.match.dice import Dice

_check, _token = checking.check, Dice.token


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it where questions, orders and their tests look."""
    known: dict[str, str] = {}

    def token(self: Dice, *about: object) -> str:
        made = _token(self, *about)  # type: ignore[arg-type]
        return known.setdefault(made, made)

    def telling(view: View, orders: tuple[Order, ...]) -> Rejected | None:
        found = _check(view, orders)
        foreign = [order for order in orders if getattr(order, "at", None) in known]
        if found is None or not foreign:
            return found
        return Rejected(code=found.code, at=found.at, detail="It is another side's.")

    patch.setattr(Dice, "token", token)
    for place in (
        "sunglare_server.runtime.batch",
        "builders.questions",
        "secrecy.test_refused_alike",
    ):
        patch.setattr(f"{place}.check", telling)
