"""Ground units and truths with a surface made by hand, and an event of every kind there."""

from functools import lru_cache

import msgspec

from builders.truths import A, B, ship, truth_of
from sunglare_protocol.geometry import (
    Board,
    Compass,
    Environs,
    Landing,
    Planet,
    PlanetSize,
    Square,
)
from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.notices.ground import MoveFault, TokenEnd
from sunglare_protocol.surface import Arm, Cell, Site
from sunglare_protocol.words.dossiers import Dossier, Outcome
from sunglare_protocol.words.ladder import Fate
from sunglare_server.base.library import SHIPPED
from sunglare_server.match.data.ground_classes import GroundClass
from sunglare_server.match.data.ground_files import read_ground
from sunglare_server.match.events.ground import (
    AgentStationed,
    AttackerRevealed,
    GroundShotFired,
    HiddenExposed,
    MapClosed,
    MapOpened,
    MapOverflown,
    OccupationCounted,
    PieceIdentified,
    SensorSown,
    TakenAlong,
    TokenEnded,
    TokenGained,
    TokenProbed,
    UnitDamaged,
    UnitDestroyed,
    UnitLoaded,
    UnitMoved,
    UnitStationed,
    UnitUncovered,
    UnitUnloaded,
    WeaponsHeated,
)
from sunglare_server.match.events.space import Event
from sunglare_server.match.ids import PieceId, piece_id
from sunglare_server.match.kinds import Noticed
from sunglare_server.match.truth.agents import AgentTruth
from sunglare_server.match.truth.ground import GroundTruth, SurfaceTruth, TokenHold
from sunglare_server.match.truth.truth import ShipTruth, Truth

_replace = msgspec.structs.replace

SITE = Site("Ceres", 1)
FAR_SITE = Site("Ceres", 2)
MAP = (
    "............",
    "......w.....",
    "......w.....",
    "......2.....",
    "............",
    "..~.........",
)
"""The drawn map of the first site: a wall of woods and a building east of the middle."""


def planet(*rows: str, sector: Compass = Compass.N) -> Planet:
    """Return a planet with two sites, the first of which is drawn by rows."""
    drawn = rows or MAP
    first = Environs(
        number=1, sector=sector, width=2 * len(drawn[0]), height=2 * len(drawn), terrain=drawn
    )
    far = Environs(number=2, sector=Compass.SE, width=24, height=12)
    return Planet(name="Ceres", at=Square(15, 12), size=PlanetSize.SMALL, environs=(first, far))


@lru_cache(maxsize=1)
def ground_classes() -> dict[str, GroundClass]:
    """Return every shipped ground class by name."""
    return read_ground((SHIPPED / "ground.toml").read_text(), "ground.toml")


def unit(
    side: Side,
    number: int = 1,
    at: tuple[int, int] | str = (0, 0),
    kind: str = "first-line-rifles",
    *,
    hidden: bool = False,
    site: Site = SITE,
) -> GroundTruth:
    """Return a ground unit on a cell of the first site; a text as place is the ship it is in."""
    own = OwnId(f"G{number}")
    aboard = PieceId(at) if isinstance(at, str) else None
    return GroundTruth(
        id=piece_id(side, own),
        side=side,
        own=own,
        name=f"Canary{side}{number}",
        type=ground_classes()[kind],
        site=None if isinstance(at, str) else site,
        cell=Cell(0, 0) if isinstance(at, str) else Cell(*at),
        aboard=aboard,
        hidden=hidden,
    )


def plain_agent(side: Side, number: int = 1, aboard: str | None = None) -> AgentTruth:
    """Return an agent on the first site, or in a ship."""
    own = OwnId(f"P{number}")
    return AgentTruth(
        id=piece_id(side, own),
        side=side,
        own=own,
        name=f"Agent{side}{number}",
        combat=2,
        endurance=3,
        intelligence=2,
        leadership=1,
        site=SITE if aboard is None else None,
        aboard=None if aboard is None else PieceId(aboard),
    )


def landed(of: ShipTruth, cell: tuple[int, int] | None = None) -> ShipTruth:
    """Return the ship landed on the first site."""
    landing = Landing(
        body="Ceres", sector=Compass.N, environs=1, cell=None if cell is None else Cell(*cell)
    )
    return _replace(of, landing=landing, square=Square(15, 11))


