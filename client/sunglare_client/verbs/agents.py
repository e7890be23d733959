"""Verbs of agents: their steps, missions and standing orders."""

from collections.abc import Callable
from typing import TypeVar

from msgspec.structs import replace

from sunglare_client.command import Command, Give, choices_text
from sunglare_client.text.printable import one_word, printable
from sunglare_client.verbs.reading import Reader
from sunglare_client.verbs.verb import PLOT, Verb, Written, giving
from sunglare_protocol.ids import Handle, OwnId
from sunglare_protocol.orders.agents import (
    NOWHERE,
    OFF_MAP,
    GoAboard,
    Mission,
    Stand,
    StepOrder,
    StepOut,
    Walk,
)
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.views import View
from sunglare_protocol.views.ground import AgentView
from sunglare_protocol.word import spoken
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.search import FightPolicy, MissionKind, Strike
from sunglare_rules.advice.odds.agents import mission_odds, step_preview

Step = TypeVar("Step", bound=StepOrder)

SIDE = "side"
"""The word for the whole side, which alone says who strikes."""


def walk_order(reader: Reader) -> Walk:
    """Read a walk."""
    return Walk(ship=own_agent(reader).id, environs=_environs(reader))


def board_order(reader: Reader) -> GoAboard:
    """Read a step into a ship or a stack."""
    agent = own_agent(reader)
    pieces = [ship.id for ship in reader.view.own if ship.fate is Fate.IN_PLAY]
    pieces += [unit.id for unit in reader.view.ground if unit.fate is Fate.IN_PLAY]
    into = reader.pick("ship or ground unit of yours", {piece: piece for piece in pieces})
    return GoAboard(ship=agent.id, into=into)


def leave_order(reader: Reader) -> StepOut:
    """Read a step out of a ship or a stack."""
    agent = own_agent(reader)
    return StepOut(ship=agent.id, environs=_environs(reader) if reader.more else None)


def mission_order(reader: Reader) -> Mission:
    """Read a mission."""
    agent = own_agent(reader)
    kind = reader.pick("kind of mission", {choice.value: choice for choice in MissionKind})
    order = Mission(ship=agent.id, kind=kind)
    while reader.more:
        word = reader.peek().lower()
        if word == "with":
            reader.word("with")
            order = replace(order, others=_agents(reader))
        elif word == "silence":
            reader.word("silence")
            order = replace(order, silence=True)
        elif kind is MissionKind.SABOTAGE:
            order = replace(order, at=_token(reader))
        else:
            order = replace(order, name=_thing(reader))
    return order


def _stand(reader: Reader) -> Command:
    """Read whose standing order it is, which one, and what it shall be; join it to the plan's."""
    names = [SIDE, *(ship.id for ship in reader.view.own if ship.fate is Fate.IN_PLAY)]
    names += [agent.id for agent in _free(reader)]
    name = reader.pick("ship or agent of yours, or side", {choice: choice for choice in names})
    own = OwnId(str(reader.view.audience)) if name == SIDE else OwnId(name)
    given = next(
        (order for order in reader.plan if isinstance(order, Stand) and order.ship == own),
        Stand(ship=own),
    )
    fields: tuple[str, ...]
    if name == SIDE:
        fields = ("strike",)
    elif name in [ship.id for ship in reader.view.own]:
        fields = ("bound_for",)
    else:
        fields = ("fight", "wounds", "hides_by")
    field = reader.pick("standing order", {spoken(choice): choice for choice in fields})
    return Give((_standing(reader, given, field),))


def _standing(reader: Reader, given: Stand, field: str) -> Stand:
    match field:
        case "strike":
            strike = reader.pick("way to strike", {choice.value: choice for choice in Strike})
            return replace(given, strike=strike)
        case "bound_for":
            planets = {planet.name: planet.name for planet in reader.view.board.planets}
            goals = {**planets, OFF_MAP: OFF_MAP, NOWHERE: NOWHERE}
            return replace(given, bound_for=reader.pick("goal", goals))
        case "fight":
            fight = reader.pick("way to fight", {policy.value: policy for policy in FightPolicy})
            return replace(given, fight=fight)
        case "wounds":
            return replace(given, wounds=_agents(reader) if reader.more else ())
        case _:
            hiders: dict[str, OwnId] = {agent.id: agent.id for agent in _free(reader)}
            hiders[NOWHERE] = OwnId(NOWHERE)
            return replace(given, hides_by=reader.pick("agent", hiders))


def _free(reader: Reader) -> list[AgentView]:
    return [
        agent
        for agent in reader.view.agents
        if agent.fate is Fate.IN_PLAY and agent.captor is None
    ]


def own_agent(reader: Reader) -> AgentView:
    """Take an own agent in play who is no prisoner."""
    return reader.pick("agent of yours", {str(agent.id): agent for agent in _free(reader)})


def _agents(reader: Reader) -> tuple[OwnId, ...]:
    """Take agents to the end of the line, or to the next word that is none."""
    known = {agent.id.lower() for agent in reader.view.agents}
    found = [own_agent(reader).id]
    while reader.more and reader.peek().lower() in known:
        found.append(own_agent(reader).id)
    return tuple(found)


