"""The positions of the lessons: matches made by hand, played to where the puzzle begins."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple, final

import msgspec
from msgspec.structs import replace

import sunglare_protocol.lessons
from builders.data import CLASSES
from builders.ground import ground_classes
from builders.played import Rig, rig
from sunglare_client.command import Give
from sunglare_client.terminal.input.parser import parse
from sunglare_protocol.codec import Form, decode_server
from sunglare_protocol.geometry import Compass, Environs, Planet, PlanetSize, Square, Vector
from sunglare_protocol.ids import Side, audience_of
from sunglare_protocol.messages import Frame
from sunglare_protocol.orders import Order
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Phase
from sunglare_server.match.data.scenario import (
    AgentEntry,
    CrewData,
    GroundEntry,
    MapData,
    Scenario,
    ScenarioData,
    ShipEntry,
    SideSetup,
)

A, B = Side("A"), Side("B")
TURNS: Final = 9
LESSONS: Final = Path(sunglare_protocol.lessons.__file__).parent
TOWN: Final = Site("Ceres", 1)


Given = dict[tuple[int, Phase, Side], tuple[str, ...]]
"""The lines that each side says, by turn and phase."""


@final
class Plot(NamedTuple):
    """How a lesson's match goes: scenario, orders by turn, phase and side, and where it begins.

    The position is the first window of its `turn` and `phase` that asks side A; `answer` are the
    lines that solve it, and so many frames `after` it belong to the lesson.
    """

    scenario: Scenario
    orders: Given
    turn: int
    phase: Phase
    answer: tuple[str, ...]
    after: int = 1
    seed: int = 1


def ship(
    name: str, kind: str, at: tuple[int, int], vector: tuple[int, int], facing: Compass
) -> ShipEntry:
    """Return a ship with a good crew and its sensors out, where the class has any to put out."""
    return ShipEntry(
        name=name,
        type=kind,
        crew=CrewData(pilot=1, operator=2, commander=1 if kind == "frigate" else 0),
        at=Square(*at),
        vector=Vector(*vector),
        facing=facing,
        popped_out=True,
    )


def raider(name: str, at: tuple[int, int], vector: tuple[int, int], facing: Compass) -> ShipEntry:
    """Return a cloaked raider with a good crew."""
    plain = ship(name, "raider", at, vector, facing)
    return replace(plain, popped_out=False, cloaked=True)


def scenario(
    title: str, ours: tuple[ShipEntry, ...], theirs: tuple[ShipEntry, ...], planet: Square
) -> Scenario:
    """Return a match of two sides around a small planet, in which everything stands already."""
    data = ScenarioData(
        title=title,
        turns=TURNS,
        map=MapData(columns=8, rows=8),
        planets=(Planet(name="Ceres", at=planet, size=PlanetSize.SMALL),),
        sides={A: SideSetup(ships=ours), B: SideSetup(ships=theirs)},
        fixed=True,
    )
    used = sorted({entry.type for entry in (*ours, *theirs)})
    return Scenario(name="lesson", data=data, classes={kind: CLASSES[kind] for kind in used})


def _agent(name: str, combat: int, endurance: int, intelligence: int) -> AgentEntry:
    """Return an agent in the town."""
    return AgentEntry(
        name=name, combat=combat, endurance=endurance, intelligence=intelligence, at=TOWN
    )


def frames_of(plot: Plot) -> tuple[Frame, ...]:
    """Return the frames of side A: the position, and what came of the answer."""
    match = rig(plot.scenario, plot.seed)
    while not _begins(match, plot):
        _window(match, plot.orders)
    begun = len(_sent(match))
    _give(match, A, plot.answer)
    standing = match.state.standing
    for side in match.sides:
        if side != A and standing.takes_orders_of(side):
            _give(match, side, plot.orders.get((standing.turn, standing.phase, side), ()))
    match.close()
    for _ in range(8):
        if len(_sent(match)) >= begun + plot.after:
            break
        _window(match, plot.orders)
    return tuple(_sent(match)[begun - 1 : begun + plot.after])


def position_file(plot: Plot) -> bytes:
    """Return the file of a position: the frames, a field a line."""
    return msgspec.json.format(msgspec.json.encode(frames_of(plot)), indent=1) + b"\n"


def orders_file(view: View, lines: Iterable[str]) -> bytes:
    """Return the file of the orders that lines give, as the terminal's grammar reads them."""
    given = {line: read_on(view, (line,)) for line in lines}
    return msgspec.json.format(msgspec.json.encode(given), indent=1) + b"\n"


def read_on(view: View, lines: Iterable[str]) -> tuple[Order, ...]:
    """Return the orders that lines give, one after the other."""
    given: tuple[Order, ...] = ()
    for line in lines:
        command = parse(line, view, given)
        assert isinstance(command, Give), command
        given = (*given, *command.orders)
    return given


def _begins(match: Rig, plot: Plot) -> bool:
    standing = match.state.standing
    there = (standing.turn, standing.phase) == (plot.turn, plot.phase)
    return there and standing.takes_orders_of(A)


def _window(match: Rig, orders: Given) -> None:
    standing = match.state.standing
    for side in match.sides:
        if standing.takes_orders_of(side):
            _give(match, side, orders.get((standing.turn, standing.phase, side), ()))
    match.close()


def _give(match: Rig, side: Side, lines: tuple[str, ...]) -> None:
    match.give(side, read_on(_view(match, side), lines))


def _view(match: Rig, side: Side) -> View:
    sent = match.sent[audience_of(side)]
    posts = (decode_server(data, Form.PACKED) for data in reversed(sent))
    newest = next(post for post in posts if isinstance(post, Frame))
    assert isinstance(newest.view, View)
    return newest.view


