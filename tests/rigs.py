"""Matches played in process: a rig around `step`, small scenarios, and what leaves as bytes.

A rig keeps the journal as the list of bytes that a store would hold; `refold` folds it again.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from random import Random
from typing import final

import msgspec

from groundrigs import ground_classes
from missionrigs import hunt
from randomplayer import random_orders
from sunglare_protocol.codec import Form, decode_server, encode_server
from sunglare_protocol.geometry import (
    Asteroid,
    Compass,
    Environs,
    Planet,
    PlanetSize,
    Square,
    Vector,
)
from sunglare_protocol.ids import OMNI, PUBLIC, Audience, MatchId, Side, audience_of
from sunglare_protocol.messages import ServerMessage
from sunglare_protocol.orders import Order
from sunglare_protocol.surface import Site
from sunglare_protocol.views import View
from sunglare_server.host.library import SHIPPED, load_library
from sunglare_server.match import fog, frames
from sunglare_server.match.datafiles import read_classes, read_weapons
from sunglare_server.match.options import MatchOptions
from sunglare_server.match.record import (
    DIGEST_EVERY,
    RECORD_VERSION,
    RULES_VERSION,
    Body,
    ChatSaid,
    Kind,
    Opened,
    OrdersGiven,
    Record,
    Seat,
    WindowDue,
    chain,
    packed,
    unpacked,
)
from sunglare_server.match.scenario import (
    CharacterEntry,
    CrewData,
    GroundEntry,
    MapData,
    Objective,
    Scenario,
    ScenarioData,
    ShipClass,
    ShipEntry,
    SideSetup,
)
from sunglare_server.match.state import MatchState, Stepped, digest
from sunglare_server.match.step import step

MATCH = MatchId("aaaaaaaaaaaaaaaaaaaaaaaaaa")
START_MS = 1_000_000


@lru_cache(maxsize=1)
def ship_classes() -> dict[str, ShipClass]:
    """Return every shipped class by name."""
    weapons = read_weapons((SHIPPED / "weapons.toml").read_text(), "weapons.toml")
    return read_classes((SHIPPED / "ships.toml").read_text(), "ships.toml", weapons)


def _entry(
    name: str, kind: str, at: tuple[int, int], facing: Compass, *, cloaked: bool = False
) -> ShipEntry:
    return ShipEntry(
        name=name,
        type=kind,
        crew=CrewData(pilot=1, operator=2, commander=1 if kind == "frigate" else 0),
        at=Square(*at),
        vector=Vector(0, 0),
        facing=facing,
        popped_out=kind not in ("corvette", "fighter") and not cloaked,
        cloaked=cloaked,
    )


_ESCAPE = Objective(kind="escape", edge=Compass.N)


def _scenario(name: str, boxes: int, sides: dict[Side, SideSetup], turns: int) -> Scenario:
    data = ScenarioData(
        title=name,
        sides=sides,
        turns=turns,
        map=MapData(columns=boxes, rows=boxes),
        planets=(
            Planet(
                name="Pebble",
                at=Square(12, 9),
                size=PlanetSize.SMALL,
                environs=(
                    Environs(number=1, sector=Compass.N),
                    Environs(number=2, sector=Compass.SW),
                ),
            ),
        ),
        asteroids=(Asteroid(name="Mote", at=Square(7, 15)),),
        fixed=True,
    )
    used = sorted({ship.type for side in sides.values() for ship in side.ships})
    return Scenario(name=name, data=data, classes={each: ship_classes()[each] for each in used})


def _duel() -> Scenario:
    ours = (
        _entry("Ash", "frigate", (6, 6), Compass.E),
        _entry("Birch", "corvette", (4, 14), Compass.NE),
        _entry("Cedar", "cruiser", (8, 19), Compass.N),
        _entry("Dogwood", "courier", (7, 15), Compass.E),
    )
    theirs = (
        _entry("Egret", "frigate", (17, 14), Compass.W),
        _entry("Finch", "raider", (14, 5), Compass.SW),
        _entry("Gull", "decoy", (15, 10), Compass.W),
        _entry("Heron", "corvette", (13, 18), Compass.NW),
        _entry("Ibis", "courier", (19, 8), Compass.W),
    )
    sides = {
        Side("A"): SideSetup(
            ships=ours, objectives=(_ESCAPE, Objective(kind="identify", piece="Egret"))
        ),
        Side("B"): SideSetup(ships=theirs, objectives=(Objective(kind="survive", piece="Ibis"),)),
    }
    return _scenario("duel", 5, sides, 9)


def _gunnery() -> Scenario:
    """Return three crowded sides with every weapon that is no plain gun."""
    ours = (
        _entry("Anvil", "dreadnought", (6, 6), Compass.SE),
        _entry("Bolt", "lancer", (4, 9), Compass.E),
        _entry("Briar", "thorn", (8, 8), Compass.SE),
    )
    theirs = (
        _entry("Nest", "carrier", (16, 15), Compass.NW),
        _entry("Hound", "hunter", (13, 13), Compass.NW),
        _entry("Pin", "picket", (15, 8), Compass.W),
    )
    others = (
        _entry("Dart", "lancer", (17, 5), Compass.SW),
        _entry("Reed", "fighter", (14, 6), Compass.W),
        _entry("Rush", "hunter", (10, 12), Compass.N),
    )
    sides = {
        Side(letter): SideSetup(ships=ships, objectives=(_ESCAPE,))
        for letter, ships in (("A", ours), ("B", theirs), ("C", others))
    }
    return _scenario("gunnery", 5, sides, 9)


def _broadside() -> Scenario:
    """Return two crowded sides with missiles, leeches, needles and a nova gun."""
    ours = (
        _entry("Anvil", "dreadnought", (7, 7), Compass.SE),
        _entry("Bolt", "lancer", (5, 9), Compass.E),
        _entry("Briar", "thorn", (9, 9), Compass.SE),
        _entry("Pin", "picket", (8, 6), Compass.SE),
    )
    theirs = (
        _entry("Nest", "carrier", (13, 13), Compass.NW),
        _entry("Dart", "lancer", (15, 11), Compass.W),
        _entry("Thistle", "thorn", (12, 14), Compass.NW),
        _entry("Prong", "picket", (14, 9), Compass.W),
    )
    sides = {
        Side("A"): SideSetup(ships=ours, objectives=(_ESCAPE,)),
        Side("B"): SideSetup(ships=theirs, objectives=(_ESCAPE,)),
    }
    return _scenario("broadside", 5, sides, 9)


def _melee() -> Scenario:
    corners = {"A": (5, 5), "B": (18, 5), "C": (18, 16), "D": (4, 17)}
    facings = {"A": Compass.SE, "B": Compass.SW, "C": Compass.NW, "D": Compass.NE}
    sides = {}
    for letter, (x, y) in corners.items():
        facing = facings[letter]
        ships = (
            _entry(f"{letter}-one", "frigate", (x, y), facing),
            _entry(f"{letter}-two", "corvette", (x + 2, y - 1), facing),
            _entry(f"{letter}-three", "decoy", (x, y + 2), facing),
        )
        sides[Side(letter)] = SideSetup(ships=ships, objectives=(_ESCAPE,))
    return _scenario("melee", 5, sides, 8)


_GROUND_MAP = ("....w...", "..w.....", "...2..a.", ".,..~...", "........", "..w.....")
_TROOPS = ("first-line-rifles", "regulars", "battle-tank", "lancer", "tracked-jammer", "shade")
_GARRISON = ("stormtroopers", "field-mortar", "wheeled-probe", "irregulars", "ground-sensor")


def _rising(entry: ShipEntry, up: int) -> ShipEntry:
    """Return the entry with a vector away from the planet, so that it stays off it for a while."""
    return msgspec.structs.replace(entry, vector=Vector(0, up // 2))


_BESIEGERS = ("hover-scout", "defence-missiles", "defence-laser", "battle-tank", "irregulars")
_BESIEGED = ("sensor-sower", "irregulars", "defence-cannon", "defence-missiles", "ground-sensor")


def _garrison() -> Scenario:
    """Return two sides on the ground of a planet, their ships above or landed on it."""
    return _on_the_ground("garrison", (_TROOPS, _GARRISON), ("cruiser", "courier", "fighter"))


def _siege() -> Scenario:
    """Return two sides with capital weapons on the ground of a planet and above it."""
    kinds = (_BESIEGERS, _BESIEGED)
    vessels = ("gunboat", "monitor", "gunboat", "fighter")
    return _on_the_ground("siege", kinds, vessels, rises=3)


def _on_the_ground(
    name: str,
    units: tuple[tuple[str, ...], tuple[str, ...]],
    vessels: tuple[str, ...],
    rises: int = 0,
) -> Scenario:
    near = Environs(number=1, sector=Compass.N, width=16, height=12, terrain=_GROUND_MAP)
    far = Environs(
        number=2, sector=Compass.SW, width=16, height=12, terrain=tuple(reversed(_GROUND_MAP))
    )
    body = Planet(name="Pebble", at=Square(12, 9), size=PlanetSize.SMALL, environs=(near, far))
    sides = {}
    for letter, kinds, y, up in (
        ("A", units[0], 8 - rises, -rises),
        ("B", units[1], 10 + rises, rises),
    ):
        first = Site("Pebble", 1)
        ground = tuple(
            GroundEntry(
                name=f"{letter} {kind}",
                type=kind,
                at=first if number % 3 else Site("Pebble", 2),
                hidden=number % 3 == 1,
            )
            for number, kind in enumerate(kinds)
        )
        aboard = GroundEntry(
            name=f"{letter} marines", type="fleet-marines", aboard=f"{letter}-one"
        )
        folk = (
            CharacterEntry(name=f"{letter} agent", intelligence=2, at=first),
            CharacterEntry(name=f"{letter} captain", leadership=2, aboard=f"{letter}-one"),
        )
        ships = tuple(
            _rising(_entry(f"{letter}-{number}", kind, (12 - east, y), facing), up)
            for number, kind, east, facing in zip(
                ("one", "two", "three", "four"),
                vessels,
                (0, 1, -1, 0),
                (Compass.N, Compass.W, Compass.E, Compass.N),
                strict=False,
            )
        )
        sides[Side(letter)] = SideSetup(ships=ships, ground=(*ground, aboard), characters=folk)
    data = ScenarioData(
        title=name,
        sides=sides,
        turns=8,
        map=MapData(columns=5, rows=4),
        planets=(body,),
        fixed=True,
    )
    used = {unit.type for side in sides.values() for unit in side.ground}
    return Scenario(
        name=name,
        data=data,
        classes={each: ship_classes()[each] for each in sorted(vessels)},
        ground={each: ground_classes()[each] for each in sorted(used)},
    )


def _parade() -> Scenario:
    """Return a crowded match of three sides with every ability there is in space."""
    lanes = {"A": (5, 8, Compass.E), "B": (17, 9, Compass.W), "C": (11, 15, Compass.N)}
    sides = {}
    for letter, (x, y, facing) in lanes.items():
        ships = (
            _entry(f"{letter}-flag", "command-cruiser", (x, y), facing),
            _entry(f"{letter}-tender", "tender-frigate", (x, y + 1), facing),
            _entry(f"{letter}-hound", "hound-corvette", (x + 1, y - 1), facing),
            _entry(f"{letter}-ghost", "ghost-courier", (x - 1, y + 2), facing),
            _entry(f"{letter}-jammer", "jammer-frigate", (x + 2, y - 2), facing),
        )
        enemy = "B" if letter == "A" else "A"
        wanted = Objective(kind="identify", piece=f"{enemy}-flag")
        sides[Side(letter)] = SideSetup(ships=ships, objectives=(wanted,))
    return _scenario("parade", 5, sides, 8)


def _stalk(sides: str) -> Scenario:
    """Return a scenario in which every side hides two raiders from the others' escorts."""
    corners = {"A": (5, 5), "B": (16, 6), "C": (9, 18)}
    facings = {"A": Compass.SE, "B": Compass.SW, "C": Compass.N}
    setups = {}
    for letter in sides:
        (x, y), facing = corners[letter], facings[letter]
        ships = (
            _entry(f"{letter}-hull", "frigate", (x, y), facing),
            _entry(f"{letter}-guard", "corvette", (x + 3, y + 1), facing),
            _entry(f"{letter}-wolf", "raider", (x - 2, y + 2), facing, cloaked=True),
            _entry(f"{letter}-fox", "raider", (x + 1, y - 3), facing, cloaked=True),
        )
        setups[Side(letter)] = SideSetup(
            ships=ships, objectives=(Objective(kind="identify", piece=f"{sides[-1]}-fox"),)
        )
    last = Side(sides[-1])
    setups[last] = SideSetup(ships=setups[last].ships)
    return _scenario(f"stalk-{len(sides)}", 5, setups, 9)


