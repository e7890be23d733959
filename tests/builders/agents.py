"""Agents and truths with agents made by hand, and an event of every kind for them."""

import msgspec

from builders.ground import SITE, ground_truth, plain_agent, unit
from builders.truths import CORVETTE, FRIGATE, A, B, holding, ratings, ship
from sunglare_protocol.geometry import Compass, Landing, Square
from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.surface import Site
from sunglare_protocol.words.ladder import Fate, Fix
from sunglare_protocol.words.search import (
    Cause,
    FightOutcome,
    MissionKind,
    Soldier,
    StepFault,
    Strike,
)
from sunglare_rules.search.agents import InOrbit, OnGround
from sunglare_rules.search.detection import Alert
from sunglare_rules.search.missions import MissionEvent
from sunglare_server.match.events.agents import (
    AgentFreed,
    AgentKilled,
    AgentStepped,
    AgentStranded,
    AgentWounded,
    AlertEnded,
    AlertRaised,
    BoundFor,
    Delivered,
    FightFought,
    FlagCleared,
    FlagForgotten,
    FlagSet,
    ItemDropped,
    ItemTaken,
    MissionPlanned,
    MissionsEnded,
    MissionTried,
    SearchTried,
    ShipAlertEnded,
    ShipAlertRaised,
    StanceTaken,
    StepFailed,
    StrikeChosen,
    UnitSabotaged,
    UnitsSpied,
)
from sunglare_server.match.events.ground import TakenAlong
from sunglare_server.match.events.space import Event
from sunglare_server.match.ids import PieceId, piece_id
from sunglare_server.match.kinds import MissionPlan, Stance
from sunglare_server.match.truth.agents import AgentTruth, ItemTruth, SearchTruth
from sunglare_server.match.truth.truth import ShipTruth, Truth

CERES = "Ceres"
FAR = Site(CERES, 2)
ORBIT = Square(15, 9)
"""A square in the well of the planet of the rigs, outside its body."""

DEEP = Square(35, 35)
"""A square in open space."""

AP1, AP2, BP1 = PieceId("A/P1"), PieceId("A/P2"), PieceId("B/P1")
AG1, BG1 = PieceId("A/G1"), PieceId("B/G1")
AS1, BS1 = PieceId("A/S1"), PieceId("B/S1")
BOOK = "book"

_replace = msgspec.structs.replace


def agent(
    side: Side,
    number: int = 1,
    at: Site | str = SITE,
    *,
    intelligence: int = 3,
    combat: int = 2,
    endurance: int = 3,
    leadership: int = 0,
    npc: bool = False,
    stacked: int | None = None,
    detected: bool = False,
    captor: Side | None = None,
) -> AgentTruth:
    """Return an agent on a site; a text as place is the ship he is aboard."""
    aboard = PieceId(at) if isinstance(at, str) else None
    return _replace(
        plain_agent(side, number),
        site=None if isinstance(at, str) else at,
        aboard=aboard,
        intelligence=intelligence,
        combat=combat,
        endurance=endurance,
        leadership=leadership,
        npc=npc,
        stacked=None if stacked is None else piece_id(side, OwnId(f"G{stacked}")),
        detected=detected,
        captor=captor,
    )


def yacht(side: Side, number: int = 1, at: Square = ORBIT) -> ShipTruth:
    """Return an agent spaceship."""
    kind = _replace(CORVETTE, name="yacht", agent_spaceship=True)
    return ship(side, number, at, kind)


def shuttler(side: Side, number: int = 1, at: Square = ORBIT) -> ShipTruth:
    """Return a starship with a shuttle."""
    return ship(side, number, at, _replace(FRIGATE, shuttle=True, sensors=ratings(4)))


def down(of: ShipTruth, site: Site = SITE) -> ShipTruth:
    """Return the ship landed on a site."""
    sector = Compass.N if site == SITE else Compass.SE
    return _replace(of, landing=Landing(body=site.body, sector=sector, environs=site.environs))


def agents_truth(
    *agents: AgentTruth,
    units: tuple[object, ...] = (),
    ships: tuple[ShipTruth, ...] = (),
    items: tuple[ItemTruth, ...] = (),
) -> Truth:
    """Return a truth with these agents; every side has a ship, far away if none is given."""
    found = ground_truth(*units, ships=ships, agents=agents)  # type: ignore[arg-type]
    search = SearchTruth(items={item.name: item for item in items})
    return _replace(found, search=search)


