"""Scenarios and whole matches played without a server, for the tests of the core."""

import random
from collections.abc import Mapping

import msgspec

from builders.orders import Written, read_on
from builders.truths import (
    CERES,
    CORVETTE,
    CRUISER,
    EMPTY,
    FRIGATE,
    MATCH,
    SEED,
    ratings,
    ship,
)
from sunglare_protocol.geometry import (
    Asteroid,
    Board,
    Compass,
    Square,
)
from sunglare_protocol.ids import SIDES, Audience, Side
from sunglare_protocol.messages import Ending
from sunglare_protocol.orders import Order
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.legal.legal import legal
from sunglare_server.match.data.options import MatchOptions, OptionValue
from sunglare_server.match.data.scenario import (
    CrewData,
    MapData,
    Objective,
    Scenario,
    ScenarioData,
    ShipEntry,
    SideSetup,
)
from sunglare_server.match.events.space import Event
from sunglare_server.match.frames import Posted, frame, keyframe, posted
from sunglare_server.match.record import (
    FIRST_EPOCH,
    RECORD_VERSION,
    RULES_VERSION,
    Body,
    Kind,
    Opened,
    OrdersGiven,
    Owned,
    Record,
    Seat,
    WindowDue,
    chain,
    packed,
)
from sunglare_server.match.state import MatchState, Stepped, digest
from sunglare_server.match.step import step
from sunglare_server.match.truth.truth import ShipTruth


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
        cloaked=ship.cloaked,
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
            ships=tuple(entry_of(one_ship) for one_ship in ships if one_ship.side == side),
            objectives=wanted.get(side, ()),
        )
        for side in SIDES
        if any(one_ship.side == side for one_ship in ships)
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
    return Scenario(
        name="rig", data=data, classes={one_ship.type.name: one_ship.type for one_ship in ships}
    )


def opened(scenario: Scenario, options: MatchOptions, seed: bytes = SEED) -> Opened:
    """Return the record body that starts a match on `scenario`."""
    return Opened(
        rules=RULES_VERSION,
        scenario=scenario,
        options=options,
        seats=tuple(Seat(side=side, account=f"account {side}") for side in scenario.sides),
        server_seed=seed,
        data_hash="",
    )


def options(**wish: OptionValue) -> MatchOptions:
    """Return options with these wishes; by default the clock has no beat and no floor."""
    return msgspec.convert({"clock": "test", **wish}, MatchOptions)


class Course:
    """A match as it goes on: the state, its records, and all that each audience was sent."""

    def __init__(
        self, scenario: Scenario, options: MatchOptions | None = None, seed: bytes = SEED
    ) -> None:
        """Start the match at time 0; the default options have a clock without beat or floor."""
        self.now = 0
        self.epoch = FIRST_EPOCH
        self.records: list[Record] = []
        self.stored: list[bytes] = []
        self.steps: list[Stepped] = []
        self._sent: dict[Audience, list[Posted]] = {}
        self._posted = 0
        self._state: MatchState | None = None
        chosen = options or MatchOptions(clock="test")
        self.put(opened(scenario, chosen, seed), kind=Kind.OPEN)

    @property
    def state(self) -> MatchState:
        """Return the state reached."""
        if self._state is None:
            raise ValueError("the match has not started")
        return self._state

    @property
    def sent(self) -> dict[Audience, list[Posted]]:
        """Return all that each audience was sent; it is made once somebody asks for it."""
        for stepped in self.steps[self._posted :]:
            for audience in stepped.state.intel:
                sent = self._sent.setdefault(audience, [])
                sent.extend(posted(MATCH, stepped, audience, "head"))
        self._posted = len(self.steps)
        return self._sent

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
            e=self.epoch,
            p=chain(self.stored[-1]) if self.stored else b"",
            h=digest(self.state) if isinstance(body, Owned) else b"",
        )

    def put(
        self,
        body: Body,
        seat: Side | None = None,
        number: int | None = None,
        kind: Kind = Kind.COMMAND,
    ) -> Stepped:
        """Take a step with the next record."""
        self.epoch += isinstance(body, Owned)
        record = self.record(body, seat, number, kind)
        stepped = step(self._state, record)
        self._state = stepped.state
        self.records.append(record)
        self.stored.append(packed(record))
        self.steps.append(stepped)
        return stepped

    def orders(self, side: Side, *wishes: Written, lock: bool = True) -> Stepped:
        """Give the orders of a side for the open window, unchecked."""
        window = self.state.standing.window
        orders = tuple(order for wish in wishes for order in self._meant(side, wish))
        return self.put(OrdersGiven(window=window, rev=1, orders=orders, lock=lock), side)

    def _meant(self, side: Side, wish: Written) -> tuple[Order, ...]:
        return read_on(self.view(side), wish) if isinstance(wish, str) else (wish,)

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

    def close_with(
        self, phase: Phase, orders: Mapping[Side, str | tuple[Order, ...]] | None = None
    ) -> tuple[Event, ...]:
        """Play the next window of that phase with these orders, and return what happened."""
        self.close_until(phase)
        for side, wish in (orders or {}).items():
            self.orders(side, *((wish,) if isinstance(wish, str) else wish))
        return self.close().events

    @property
    def due_ms(self) -> int:
        """Return when the open window closes; there must be such a time."""
        if self.state.due_ms is None:
            raise ValueError("the clock stands still")
        return self.state.due_ms

    @property
    def ended(self) -> tuple[Ending, Side | None] | None:
        """Return how the match ended and who won, or None while it goes on."""
        result = self.state.result
        return None if result is None else (result.ending, result.winner)

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
    planets=(msgspec.structs.replace(CERES, at=Square(9, 9)),),
    asteroids=(Asteroid(name="Rock", at=Square(11, 14)),),
)
"""A small map, so that ships meet, crash, land and leave."""


def crowd(sides: int, per_side: int) -> Scenario:
    """Return a scenario with `per_side` ships a side, crowded together, with every objective."""
    kinds = (CRUISER, CORVETTE, FRIGATE)
    ships = []
    for index, side in enumerate(SIDES[:sides]):
        for number in range(1, per_side + 1):
            at = (3 + 4 * number, 3 + 3 * index)
            one = ship(side, number, at, kinds[(index + number) % 3])
            crew = CrewData(pilot=2, operator=3, commander=index)
            facing = Compass.S if index % 2 == 0 else Compass.N
            keen = msgspec.structs.replace(one.type, sensors=ratings(4))
            out = msgspec.structs.replace(one, type=keen, popped_out=True)
            ships.append(msgspec.structs.replace(out, crew=crew, facing=facing))
    wanted: dict[Side, tuple[Objective, ...]] = {
        side: (
            Objective(kind=ObjectiveKind.ESCAPE, edge=Compass.N),
            Objective(kind=ObjectiveKind.SURVIVE, piece=f"Canary{side}1"),
            Objective(kind=ObjectiveKind.IDENTIFY, piece=f"Canary{SIDES[(index + 1) % sides]}1"),
        )
        for index, side in enumerate(SIDES[:sides])
    }
    return scenario_of(*ships, board=CROWDED, objectives=wanted)
