"""The truth of a match: every ship as it is, who really holds whom, and the points.

Server only. Nothing here is ever sent; what a side learns of it is decided in `learn`.
"""

from collections.abc import Container
from typing import final

import msgspec

from sunglare_protocol.geometry import Board, Compass, Landing, Place, Square, Vector
from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.words.ladder import Fate, Fix
from sunglare_protocol.words.pieces import Arc, BaseSize, PieceKind
from sunglare_protocol.words.scans import Echo
from sunglare_protocol.words.specials import Special, Specials
from sunglare_rules.blips.ecm import has_jammer
from sunglare_rules.blips.in_space import Condition, working
from sunglare_rules.cloak.trackers import Trackers
from sunglare_rules.fire.damage import drive_after_losses
from sunglare_rules.fire.missiles import burns
from sunglare_rules.fire.nova import blinds_passive, nova_blind_until
from sunglare_rules.sensors.scans import ScanHabit
from sunglare_server.match.data.scenario import CrewData, ShipClass
from sunglare_server.match.ids import PieceId, quarry_id
from sunglare_server.match.kinds import MissileFlight
from sunglare_server.match.truth.agents import AgentTruth, SearchTruth
from sunglare_server.match.truth.ground import GroundTruth, Occupier, SurfaceTruth

ECHO_OF_BASE = {
    BaseSize.SMALL: Echo.SMALL,
    BaseSize.MEDIUM: Echo.MEDIUM,
    BaseSize.LARGE: Echo.LARGE,
}
"""The echo of a ship by its base; decoys have a large base and so a large echo."""

SMALLEST_ECHO = (PieceKind.MISSILE, PieceKind.FIGHTER, PieceKind.REMOTE)
"""The kinds of piece that echo like a missile, whatever their base."""


