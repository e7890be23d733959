"""Points for a ship that left the map or crashed unseen are shown at once, and so its end."""

from collections.abc import Callable, Iterable

from builders.plants import in_place_of
from sunglare_protocol.ids import audience_of
from sunglare_server.match.events.space import PointsScored
from sunglare_server.match.facts.space import Grant, Scored
from sunglare_server.match.learn import learns


@in_place_of(learns, "_of_points")
def plant(real: Callable[[PointsScored], Iterable[Grant]], event: PointsScored) -> Iterable[Grant]:
    if event.why == "lost":
        return (Grant(audience_of(event.side), "scorer", Scored(points=event.points)),)
    return real(event)
