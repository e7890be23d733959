"""Views, frames and a screen made by hand for the tests of the plain terminal."""

import io
from collections.abc import AsyncIterator

import msgspec

from sunglare_client.terminal.screen import Screen
from sunglare_protocol.geometry import (
    Asteroid,
    Board,
    Compass,
    Environs,
    Planet,
    PlanetSize,
    Square,
    Vector,
)
from sunglare_protocol.ids import Audience, Handle, MatchId, OwnId, Side, WindowId
from sunglare_protocol.messages import (
    Ending,
    Frame,
    Over,
    Result,
    Resumed,
    ResumeKind,
    ScenarioCard,
    Seated,
)
from sunglare_protocol.notices import Notice
from sunglare_protocol.orders import Order
from sunglare_protocol.surface import Arm, Cell, GroundKind, Mode, Site
from sunglare_protocol.views import (
    ContactView,
    Crew,
    OwnView,
    Stage,
    TruthView,
    TurretView,
    View,
    VolleyView,
    WeaponView,
)
from sunglare_protocol.views.ground import (
    AgentView,
    ArmView,
    GroundView,
    SurfaceView,
    TokenView,
)
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.ladder import Fix, Phase
from sunglare_protocol.words.pieces import Arc, BaseSize, PieceKind, TurretKind
from sunglare_protocol.words.scans import Echo, ScanType

A, B = Side("A"), Side("B")
MATCH = MatchId("a" * 26)
S1, S2 = OwnId("S1"), OwnId("S2")

BOARD = Board(
    planets=(
        Planet(
            name="Ceres",
            at=Square(15, 12),
            size=PlanetSize.SMALL,
            environs=(
                Environs(number=1, sector=Compass.SW),
                Environs(number=2, sector=Compass.N),
            ),
        ),
    ),
    asteroids=(Asteroid(name="Old Rock", at=Square(30, 30)),),
)

KITE = OwnView(
    id=S1,
    name="Kite",
    type="frigate",
    square=Square(7, 27),
    vector=Vector(0, -1),
    facing=Compass.N,
    size=BaseSize.MEDIUM,
    echo=Echo.MEDIUM,
    hull=16,
    points=4,
    damage=3,
    thrust=3,
    sensors={
        ScanType.VISUAL: 2,
        ScanType.IR: 2,
        ScanType.RADAR: 1,
        ScanType.NEUTRINO: 1,
        ScanType.MASS: 1,
    },
    crew=Crew(pilot=2, operator=1),
    popped_out=True,
    turrets=(TurretView(id="T1", kind=TurretKind.SINGLE, arcs=(Arc.FRONT,)),),
    weapons=(
        WeaponView(id="B1", kind=WeaponKind.BEAM, rank=2, arc=Arc.FRONT),
        WeaponView(id="P1", kind=WeaponKind.TORPEDO, turret="T1"),
    ),
)

MOTH = msgspec.structs.replace(
    KITE,
    id=S2,
    name="Moth",
    type="corvette",
    square=Square(30, 30),
    vector=Vector(0, 0),
    facing=Compass.E,
    size=BaseSize.SMALL,
    echo=Echo.SMALL,
    turrets=(),
    weapons=(),
)

LANCER = msgspec.structs.replace(
    KITE,
    type="lancer",
    point_defence=2,
    flights=1,
    weapons=(
        *KITE.weapons,
        WeaponView(id="M1", kind=WeaponKind.SALVO),
        WeaponView(id="N1", kind=WeaponKind.NOVA),
        WeaponView(id="N2", kind=WeaponKind.NEEDLE, arc=Arc.FRONT),
    ),
)

GUNBOAT = msgspec.structs.replace(
    KITE,
    type="gunboat",
    weapons=(WeaponView(id="C1", kind=WeaponKind.SCAP, arc=Arc.FRONT, damage=(4, 3, 2, 0)),),
)

VOLLEY = msgspec.structs.replace(
    MOTH,
    id=OwnId("M1"),
    name="",
    type="missiles",
    kind=PieceKind.MISSILE,
    square=Square(7, 24),
    echo=Echo.MISSILE,
    hull=1,
    thrust=0,
    damage=0,
    volley=VolleyView(missiles=5, aim=Square(7, 24), movements=1),
    weapons=(WeaponView(id="M1", kind=WeaponKind.SALVO, rank=5),),
)

TRACK = ContactView(
    label="C3",
    fix=Fix.TRACKED,
    square=Square(7, 22),
    turn=4,
    handle=Handle("kq7xab"),
    signal=2,
    signatures=("visual_hull", "ir_power"),
    vector=Vector(0, 1),
    facing=Compass.N,
    size=Echo.LARGE,
)
CONTACT = ContactView(
    label="C5", fix=Fix.CONTACT, square=Square(20, 8), turn=4, handle=Handle("mm2mm2")
)
MEMORY = ContactView(label="M1", fix=Fix.MEMORY, square=Square(35, 3), turn=2)


