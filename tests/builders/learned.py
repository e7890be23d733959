"""Events made by hand, and what is learned of them, for the tests of perception."""

from collections.abc import Iterator

from msgspec.structs import replace

from builders.matches import TEST, Course, scenario_of
from builders.truths import DICE, SEED
from sunglare_protocol.geometry import Compass, Landing, Square, Vector
from sunglare_protocol.ids import OwnId, Side, audience_of
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.dossiers import Dossier, Outcome
from sunglare_protocol.words.ladder import Fix, Phase
from sunglare_protocol.words.pieces import Arc
from sunglare_protocol.words.scans import Answers, ScanSize, ScanType, Signature
from sunglare_rules.blips.spotting import Method
from sunglare_rules.cloak import trackers
from sunglare_rules.sensors.scans import ScanHabit
from sunglare_server.match.apply.space import apply
from sunglare_server.match.clock.phases import Standing
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.dice import Dice
from sunglare_server.match.events.blips import (
    EcmSwitched,
    PieceProbed,
    PieceSpotted,
    RemoteLaunched,
    ShipHeated,
)
from sunglare_server.match.events.cloak import (
    CloakedFired,
    CloakEvent,
    CloakSwitched,
    HuntEnded,
    HuntStepped,
    JamEnded,
    PassiveRolled,
    SpaceJammed,
    SweepDeclared,
    SweepRolled,
    UncloakingSeen,
)
from sunglare_server.match.events.space import (
    CargoCollected,
    ContactMade,
    DamageTaken,
    Event,
    FighterLaunched,
    InitiativeRolled,
    LeechDrained,
    LossCounted,
    NovaFired,
    PointsScored,
    PowerSwitched,
    RadarGaveAway,
    ScanDeclared,
    ScanFinished,
    SensorsSwitched,
    ShipDeployed,
    ShipDestroyed,
    ShipEscaped,
    ShipExamined,
    ShipLanded,
    ShipLifted,
    ShipMoved,
    ShipTracked,
    ShooterExposed,
    ShotFired,
    SideWentOut,
    SystemLost,
    TrackEnded,
    TrackMissed,
    TurnEnded,
    TurretRotated,
    VolleyLaunched,
    VolleyMoved,
)
from sunglare_server.match.facts.space import Grant
from sunglare_server.match.ids import PieceId, piece_id, quarry_id
from sunglare_server.match.intel.space import Intel
from sunglare_server.match.learn.audiences import audiences
from sunglare_server.match.learn.learns import learns
from sunglare_server.match.resolve.firing import Attack, shots
from sunglare_server.match.state import MatchState
from sunglare_server.match.truth.truth import Truth
from sunglare_server.match.turn.flow import Flow


def standing_in(truth: Truth, phase: Phase) -> Standing:
    """Return that a window is open, with an initiative in the order of the sides."""
    sides = truth.sides
    return Standing(turn=truth.turn, turns=20, phase=phase, sides=sides, initiative=sides)


def flow_of(
    truth: Truth, *events: Event, options: MatchOptions | None = None, dice: Dice = DICE
) -> Flow:
    """Return a flow that begins at `truth` with intel that holds nothing, after these events."""
    intel = {audience: Intel(audience=audience, turn=truth.turn) for audience in audiences(truth)}
    state = MatchState(
        board=truth.board,
        scenario=scenario_of(*truth.ships.values(), board=truth.board).data,
        options=options or TEST,
        server_seed=SEED,
        seed=dice.seed,
        truth=truth,
        intel=intel,
        standing=standing_in(truth, Phase.PLOT),
        opened_ms=0,
        seqs=dict.fromkeys(intel, 1),
    )
    return run(Flow(state), *events)


def run(flow: Flow, *events: Event) -> Flow:
    """Let these events happen, each perceived before the next, and return the flow."""
    for event in events:
        flow.run([event])
    return flow


def intel_of(flow: Flow, side: str) -> Intel:
    """Return the intel of one audience."""
    return flow.intel[audience_of(Side(side))]


def granted(truth: Truth, event: Event, options: MatchOptions | None = None) -> list[Grant]:
    """Return who learns what of one event that happens to `truth`."""
    return list(learns(event, truth, apply(truth, event), options or MatchOptions()))


