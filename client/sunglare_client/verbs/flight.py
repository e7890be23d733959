"""Verbs of ships under way: where they start, how they turn and thrust."""

from collections.abc import Iterator

from sunglare_client.command import Clear, Command, Give, Plan
from sunglare_client.text.places import flight_text, square_text
from sunglare_client.text.printable import one_word
from sunglare_client.verbs.aids import (
    facing_planned,
    facings_in_reach,
    steps_between,
    thrust_for,
)
from sunglare_client.verbs.reading import Reader
from sunglare_client.verbs.verb import PLOT, Verb, Written
from sunglare_protocol.geometry import Asteroid, Compass, Landing, Planet, Vector
from sunglare_protocol.orders import Deploy, Order, Thrust, Turn
from sunglare_protocol.views import OwnView, View
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.legal.reach import without
from sunglare_rules.advice.seen.lookup import ships_in_play
from sunglare_rules.advice.seen.plotting import after_plot, deployed, orders_of
from sunglare_rules.turn.movement import thrust_headings

_TURNS = (1, -1, 2, -2, 3, -3, 4)
"""Steps of every turn, the least first."""


def _deploy(reader: Reader) -> Command:
    """Read a ship, a square, and perhaps a vector, facing, landing and cloak, in any order."""
    ship, at = reader.ship(), reader.square()
    vector, facing = Vector(0, 0), ship.facing
    landed: Landing | None = None
    cloaked: bool | None = None
    names = {name: name for name in ("vector", "facing", "landed", "cloaked", "shown")}
    while reader.more:
        match reader.pick("part of deploy", names):
            case "vector":
                vector = reader.vector()
            case "facing":
                facing = reader.heading()
            case "cloaked" | "shown" as state:
                cloaked = state == "cloaked"
            case _:
                landed = landing(reader, reader.body(), facing)
    order = Deploy(
        ship=ship.id, at=at, vector=vector, facing=facing, landed=landed, cloaked=cloaked
    )
    return Give((order,), _outcome(reader, ship, order))


def _burn(reader: Reader) -> Command:
    """Read a ship and a vector change; return the thrust that gives it."""
    ship, change = reader.ship(), reader.vector()
    facing = facing_planned(ship, reader.plan)
    to = thrust_for(facing, change)
    if to is None:
        better = facings_in_reach(ship, reader.plan, change)
        right = tuple(f"face {ship.id} {heading.value}" for heading in better)
        reader.fail("E-ARG", no_sum(change, facing), right)
    order = Thrust(ship=ship.id, to=to)
    return Give((order,), _outcome(reader, ship, order))


def _face(reader: Reader) -> Command:
    """Read a ship and a compass point; return the turn to it, the shorter way."""
    ship, wanted = reader.ship(), reader.heading()
    start = next(
        (
            planned.facing
            for planned in reader.plan
            if isinstance(planned, Deploy) and planned.ship == ship.id
        ),
        ship.facing,
    )
    steps = steps_between(start, wanted)
    if steps == 0:
        return Clear(ship.id, (Turn,), f"{ship.id} faces {wanted.value} already")
    order = Turn(ship=ship.id, steps=steps)
    return Give((order,), _outcome(reader, ship, order))


def _turn(reader: Reader) -> Command:
    """Read a ship and a number of steps."""
    ship, steps = reader.ship(), reader.steps()
    order = Turn(ship=ship.id, steps=steps)
    return Give((order,), _outcome(reader, ship, order))


def _thrust(reader: Reader) -> Command:
    """Read a ship and the direction of each thrust point."""
    ship = reader.ship()
    to = [reader.heading()]
    while reader.more:
        to.append(reader.heading())
    order = Thrust(ship=ship.id, to=tuple(to))
    return Give((order,), _outcome(reader, ship, order))


def _drift(reader: Reader) -> Command:
    """Read a ship that shall not thrust: an order like any other, if it takes one."""
    ship = reader.ship()
    remark, order = f"{ship.id} drifts", Thrust(ship=ship.id, to=())
    others = without(reader.plan, ship.id, Thrust)
    if check(reader.view, (*others, order)) is None:
        return Give((order,), remark)
    return Clear(ship.id, (Thrust,), remark)


