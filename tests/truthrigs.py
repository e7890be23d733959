"""Truths, matches and their courses made by hand, for the tests of the core."""

import random
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import msgspec

from sunglare_protocol.armament import WeaponKind
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
from sunglare_protocol.ids import SIDES, Audience, MatchId, OwnId, Side, audience_of
from sunglare_protocol.ladder import Fix, Phase
from sunglare_protocol.orders import Order
from sunglare_protocol.pieces import Arc, BaseSize, PieceKind, TurretKind
from sunglare_protocol.scanwords import Answers, Drive, ScanSize, ScanType, Signature
from sunglare_protocol.views import View
from sunglare_rules.advice.check import check
from sunglare_rules.advice.legal import legal
from sunglare_rules.scans import ScanHabit
from sunglare_server.match.apply import apply
from sunglare_server.match.dice import Dice
from sunglare_server.match.events import (
    ContactMade,
    DamageTaken,
    Event,
    InitiativeRolled,
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
)
from sunglare_server.match.facts import Grant
from sunglare_server.match.flow import Flow
from sunglare_server.match.frames import Posted, frame, keyframe, posted
from sunglare_server.match.ids import PieceId, piece_id
from sunglare_server.match.intel import Intel
from sunglare_server.match.options import MatchOptions
from sunglare_server.match.perceive.learns import learns
from sunglare_server.match.perceive.roles import audiences
from sunglare_server.match.phases import Standing
from sunglare_server.match.record import (
    RECORD_VERSION,
    RULES_VERSION,
    Body,
    Kind,
    Opened,
    OrdersGiven,
    Record,
    Seat,
    WindowDue,
    chain,
    packed,
)
from sunglare_server.match.scenario import (
    CrewData,
    MapData,
    Objective,
    Ratings,
    Scenario,
    ScenarioData,
    ShipClass,
    ShipEntry,
    SideSetup,
    TurretData,
    Weapon,
)
from sunglare_server.match.state import MatchState, Stepped
from sunglare_server.match.step import step
from sunglare_server.match.truth import Hold, ShipTruth, Truth, TurretTruth

A, B, C, D = SIDES
MATCH = MatchId("abcdefghijklmnopqrstuvwxyz")
SEED = bytes(range(32))
DICE = Dice(seed=SEED)

CERES = Planet(
    name="Ceres",
    at=Square(15, 12),
    size=PlanetSize.SMALL,
    environs=(Environs(number=1, sector=Compass.N), Environs(number=2, sector=Compass.SW)),
)
ROCK = Asteroid(name="Rock", at=Square(30, 30))
EMPTY = Board()
BOARD = Board(planets=(CERES,), asteroids=(ROCK,))

_replace = msgspec.structs.replace
_Kind = TypeVar("_Kind")


# Ships.


def ratings(each: int) -> Ratings:
    """Return the same sensor rating for every type of scan."""
    return Ratings(visual=each, ir=each, radar=each, neutrino=each, mass=each)


def beam(name: str, rank: int, arc: Arc = Arc.FULL_FRONT) -> Weapon:
    """Return a mounted beam battery."""
    return Weapon(id=name, kind=WeaponKind.BEAM, rank=rank, arc=arc)


def torpedo(name: str, arc: Arc = Arc.FULL_FRONT) -> Weapon:
    """Return a mounted pulse torpedo."""
    return Weapon(id=name, kind=WeaponKind.TORPEDO, rank=1, arc=arc)