@lru_cache(maxsize=1)
def scenarios() -> dict[str, Scenario]:
    """Return the shipped scenarios and some small crowded ones, by name."""
    crowded = (_duel(), _melee(), _gunnery(), _broadside(), _garrison(), _siege(), _parade())
    made = (*crowded, _stalk("AB"), _stalk("ABC"), hunt(ship_classes()))
    return {**load_library().scenarios, **{each.name: each for each in made}}


def opened(scenario: Scenario, seed: int, options: MatchOptions) -> Opened:
    """Return the opening of a match whose dice follow from `seed`."""
    seats = tuple(Seat(side=side, person=f"person {side}") for side in scenario.sides)
    return Opened(
        rules=RULES_VERSION,
        scenario=scenario,
        options=options,
        seats=seats,
        server_seed=seed.to_bytes(32, "big"),
        data_hash="none",
    )


def wire(message: ServerMessage) -> bytes:
    """Return the bytes of a message, which the typed decoder must read and write back alike."""
    data = encode_server(message, Form.PACKED)
    assert encode_server(decode_server(data, Form.PACKED), Form.PACKED) == data
    return data


def audiences(scenario: Scenario) -> tuple[Audience, ...]:
    """Return every audience of a match: the sides, `public` and `omni`."""
    return (*map(audience_of, scenario.sides), PUBLIC, OMNI)


