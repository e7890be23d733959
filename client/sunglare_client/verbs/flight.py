"""The commands of the PLOT window: each reads its words and returns the orders they mean."""

from sunglare_client.command import Clear, Command, Give
from sunglare_client.text.lists.space import flight_text
from sunglare_client.verbs import ground
from sunglare_client.verbs.aids import (
    Intercept,
    facing_planned,
    facings_in_reach,
    intercept,
    steps_between,
    thrust_for,
)
from sunglare_client.verbs.reading import Reader
from sunglare_protocol.geometry import Asteroid, Compass, Landing, Planet, Vector
from sunglare_protocol.orders import (
    Aim,
    Cloak,
    Deploy,
    Land,
    Launch,
    Lift,
    Order,
    Power,
    Rotate,
    Sensors,
    Thrust,
    Turn,
)
from sunglare_protocol.views import ContactView, OwnView
from sunglare_protocol.words.armament import Launchable
from sunglare_rules.advice.seen.plotting import after_plot, first_of, orders_of
from sunglare_rules.arcs.arcs import STANDARD_ARCS

_STATES = {"on": True, "off": False}


def burn(reader: Reader) -> Command:
    """Read a ship and a vector change; return the thrust that gives it."""
    ship, change = reader.ship(), reader.vector()
    facing = facing_planned(ship, reader.plan)
    to = thrust_for(facing, change)
    if to is None:
        better = facings_in_reach(ship, reader.plan, change)
        right = tuple(f"face {ship.id} {each.value}" for each in better)
        reader.fail("E-ARG", _no_sum(change, facing), right)
    order = Thrust(ship=ship.id, to=to)
    return Give((order,), _outcome(reader, ship, order))


def thrust(reader: Reader) -> Command:
    """Read a ship and the direction of each thrust point."""
    ship = reader.ship()
    to = [reader.heading()]
    while reader.more:
        to.append(reader.heading())
    order = Thrust(ship=ship.id, to=tuple(to))
    return Give((order,), _outcome(reader, ship, order))


def drift(reader: Reader) -> Command:
    """Read a ship that shall not thrust."""
    ship = reader.ship()
    return Clear(ship.id, (Thrust,), f"{ship.id} drifts")


def face(reader: Reader) -> Command:
    """Read a ship and a compass point; return the turn to it, the shorter way."""
    ship, wanted = reader.ship(), reader.heading()
    start = next(
        (each.facing for each in reader.plan if isinstance(each, Deploy) and each.ship == ship.id),
        ship.facing,
    )
    steps = steps_between(start, wanted)
    if steps == 0:
        return Clear(ship.id, (Turn,), f"{ship.id} faces {wanted.value} already")
    order = Turn(ship=ship.id, steps=steps)
    return Give((order,), _outcome(reader, ship, order))


def turn(reader: Reader) -> Command:
    """Read a ship and a number of steps."""
    ship, steps = reader.ship(), reader.steps()
    order = Turn(ship=ship.id, steps=steps)
    return Give((order,), _outcome(reader, ship, order))


def power(reader: Reader) -> Command:
    """Read a ship and on or off, and perhaps the same for its jammer; of a unit that alone."""
    if ground.names_unit(reader):
        return ground.power(reader)
    ship, on = reader.ship(), reader.pick("state", _STATES)
    planned = first_of(Power, orders_of(ship, reader.plan))
    jammer = None if planned is None else planned.ecm
    if reader.more:
        reader.pick("part of power", {"ecm": True})
        jammer = reader.pick("state", _STATES)
    return Give((Power(ship=ship.id, on=on, ecm=jammer),))


def ecm(reader: Reader) -> Command:
    """Read a ship or unit and on or off for its jammer; a plant is left as it is."""
    if ground.names_unit(reader):
        return ground.ecm(reader)
    ship, on = reader.ship(), reader.pick("state", _STATES)
    planned = first_of(Power, orders_of(ship, reader.plan))
    plant = ship.powered or ship.starting if planned is None else planned.on
    return Give((Power(ship=ship.id, on=plant, ecm=on),))


def sensors(reader: Reader) -> Command:
    """Read a ship and out or in."""
    ship = reader.ship()
    return Give((Sensors(ship=ship.id, out=reader.pick("state", {"out": True, "in": False})),))


def cloak(reader: Reader) -> Command:
    """Read a ship and on or off."""
    ship = reader.ship()
    return Give((Cloak(ship=ship.id, on=reader.pick("state", {"on": True, "off": False})),))


def rotate(reader: Reader) -> Command:
    """Read a ship, one of its turrets and a standard arc."""
    ship = reader.ship()
    turret = reader.pick(f"turret of {ship.id}", {each.id: each.id for each in ship.turrets})
    arc = reader.pick("standard arc", {each.value: each for each in STANDARD_ARCS})
    return Give((Rotate(ship=ship.id, turret=turret, to=arc),))