GUARD = GroundView(
    id=OwnId("G1"),
    name="Guard",
    type="Guard",
    variant="palace-guard",
    kind=GroundKind.INFANTRY,
    toughness=4,
    points=1,
    site=Site("Ceres", 1),
    cell=Cell(2, 2),
    mode=Mode.FOOT,
    move=6,
    weapons=(ArmView(id="R1", kind=Arm.DIRECT, damage=(2, 1, 0, 0)),),
)
AGENT = AgentView(
    id=OwnId("P1"),
    name="Agent",
    combat=2,
    endurance=3,
    intelligence=4,
    leadership=1,
    site=Site("Ceres", 1),
)
SURFACE = SurfaceView(
    site=Site("Ceres", 1),
    seen=True,
    tokens=(
        TokenView(label="C6", cell=Cell(4, 4), turn=4, handle=Handle("tt4tt4")),
        TokenView(label="C7", cell=Cell(9, 9), turn=2, side=B, type="tank"),
    ),
)


def ship(base: OwnView = KITE, **fields: object) -> OwnView:
    """Return the frigate (or `base`) with the fields given changed."""
    return msgspec.structs.replace(base, **fields)


def stage(phase: Phase = Phase.PLOT, turn: int = 4, slot: str | None = None) -> Stage:
    """Return a stage of a match of two sides and twenty turns."""
    return Stage(
        turn=turn,
        turns=20,
        phase=phase,
        window=WindowId(f"{turn}.{phase.value}" + (f".{slot}" if slot else "")),
        slot=None if slot is None else Side(slot),
        sides=(A, B),
    )


def view(
    phase: Phase = Phase.PLOT,
    *,
    turn: int = 4,
    slot: str | None = None,
    own: tuple[OwnView, ...] = (KITE, MOTH),
    contacts: tuple[ContactView, ...] = (TRACK, CONTACT, MEMORY),
    zone: tuple[str, ...] = (),
) -> View:
    """Return side A's view: a frigate, a corvette over an asteroid, three foreign pieces."""
    return View(
        audience=Audience("A"),
        stage=stage(phase, turn, slot),
        board=BOARD,
        own=own,
        contacts=contacts,
        zone=zone,
    )


def with_ground(seen: View) -> View:
    """Return the view with a ground unit, an agent and a surface map with two tokens."""
    return msgspec.structs.replace(seen, ground=(GUARD,), agents=(AGENT,), surfaces=(SURFACE,))


def frame(seq: int, seen: View | TruthView, *notices: Notice, closes_ms: int = 30_000) -> Frame:
    """Return the frame that announces the window in which `seen` stands."""
    return Frame(
        match=MATCH,
        seq=seq,
        turn=seen.stage.turn,
        window=seen.stage.window,
        closes_ms=closes_ms,
        bank_ms=60_000,
        view=seen,
        notices=notices,
    )


def over(seq: int = 99, winner: Side | None = A) -> Over:
    """Return the end of a match."""
    result = Result(winner=winner, ending=Ending.TURNS, points={A: 4, B: 2})
    return Over(match=MATCH, seq=seq, result=result, seed="ab" * 32, head="cd" * 32)


CARD = ScenarioCard(
    name="shadow-of-ceres",
    title="Shadow of Ceres",
    brief="Two ships a side.",
    turns=20,
    board=BOARD,
    sides=(A, B),
    zones={},
    options={},
)


def seated() -> Seated:
    """Return the answer to who joined as A."""
    return Seated(id=1, match=MATCH, side=A, ticket="ticket", commitment="", card=CARD)


def resumed(
    *orders: Order,
    window: WindowId | None = None,
    rev: int = 0,
    locked: bool = False,
    seq: int = 0,
    since_ms: int = 0,
) -> Resumed:
    """Return the answer to who came back as A, with what the server holds of the seat."""
    return Resumed(
        id=1,
        match=MATCH,
        side=A,
        kind=ResumeKind.EXACT,
        since_ms=since_ms,
        last_id=0,
        card=CARD,
        seq=seq,
        window=window,
        rev=rev,
        locked=locked,
        orders=orders,
    )


async def typed(*lines: str) -> AsyncIterator[str]:
    """Yield the lines and end."""
    for line in lines:
        yield line


class Paper(io.StringIO):
    """A terminal that shows UTF-8 and keeps what was written."""

    encoding = "utf-8"


def screen(*, ascii_only: bool = False) -> tuple[Screen, Paper]:
    """Return a screen of 80 by 24 and the paper it writes on."""
    paper = Paper()
    return Screen(paper, ascii_only=ascii_only), paper