def ground_truth(
    *units: GroundTruth,
    ships: tuple[ShipTruth, ...] = (),
    agents: tuple[AgentTruth, ...] = (),
    body: Planet | None = None,
) -> Truth:
    """Return a truth with these units; every side has a ship, far away if none is given."""
    sides = sorted({A, B, *(piece.side for piece in units), *(piece.side for piece in ships)})
    absent = [side for side in sides if all(piece.side != side for piece in ships)]
    far = [ship(side, 9, (35, 35)) for side in absent]
    board = Board(planets=(body or planet(),))
    truth = truth_of(*sorted((*ships, *far), key=lambda piece: piece.id), board=board)
    return _replace(
        truth,
        ground={piece.id: piece for piece in units},
        agents={agent.id: agent for agent in agents},
        surface=SurfaceTruth(
            seen=dict.fromkeys(truth.sides, ()), tokens={side: {} for side in truth.sides}
        ),
    )


def seeing(truth: Truth, side: Side, *pieces: str, identified: bool = False) -> Truth:
    """Return the truth in which `side` sees the first site and holds these pieces on it."""
    surface = truth.surface
    held = {PieceId(piece): TokenHold(identified=identified) for piece in pieces}
    return _replace(
        truth,
        surface=SurfaceTruth(
            seen={**surface.seen, side: (SITE,)},
            tokens={**surface.tokens, side: {**surface.tokens_of(side), **held}},
        ),
    )


AG1, AG2 = PieceId("A/G1"), PieceId("A/G2")
BG1, BG2 = PieceId("B/G1"), PieceId("B/G2")
AP1 = PieceId("A/P1")


def ground_situations() -> tuple[Truth, ...]:
    """Return truths with A's unit unseen by B, held as a token, and known."""
    sower = unit(A, 2, "A/S9", "sensor-sower")
    truth = ground_truth(unit(A), sower, unit(B, at=(2, 0)), agents=(plain_agent(A),))
    over = seeing(truth, A, BG1)
    return (over, seeing(over, B, AG1), seeing(over, B, AG1, identified=True))


def _probed() -> tuple[TokenProbed, ...]:
    """Return requests about A's unit with every answer, by probe and without."""
    vague = TokenProbed(
        piece=BG1,
        target=AG1,
        outcome=Outcome.INCONCLUSIVE,
        by_probe=True,
        dossier=None,
        noticed=(Noticed(AG1, 90), Noticed(PieceId("A/S9"), 60)),
    )
    full = _replace(vague, outcome=Outcome.FULL, dossier=Dossier(turn=1, variant="regulars"))
    return vague, _replace(full, by_probe=False, noticed=())


GROUND_SHOT = GroundShotFired(
    piece=BG1, weapon="R1", kind=Arm.DIRECT, target=AG1, dice=(4, 3), needed=4, damage=1
)


def ground_samples() -> tuple[Event, ...]:
    """Return an event of every kind of the surface; most befall A's unit and are seen by B."""
    return (
        UnitStationed(piece=AG1, site=SITE, cell=Cell(1, 1), hidden=True),
        AgentStationed(piece=AP1, site=SITE, stacked=AG1),
        UnitMoved(piece=AG1, cells=(Cell(1, 0),)),
        UnitMoved(piece=AG1, cells=(), fault=MoveFault.TERRAIN),
        UnitLoaded(piece=AG1, ship=PieceId("A/S9")),
        UnitUnloaded(piece=AG1, site=SITE, cell=Cell(2, 2)),
        UnitUncovered(piece=AG1, identified=False),
        UnitUncovered(piece=AG1, identified=True),
        SensorSown(
            piece=PieceId("A/GR1"), launcher=AG2, own=OwnId("GR1"), site=SITE, cell=Cell(0, 0)
        ),
        MapOpened(side=B, site=FAR_SITE),
        MapClosed(side=B, site=SITE),
        PieceIdentified(piece=AG1, side=B, is_told=True),
        PieceIdentified(piece=AG1, side=B, is_told=False),
        HiddenExposed(piece=AG1, side=B),
        MapOverflown(side=B, owner=A, site=SITE, pieces=(AG1,)),
        GROUND_SHOT,
        _replace(GROUND_SHOT, kind=Arm.INDIRECT, indirect=True, heard=(A, B)),
        AttackerRevealed(piece=AG1, side=B),
        *_probed(),
        UnitDamaged(piece=AG1, damage=1),
        UnitDestroyed(piece=AG1, killers=(B,)),
        WeaponsHeated(piece=AG1, heat=2),
        TakenAlong(piece=AG1, fate=Fate.DESTROYED),
        TakenAlong(piece=AP1, fate=Fate.ESCAPED),
        TokenGained(piece=AG1, side=B, identified=False),
        TokenGained(piece=AG1, side=B, identified=True),
        *(TokenEnded(piece=AG1, side=B, how=how) for how in TokenEnd),
        OccupationCounted(site=SITE, sides=(A, B)),
        OccupationCounted(site=SITE, sides=(A,), turns=2, ends_after=3),
    )