FRIGATE = ShipClass(
    name="frigate",
    kind=PieceKind.STARSHIP,
    size=BaseSize.MEDIUM,
    hull=16,
    thrust=3,
    points=4,
    drive=Drive.IMPULSE,
    sensors=ratings(2),
    screens=0,
    shaded=(Arc.FRONT,),
    weapons=(beam("B1", 2), torpedo("P1")),
    turrets=(TurretData(id="T1", arcs=(Arc.FRONT,)),),
)
CORVETTE = _replace(
    FRIGATE, name="corvette", size=BaseSize.SMALL, hull=8, thrust=4, points=2, sensors=ratings(3)
)
CRUISER = _replace(
    FRIGATE,
    name="cruiser",
    size=BaseSize.LARGE,
    hull=28,
    thrust=2,
    points=8,
    screens=1,
    turrets=(TurretData(id="T1", kind=TurretKind.DOUBLE, arcs=(Arc.FRONT, Arc.REAR)),),
)


def ship(
    side: Side, number: int = 1, at: tuple[int, int] = (10, 10), kind: ShipClass = FRIGATE
) -> ShipTruth:
    """Return a ship of `side` at rest, facing north, power on, sensors folded."""
    own = OwnId(f"S{number}")
    return ShipTruth(
        id=piece_id(side, own),
        side=side,
        own=own,
        name=f"Canary{side}{number}",
        type=kind,
        crew=CrewData(),
        square=Square(*at),
        vector=Vector(0, 0),
        facing=Compass.N,
        turrets=tuple(TurretTruth(id=each.id, arcs=each.arcs) for each in kind.turrets),
    )


A1, A2 = PieceId("A/S1"), PieceId("A/S2")
B1, B2 = PieceId("B/S1"), PieceId("B/S2")
C1, D1 = PieceId("C/S1"), PieceId("D/S1")


# Truths.


def truth_of(*ships: ShipTruth, board: Board = EMPTY, turn: int = 1) -> Truth:
    """Return a truth with these ships, in this order, nobody holding anybody."""
    sides = tuple(each for each in SIDES if any(one.side == each for one in ships))
    return Truth(
        board=board,
        turn=turn,
        sides=sides,
        ships={each.id: each for each in ships},
        holds={side: {} for side in sides},
        identified=dict.fromkeys(sides, ()),
        points=dict.fromkeys(sides, 0),
    )


def holding(truth: Truth, side: Side, piece: PieceId, fix: Fix, misses: int = 0) -> Truth:
    """Return the truth in which `side` holds `piece` as `fix`."""
    hold = Hold(fix=fix, contacted=fix is not Fix.COASTING, misses=misses)
    held = {**truth.holds[side], piece: hold}
    return _replace(truth, holds={**truth.holds, side: held})


def in_other_order(truth: Truth, seed: int) -> Truth:
    """Return the same truth with its ships in another order."""
    ships = list(truth.ships.items())
    random.Random(seed).shuffle(ships)
    return _replace(truth, ships=dict(ships))


def applied(truth: Truth, events: Iterable[Event]) -> Truth:
    """Return the truth after all these events."""
    for event in events:
        truth = apply(truth, event)
    return truth


def only(events: Iterable[Event], kind: type[_Kind]) -> list[_Kind]:
    """Return the events of one kind."""
    return [event for event in events if isinstance(event, kind)]


def dice_where(good: Callable[[Dice], bool]) -> Dice:
    """Return the first dice that roll as a test needs it."""
    for number in range(20_000):
        dice = Dice(seed=number.to_bytes(32, "big"))
        if good(dice):
            return dice
    raise ValueError("no dice roll like that")


# Matches.


def entry_of(ship: ShipTruth) -> ShipEntry:
    """Return the roster entry that puts a ship where this one is."""
    return ShipEntry(
        name=ship.name,
        type=ship.type.name,
        crew=ship.crew,
        at=ship.square,
        vector=ship.vector,
        facing=ship.facing,
        powered=ship.powered,
        popped_out=ship.popped_out,
    )


