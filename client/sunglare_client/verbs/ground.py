"""The commands of the surface: each reads its words and returns the orders they mean."""

from sunglare_client.command import Command, Give, ShowSurface
from sunglare_client.verbs.reading import Reader
from sunglare_protocol.ids import Handle, OwnId
from sunglare_protocol.orders import Bombard, Fire, Launch, Power, Probe
from sunglare_protocol.orders.ground import Move, Station
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.views import OwnView
from sunglare_protocol.views.ground import AgentView, GroundView, TokenView
from sunglare_protocol.words.armament import Launchable
from sunglare_protocol.words.ladder import Fate
from sunglare_rules.advice.check.bombard import DESIGNATORS
from sunglare_rules.capital.capital import CLASS_OF_ARM

_STATES = {"on": True, "off": False}


def station(reader: Reader) -> Command:
    """Read a unit or agent, perhaps a planet and environs, a cell, `hidden` or `with`."""
    piece = _piece(reader)
    site = _site(reader, piece.site)
    cell: Cell | None = None
    hidden, stacked = False, None
    if isinstance(piece, GroundView):
        cell = reader.cell()
        hidden = reader.more and reader.pick("word after the cell", {"hidden": True})
    elif reader.more:
        reader.pick("word after the environs", {"with": True})
        stacked = _unit(reader).id
    return Give((Station(ship=piece.id, at=site, cell=cell, hidden=hidden, stacked=stacked),))


def move(reader: Reader) -> Command:
    """Read a unit and its way: cells, `jump` and a cell, `load` and a ship, or `unload`."""
    unit = _unit(reader)
    word = reader.peek().lower()
    if word == "load":
        reader.word("load")
        return Give((Move(ship=unit.id, load=reader.ship().id),))
    if word == "unload":
        reader.word("unload")
        return Give((Move(ship=unit.id, unload=True),))
    jump = word == "jump"
    if jump:
        reader.word("jump")
    path = [reader.cell()]
    while reader.more and reader.peek().lower() != "token":
        path.append(reader.cell())
    token = reader.more and reader.pick("word at the end", {"token": True})
    return Give((Move(ship=unit.id, path=tuple(path), jump=jump, token=token),))


def surface(reader: Reader) -> Command:
    """Read a planet and the number of an environs, if any is named; draw its surface map."""
    known = [each.site for each in reader.view.surfaces]
    known += [unit.site for unit in reader.view.ground if unit.site is not None]
    known += _sites(reader)
    if not reader.more and not known:
        reader.fail("E-ARG", "this map has no planet with a surface")
    planets = {site.body for site in _sites(reader)}
    if reader.more and not reader.begins(planets):
        names = tuple(sorted(planets))
        reader.fail("E-ARG", f"'{reader.peek()}' is no planet with a surface", names)
    return ShowSurface(_site(reader, known[0] if known else None))


def power(reader: Reader) -> Command:
    """Read a unit and `on ecm` before what its jammer is told, for its plant always runs."""
    unit = _unit(reader)
    reader.pick("state of a unit", {"on": True})
    reader.pick("part of power", {"ecm": True})
    return Give((Power(ship=unit.id, on=True, ecm=reader.pick("state", _STATES)),))


def ecm(reader: Reader) -> Command:
    """Read a unit and on or off for its jammer."""
    unit = _unit(reader)
    return Give((Power(ship=unit.id, on=True, ecm=reader.pick("state", _STATES)),))


def sow(reader: Reader) -> Command:
    """Read a unit, `remote`, and perhaps how many of its dispensers sow a sensor."""
    unit = _unit(reader)
    what = reader.pick("thing to launch", {Launchable.REMOTE.value: Launchable.REMOTE})
    numbers = {str(each): each for each in range(1, unit.dispensers + 1)}
    number = reader.pick("number of remote sensors", numbers) if reader.more else 1
    return Give((Launch(ship=unit.id, what=what),) * number)


def names_unit(reader: Reader) -> bool:
    """Return whether the next word names an own ground unit, perhaps with a weapon."""
    name = reader.peek().partition(".")[0].lower()
    return any(unit.id.lower() == name for unit in reader.view.ground)