def _environs(reader: Reader) -> int:
    numbers = sorted(
        {environs.number for planet in reader.view.board.planets for environs in planet.environs}
    )
    return reader.pick("number of an environs", {str(number): number for number in numbers})


def _token(reader: Reader) -> Handle:
    named: dict[str, Handle] = {}
    for surface in reader.view.surfaces:
        for token in surface.tokens:
            if token.handle is not None:
                named[token.label] = named[token.handle] = token.handle
    return reader.pick("token that you hold", named)


def _thing(reader: Reader) -> str:
    names = [item.name for item in reader.view.items]
    names += [agent.name for agent in reader.view.agents]
    return reader.pick("item or agent", {name: name for name in names})


def _leave_words(order: StepOut) -> str:
    return f"{order.ship}{'' if order.environs is None else f' {order.environs}'}"


def _mission_words(order: Mission) -> str:
    words = [f"{order.ship} {order.kind.value}"]
    words += [order.at] if order.at is not None else []
    words += [one_word(order.name)] if order.name is not None else []
    words += ["silence"] if order.silence else []
    words += ["with", *order.others] if order.others else []
    return " ".join(words)


def _stand_words(order: Stand) -> str:
    whose = SIDE if order.strike is not None else order.ship
    return f"{whose}{_stance_words(order)}"


def _stance_words(order: Stand) -> str:
    words = []
    if order.bound_for is not None:
        words.append(f" bound for {one_word(order.bound_for)}")
    if order.fight is not None:
        words.append(f" fight {order.fight.value}")
    if order.wounds is not None:
        words.append(" ".join((" wounds", *order.wounds)))
    if order.hides_by is not None:
        words.append(f" hides by {order.hides_by}")
    if order.strike is not None:
        words.append(f" strike {order.strike.value}")
    return ",".join(words)


def answered(line: str | Rejected) -> list[str]:
    """Return what an order may bring as a line, or why it cannot be given."""
    if isinstance(line, Rejected):
        right = f" {choices_text(line.choices)}" if line.choices else ""
        line = f"{line.text} ({line.code.value}){right}"
    return [printable(line)]


def _mission_odds(view: View, order: Mission) -> list[str]:
    odds = mission_odds(view, order)
    if isinstance(odds, Rejected):
        return answered(odds)
    return answered(f"mission {_mission_words(order)}: {odds.hundredths} %")


def _step(verb: str, kind: type[Step], words: Callable[[Step], str]) -> Written[Step]:
    """Return the row of a step, of which `odds` says who will be detected by it."""

    def odds(view: View, order: Step) -> list[str]:
        seen = step_preview(view, order)
        if isinstance(seen, Rejected):
            return answered(seen)
        anew = f"newly detected: {', '.join(seen.anew)}" if seen.anew else "nobody new is detected"
        return answered(f"{verb} {words(order)}: {anew}")

    return Written(kind, words, odds)


ROWS = (
    Verb(
        "walk",
        "wk",
        PLOT,
        "<agent> <environs>",
        "walk P1 2",
        "walk to an adjacent environs; an agent makes two steps a turn",
        giving(walk_order),
        order=_step("walk", Walk, lambda order: f"{order.ship} {order.environs}"),
    ),
    Verb(
        "board",
        "bd",
        PLOT,
        "<agent> <ship or unit>",
        "board P1 S1",
        "a step into a landed ship, a shuttle's ship, or a stack of troops",
        giving(board_order),
        order=_step("board", GoAboard, lambda order: f"{order.ship} {order.into}"),
    ),
    Verb(
        "leave",
        "lv",
        PLOT,
        "<agent> [environs]",
        "leave P1",
        "a step out of a ship (from orbit by shuttle) or out of a stack",
        giving(leave_order),
        order=_step("leave", StepOut, _leave_words),
    ),
    Verb(
        "mission",
        "mi",
        PLOT,
        "<agent> <kind> [token or name] [silence] [with agents]",
        "mission P1 spy",
        "send a group: spy, sabotage, steal, deliver or free",
        giving(mission_order),
        order=Written(Mission, _mission_words, _mission_odds, _mission_odds),
        more=(
            "spy: the troops there. sabotage: [token] [silence]. steal, deliver, free: [name].",
            "It is tried at the end of the turn, unless the group is found before.",
        ),
    ),
    Verb(
        "stand",
        "sd",
        PLOT,
        "<agent, ship or side> <what> <how>",
        "stand P1 fight screen",
        "standing orders: fight, wounds, hides by; bound for; strike",
        _stand,
        order=Written(Stand, _stand_words),
        more=(
            "stand P1 fight flee|screen|fight    stand P1 wounds P2 P1",
            "stand P1 hides by P2|none           stand S1 bound for Orlog|off|none",
            "stand side strike patrol|agents|none",
            "An agent's standing orders count for every group that the agent leads.",
        ),
    ),
)
