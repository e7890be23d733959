"""Views made by hand for the tests of advice: a board, ships, contacts, and random ones."""

import msgspec
from hypothesis import strategies as st

from sunglare_protocol.geometry import (
    Asteroid,
    Board,
    Compass,
    Environs,
    Landing,
    Planet,
    PlanetSize,
    Square,
    Vector,
)
from sunglare_protocol.ids import Audience, Handle, OwnId, Side, WindowId
from sunglare_protocol.orders import (
    Deploy,
    Fire,
    Land,
    Launch,
    Lift,
    Order,
    Power,
    Probe,
    Rotate,
    Scan,
    Sensors,
    Thrust,
    Turn,
)
from sunglare_protocol.views import (
    ContactView,
    Crew,
    OwnView,
    Stage,
    TurretView,
    View,
    WeaponView,
)
from sunglare_protocol.words.armament import Launchable, WeaponKind
from sunglare_protocol.words.ladder import Fate, Fix, Phase
from sunglare_protocol.words.pieces import Arc, BaseSize, TurretKind
from sunglare_protocol.words.scans import Echo, ScanSize, ScanType
from sunglare_protocol.words.specials import Special

S1, S2, S3 = OwnId("S1"), OwnId("S2"), OwnId("S3")
C1, C2 = Handle("aaaaaa"), Handle("bbbbbb")

CERES = Planet(
    name="Ceres",
    at=Square(15, 12),
    size=PlanetSize.SMALL,
    environs=(
        Environs(number=1, sector=Compass.SW),
        Environs(number=2, sector=Compass.N),
    ),
)
ROCK = Asteroid(name="Rock", at=Square(30, 30))
BOARD = Board(planets=(CERES,), asteroids=(ROCK,))

ON_CERES = Landing(body="Ceres", sector=Compass.SW, environs=1)
ON_ROCK = Landing(body="Rock", sector=Compass.E)

WEAPONS = (
    WeaponView(id="beam", kind=WeaponKind.BEAM, rank=2, arc=Arc.FRONT),
    WeaponView(id="torpedo", kind=WeaponKind.TORPEDO, arc=Arc.REAR),
    WeaponView(id="turret beam", kind=WeaponKind.BEAM, rank=3, turret="T1"),
    WeaponView(id="wreck", kind=WeaponKind.BEAM, arc=Arc.FRONT, works=False),
)

SHIP = OwnView(
    id=S1,
    name="Kite",
    type="frigate",
    square=Square(7, 27),
    vector=Vector(0, 0),
    facing=Compass.N,
    size=BaseSize.SMALL,
    echo=Echo.SMALL,
    hull=8,
    points=4,
    thrust=3,
    sensors={ScanType.VISUAL: 2, ScanType.IR: 1},
    crew=Crew(pilot=1, operator=1),
    powered=True,
    popped_out=True,
    turrets=(TurretView(id="T1", kind=TurretKind.SINGLE, arcs=(Arc.RIGHT,)),),
    weapons=WEAPONS,
)

CONTACT = ContactView(
    label="C1",
    fix=Fix.CONTACT,
    square=Square(7, 22),
    turn=3,
    handle=C1,
    signatures=("visual_hull",),
)


def own_ship(**fields: object) -> OwnView:
    """Return a sound, powered frigate of thrust 3 on (7, 27), with the fields given changed."""
    return msgspec.structs.replace(SHIP, **fields)


def contact(**fields: object) -> ContactView:
    """Return a contact five squares north of the frigate, with the fields given changed."""
    return msgspec.structs.replace(CONTACT, **fields)


def view(
    phase: Phase,
    *own: OwnView,
    contacts: tuple[ContactView, ...] = (),
    turn: int = 3,
    slot: str | None = None,
    zone: tuple[str, ...] = (),
) -> View:
    """Return side A's view of the reference board, with the frigate if no ship is given."""
    return View(
        audience=Audience("A"),
        stage=Stage(
            turn=turn,
            turns=20,
            phase=phase,
            window=WindowId(f"{turn}.{phase.value}"),
            slot=None if slot is None else Side(slot),
            sides=(Side("A"), Side("B")),
        ),
        board=BOARD,
        own=own or (SHIP,),
        contacts=contacts,
        zone=zone,
    )


_COMPASS = st.sampled_from(Compass)
_SHIP_IDS = st.sampled_from([S1, S2, S3])
_ON_BOARD = st.builds(Square, st.integers(0, 39), st.integers(0, 39))
# Half of the squares lie by the bodies, where the rules are.
SQUARES = st.one_of(
    _ON_BOARD,
    st.builds(Square, st.integers(10, 20), st.integers(7, 18)),
    st.sampled_from([Square(14, 13), Square(15, 11), Square(15, 12), Square(30, 30)]),
)
ANY_SQUARE = st.one_of(SQUARES, st.builds(Square, st.integers(-99, 99), st.integers(-99, 99)))
VECTORS = st.builds(Vector, st.integers(-3, 3), st.integers(-3, 3))
LANDINGS = st.one_of(
    st.sampled_from([ON_CERES, ON_ROCK, Landing(body="Nowhere", sector=Compass.N)]),
    st.builds(
        Landing,
        body=st.sampled_from(["Ceres", "Rock"]),
        sector=_COMPASS,
        environs=st.sampled_from([None, 0, 1, 2]),
    ),
)


