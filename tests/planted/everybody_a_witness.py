"""Whoever learns where a shot came from is told side and type too, as a witness would be."""

from collections.abc import Iterator

import pytest

from sunglare_server.match.events import ShooterExposed
from sunglare_server.match.facts import Grant, Located, Recognised
from sunglare_server.match.perceive import firing
from sunglare_server.match.truth import Truth

_of_exposure = firing.of_exposure


def _recognised(event: ShooterExposed, before: Truth) -> Iterator[Grant]:
    ship = before.ships[event.piece]
    for grant in _of_exposure(event, before):
        if isinstance(grant.fact, Located):
            known = Recognised(
                piece=grant.fact.piece,
                square=ship.square,
                side=ship.side,
                type=ship.type.type_shown,
            )
            yield Grant(grant.audience, "witness", known)
        else:
            yield grant


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(firing, "of_exposure", _recognised)
