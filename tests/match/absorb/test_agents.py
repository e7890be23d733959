"""What an audience knows of agents after each fact, and what it is shown of that."""

import pytest
from msgspec.structs import asdict, replace

from builders.agents import AP1, BOOK, CERES, FAR, FOX, IN_TOWN
from builders.ground import SITE
from builders.truths import A1, A, B, C
from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import Handle, OwnId, audience_of
from sunglare_protocol.notices import AlertSeen, ItemMoved, Notice, ShipAlertSeen, SpyResult
from sunglare_protocol.surface import Cell
from sunglare_protocol.views import (
    AlertView,
    FoundAgentView,
    FoundView,
    ItemView,
    SpiedUnitView,
    SpyView,
)
from sunglare_protocol.words.ladder import Fate, Fix
from sunglare_server.match.absorb.agents import FOUND_KEPT, absorb_agents
from sunglare_server.match.facts.agents import (
    AgentFact,
    AgentsFound,
    Alerted,
    FoundAgent,
    ItemKnown,
    ShipAlerted,
    SpiedUnit,
    TroopsSpied,
)
from sunglare_server.match.fog import agents as agents_fog
from sunglare_server.match.intel.agents import (
    FoundAgents,
    KnownAlert,
    KnownItem,
    SearchIntel,
    SpiedTroops,
)
from sunglare_server.match.intel.space import Held, Intel
from sunglare_server.match.own.ground import own_agents

P1 = OwnId("P1")


# What an audience then knows.

TURN = 5
OLD = ShipAlertSeen(label="C1", over=False)
ITEM = KnownItem(name=BOOK, goal=FAR, site=SITE)
OTHER_ITEM = KnownItem(name="atlas", goal=SITE)
MEMORY = FoundAgents(side=C, site=FAR, turn=1, agents=())
SPIED = SpiedTroops(site=FAR, turn=2, units=(), leaders=("Hawk",))
AT_CERES = KnownAlert(side=B, planet=CERES, environs=2)
AGENTS = SearchIntel(alerts=(AT_CERES,), found=(MEMORY,), spied=(SPIED,), items=(OTHER_ITEM, ITEM))
SHIP = Held(handle=Handle("aaaaaa"), label="C3", fix=Fix.TRACKED, square=Square(1, 2), turn=TURN)
KNOWN = Intel(audience=audience_of(C), turn=TURN, held={A1: SHIP}, told=(OLD,), search=AGENTS)


def learned(fact: AgentFact, *notices: Notice, **agents: object) -> None:
    """Check that `fact` adds these notices and changes these parts of what is known of agents."""
    changed = replace(AGENTS, **agents)
    expected = replace(KNOWN, search=changed, told=(OLD, *notices))
    assert absorb_agents(KNOWN, fact) == expected


def test_alerts_are_kept_in_one_order_and_go_when_they_are_over() -> None:
    new = KnownAlert(side=A, planet=CERES, environs=1)
    orbit = KnownAlert(side=B, planet=CERES)
    for alert, left in ((new, (new, AT_CERES)), (orbit, (orbit, AT_CERES)), (AT_CERES, None)):
        place = {"side": alert.side, "planet": CERES, "environs": alert.environs}
        seen = AlertSeen(**place, over=False)  # type: ignore[arg-type]
        learned(Alerted(**place, over=False), seen, alerts=left or (AT_CERES,))  # type: ignore[arg-type]
    place = {"side": B, "planet": CERES, "environs": 2}
    gone = AlertSeen(**place, over=True)  # type: ignore[arg-type]
    learned(Alerted(**place, over=True), gone, alerts=())  # type: ignore[arg-type]


def test_alerts_stand_by_side_planet_and_environs_and_orbit_before_them() -> None:
    places = [(A, CERES, None), (A, CERES, 1), (A, "Vesta", 1), (B, CERES, None), (B, CERES, 2)]
    known = replace(KNOWN, search=SearchIntel())
    for side, body, environs in places[::-1]:
        fact = Alerted(side=side, planet=body, environs=environs, over=False)
        known = absorb_agents(known, fact)
    found = [(alert.side, alert.planet, alert.environs) for alert in known.search.alerts]
    assert found == places