def scenario_of(
    *ships: ShipTruth,
    board: Board = EMPTY,
    turns: int = 20,
    objectives: dict[Side, tuple[Objective, ...]] | None = None,
) -> Scenario:
    """Return a scenario with these ships in fixed places."""
    wanted = objectives or {}
    sides = {
        side: SideSetup(
            ships=tuple(entry_of(each) for each in ships if each.side == side),
            objectives=wanted.get(side, ()),
        )
        for side in SIDES
        if any(each.side == side for each in ships)
    }
    data = ScenarioData(
        title="Rig",
        sides=sides,
        turns=turns,
        map=MapData(columns=board.columns, rows=board.rows, sunfactor=board.sunfactor),
        planets=board.planets,
        asteroids=board.asteroids,
        fixed=True,
    )
    return Scenario(name="rig", data=data, classes={each.type.name: each.type for each in ships})


def opened(scenario: Scenario, options: MatchOptions, seed: bytes = SEED) -> Opened:
    """Return the record body that starts a match on `scenario`."""
    return Opened(
        rules=RULES_VERSION,
        scenario=scenario,
        options=options,
        seats=tuple(Seat(side=side, person=f"person {side}") for side in scenario.sides),
        server_seed=seed,
        data_hash="",
    )


class Course:
    """A match as it goes on: the state, its records, and all that each audience was sent."""

    def __init__(
        self, scenario: Scenario, options: MatchOptions | None = None, seed: bytes = SEED
    ) -> None:
        """Start the match at time 0; the default options have a clock without beat or floor."""
        self.now = 0
        self.records: list[Record] = []
        self.stored: list[bytes] = []
        self.steps: list[Stepped] = []
        self.sent: dict[Audience, list[Posted]] = {}
        self._state: MatchState | None = None
        chosen = options or MatchOptions(clock="test")
        self.put(opened(scenario, chosen, seed), kind=Kind.OPEN)

    @property
    def state(self) -> MatchState:
        """Return the state reached."""
        if self._state is None:
            raise ValueError("the match has not started")
        return self._state

    def record(self, body: Body, seat: Side | None, number: int | None, kind: Kind) -> Record:
        """Return the next record, chained to the last one."""
        return Record(
            v=RECORD_VERSION,
            m=MATCH,
            n=len(self.records) + 1,
            k=kind,
            t=self.now,
            b=body,
            s=seat,
            c=number,
            p=chain(self.stored[-1]) if self.stored else b"",
        )

    def put(
        self,
        body: Body,
        seat: Side | None = None,
        number: int | None = None,
        kind: Kind = Kind.COMMAND,
    ) -> Stepped:
        """Take a step with the next record, and keep what everybody was sent."""
        record = self.record(body, seat, number, kind)
        stepped = step(self._state, record)
        self._state = stepped.state
        self.records.append(record)
        self.stored.append(packed(record))
        self.steps.append(stepped)
        for audience in stepped.state.intel:
            sent = self.sent.setdefault(audience, [])
            sent.extend(posted(MATCH, stepped, audience, "head"))
        return stepped

    def orders(self, side: Side, *orders: Order, lock: bool = True) -> Stepped:
        """Give the orders of a side for the open window, unchecked."""
        window = self.state.standing.window
        return self.put(OrdersGiven(window=window, rev=1, orders=orders, lock=lock), side)

    def close(self) -> Stepped:
        """Close the open window."""
        return self.put(WindowDue(window=self.state.standing.window), kind=Kind.TICK)

    def close_until(self, phase: Phase, slot: Side | None = None) -> None:
        """Close windows until one of `phase` is open, at `slot` if one is named."""
        for _ in range(8):
            standing = self.state.standing
            if standing.phase is phase and slot in (None, standing.slot_side):
                return
            self.close()
        raise ValueError("that window does not open")

    def view(self, audience: str) -> View:
        """Return what an audience sees now."""
        shown = frame(MATCH, self.state, Audience(audience), 1).view
        if not isinstance(shown, View):
            raise TypeError("omni has no view of a side")
        return shown

    def present(self, audience: str) -> tuple[Posted, ...]:
        """Return what an audience is sent that asks for all there is now."""
        return keyframe(MATCH, self.state, Audience(audience), "head")

    def everywhere(self) -> dict[Audience, tuple[Posted, ...]]:
        """Return that of every audience."""
        return {audience: self.present(audience) for audience in self.state.intel}