def grants_of(course: Course) -> Iterator[tuple[Event, Grant]]:
    """Yield every grant of a match with its event, by folding its events anew."""
    truth = course.steps[0].state.truth
    for stepped in course.steps[1:]:
        for event in stepped.events:
            after = apply(truth, event)
            for grant in learns(event, truth, after, stepped.state.options):
                yield event, grant
            truth = after


NO_ANSWERS = Answers(glare=False, from_well=False, touches_well=False)

HABIT = ScanHabit(
    turn=1,
    square=Square(10, 10),
    type=ScanType.VISUAL,
    size=ScanSize.BOX,
    at=Square(12, 7),
    streak=0,
)

LANDED = Landing(body="Ceres", sector=Compass.N, environs=1)


def declared(piece: PieceId) -> ScanDeclared:
    """Return a scan declared by `piece`."""
    return ScanDeclared(
        piece=piece,
        type=ScanType.VISUAL,
        size=ScanSize.BOX,
        at="C2",
        strength=1,
        effective=1,
        answers=NO_ANSWERS,
        habit=HABIT,
    )


def moved(piece: PieceId, at: tuple[int, int] = (11, 9)) -> ShipMoved:
    """Return a move of `piece` to a square."""
    return ShipMoved(
        piece=piece,
        square=Square(*at),
        vector=Vector(1, -1),
        facing=Compass.NE,
        thrust_spent=2,
        thrust_used=3,
    )


def contact(piece: PieceId, side: Side, *names: Signature, signal: int = 1) -> ContactMade:
    """Return a contact of `side` on `piece`, by default because of its lit hull."""
    signatures = names or (Signature.VISUAL_HULL,)
    return ContactMade(piece=piece, side=side, signal=signal, signatures=signatures)


def tracked(piece: PieceId, side: Side, roll: int | None = 9) -> ShipTracked:
    """Return that `piece` became a live track of `side`."""
    return ShipTracked(piece=piece, side=side, roll=roll)


def missed(piece: PieceId, side: Side, misses: int = 1) -> TrackMissed:
    """Return that `side` missed its track of `piece`."""
    return TrackMissed(piece=piece, side=side, misses=misses)


def shot(piece: PieceId, target: PieceId, damage: int = 2) -> ShotFired:
    """Return a shot of a beam battery."""
    return ShotFired(
        piece=piece,
        weapon="B1",
        kind=WeaponKind.BEAM,
        target=target,
        arc=Arc.FULL_FRONT,
        dice=(5, 4),
        damage=damage,
    )


def fired(truth: Truth, *attacks: Attack, dice: Dice = DICE) -> tuple[ShotFired, ...]:
    """Return the shots that these attacks in a truth result in."""
    return tuple(shots(truth, attacks, dice))


def probed(
    piece: PieceId, target: PieceId, *, by_probe: bool, noticed: tuple[PieceId, ...] = ()
) -> PieceProbed:
    """Return a request for data: by probe in vain, at short range with a full answer."""
    dossier = Dossier(turn=1, variant="cruiser", damage=3, heat=2, move=2, modes=("impulse",))
    return PieceProbed(
        piece=piece,
        target=target,
        outcome=Outcome.INCONCLUSIVE if by_probe else Outcome.FULL,
        by_probe=by_probe,
        dossier=None if by_probe else dossier,
        noticed=noticed,
    )


