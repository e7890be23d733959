"""A share in what several sides destroyed is told at once, and with it what the others did."""

from collections.abc import Iterable

import pytest

from sunglare_protocol.ids import audience_of
from sunglare_server.match.events.space import PointsScored
from sunglare_server.match.facts.space import Grant, Scored
from sunglare_server.match.learn import learns


def _of_share(event: PointsScored) -> Iterable[Grant]:
    fact = Scored(points=event.points)
    return (Grant(audience_of(event.side), "scorer", fact),) if event.is_known else ()


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(learns, "_of_points", _of_share)