@st.composite
def own_ships(draw: st.DrawFn, ship: OwnId) -> OwnView:
    """Draw an own ship called `ship`, in any state and anywhere on the map."""
    landed = draw(st.sampled_from([None, None, ON_CERES, ON_ROCK]))
    stands = {"Ceres": Square(14, 13), "Rock": ROCK.at}
    return own_ship(
        id=ship,
        square=draw(SQUARES) if landed is None else stands[landed.body],
        vector=draw(VECTORS) if landed is None else Vector(0, 0),
        facing=draw(_COMPASS),
        size=draw(st.sampled_from(BaseSize)),
        thrust=draw(st.integers(0, 3)),
        powered=draw(st.booleans()),
        starting=draw(st.booleans()),
        popped_out=landed is None and draw(st.booleans()),
        hull_sensors_work=draw(st.booleans()),
        landed=landed,
        crew=Crew(pilot=draw(st.integers(0, 2))),
        specials=draw(st.sampled_from([(), (Special.BH,), (Special.PRB, Special.ECM)])),
        ecm=draw(st.sampled_from([None, True, False])),
        dispensers=draw(st.integers(0, 2)),
        turrets=(
            TurretView(
                id="T1",
                kind=TurretKind.DOUBLE,
                arcs=draw(st.sampled_from([(Arc.FRONT, Arc.REAR), (Arc.LEFT, Arc.RIGHT)])),
            ),
        ),
        fate=draw(st.sampled_from([Fate.IN_PLAY, Fate.IN_PLAY, Fate.DESTROYED])),
    )


@st.composite
def contacts_seen(draw: st.DrawFn, handle: Handle) -> ContactView:
    """Draw a foreign piece held by `handle`, or a memory of it without one."""
    fix = draw(st.sampled_from(Fix))
    tracked = fix is Fix.TRACKED
    return contact(
        label=f"C-{handle}",
        fix=fix,
        handle=None if fix is Fix.MEMORY else handle,
        square=draw(SQUARES),
        facing=draw(_COMPASS) if tracked else None,
        size=draw(st.sampled_from(Echo)) if tracked else None,
        vector=draw(VECTORS) if tracked else None,
        side=draw(st.sampled_from([None, Side("B")])),
        fate=draw(st.sampled_from([Fate.IN_PLAY, Fate.IN_PLAY, Fate.ESCAPED])),
    )


@st.composite
def views(draw: st.DrawFn, phases: tuple[Phase, ...] = tuple(Phase)) -> View:
    """Draw a view of side A in one of the phases, with two ships and two contacts."""
    return view(
        draw(st.sampled_from(phases)),
        draw(own_ships(S1)),
        draw(own_ships(S2)),
        contacts=(draw(contacts_seen(C1)), draw(contacts_seen(C2))),
        turn=draw(st.integers(1, 3)),
        slot=draw(st.sampled_from([None, "A", "A", "B"])),
        zone=draw(st.sampled_from([(), ("A6", "B6", "C3")])),
    )


_NAMES = st.sampled_from(["Ceres", "Rock", "T1", "beam", "torpedo", "turret beam", "wreck", "?"])

ORDERS: st.SearchStrategy[Order] = st.one_of(
    st.builds(
        Deploy,
        ship=_SHIP_IDS,
        at=ANY_SQUARE,
        vector=VECTORS,
        facing=_COMPASS,
        landed=st.one_of(st.none(), LANDINGS),
    ),
    st.builds(Turn, ship=_SHIP_IDS, steps=st.integers(-4, 4)),
    st.builds(Thrust, ship=_SHIP_IDS, to=st.lists(_COMPASS, max_size=5).map(tuple)),
    st.builds(Power, ship=_SHIP_IDS, on=st.booleans(), ecm=st.sampled_from([None, True, False])),
    st.builds(Launch, ship=_SHIP_IDS, what=st.sampled_from(Launchable)),
    st.builds(Probe, ship=_SHIP_IDS, at=st.sampled_from([C1, C2, Handle("zzzzzz")])),
    st.builds(Sensors, ship=_SHIP_IDS, out=st.booleans()),
    st.builds(Rotate, ship=_SHIP_IDS, turret=_NAMES, to=st.sampled_from(Arc)),
    st.builds(
        Land,
        ship=_SHIP_IDS,
        body=_NAMES,
        sector=st.one_of(st.none(), _COMPASS),
        environs=st.one_of(st.none(), st.integers(-1, 3)),
    ),
    st.builds(Lift, ship=_SHIP_IDS),
    st.builds(
        Scan,
        ship=_SHIP_IDS,
        type=st.sampled_from(ScanType),
        size=st.sampled_from(ScanSize),
        at=st.one_of(ANY_SQUARE, st.sampled_from(["A1", "H8", "I1", "Z26", "A27", "a1", ""])),
        sense=st.booleans(),
    ),
    st.builds(
        Fire,
        ship=_SHIP_IDS,
        weapon=_NAMES,
        at=st.sampled_from([C1, C2, Handle("zzzzzz")]),
    ),
)
"""Any order at all, about ships, places and handles that may exist or not."""
