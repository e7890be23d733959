"""A share in what several sides destroyed is shown at once, and with it what the others did."""

from collections.abc import Iterable

from builders.plants import in_place_of
from sunglare_protocol.ids import audience_of
from sunglare_server.match.events.space import PointsScored
from sunglare_server.match.facts.space import Grant, Scored
from sunglare_server.match.learn import learns


@in_place_of(learns, "_of_points")
def plant(_real: object, event: PointsScored) -> Iterable[Grant]:
    fact = Scored(points=event.points)
    return (Grant(audience_of(event.side), "scorer", fact),) if event.is_known else ()