def view_of(state: MatchState, audience: Audience) -> View:
    """Return what `audience` sees now."""
    return fog.view(state.intel[audience], state.standing, state.board)


@final
class Rig:
    """A match in progress: its state, its journal, and what each audience was sent."""

    def __init__(self, audiences: Iterable[Audience]) -> None:
        """Hold no match yet; only what `audiences` are sent is kept."""
        self.journal: list[bytes] = []
        self.sent: dict[Audience, list[bytes]] = {each: [] for each in audiences}
        self.now = START_MS
        self.last: Stepped | None = None
        self._state: MatchState | None = None
        self._number = 0
        self._previous = b""

    @property
    def state(self) -> MatchState:
        """Return the present state."""
        assert self._state is not None
        return self._state

    @property
    def sides(self) -> tuple[Side, ...]:
        """Return the sides of the match."""
        return self.state.standing.sides

    def fork(self, state: MatchState, audiences: Iterable[Audience]) -> "Rig":
        """Return a rig that goes on from `state` with a journal of its own."""
        other = Rig(audiences)
        other.now, other._state = self.now, state
        other._number, other._previous = self._number, self._previous
        return other

    def take(self, kind: Kind, body: Body, side: Side | None = None) -> Stepped:
        """Write a record of `body`, fold it, and keep what it sends."""
        number = self._number + 1
        is_marked = self._state is not None and number % DIGEST_EVERY == 0
        record = Record(
            v=RECORD_VERSION,
            m=MATCH,
            n=number,
            k=kind,
            t=self.now,
            b=body,
            s=side,
            c=None if side is None else number,
            p=chain(self._previous) if self._previous else b"",
            h=digest(self.state) if is_marked else b"",
        )
        data = packed(record)
        stepped = step(self._state, record)
        self._number, self._previous, self._state = number, data, stepped.state
        self.last = stepped
        self.journal.append(data)
        head = chain(data).hex()
        for audience, sent in self.sent.items():
            sent.extend(map(wire, frames.posted(MATCH, stepped, audience, head)))
        return stepped

    def give(self, side: Side, orders: tuple[Order, ...], *, lock: bool = True) -> Stepped:
        """Give the orders of one seat for the open window."""
        window, rev = self.state.standing.window, self._number
        body = OrdersGiven(window=window, rev=rev, orders=orders, lock=lock)
        return self.take(Kind.COMMAND, body, side)

    def say(self, side: Side, text: str) -> Stepped:
        """Let one seat say something to all."""
        return self.take(Kind.COMMAND, ChatSaid(text=text), side)

    def close(self, after_ms: int = 700) -> Stepped:
        """Close the open window, that long after the last record."""
        self.now += after_ms
        return self.take(Kind.TICK, WindowDue(window=self.state.standing.window))

    def ordered(self, rng: Random) -> dict[Side, tuple[Order, ...]]:
        """Return random legal orders for every side that has a say in the open window."""
        standing = self.state.standing
        return {
            side: random_orders(rng, view_of(self.state, audience_of(side)))
            for side in standing.sides
            if standing.takes_orders_of(side)
        }

    def play(self, rng: Random, windows: int) -> None:
        """Play that many windows with random orders, or to the end of the match."""
        for _ in range(windows):
            if self.state.is_over:
                return
            for side, orders in self.ordered(rng).items():
                self.give(side, orders)
            if rng.random() < 0.05:
                self.say(self.sides[0], "a word")
            self.close()