@final
class TurretTruth(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A turret aboard and the standard arcs its indicator points at."""

    id: str
    arcs: tuple[Arc, ...]


@final
class Leech(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A leech on a ship: the side that fired it, and in how many more turns it does damage."""

    side: Side
    turns: int


@final
class Volley(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What makes a piece a volley: its missiles, where it was sent, and how often it moved.

    `cold`: it drifts in its first movement and does not burn.
    """

    missiles: int
    aim: Square
    cold: bool
    movements: int = 0


@final
class Nova(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A nova gun that was fired: by which piece and weapon, in which turn, from where, whither."""

    piece: PieceId
    weapon: str
    turn: int
    square: Square
    facing: Compass


@final
class ShipTruth(msgspec.Struct, frozen=True, kw_only=True, gc=False, cache_hash=True):
    """A ship as it is.

    `starting` says that a plant ordered on works from the next movement. `lost` names the
    systems that threshold checks or needle beams have taken, `drive_losses` how often the drive
    was hit, `spent` the weapons of one shot that have fired, `leeches` what goes on hurting it,
    `launched` how many flights of fighters have left it. `cloaks` counts how often the ship has
    cloaked: its hunters lose it with each time. `ecm_on` is how the jammer is switched,
    `heat` counts the weapons fired in the last ENGAGE, and `launcher` is the ship that launched
    this remote sensor and controls it. `thrust_spent` and `thrust_used` are those of this turn's
    movement. `detected` is the flag of an agent spaceship, `shaken` the planet where it shook
    it off; `bound_for` a planet, or `off` the map, by a standing order.
    """

    id: PieceId
    side: Side
    own: OwnId
    name: str
    type: ShipClass
    crew: CrewData
    square: Square
    vector: Vector
    facing: Compass
    landing: Landing | None = None
    powered: bool = True
    starting: bool = False
    popped_out: bool = False
    cloaked: bool = False
    cloaks: int = 0
    lost: tuple[str, ...] = ()
    drive_losses: int = 0
    spent: tuple[str, ...] = ()
    leeches: tuple[Leech, ...] = ()
    launched: int = 0
    volley: Volley | None = None
    turrets: tuple[TurretTruth, ...] = ()
    damage: int = 0
    thrust_spent: int = 0
    thrust_used: int = 0
    habit: ScanHabit | None = None
    detected: bool = False
    shaken: str | None = None
    bound_for: str | None = None
    ecm_on: bool = True
    heat: int = 0
    launcher: PieceId | None = None
    fate: Fate = Fate.IN_PLAY

    @property
    def place(self) -> Place:
        """Return where the ship is for lines of sight."""
        return Place(self.square, self.landing)

    @property
    def echo(self) -> Echo:
        """Return the size class that a track shows; what is launched echoes like a missile."""
        if self.type.kind in SMALLEST_ECHO:
            return Echo.MISSILE
        return ECHO_OF_BASE[self.type.size]

    @property
    def burns(self) -> bool:
        """Return whether a volley burned in its last movement, or another piece spent thrust."""
        if self.volley is None:
            return self.thrust_spent > 0
        return burns(self.volley.movements, cold=self.volley.cold)

    @property
    def in_play(self) -> bool:
        """Return whether the ship is neither destroyed nor gone."""
        return self.fate is Fate.IN_PLAY

    @property
    def is_remote(self) -> bool:
        """Return whether this is a remote sensor, which needs no power and takes no orders."""
        return self.type.kind is PieceKind.REMOTE

    @property
    def specials(self) -> Specials:
        """Return the abilities that the ship has in its present state."""
        powered = self.powered or self.is_remote
        state = Condition(powered, "ecm" in self.lost, "probe" in self.lost)
        return working(self.type.specials, state)

    @property
    def is_drone(self) -> bool:
        """Return whether a hostile field shuts it down."""
        return Special.DRO in self.type.specials

    @property
    def ecm(self) -> bool | None:
        """Return how its jammer is switched; None if it has no working one."""
        return self.ecm_on if has_jammer(self.specials) else None

    @property
    def quarry(self) -> PieceId:
        """Return the id under which the ship is hunted since it cloaked last."""
        return quarry_id(self.id, self.cloaks)

    @property
    def can_cloak(self) -> bool:
        """Return whether the ship has a cloak that works."""
        return self.type.cloak and "cloak" not in self.lost

    @property
    def thrust(self) -> int:
        """Return the thrust points the drive gives in its present state."""
        return drive_after_losses(self.type.thrust, self.drive_losses)

    @property
    def screens(self) -> int:
        """Return the level of the working screens."""
        return 0 if "screens" in self.lost else self.type.screens

    @property
    def point_defence(self) -> int:
        """Return the points of the working point defence."""
        return 0 if "point_defence" in self.lost else self.type.point_defence

    @property
    def flights(self) -> int:
        """Return how many flights of fighters are still aboard."""
        return self.type.flights - self.launched


@final
class Hold(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """That a side holds a foreign piece: the rung, and whether and how it was renewed.

    `contacted`: a contact was made on it in this turn's SCAN; `misses`: turns without one.
    `identified`: the side knows its type while this hold lasts. `quiet`: the piece's owner, and so
    the public, did not learn of it. `overhead`: a contact only because it flies over a map of the
    side, of which no other side learns.
    """

    fix: Fix
    contacted: bool = True
    misses: int = 0
    identified: bool = False
    overhead: bool = False
    quiet: bool = False


@final
class Hunt(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """That a side hunts a cloaked ship: its trackers, and how it was found this turn, if so."""

    piece: PieceId
    trackers: Trackers = Trackers()
    fix: Fix | None = None


@final
class Loss(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A piece that is lost and had to survive, and how many turns have ended since its loss."""

    side: Side
    piece: str
    turns: int


@final
class Truth(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Everything that is so. The dictionaries are never changed in place.

    `holds` is who holds whom: by holding side, then by piece. `identified` lists the pieces of
    which a side has ever learned the type, `points` what each side has scored, `novas` the nova
    guns with a sweep to come or just made. `hunts` is who hunts whom: by hunting side, then by the
    id under which a ship is hunted. `active` are the ships that swept this turn; `jam_end` is the
    last jammed turn, `wave_until` the last one that a wave gun spoils. `collected` are the
    asteroids at which each side has met its objective there. `surface` is who sees which surface
    map and holds whom on it, `missiles` those on their way over the ground, `search` what is known
    and planned of agents. `occupiers` are the sides that stand alone on environs whose occupation
    ends the match, `losses` the lost pieces whose loss ends it, once there are any,
    as all have learned.
    """

    board: Board
    turn: int
    sides: tuple[Side, ...]
    ships: dict[PieceId, ShipTruth]
    holds: dict[Side, dict[PieceId, Hold]]
    identified: dict[Side, tuple[PieceId, ...]]
    points: dict[Side, int]
    out: tuple[Side, ...] = ()
    novas: tuple[Nova, ...] = ()
    ground: dict[PieceId, GroundTruth] = {}
    agents: dict[PieceId, AgentTruth] = {}
    surface: SurfaceTruth = SurfaceTruth()
    missiles: tuple[MissileFlight, ...] = ()
    search: SearchTruth = SearchTruth()
    hunts: dict[Side, dict[PieceId, Hunt]] = {}
    active: tuple[PieceId, ...] = ()
    jam_end: int = 0
    wave_until: int = 0
    collected: dict[Side, tuple[str, ...]] = {}
    occupiers: tuple[Occupier, ...] = ()
    # Unset it is no part of the digest, so that matches stored before it was there are not broken.
    losses: tuple[Loss, ...] | msgspec.UnsetType = msgspec.UNSET

    @property
    def nova_in_play(self) -> bool:
        """Return whether a nova gun spoils the passive detection in the DETECT of this turn."""
        return any(blinds_passive(nova.turn, self.turn) for nova in self.novas)

    @property
    def nova_until(self) -> int:
        """Return the last turn whose passive detection a nova gun spoils, 0 for none."""
        return max((nova_blind_until(nova.turn) for nova in self.novas), default=0)

    def ships_of(self, side: Side) -> tuple[ShipTruth, ...]:
        """Return every ship that `side` started with, in roster order."""
        return tuple([ship for ship in self.ships.values() if ship.side == side])

    def ground_of(self, side: Side) -> tuple[GroundTruth, ...]:
        """Return every ground unit that `side` started with, in roster order."""
        return tuple([unit for unit in self.ground.values() if unit.side == side])

    def agents_of(self, side: Side) -> tuple[AgentTruth, ...]:
        """Return every agent that `side` started with, in roster order."""
        return tuple([agent for agent in self.agents.values() if agent.side == side])

    @property
    def has_surface(self) -> bool:
        """Return whether anything stands, or is held, on a surface map."""
        if self.ground or any(self.surface.seen.values()):
            return True
        return any(
            ship.type.kind is PieceKind.FIGHTER
            or (ship.landing is not None and ship.landing.environs is not None)
            for ship in self.ships.values()
        )

    def stands(self, piece: PieceId) -> tuple[Site, Cell] | None:
        """Return site and cell of a ground unit or landed ship; None if it is on no surface map.

        It need not be in play: what was destroyed this turn still stands where it stood.
        """
        unit = self.ground.get(piece)
        if unit is not None:
            return None if unit.site is None else (unit.site, unit.cell)
        landing = self.ships[piece].landing
        site = None if landing is None else landing.site
        environs = None if site is None else self.board.environs_at(site)
        if landing is None or site is None or environs is None:
            return None
        return site, landing.cell or environs.middle

    def in_play(self) -> tuple[ShipTruth, ...]:
        """Return every ship in play, in a fixed order."""
        return tuple([ship for ship in self.ships.values() if ship.fate is Fate.IN_PLAY])

    def side_of(self, piece: PieceId) -> Side:
        """Return whose a ship or ground unit is."""
        return self.ground[piece].side if piece in self.ground else self.ships[piece].side

    def others(self, side: Side) -> tuple[Side, ...]:
        """Return the other sides."""
        return tuple([other for other in self.sides if other != side])

    def in_order(self, *members: Container[Side]) -> tuple[Side, ...]:
        """Return the sides that stand in any of these, each once and in the order of the sides."""
        found: list[Side] = []
        for side in self.sides:
            for some in members:
                if side in some:
                    found.append(side)
                    break
        return tuple(found)

    def hunts_of(self, side: Side) -> dict[PieceId, Hunt]:
        """Return the hunts of a side, by the id under which it hunts each ship."""
        return self.hunts.get(side, {})

    def hunt_fix(self, side: Side, ship: ShipTruth) -> Fix | None:
        """Return how `side` has found a cloaked ship this turn, None if it has not."""
        hunt = self.hunts_of(side).get(ship.quarry)
        return hunt.fix if ship.cloaked and hunt is not None else None

    def holds_well(self, side: Side, ship: ShipTruth) -> bool:
        """Return whether `side` holds the ship as contact or live track, or has found it now."""
        hold = self.holds[side].get(ship.id)
        is_held = hold is not None and hold.fix in (Fix.CONTACT, Fix.TRACKED)
        return is_held or self.hunt_fix(side, ship) is not None

    def holders(self, piece: PieceId, *fixes: Fix) -> tuple[Side, ...]:
        """Return the sides that hold `piece` on one of the rungs `fixes`."""
        return tuple(
            [
                side
                for side in self.sides
                if (hold := self.holds[side].get(piece)) is not None and hold.fix in fixes
            ]
        )
