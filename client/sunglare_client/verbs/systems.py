"""Verbs of a ship other than flying: its switches and turrets, landing, launching."""

from collections.abc import Iterator

from msgspec.structs import replace

from sunglare_client.command import Command, Give, Plan
from sunglare_client.text.places import square_text
from sunglare_client.text.printable import one_word
from sunglare_client.verbs.flight import landing
from sunglare_client.verbs.reading import Reader
from sunglare_client.verbs.verb import PLOT, Verb, Written
from sunglare_protocol.orders import Aim, Cloak, Land, Launch, Lift, Power, Rotate, Sensors
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.armament import Launchable
from sunglare_rules.advice.legal.legal import legal
from sunglare_rules.advice.plans.landing_cell import landing_cell
from sunglare_rules.advice.seen.plotting import first_of, orders_of
from sunglare_rules.arcs.arcs import STANDARD_ARCS

_JAMMER = {"ecm": True}
"""The word of `power` that the jammer's state follows."""


def _power(reader: Reader) -> Command:
    """Read a ship and on or off, and perhaps the same for its jammer; or the jammer's alone."""
    if reader.names_unit:
        return _unit_power(reader)
    ship = reader.ship()
    if _names_jammer(reader):
        return _jam(reader, ship)
    on = reader.state()
    planned = first_of(Power, orders_of(ship, reader.plan))
    jammer = None if planned is None else planned.ecm
    if reader.more:
        reader.pick("part of power", _JAMMER)
        jammer = reader.state()
    return Give((Power(ship=ship.id, on=on, ecm=jammer),))


def _ecm(reader: Reader) -> Command:
    """Read a ship or unit and on or off for its jammer; a plant is left as it is."""
    if reader.names_unit:
        return Give((Power(ship=reader.unit().id, on=True, ecm=reader.state()),))
    return _jam(reader, reader.ship())


def _jam(reader: Reader, ship: OwnView) -> Command:
    """Read on or off for a ship's jammer; its plant does what is planned, else what it does."""
    planned = first_of(Power, orders_of(ship, reader.plan))
    plant = ship.powered or ship.starting if planned is None else planned.on
    return Give((Power(ship=ship.id, on=plant, ecm=reader.state()),))


def _names_jammer(reader: Reader) -> bool:
    """Take the word for the jammer if it comes next, and return whether it did."""
    return reader.named(_JAMMER) is not None


def _sensors(reader: Reader) -> Command:
    """Read a ship and out or in."""
    ship = reader.ship()
    return Give((Sensors(ship=ship.id, out=reader.pick("state", {"out": True, "in": False})),))


def _cloak(reader: Reader) -> Command:
    """Read a ship and on or off."""
    return Give((Cloak(ship=reader.ship().id, on=reader.state()),))


def _rotate(reader: Reader) -> Command:
    """Read a ship, one of its turrets and a standard arc."""
    ship = reader.ship()
    turret = reader.pick(f"turret of {ship.id}", {choice.id: choice.id for choice in ship.turrets})
    arc = reader.pick("standard arc", {choice.value: choice for choice in STANDARD_ARCS})
    return Give((Rotate(ship=ship.id, turret=turret, to=arc),))


def _land(reader: Reader) -> Command:
    """Read a ship, a body, and a sector or the number of an environs, and perhaps a cell there."""
    ship, body = reader.ship(), reader.body()
    where = landing(reader, body, ship.facing)
    order = Land(
        ship=ship.id,
        body=body.name,
        sector=where.sector if where.environs is None else None,
        environs=where.environs,
        cell=where.cell,
    )
    cell = landing_cell(reader.view, order)
    if cell is None:
        return Give((order,))
    remark = f"{cell.name} is the nearest cell to the middle where those aboard can step out"
    return Give((replace(order, cell=cell),), remark)


def _lift(reader: Reader) -> Command:
    """Read a ship that lifts off."""
    return Give((Lift(ship=reader.ship().id),))


def _launch(reader: Reader) -> Command:
    """Read a launcher and a square, and perhaps `cold`; or a ship and `fighter` or `remote`.

    A ground unit launches remote sensors alone.
    """
    if reader.names_unit:
        return _sow(reader)
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
    numbers = {str(number): number for number in range(1, ship.dispensers + 1)}
    return reader.pick("number of remote sensors", numbers)


def _aim(reader: Reader) -> Command:
    """Read a volley and a square."""
    ship = reader.ship()
    return Give((Aim(ship=ship.id, at=reader.square()),))


def _unit_power(reader: Reader) -> Command:
    """Read a unit and its jammer's state; `on` may stand before, for its plant always runs."""
    unit = reader.unit()
    if not _names_jammer(reader):
        reader.pick("state of a unit", {"on": True})
        reader.pick("part of power", _JAMMER)
    return Give((Power(ship=unit.id, on=True, ecm=reader.state()),))


