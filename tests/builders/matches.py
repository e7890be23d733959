"""Small scenarios, and matches on them in progress, without a server."""

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
    A,
    B,
    C,
    D,
    ratings,
    ship,
)
from sunglare_protocol.geometry import (
    Asteroid,
    Board,
    Compass,
    Square,
    Vector,
)
from sunglare_protocol.ids import SIDES, Audience, OwnId, Side
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
from sunglare_server.match.fog import view as fog
from sunglare_server.match.frames import Posted, keyframe, posted
from sunglare_server.match.record import (
    DIGEST_EVERY,
    FIRST_EPOCH,
    RECORD_VERSION,
    RULES_VERSION,
    Body,
    ChatSaid,
    Kind,
    Opened,
    OrdersGiven,
    Owned,
    PlayedOn,
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


S1 = OwnId("S1")
TWO = scenario_of(ship(A, at=(5, 30)), ship(B, at=(30, 5)))
_PLACES = {A: (5, 30), B: (30, 5), C: (5, 5), D: (30, 30)}
FOUR = scenario_of(*(ship(side, at=place) for side, place in _PLACES.items()))


def leaving(side: Side, at: tuple[int, int]) -> Scenario:
    """Return the four-sided scenario in which the ship of `side` leaves in turn 1."""
    ships = [ship(owner, at=place) for owner, place in {**_PLACES, side: at}.items()]
    gone = [
        msgspec.structs.replace(one, vector=Vector(0, -3)) if one.side == side else one
        for one in ships
    ]
    return scenario_of(*gone)


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


TEST = options()


def view_of(state: MatchState, audience: Audience) -> View:
    """Return what `audience` sees now."""
    return fog.view(state.intel[audience], state.standing, state.board)


class Match:
    """A match in progress: every record is chained, stored as bytes, and folded by `step`."""

    before: MatchState | None
    """The state before the last step; None if that was the first."""

    last: Stepped
    """The last step."""

    def __init__(self, opening: Opened | PlayedOn, now: int = 0) -> None:
        """Start the match at the time `now`, in ms."""
        self.now = now
        self.epoch = FIRST_EPOCH
        self.records: list[Record] = []
        self.journal: list[bytes] = []
        self.put(opening, kind=Kind.OPEN)

    @property
    def state(self) -> MatchState:
        """Return the state reached."""
        return self.last.state

    @property
    def sides(self) -> tuple[Side, ...]:
        """Return the sides of the match."""
        return self.state.standing.sides

    def _record(self, body: Body, seat: Side | None, number: int | None, kind: Kind) -> Record:
        """Return the next record, with a digest of the state where a server stores one."""
        n, is_owned = len(self.journal) + 1, isinstance(body, Owned)
        is_marked = n > 1 and (is_owned or n % DIGEST_EVERY == 0)
        return Record(
            v=RECORD_VERSION,
            m=MATCH,
            n=n,
            k=kind,
            t=self.now,
            b=body,
            s=seat,
            c=n if number is None and seat is not None else number,
            e=self.epoch + is_owned,
            p=chain(self.journal[-1]) if self.journal else b"",
            h=digest(self.state) if is_marked else b"",
        )

    def put(
        self,
        body: Body,
        seat: Side | None = None,
        number: int | None = None,
        kind: Kind = Kind.COMMAND,
    ) -> Stepped:
        """Take a step with the next record; raise `RecordError` if it has no place here.

        A seat's command has the number of its record unless `number` says otherwise.
        """
        record = self._record(body, seat, number, kind)
        before = self.state if self.journal else None
        stepped = step(before, record)
        self.before, self.last, self.epoch = before, stepped, record.e
        self.records.append(record)
        self.journal.append(packed(record))
        self._taken()
        return stepped

    def _taken(self) -> None:
        """Do what a kind of match does after every step; here, nothing."""

    def go_on_from(self, state: MatchState) -> None:
        """Go on from a state to which other turns than those played would have led."""
        self.last = Stepped(state)

    def give(self, side: Side, orders: tuple[Order, ...], *, lock: bool = True) -> Stepped:
        """Give the orders of a side for the open window, unchecked."""
        window, rev = self.state.standing.window, len(self.journal)
        return self.put(OrdersGiven(window=window, rev=rev, orders=orders, lock=lock), side)

    def orders(self, side: Side, *wishes: Written, lock: bool = True) -> Stepped:
        """Give the same, as orders or as the lines that a player types."""
        given = tuple(order for wish in wishes for order in self._meant(side, wish))
        return self.give(side, given, lock=lock)

    def _meant(self, side: Side, wish: Written) -> tuple[Order, ...]:
        return read_on(self.view(side), wish) if isinstance(wish, str) else (wish,)

    def say(self, side: Side, text: str) -> Stepped:
        """Let a side say something to all."""
        return self.put(ChatSaid(text=text), side)

    def close(self, after_ms: int = 0) -> Stepped:
        """Close the open window, that long after the last record."""
        self.now += after_ms
        return self.put(WindowDue(window=self.state.standing.window), kind=Kind.TICK)

    def view(self, audience: str) -> View:
        """Return what an audience sees now."""
        return view_of(self.state, Audience(audience))


class Course(Match):
    """A match that is played by hand; every step is kept, and what each audience was sent."""

    def __init__(
        self, scenario: Scenario, options: MatchOptions | None = None, seed: bytes = SEED
    ) -> None:
        """Start the match at time 0; the default options are `TEST`."""
        self.steps: list[Stepped] = []
        self._sent: dict[Audience, list[Posted]] = {}
        self._posted = 0
        super().__init__(opened(scenario, options or TEST, seed))

    def _taken(self) -> None:
        self.steps.append(self.last)

    @property
    def sent(self) -> dict[Audience, list[Posted]]:
        """Return all that each audience was sent; it is made once a test asks for it."""
        for stepped in self.steps[self._posted :]:
            for audience in stepped.state.intel:
                sent = self._sent.setdefault(audience, [])
                sent.extend(posted(MATCH, stepped, audience, "head"))
        self._posted = len(self.steps)
        return self._sent

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

    def present(self, audience: str) -> tuple[Posted, ...]:
        """Return what an audience is sent that asks for all there is now."""
        return keyframe(MATCH, self.state, Audience(audience), "head")

    def everywhere(self) -> dict[Audience, tuple[Posted, ...]]:
        """Return that of every audience."""
        return {audience: self.present(audience) for audience in self.state.intel}


def turn_of(match: Match) -> None:
    """Close every window of the open turn."""
    turn = match.state.standing.turn
    while not match.state.is_over and match.state.standing.turn == turn:
        match.close()


def first(**changes: object) -> bytes:
    """Return the first record of a match on `TWO` as it is stored, with these changes."""
    record = Record(v=RECORD_VERSION, m=MATCH, n=1, k=Kind.OPEN, t=0, b=opened(TWO, TEST))
    return packed(msgspec.structs.replace(record, **changes))


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