def _deploy_words(order: Deploy) -> str:
    text = f"{order.ship} {square_text(order.at)}"
    text += f" vector {order.vector.dx},{order.vector.dy} facing {order.facing.value}"
    text += "" if order.landed is None else f" landed {_landing_text(order.landed)}"
    states = {None: "", True: " cloaked", False: " shown"}
    return text + states[order.cloaked]


def _landing_text(landed: Landing) -> str:
    place = landed.sector.value if landed.environs is None else str(landed.environs)
    cell = "" if landed.cell is None else f" {landed.cell.name}"
    return f"{one_word(landed.body)} {place}{cell}"


def _burns(view: View, plan: Plan) -> Iterator[str]:
    for ship in ships_in_play(view):
        left, ahead, right = thrust_headings(facing_planned(ship, plan))
        for heading in (ahead, left, right):
            yield f"burn {ship.id} {heading.step.dx:+d},{heading.step.dy:+d}"


def _faces(view: View, plan: Plan) -> Iterator[str]:
    for ship in ships_in_play(view):
        start = deployed(ship, orders_of(ship, plan)).facing
        yield from (f"face {ship.id} {start.turned(steps).value}" for steps in _TURNS)


def no_sum(change: Vector, facing: Compass) -> str:
    """Return that no thrust changes a vector so with this facing."""
    wrong = f"{change.dx:+d},{change.dy:+d} is no sum of thrust ahead or 45 degrees beside"
    return f"{wrong}, facing {facing.value}"


def _outcome(reader: Reader, ship: OwnView, order: Order) -> str:
    """Return where the ship ends with this order and those planned; ours, not yet checked."""
    kept = tuple(planned for planned in reader.plan if type(planned) is not type(order))
    others = tuple(other for other in reader.plan if other.ship != ship.id)
    mine = tuple(planned for planned in kept if planned.ship == ship.id)
    end = after_plot(reader.view, ship, (*others, *mine, order))
    return f"ends at {flight_text(end)}"


def landing(reader: Reader, body: Planet | Asteroid, facing: Compass) -> Landing:
    """Take a sector or the number of an environs, or choose one where none is named."""
    if isinstance(body, Planet):
        return _on_planet(reader, body)
    sector = reader.heading("sector") if reader.more else facing
    return Landing(body=body.name, sector=sector)


def _on_planet(reader: Reader, planet: Planet) -> Landing:
    places = {str(environs.number): environs for environs in planet.environs}
    if not places:
        reader.fail("E-ARG", f"{planet.name} has no place to land")
    if not reader.more and len(places) == 1:
        (place,) = places.values()
    else:
        place = reader.pick(f"environs of {planet.name}", places)
    cell = reader.cell() if reader.more else None
    return Landing(body=planet.name, sector=place.sector, environs=place.number, cell=cell)


ROWS = (
    Verb(
        "deploy",
        "de",
        PLOT,
        "<ship> <x,y> [vector dx,dy] [facing dir] [landed body sector] [cloaked|shown]",
        "deploy S1 7,27 vector 1,-1 facing NE",
        "turn 1: put a ship on a square of your zone",
        _deploy,
        order=Written(Deploy, _deploy_words),
    ),
    Verb(
        "burn",
        "b",
        PLOT,
        "<ship> <dx,dy>",
        "burn S1 +2,-1",
        "change the vector by thrust",
        _burn,
        aids=Thrust,
        tries=_burns,
        more=(
            (
                "It writes the thrust order for the facing after the planned turn, so turn first: "
                "face S1 NE; burn S1 +2,-1. Gravity comes on top."
            ),
        ),
    ),
    Verb(
        "face",
        "f",
        PLOT,
        "<ship> <direction>",
        "face S1 NE",
        "turn to a compass point",
        _face,
        aids=Turn,
        tries=_faces,
    ),
    Verb(
        "turn",
        "t",
        PLOT,
        "<ship> <steps>",
        "turn S1 +1",
        "turn by steps of 45 degrees",
        _turn,
        order=Written(Turn, lambda order: f"{order.ship} {order.steps:+d}"),
    ),
    Verb(
        "thrust",
        "th",
        PLOT,
        "<ship> <direction> ...",
        "thrust S1 N N NE",
        "spend thrust points, one direction each",
        _thrust,
        order=Written(
            Thrust,
            lambda order: f"{order.ship} {' '.join(to.value for to in order.to)}",
        ),
    ),
    Verb("drift", "d", PLOT, "<ship>", "drift S1", "no thrust on purpose", _drift, aids=Thrust),
)