def bombard(reader: Reader) -> Bombard:
    """Read a ship or unit with a weapon, a planet and environs, and a cell."""
    if names_unit(reader):
        unit, weapon = reader.unit_mount()
        own, home = unit.id, unit.site
    else:
        ship, weapon = reader.mount()
        own, home = ship.id, None if ship.landed is None else ship.landed.site
    sites = _sites(reader)
    site = _site(reader, home or (sites[0] if len(sites) == 1 else None))
    return Bombard(ship=own, weapon=weapon, at=site, cell=reader.cell())


def fire(reader: Reader) -> Fire:
    """Read a unit with a weapon, as `G1.R1` or as two words, and what it fires at.

    That is a token, of a designator a cell, of a battery a contact.
    """
    unit, weapon = reader.unit_mount()
    if weapon in DESIGNATORS:
        return Fire(ship=unit.id, weapon=weapon, point=reader.cell())
    if any(each.id == weapon and each.kind in CLASS_OF_ARM for each in unit.weapons):
        contact = reader.contact()
        if contact.handle is None:
            reader.fail("E-ARG", f"{contact.label} is a memory; nothing can be aimed at it")
        return Fire(ship=unit.id, weapon=weapon, at=contact.handle)
    return Fire(ship=unit.id, weapon=weapon, at=_held_token(reader, unit.site))


def probe(reader: Reader) -> Probe:
    """Read a unit and the token of its map that it asks about."""
    unit = _unit(reader)
    return Probe(ship=unit.id, at=_held_token(reader, unit.site))


def token_beside(reader: Reader, ship: OwnView) -> Handle | None:
    """Take a token on the map where a ship stands, if the next word names one."""
    site = None if ship.landed is None else ship.landed.site
    if reader.peek().lower() not in map(str.lower, _tokens(reader, site)):
        return None
    return _held_token(reader, site)


def _piece(reader: Reader) -> GroundView | AgentView:
    every: tuple[GroundView | AgentView, ...] = (*reader.view.ground, *reader.view.agents)
    pieces = {str(each.id): each for each in every if each.fate is Fate.IN_PLAY}
    return reader.pick("unit or agent of yours", pieces)


def _unit(reader: Reader) -> GroundView:
    units: dict[str, GroundView] = {
        each.id: each for each in reader.view.ground if each.fate is Fate.IN_PLAY
    }
    return reader.pick("ground unit of yours", units)


def _site(reader: Reader, default: Site | None) -> Site:
    """Take a planet and the number of an environs; without a planet's name it is the default."""
    planets = {each.name: each for each in reader.view.board.planets if each.environs}
    name = reader.named(planets)
    if name is None:
        if default is None:
            reader.fail("E-MISSING", "needs a planet and the number of an environs next")
        return default
    numbers = {str(each.number): each.number for each in planets[name].environs}
    return Site(name, reader.pick(f"environs of {name}", numbers))


def _sites(reader: Reader) -> list[Site]:
    return [
        Site(planet.name, environs.number)
        for planet in reader.view.board.planets
        for environs in planet.environs
    ]


def _held_token(reader: Reader, site: Site | None) -> Handle:
    token = reader.pick("token on the unit's map", _tokens(reader, site))
    if token.handle is None:
        reader.fail("E-ARG", f"{token.label} is a memory; nothing can be aimed at it")
    return token.handle


def _tokens(reader: Reader, site: Site | None) -> dict[str, TokenView]:
    """Return the tokens of a map by label and by handle."""
    named: dict[str, TokenView] = {}
    for each in reader.view.surfaces:
        for token in each.tokens if each.site == site else ():
            named[token.label] = token
            if token.handle is not None:
                named[token.handle] = token
    return named


def own_id(reader: Reader) -> OwnId:
    """Take the id of an own ship, ground unit or agent in play."""
    names = [ship.id for ship in reader.view.own if ship.fate is Fate.IN_PLAY]
    names += [unit.id for unit in reader.view.ground]
    names += [agent.id for agent in reader.view.agents]
    return reader.pick("piece of yours", {name: name for name in names})