def samples(of: PieceId, by: Side) -> tuple[Event, ...]:
    """Return an event of every class; `of` is the piece it befalls, `by` another side."""
    side = Side(of[0])
    other = piece_id(by, OwnId("S1"))
    rest, north = Vector(0, 0), Compass.N
    return (
        InitiativeRolled(turn=1, order=(by, side), totals={by: 9, side: 4}),
        ShipDeployed(piece=of, square=Square(1, 1), vector=rest, facing=north, landing=None),
        PowerSwitched(piece=of, powered=False, starting=False),
        SensorsSwitched(piece=of, out=True),
        TurretRotated(piece=of, turret="T1", arcs=(Arc.REAR,)),
        moved(of),
        ShipLanded(piece=of, landing=LANDED, square=Square(15, 11), thrust_spent=1),
        ShipLifted(piece=of, square=Square(15, 11), facing=north, thrust_spent=1),
        ShipEscaped(piece=of, edge=north),
        CargoCollected(piece=of, body="Styx"),
        ShipDestroyed(piece=of, cause="fire", killers=(by,)),
        VolleyLaunched(
            piece=piece_id(side, OwnId("M1")),
            own=OwnId("M1"),
            launcher=of,
            weapon="M1",
            missiles=4,
            square=Square(10, 10),
            vector=rest,
            facing=north,
            aim=Square(14, 10),
            cold=False,
        ),
        FighterLaunched(
            piece=piece_id(side, OwnId("F1")),
            own=OwnId("F1"),
            launcher=of,
            square=Square(10, 10),
            vector=rest,
            facing=north,
        ),
        VolleyMoved(
            piece=of, square=Square(14, 10), vector=Vector(4, 0), facing=north, aim=Square(14, 10)
        ),
        declared(of),
        ShipExamined(piece=of, side=by, signal=1, signatures=(Signature.VISUAL_HULL,)),
        contact(of, by),
        tracked(of, by),
        RadarGaveAway(piece=of),
        ScanFinished(piece=of, found=(other,), tracked=(), roll=None),
        ScanFinished(piece=of, found=(other,), tracked=(other,), roll=8),
        missed(of, by),
        missed(of, by, 2),
        TrackEnded(piece=of, side=by),
        shot(of, other),
        replace(shot(of, other), kind=WeaponKind.FIGHTER, arc=None),
        replace(shot(of, other), kind=WeaponKind.SALVO, arc=None, stopped=2),
        NovaFired(piece=of, weapon="N1", square=Square(10, 10), facing=north),
        ShooterExposed(piece=of, witnesses=()),
        ShooterExposed(piece=of, witnesses=(by,)),
        EcmSwitched(piece=of, on=False),
        ShipHeated(piece=of, heat=2),
        RemoteLaunched(
            piece=piece_id(side, OwnId("R1")),
            launcher=of,
            own=OwnId("R1"),
            square=Square(3, 3),
            vector=rest,
            facing=north,
        ),
        PieceSpotted(piece=of, side=by, methods=(Method.SENSOR,)),
        probed(other, of, by_probe=True),
        probed(other, of, by_probe=True, noticed=(of,)),
        probed(other, of, by_probe=False),
        DamageTaken(piece=of, damage=2),
        LeechDrained(piece=of, damage=2),
        SystemLost(piece=of, system="drive", die=6, needed=6),
        PointsScored(side=side, points=4, why="destroy", is_known=True),
        PointsScored(side=side, points=3, why="survive", is_known=False),
        PointsScored(side=side, points=1, why="destroy", is_known=True, at_most=4),
        SideWentOut(side=side),
        LossCounted(side=side, piece="Kite", turns=2, ends_after=3),
        *hunt_samples(of, by),
        TurnEnded(turn=1),
    )


def hunt_samples(of: PieceId, by: Side) -> tuple[CloakEvent, ...]:
    """Return an event of every class of the hunt; `of` is the piece that hides or searches."""
    quarry, other = quarry_id(of, 1), piece_id(by, OwnId("S1"))
    return (
        CloakSwitched(piece=of, on=True),
        CloakSwitched(piece=of, on=False),
        UncloakingSeen(piece=of, side=by),
        SweepDeclared(piece=of),
        SweepRolled(piece=of, dice=(3, 6), found=(other,)),
        PassiveRolled(piece=of, die=4, found=()),
        *(stepped_hunt(of, by, fix) for fix in (None, Fix.DETECTED, Fix.SOLUTION)),
        HuntEnded(side=by, piece=of, quarry=quarry),
        SpaceJammed(until=5, dice=(4,)),
        JamEnded(turn=5),
        CloakedFired(piece=of, side=by),
    )


def stepped_hunt(of: PieceId, by: Side, fix: Fix | None) -> HuntStepped:
    """Return that `by` hunts a piece, cloaked for the first time, and found it so this turn."""
    found = fix is not None
    return HuntStepped(
        side=by,
        piece=of,
        quarry=quarry_id(of, 1),
        trackers=trackers.stepped(trackers.Trackers(), int(found), fix is Fix.SOLUTION),
        fix=fix,
        solution_window=fix is Fix.SOLUTION,
        solution_dice=fix is Fix.SOLUTION,
    )