def _sow(reader: Reader) -> Command:
    """Read a unit, `remote`, and perhaps how many of its dispensers sow a sensor."""
    unit = reader.unit()
    what = reader.pick("thing to launch", {Launchable.REMOTE.value: Launchable.REMOTE})
    numbers = {str(one): one for one in range(1, unit.dispensers + 1)}
    number = reader.pick("number of remote sensors", numbers) if reader.more else 1
    return Give((Launch(ship=unit.id, what=what),) * number)


def _power_words(order: Power) -> str:
    power = f"{order.ship} {'on' if order.on else 'off'}"
    if order.ecm is None:
        return power
    return f"{power} ecm {'on' if order.ecm else 'off'}"


def _land_words(order: Land) -> str:
    cell = None if order.cell is None else order.cell.name
    places = (order.sector.value if order.sector else None, order.environs, cell)
    named = "".join(f" {place}" for place in places if place is not None)
    return f"{order.ship} {one_word(order.body)}{named}"


def _launch_words(order: Launch) -> str:
    if order.at is None:
        return f"{order.ship} {order.what.value}"
    cold = " cold" if order.cold else ""
    return f"{order.ship}.{one_word(order.weapon)} {square_text(order.at)}{cold}"


def _has_jammer(_: View, order: Power) -> bool:
    """Return whether a legal order says something of a jammer."""
    return order.ecm is not None


def _jams(view: View, _: Plan) -> Iterator[str]:
    for order in legal(view):
        if isinstance(order, Power) and order.ecm is not None:
            yield f"ecm {order.ship} {'on' if order.ecm else 'off'}"


_MORE_ON_LAUNCH = (
    (
        "The square lies within 24 mu (10 squares) of where the ship's move ends. A cold volley "
        "drifts in its first turn. Both move when the ships have moved. A remote sensor starts "
        "where the ship's move ends, drifts as it does, and takes no orders."
    ),
)

ROWS = (
    Verb(
        "power",
        "p",
        PLOT,
        "<ship> on|off [ecm on|off] | <ship or unit> ecm on|off",
        "power S1 off",
        "switch the power plant; this changes the signature",
        _power,
        order=Written(Power, _power_words),
    ),
    Verb(
        "ecm",
        "e",
        PLOT,
        "<ship or unit> on|off",
        "ecm S1 off",
        "switch the jammer; it is on at the start, and no other side learns of it",
        _ecm,
        aids=Power,
        fit=_has_jammer,
        tries=_jams,
    ),
    Verb(
        "sensors",
        "sn",
        PLOT,
        "<ship> out|in",
        "sensors S1 out",
        "unfold or fold the sensors on the hull",
        _sensors,
        order=Written(Sensors, lambda order: f"{order.ship} {'out' if order.out else 'in'}"),
        more=(
            (
                "At set-up they unfold unless you say: sensors S1 in. Those of ships that cloak, "
                "land or have their power off stay folded."
            ),
        ),
    ),
    Verb(
        "cloak",
        "k",
        PLOT,
        "<ship> on|off",
        "cloak S1 on",
        "cloak from the start of the movement, or decloak",
        _cloak,
        order=Written(Cloak, lambda order: f"{order.ship} {'on' if order.on else 'off'}"),
        more=("A cloaked ship can only turn, thrust and drift; thrust may give it away.",),
    ),
    Verb(
        "rotate",
        "rot",
        PLOT,
        "<ship> <turret> <arc>",
        "rotate S1 T1 left",
        "point a turret at another arc",
        _rotate,
        order=Written(
            Rotate,
            lambda order: f"{order.ship} {one_word(order.turret)} {order.to.value}",
        ),
    ),
    Verb(
        "land",
        "la",
        PLOT,
        "<ship> <body> [sector|environs [cell]]",
        "land S1 Ceres 1",
        "land on an asteroid (a sector) or a planet (an environs)",
        _land,
        order=Written(Land, _land_words),
        more=(
            (
                "An asteroid takes a sector (or the way the ship faces), a planet an environs. "
                "From farther off the ship flies there first: each PLOT begins with its orders, "
                "until it is down or you order otherwise. Without a cell it comes down in the "
                "middle of the map, or with troops aboard as near to it as they can step out and "
                "go on."
            ),
        ),
    ),
    Verb(
        "lift",
        "li",
        PLOT,
        "<ship>",
        "lift S1",
        "lift off",
        _lift,
        order=Written(Lift, lambda order: order.ship),
    ),
    Verb(
        "launch",
        "ln",
        PLOT,
        "<ship.launcher> <x,y> [cold] | <ship> fighter | <ship or unit> remote [n]",
        "launch S1.M1 12,30",
        "launch missiles, fighters aboard, or remote sensors",
        _launch,
        order=Written(Launch, _launch_words),
        more=_MORE_ON_LAUNCH,
    ),
    Verb(
        "aim",
        "am",
        PLOT,
        "<volley> <x,y>",
        "aim M1 14,30",
        "aim a volley at another square",
        _aim,
        order=Written(Aim, lambda order: f"{order.ship} {square_text(order.at)}"),
    ),
)