def chosen_orders(view: View, dice: random.Random) -> tuple[Order, ...]:
    """Return a random set of orders that the view allows."""
    orders: tuple[Order, ...] = ()
    candidates = list(legal(view))
    dice.shuffle(candidates)
    # Few orders in PLOT, so that ships stay together; all the scans and shots there are.
    most = 3 if view.stage.phase is Phase.PLOT else 40
    for order in candidates[:most]:
        if check(view, (*orders, order)) is None:
            orders = (*orders, order)
    return orders


def play(course: Course, seed: int, windows: int) -> Course:
    """Play that many windows of a match with random legal orders; stop at its end."""
    dice = random.Random(seed)
    for _ in range(windows):
        if course.state.is_over:
            return course
        for side in course.state.standing.sides:
            if course.state.standing.takes_orders_of(side):
                course.orders(side, *chosen_orders(course.view(side), dice))
        course.close()
    return course


CROWDED = Board(
    columns=4,
    rows=4,
    planets=(_replace(CERES, at=Square(9, 9)),),
    asteroids=(Asteroid(name="Rock", at=Square(11, 14)),),
)
"""A small map, so that ships meet, crash, land and leave."""


def crowd(sides: int, each: int) -> Scenario:
    """Return a scenario with `each` ships a side, crowded together, with every objective."""
    kinds = (CRUISER, CORVETTE, FRIGATE)
    ships = []
    for index, side in enumerate(SIDES[:sides]):
        for number in range(1, each + 1):
            at = (3 + 4 * number, 3 + 3 * index)
            one = ship(side, number, at, kinds[(index + number) % 3])
            crew = CrewData(pilot=2, operator=3, commander=index)
            facing = Compass.S if index % 2 == 0 else Compass.N
            keen = _replace(one.type, sensors=ratings(4))
            ships.append(_replace(one, type=keen, popped_out=True, crew=crew, facing=facing))
    wanted: dict[Side, tuple[Objective, ...]] = {
        side: (
            Objective(kind="escape", edge=Compass.N),
            Objective(kind="survive", piece=f"Canary{side}1"),
            Objective(kind="identify", piece=f"Canary{SIDES[(index + 1) % sides]}1"),
        )
        for index, side in enumerate(SIDES[:sides])
    }
    return scenario_of(*ships, board=CROWDED, objectives=wanted)


# What is learned of events.


def flow_of(truth: Truth, options: MatchOptions | None = None, dice: Dice = DICE) -> Flow:
    """Return a flow that begins at `truth` with intel that holds nothing."""
    intel = {each: Intel(audience=each, turn=truth.turn) for each in audiences(truth)}
    state = MatchState(
        board=truth.board,
        scenario=scenario_of(*truth.ships.values(), board=truth.board).data,
        options=options or MatchOptions(clock="test"),
        server_seed=SEED,
        seed=dice.seed,
        truth=truth,
        intel=intel,
        standing=Standing(turn=truth.turn, turns=20, phase=Phase.PLOT, sides=truth.sides),
        opened_ms=0,
        closes_ms=1,
        seqs=dict.fromkeys(intel, 1),
    )
    return Flow(state)


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
        ShipDestroyed(piece=of, cause="fire", killers=(by,)),
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
        ShooterExposed(piece=of, witnesses=()),
        ShooterExposed(piece=of, witnesses=(by,)),
        DamageTaken(piece=of, damage=2),
        SystemLost(piece=of, system="drive", die=6, needed=6),
        PointsScored(side=side, points=4, why="destroy", is_known=True),
        PointsScored(side=side, points=3, why="survive", is_known=False),
        SideWentOut(side=side),
        TurnEnded(turn=1),
    )