def hot(truth: Truth) -> list[str]:
    """Return the ids of the agents and ships that are detected, sorted."""
    found = [one_agent.id for one_agent in truth.agents.values() if one_agent.detected]
    return sorted(found + [one_ship.id for one_ship in truth.ships.values() if one_ship.detected])


PLAN = MissionPlan(number=1, side=A, kind=MissionKind.SPY, members=(AP1,))
GROUND_ALERT = Alert(A, OnGround(CERES, 1))
ORBIT_ALERT = Alert(A, InOrbit(CERES))


def agents_situations() -> tuple[Truth, ...]:
    """Return truths with two agents of A and one of B on a site, with and without tracks."""
    carried = ItemTruth(name=BOOK, carrier=AP1)
    truth = agents_truth(
        agent(A, 1, stacked=1),
        agent(A, 2, captor=B),
        agent(B, 1, stacked=1),
        units=(unit(A), unit(B)),
        ships=(yacht(A), shuttler(B)),
        items=(carried,),
    )
    return (truth, holding(truth, B, AS1, Fix.TRACKED))


IN_VAIN = SearchTried(
    side=B, owner=A, site=SITE, value=6, hiding=3, needed=4, die=9, found=False, group=(AP1,)
)
"""B's search for A's first agent, in vain."""
FOX = _replace(agent(A, 1, combat=4, endurance=5), name="Fox")
ANT = _replace(agent(A, 2, combat=1, endurance=2, captor=B), name="Ant")
ROOK = _replace(agent(B, 1), name="Rook")
IN_TOWN = agents_truth(
    FOX,
    ANT,
    ROOK,
    units=(unit(A), _replace(unit(B, at=(5, 6), hidden=True), damage=1, heat=2)),
    ships=(yacht(A), shuttler(B)),
    items=(ItemTruth(name=BOOK, carrier=AP1),),
)
"""Agents with names on one site: Fox with the book, Ant, whom B holds, and Rook of B."""

SEARCH = SearchTried(
    side=B, owner=A, site=SITE, value=6, hiding=4, needed=3, die=9, found=False, group=(AP1, AP2)
)
FIGHT = FightFought(
    side=B,
    owner=A,
    site=SITE,
    outcome=FightOutcome.BROKEN_OFF,
    found=(AP1, AP2),
    sent=(BP1,),
    fallen=(BP1, AP1),
    escaped=(AP2,),
    dice=((3, 4),),
)
TRIED = MissionTried(
    plan=PLAN,
    site=SITE,
    die=4,
    needed=6,
    success=False,
    event_die=9,
    event=MissionEvent.NOTHING,
)


def agents_samples() -> tuple[Event, ...]:
    """Return an event of every kind of agents; most befall A's agents and are done by B."""
    patrol = {"soldier": Soldier.LINE, "soldiers": 4, "lost": 1}
    return (
        StanceTaken(piece=AP1, stance=Stance(wounds=(AP1,))),
        BoundFor(piece=AS1, planet="off"),
        StrikeChosen(side=A, strike=Strike.NONE),
        AgentStepped(piece=AP1, site=FAR, stacked=None, aboard=None),
        StepFailed(piece=AP1, why=StepFault.NO_TROOPS),
        AgentStranded(piece=AP1),
        TakenAlong(piece=AP1, fate=Fate.DESTROYED),
        FlagSet(piece=AP1, cause=Cause.TROOPS),
        FlagSet(piece=AS1, cause=Cause.TRACKED),
        FlagCleared(piece=AP1, planet=CERES),
        FlagForgotten(piece=AP1),
        *(kind(alert=alert) for kind in (AlertRaised, AlertEnded) for alert in _ALERTS),
        ShipAlertRaised(piece=AS1, side=B),
        ShipAlertEnded(piece=AS1, side=B),
        SEARCH,
        _replace(SEARCH, found=True, die=1),
        _replace(FIGHT, found=(AP1,), sent=(), fallen=(), escaped=(AP1,), **patrol),
        _replace(FIGHT, found=(AP1,), escaped=(AP1,)),
        AgentWounded(piece=AP1, wounds=1),
        AgentKilled(piece=AP1, killers=(B,)),
        MissionPlanned(plan=PLAN),
        TRIED,
        UnitsSpied(side=A, site=SITE, units=(BG1,), leaders=(BP1,)),
        UnitSabotaged(piece=BG1, side=A, damage=2),
        ItemTaken(item=BOOK, carrier=AP1),
        ItemDropped(item=BOOK, site=SITE),
        Delivered(side=A, name=BOOK, site=FAR),
        AgentFreed(piece=AP2),
        MissionsEnded(),
    )


_ALERTS = (GROUND_ALERT, ORBIT_ALERT)