@pytest.mark.parametrize("over", [False, True])
def test_an_alert_near_a_ship_stays_on_its_track(*, over: bool) -> None:
    after = absorb_agents(KNOWN, ShipAlerted(piece=A1, over=over))
    held = {A1: replace(SHIP, alert=not over)}
    assert after == replace(KNOWN, held=held, told=(OLD, ShipAlertSeen(label="C3", over=over)))


AGENT = FoundAgent(name="Fox", combat=4, endurance=5)


def test_found_agents_are_one_memory_more() -> None:
    memory = FoundAgents(side=A, site=SITE, turn=TURN, agents=(AGENT,))
    learned(AgentsFound(side=A, site=SITE, agents=(AGENT,)), found=(MEMORY, memory))


def test_of_many_memories_of_agents_the_newest_are_kept() -> None:
    known = KNOWN
    for combat in range(FOUND_KEPT + 1):
        fact = AgentsFound(side=A, site=SITE, agents=(replace(AGENT, combat=combat),))
        known = absorb_agents(known, fact)
    assert [found.agents[0].combat for found in known.search.found] == [*range(1, FOUND_KEPT + 1)]


UNIT = SpiedUnit(
    side=B,
    type="rifles",
    variant="rifles-2",
    cell=Cell(5, 6),
    hidden=True,
    damage=1,
    toughness=3,
    heat=2,
    move=4,
    modes=("foot",),
    ecm=True,
)


def test_what_spies_saw_takes_the_place_of_what_they_saw_there_before() -> None:
    elsewhere = SpiedTroops(site=SITE, turn=TURN, units=(UNIT, UNIT), leaders=("Rook",))
    fact = TroopsSpied(site=SITE, units=(UNIT, UNIT), leaders=("Rook",))
    learned(fact, SpyResult(site=SITE, units=2), spied=(SPIED, elsewhere))
    again = replace(elsewhere, site=FAR)
    learned(replace(fact, site=FAR), SpyResult(site=FAR, units=2), spied=(again,))


def test_an_item_keeps_its_goal_wherever_it_goes() -> None:
    moved = ItemMoved(name=BOOK, carrier=P1)
    now = KnownItem(name=BOOK, goal=FAR, carrier=P1)
    learned(ItemKnown(notice=moved), moved, items=(OTHER_ITEM, now))
    brought = ItemMoved(name="atlas", site=SITE, delivered=True)
    there = KnownItem(name="atlas", goal=SITE, site=SITE, delivered=True)
    learned(ItemKnown(notice=brought), brought, items=(there, ITEM))
    strange = ItemMoved(name="cup", site=FAR)
    new = KnownItem(name="cup", site=FAR)
    learned(ItemKnown(notice=strange), strange, items=(OTHER_ITEM, ITEM, new))


# What it sees.


def test_what_is_known_of_agents_is_shown_as_it_is_known() -> None:
    known = replace(AGENTS, spied=(replace(SPIED, units=(UNIT,)),))
    assert agents_fog.alerts(known) == (AlertView(side=B, planet=CERES, environs=2),)
    memory = replace(MEMORY, agents=(AGENT,))
    agent = FoundAgentView(name="Fox", combat=4, endurance=5)
    shown = FoundView(side=C, site=FAR, turn=1, agents=(agent,))
    assert agents_fog.found(replace(known, found=(memory,))) == (shown,)
    troops = SpiedUnitView(**asdict(UNIT))
    spy = SpyView(site=FAR, turn=2, units=(troops,), leaders=("Hawk",))
    assert agents_fog.spied(known) == (spy,)


@pytest.mark.parametrize("fate", [Fate.IN_PLAY, Fate.DESTROYED])
def test_an_item_shows_its_carrier_while_he_is_in_play(fate: Fate) -> None:
    agents = own_agents(replace(IN_TOWN, agents={AP1: replace(FOX, fate=fate)}), A)
    carried = replace(ITEM, site=None, carrier=P1, delivered=True)
    carrier = P1 if fate is Fate.IN_PLAY else None
    shown = ItemView(name=BOOK, goal=FAR, site=None, carrier=carrier, delivered=True)
    assert agents_fog.items(replace(AGENTS, items=(carried,)), agents) == (shown,)
    lying = ItemView(name=BOOK, goal=FAR, site=SITE)
    assert agents_fog.items(replace(AGENTS, items=(ITEM,)), agents) == (lying,)