def rig(scenario: Scenario, seed: int, *kept: Audience, **options: str) -> Rig:
    """Return a match at its first window; by default all that all audiences get is kept."""
    chosen = msgspec.convert({"clock": "test", **options}, MatchOptions)
    made = Rig(kept or audiences(scenario))
    made.take(Kind.OPEN, opened(scenario, seed, chosen))
    return made


@final
class Folded(msgspec.Struct, frozen=True):
    """What a journal folds to: the digest of the last state and all that was sent."""

    digest: bytes
    sent: dict[Audience, list[bytes]]


class DigestError(AssertionError):
    """A stored digest is not that of the state to which the records before it fold."""


def refold(journal: list[bytes], kept: Iterable[Audience]) -> Folded:
    """Return the fold of the stored records; raise `RecordError` where one is damaged.

    Every sixteenth record holds a digest of the state before it; raise `DigestError` where it
    is not that state's. All records are read before the first is folded.
    """
    state: MatchState | None = None
    sent: dict[Audience, list[bytes]] = {each: [] for each in kept}
    for record, data in list(read(journal)):
        if record.h and (state is None or record.h != digest(state)):
            raise DigestError(record.n)
        stepped = step(state, record)
        state = stepped.state
        for audience, lines in sent.items():
            lines.extend(map(wire, frames.posted(MATCH, stepped, audience, chain(data).hex())))
    assert state is not None
    return Folded(digest(state), sent)


def read(journal: list[bytes]) -> Iterator[tuple[Record, bytes]]:
    """Yield the stored records with their bytes; raise `RecordError` at the first bad one."""
    before = b""
    for number, data in enumerate(journal, start=1):
        yield unpacked(data, number, before), data
        before = data