def _sent(match: Rig) -> list[Frame]:
    posts = (decode_server(data, Form.PACKED) for data in match.sent[audience_of(A)])
    return [post for post in posts if isinstance(post, Frame)]


SUN_BEHIND: Final = Plot(
    scenario(
        "sun",
        (
            ship("Kite", "frigate", (17, 11), (0, 0), Compass.S),
            ship("Lark", "frigate", (17, 23), (0, 0), Compass.N),
        ),
        (ship("Moth", "frigate", (18, 17), (0, 0), Compass.W),),
        Square(30, 8),
    ),
    {},
    1,
    Phase.SCAN,
    ("scan S1 visual 1box D4",),
)
"""Two ships may look at the same box; the glare of one of them touches it."""

BEHIND_THE_PLANET: Final = Plot(
    scenario(
        "planet",
        (ship("Kite", "frigate", (12, 22), (0, 0), Compass.NE),),
        (ship("Moth", "frigate", (22, 22), (0, 0), Compass.W),),
        Square(17, 17),
    ),
    {},
    1,
    Phase.SCAN,
    ("scan S1 ir 3box E5",),
)
"""What a planet hides from the ship that scans."""

READ_A_CONTACT: Final = Plot(
    scenario(
        "contact",
        (ship("Kite", "lancer", (12, 20), (0, 0), Compass.E),),
        (ship("Moth", "frigate", (22, 19), (-2, 1), Compass.W),),
        Square(35, 5),
    ),
    {
        (1, Phase.SCAN, A): ("scan S1 visual 3box E4",),
        (2, Phase.SCAN, A): ("scan S1 visual 1box D5 nosense",),
    },
    2,
    Phase.PLOT,
    ("launch S1.M1 18,21",),
    after=5,
)
"""A track tells where a ship is going; missiles go where it will be."""

HIDE_IN_THE_SHADOW: Final = Plot(
    scenario(
        "shadow",
        (ship("Kite", "frigate", (18, 24), (1, 0), Compass.E),),
        (ship("Moth", "frigate", (30, 30), (0, 0), Compass.W),),
        Square(20, 12),
    ),
    {(1, Phase.SCAN, B): ("scan S1 visual 1box E5 nosense",)},
    1,
    Phase.PLOT,
    ("burn S1 +1,+0",),
    after=2,
)
"""In the shadow column of a planet no sunlight falls on the hull."""

MARRE_RED: Final = Plot(
    scenario(
        "marre-red",
        (ship("Kite", "frigate", (24, 10), (0, 3), Compass.N),),
        (ship("Moth", "frigate", (10, 20), (0, 0), Compass.N),),
        Square(19, 17),
    ),
    {(1, Phase.SCAN, B): ("scan S1 ir 1box E3 nosense",)},
    1,
    Phase.PLOT,
    ("power S1 off",),
    after=2,
)
"""A ship that drifts with its plant cut gives no warmth away."""

HEARD_TWICE: Final = Plot(
    scenario(
        "cloak",
        (
            ship("Kite", "frigate", (9, 15), (0, 0), Compass.S),
            ship("Lark", "frigate", (13, 13), (0, 0), Compass.S),
            ship("Rook", "frigate", (20, 22), (0, 0), Compass.NW),
        ),
        (
            raider("Nemo", (10, 20), (0, 4), Compass.N),
            raider("Nix", (21, 16), (0, 0), Compass.W),
        ),
        Square(35, 5),
    ),
    {
        (1, Phase.PLOT, B): ("burn S1 +0,-4",),
        (3, Phase.PLOT, B): ("turn S1 1", "burn S1 +4,-4", "burn S2 -4,+0"),
    },
    3,
    Phase.ENGAGE,
    ("fire S3.B1 C1",),
    seed=26,
)
"""Whom two ships heard in two of three turns is as good as seen; who was heard once is not."""

_TOWN_WATCH: Final = GroundEntry(name="Town Watch", type="town-militia", at=TOWN, cell=Cell(3, 3))

WHO_STRIKES: Final = Plot(
    Scenario(
        name="lesson",
        data=ScenarioData(
            title="search",
            turns=TURNS,
            planets=(
                Planet(
                    name="Ceres",
                    at=Square(19, 17),
                    size=PlanetSize.SMALL,
                    environs=(Environs(number=1, sector=Compass.N, size=2, width=12, height=8),),
                ),
            ),
            sides={
                A: SideSetup(
                    ships=(ship("Kite", "frigate", (30, 30), (0, 0), Compass.N),),
                    ground=(_TOWN_WATCH,),
                    agents=(_agent("Ines Falk", 4, 4, 4), _agent("Tomas Rey", 3, 3, 2)),
                ),
                B: SideSetup(
                    ships=(ship("Moth", "frigate", (35, 5), (0, 0), Compass.W),),
                    agents=(replace(_agent("Oskar Lind", 3, 2, 2), detected=True),),
                ),
            },
            fixed=True,
        ),
        classes={"frigate": CLASSES["frigate"]},
        ground={_TOWN_WATCH.type: ground_classes()[_TOWN_WATCH.type]},
    ),
    {},
    1,
    Phase.ENGAGE,
    ("search G1 strike agents",),
    seed=4,
)
"""A search counts all who are there; who then goes in is another choice."""

PLOTS: Final = {
    "01-contact": READ_A_CONTACT,
    "02-sun": SUN_BEHIND,
    "03-shadow": HIDE_IN_THE_SHADOW,
    "04-planet": BEHIND_THE_PLANET,
    "05-cloak": HEARD_TWICE,
    "06-search": WHO_STRIKES,
    "07-marre-red": MARRE_RED,
}
"""The plots by the names of their files."""
