"""The commands for agents and searches: each reads its words and returns the orders."""

import msgspec

from sunglare_client.command import Command, Give
from sunglare_client.text.lists.agents import SIDE
from sunglare_client.verbs.reading import Reader
from sunglare_protocol.ids import Handle, OwnId
from sunglare_protocol.orders.agents import (
    NOWHERE,
    OFF_MAP,
    GoAboard,
    Mission,
    Search,
    Stand,
    StepOut,
    Walk,
)
from sunglare_protocol.views.ground import AgentView
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.search import FightPolicy, MissionKind, Strike
from sunglare_rules.advice.check.agents import search_site


def walk(reader: Reader) -> Command:
    """Read an agent and the number of an adjacent environs."""
    return Give((walk_order(reader),))


def board(reader: Reader) -> Command:
    """Read an agent and the own ship or ground unit that he goes into."""
    return Give((board_order(reader),))


def leave(reader: Reader) -> Command:
    """Read an agent, and the environs to which a shuttle takes him if he is in orbit."""
    return Give((leave_order(reader),))


def mission(reader: Reader) -> Command:
    """Read an agent, a kind of mission, what it is for, and who goes with him."""
    return Give((mission_order(reader),))


def search(reader: Reader) -> Command:
    """Read where to search, and perhaps a leader and who strikes."""
    return Give((search_order(reader),))


def walk_order(reader: Reader) -> Walk:
    """Read a walk."""
    return Walk(ship=_agent(reader).id, environs=_environs(reader))


def board_order(reader: Reader) -> GoAboard:
    """Read a step into a ship or a stack."""
    agent = _agent(reader)
    pieces = [ship.id for ship in reader.view.own if ship.fate is Fate.IN_PLAY]
    pieces += [unit.id for unit in reader.view.ground if unit.fate is Fate.IN_PLAY]
    into = reader.pick("ship or ground unit of yours", {each: each for each in pieces})
    return GoAboard(ship=agent.id, into=into)


def leave_order(reader: Reader) -> StepOut:
    """Read a step out of a ship or a stack."""
    agent = _agent(reader)
    return StepOut(ship=agent.id, environs=_environs(reader) if reader.more else None)


def mission_order(reader: Reader) -> Mission:
    """Read a mission."""
    agent = _agent(reader)
    kind = reader.pick("kind of mission", {each.value: each for each in MissionKind})
    order = Mission(ship=agent.id, kind=kind)
    while reader.more:
        word = reader.peek().lower()
        if word == "with":
            reader.word("with")
            order = msgspec.structs.replace(order, others=_agents(reader))
        elif word == "silence":
            reader.word("silence")
            order = msgspec.structs.replace(order, silence=True)
        elif kind is MissionKind.SABOTAGE:
            order = msgspec.structs.replace(order, at=_token(reader))
        else:
            order = msgspec.structs.replace(order, name=_thing(reader))
    return order


def search_order(reader: Reader) -> Search:
    """Read a search."""
    places = _places(reader)
    if not places:
        reader.fail("E-ARG", "you have neither troops nor agents in any environs")
    piece = reader.pick("environs of yours, or a piece there", places)
    leader: OwnId | None = None
    strike = Strike.PATROL
    while reader.more:
        if reader.pick("word of a search", {"leader": True, "strike": False}):
            leader = _agent(reader).id
        else:
            strike = reader.pick("way to strike", {each.value: each for each in Strike})
    return Search(ship=piece, leader=leader, strike=strike)


def stand(reader: Reader) -> Command:
    """Read whose standing order it is, which one, and what it shall be; join it to the plan's."""
    names = [SIDE, *(ship.id for ship in reader.view.own if ship.fate is Fate.IN_PLAY)]
    names += [each.id for each in _free(reader)]
    name = reader.pick("ship or agent of yours, or side", {each: each for each in names})
    own = OwnId(str(reader.view.audience)) if name == SIDE else OwnId(name)
    given = next(
        (each for each in reader.plan if isinstance(each, Stand) and each.ship == own),
        Stand(ship=own),
    )
    words: tuple[str, ...]
    if name == SIDE:
        words = ("strike",)
    elif name in [ship.id for ship in reader.view.own]:
        words = ("bound",)
    else:
        words = ("fight", "wounds", "hides")
    word = reader.pick("standing order", {each: each for each in words})
    return Give((_standing(reader, given, word),))


def _standing(reader: Reader, given: Stand, word: str) -> Stand:
    change = msgspec.structs.replace
    match word:
        case "strike":
            strike = reader.pick("way to strike", {each.value: each for each in Strike})
            return change(given, strike=strike)
        case "bound":
            planets = {each.name: each.name for each in reader.view.board.planets}
            goals = {**planets, OFF_MAP: OFF_MAP, NOWHERE: NOWHERE}
            return change(given, bound_for=reader.pick("goal", goals))
        case "fight":
            fight = reader.pick("way to fight", {each.value: each for each in FightPolicy})
            return change(given, fight=fight)
        case "wounds":
            return change(given, wounds=_agents(reader) if reader.more else ())
        case _:
            hiders: dict[str, OwnId] = {each.id: each.id for each in _free(reader)}
            hiders[NOWHERE] = OwnId(NOWHERE)
            return change(given, hides_by=reader.pick("agent", hiders))


def _free(reader: Reader) -> list[AgentView]:
    return [
        each for each in reader.view.agents if each.fate is Fate.IN_PLAY and each.captor is None
    ]


def _agent(reader: Reader) -> AgentView:
    return reader.pick("agent of yours", {str(each.id): each for each in _free(reader)})


def _agents(reader: Reader) -> tuple[OwnId, ...]:
    """Take agents to the end of the line, or to the next word that is none."""
    known = {each.id.lower() for each in reader.view.agents}
    found = [_agent(reader).id]
    while reader.more and reader.peek().lower() in known:
        found.append(_agent(reader).id)
    return tuple(found)


def _environs(reader: Reader) -> int:
    numbers = sorted(
        {environs.number for each in reader.view.board.planets for environs in each.environs}
    )
    return reader.pick("number of an environs", {str(each): each for each in numbers})


def _token(reader: Reader) -> Handle:
    named: dict[str, Handle] = {}
    for surface in reader.view.surfaces:
        for token in surface.tokens:
            if token.handle is not None:
                named[token.label] = named[token.handle] = token.handle
    return reader.pick("token that you hold", named)


def _thing(reader: Reader) -> str:
    names = [each.name for each in reader.view.items]
    names += [each.name for each in reader.view.agents]
    return reader.pick("item or agent", {each: each for each in names})


def _places(reader: Reader) -> dict[str, OwnId]:
    """Return where this side may search: by a piece there, and by planet and number as one."""
    view = reader.view
    named: dict[str, OwnId] = {}
    for own in (*(each.id for each in view.ground), *(each.id for each in view.agents)):
        site = search_site(view, own)
        if site is not None:
            named[own] = own
            named.setdefault(site.name, own)
    return named