def land(reader: Reader) -> Command:
    """Read a ship, a body, and a sector or the number of an environs, and perhaps a cell there."""
    ship, body = reader.ship(), reader.body()
    landing = _landing(reader, body, ship.facing)
    order = Land(
        ship=ship.id,
        body=body.name,
        sector=landing.sector if landing.environs is None else None,
        environs=landing.environs,
        cell=landing.cell,
    )
    return Give((order,))


def lift(reader: Reader) -> Command:
    """Read a ship that lifts off."""
    return Give((Lift(ship=reader.ship().id),))


def launch(reader: Reader) -> Command:
    """Read a launcher and a square, and perhaps `cold`; or a ship and `fighter` or `remote`.

    A ground unit launches remote sensors alone.
    """
    if ground.names_unit(reader):
        return ground.sow(reader)
    ship, weapon = reader.launcher()
    if weapon is Launchable.REMOTE:
        return Give((Launch(ship=ship.id, what=weapon),) * _number(reader, ship))
    if isinstance(weapon, Launchable):
        return Give((Launch(ship=ship.id, what=weapon),))
    at = reader.square()
    cold = reader.more and reader.pick("word to end a launch", {"cold": True})
    order = Launch(ship=ship.id, what=Launchable.MISSILES, weapon=weapon, at=at, cold=cold)
    return Give((order,))


def _number(reader: Reader, ship: OwnView) -> int:
    """Take how many remote sensors to launch, if that is said."""
    if not reader.more:
        return 1
    numbers = {str(each): each for each in range(1, ship.dispensers + 1)}
    return reader.pick("number of remote sensors", numbers)


def aim(reader: Reader) -> Command:
    """Read a volley and a square."""
    ship = reader.ship()
    return Give((Aim(ship=ship.id, at=reader.square()),))


def deploy(reader: Reader) -> Command:
    """Read a ship, a square, and perhaps a vector, facing, landing and cloak, in any order."""
    ship, at = reader.ship(), reader.square()
    vector, facing = Vector(0, 0), ship.facing
    landing: Landing | None = None
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
                landing = _landing(reader, reader.body(), facing)
    order = Deploy(
        ship=ship.id, at=at, vector=vector, facing=facing, landed=landing, cloaked=cloaked
    )
    return Give((order,), _outcome(reader, ship, order))


def shadow(reader: Reader) -> Command:
    """Read a ship and a piece to shadow; return the turn and thrust that end where it will."""
    ship = reader.ship()
    other = _shadowed(reader)
    way = intercept(reader.view, ship, other, reader.plan)
    if way is None:
        reader.fail("E-ARG", "its vector or facing is not known; only a track shows them")
    to = thrust_for(way.end.facing, way.change)
    if to is None:
        end = way.end.facing
        reader.fail("E-ARG", f"{_no_sum(way.change, end)}, and it must end facing {end.value}")
    # A turn of no steps takes back one that is planned.
    turns = way.steps != 0 or first_of(Turn, orders_of(ship, reader.plan)) is not None
    turning: tuple[Order, ...] = (Turn(ship=ship.id, steps=way.steps),) if turns else ()
    return Give((*turning, Thrust(ship=ship.id, to=to)), _shadow_remark(way))


def _shadowed(reader: Reader) -> OwnView | ContactView:
    """Take an own ship or a contact."""
    for ship in reader.view.own:
        if reader.peek().lower() == ship.id.lower():
            return reader.ship()
    return reader.contact()


def _shadow_remark(way: Intercept) -> str:
    at = f"{way.end.square.x},{way.end.square.y}"
    if way.matched:
        return f"ends at {at}, turned and moving as it does if it drifts"
    return f"ends at {at}, but with another vector, so it will not be shadowed this turn"


def _no_sum(change: Vector, facing: Compass) -> str:
    wrong = f"{change.dx:+d},{change.dy:+d} is no sum of thrust ahead or 45 degrees beside"
    return f"{wrong}, facing {facing.value}"


def _outcome(reader: Reader, ship: OwnView, order: Order) -> str:
    """Return where the ship ends with this order beside those planned; ours, not yet checked."""
    kept = tuple(each for each in reader.plan if type(each) is not type(order))
    others = tuple(each for each in reader.plan if each.ship != ship.id)
    mine = tuple(each for each in kept if each.ship == ship.id)
    end = after_plot(reader.view, ship, (*others, *mine, order))
    return f"ends at {flight_text(end)}"


def _landing(reader: Reader, body: Planet | Asteroid, facing: Compass) -> Landing:
    """Take a sector or the number of an environs, or choose one where none is named."""
    if isinstance(body, Planet):
        return _on_planet(reader, body)
    sector = reader.heading("sector") if reader.more else facing
    return Landing(body=body.name, sector=sector)


def _on_planet(reader: Reader, planet: Planet) -> Landing:
    places = {str(each.number): each for each in planet.environs}
    if not places:
        reader.fail("E-ARG", f"{planet.name} has no place to land")
    if not reader.more and len(places) == 1:
        (place,) = places.values()
    else:
        place = reader.pick(f"environs of {planet.name}", places)
    cell = reader.cell() if reader.more else None
    return Landing(body=planet.name, sector=place.sector, environs=place.number, cell=cell)
