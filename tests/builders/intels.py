"""What is held and remembered of a ship of B, every field known, for the tests of intel."""

from builders.truths import B
from sunglare_protocol.geometry import Compass, Landing, Square, Vector
from sunglare_protocol.ids import Handle
from sunglare_protocol.words.ladder import Fate, Fix
from sunglare_protocol.words.scans import Echo
from sunglare_server.match.intel.space import Held, Marker

HELD = Held(
    handle=Handle("aaaaaa"),
    label="C2",
    fix=Fix.TRACKED,
    square=Square(8, 9),
    turn=3,
    signatures=("mass_hull",),
    signal=4,
    vector=Vector(0, 1),
    facing=Compass.W,
    size=Echo.LARGE,
    side=B,
    type="corvette",
)


def remembered(held: Held, **more: object) -> Marker:
    """Return the memory of all that is held of a ship, and what else is said of it."""
    names = set(Held.__struct_fields__) & set(Marker.__struct_fields__)
    return Marker(**{**{name: getattr(held, name) for name in names}, **more})


ON_ROCK = Landing(body="Rock", sector=Compass.E)
MARKER = remembered(
    HELD, label="C1", square=Square(5, 5), turn=2, landing=ON_ROCK, fate=Fate.DESTROYED
)
