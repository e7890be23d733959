"""Ships, contacts and views for the tests of the bots."""

from builders.fakeserver import SIDE
from sunglare_protocol.geometry import (
    Asteroid,
    Board,
    Compass,
    Landing,
    Planet,
    PlanetSize,
    Square,
    Vector,
)
from sunglare_protocol.ids import Audience, Handle, OwnId, Side, WindowId
from sunglare_protocol.views import (
    ContactView,
    Crew,
    OwnView,
    Stage,
    TurretView,
    View,
    WeaponView,
)
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.ladder import Fate, Fix, Phase
from sunglare_protocol.words.pieces import Arc, BaseSize, TurretKind
from sunglare_protocol.words.scans import Echo, ScanType
from sunglare_rules.turn.movement import AT_REST

BOARD = Board(
    planets=(Planet(name="Ceres", at=Square(20, 18), size=PlanetSize.SMALL),),
    asteroids=(Asteroid(name="Rock", at=Square(27, 25)),),
)


def corvette(
    square: Square,
    vector: Vector = AT_REST,
    *,
    powered: bool = True,
    popped_out: bool = True,
    landed: Landing | None = None,
) -> OwnView:
    """Return a corvette with a beam ahead."""
    return OwnView(
        id=OwnId("S1"),
        name="Kite",
        type="corvette",
        square=square,
        vector=vector,
        facing=Compass.E,
        size=BaseSize.SMALL,
        echo=Echo.SMALL,
        hull=8,
        points=2,
        thrust=4,
        sensors=dict.fromkeys(ScanType, 3),
        crew=Crew(pilot=1, operator=1),
        powered=powered,
        popped_out=popped_out,
        landed=landed,
        weapons=(WeaponView(id="beam1", kind=WeaponKind.BEAM, rank=2, arc=Arc.FRONT),),
    )


def frigate(square: Square, vector: Vector = AT_REST, fate: Fate = Fate.IN_PLAY) -> OwnView:
    """Return a frigate with a beam in a turret and a torpedo."""
    return OwnView(
        id=OwnId("S2"),
        name="Moth",
        type="frigate",
        square=square,
        vector=vector,
        facing=Compass.S,
        size=BaseSize.MEDIUM,
        echo=Echo.MEDIUM,
        hull=16,
        points=4,
        thrust=3,
        sensors=dict.fromkeys(ScanType, 2),
        turrets=(TurretView(id="T1", kind=TurretKind.SINGLE, arcs=(Arc.FRONT,)),),
        weapons=(
            WeaponView(id="beam1", kind=WeaponKind.BEAM, rank=2, turret="T1"),
            WeaponView(id="torpedo", kind=WeaponKind.TORPEDO, arc=Arc.FULL_FRONT),
        ),
        fate=fate,
    )


def contact(square: Square, fix: Fix = Fix.CONTACT, turn: int = 5) -> ContactView:
    """Return a contact with a handle, unless it is a memory."""
    handle = Handle(f"h{square.x}x{square.y}") if fix is not Fix.MEMORY else None
    return ContactView(label="C1", fix=fix, square=square, turn=turn, handle=handle)


def seen(
    phase: Phase,
    own: tuple[OwnView, ...],
    contacts: tuple[ContactView, ...] = (),
    *,
    turn: int = 5,
    zone: tuple[str, ...] = (),
    board: Board = BOARD,
) -> View:
    """Return what side A sees in a window."""
    stage = Stage(
        turn=turn,
        turns=20,
        phase=phase,
        window=WindowId(f"{turn}.{phase.value}"),
        slot=SIDE if phase is Phase.SCAN else None,
        sides=(SIDE, Side("B")),
    )
    return View(
        audience=Audience(SIDE), stage=stage, board=board, own=own, contacts=contacts, zone=zone
    )
