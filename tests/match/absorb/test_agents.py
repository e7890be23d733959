"""What an audience knows of agents after each fact, and what it is shown of that."""

import pytest
from msgspec.structs import replace

from builders.agents import (
    AP1,
    BOOK,
    CERES,
    FAR,
    agent,
    people_truth,
    shuttler,
    yacht,
)
from builders.ground import SITE, unit
from builders.truths import A1, A, B, C, ship
from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import Handle, OwnId, audience_of
from sunglare_protocol.notices import Notice
from sunglare_protocol.notices.agents import (
    AlertSeen,
    ItemMoved,
    ShipAlertSeen,
    SpyResult,
)
from sunglare_protocol.surface import Cell
from sunglare_protocol.views.agents import (
    AlertView,
    FoundPersonView,
    FoundView,
    ItemView,
    SpiedUnitView,
    SpyView,
)
from sunglare_protocol.words.ladder import Fate, Fix
from sunglare_server.match.absorb.agents import FOUND_KEPT, absorb_people
from sunglare_server.match.facts.agents import (
    Alerted,
    FoundPerson,
    ItemKnown,
    PeopleFact,
    PeopleFound,
    ShipAlerted,
    SpiedUnit,
    TroopsSpied,
)
from sunglare_server.match.fog import agents as people_fog
from sunglare_server.match.ids import PieceId
from sunglare_server.match.intel.agents import (
    AgentsIntel,
    FoundPeople,
    KnownAlert,
    KnownItem,
    SpiedTroops,
)
from sunglare_server.match.intel.space import Held, Intel
from sunglare_server.match.own.ground import own_people
from sunglare_server.match.truth.agents import ItemTruth

BP2 = PieceId("B/P2")
P1, P2, S1, G1 = OwnId("P1"), OwnId("P2"), OwnId("S1"), OwnId("G1")
FOX = replace(agent(A, 1, combat=4, endurance=5), name="Fox")
ANT = replace(agent(A, 2, combat=1, endurance=2, captor=B), name="Ant")
ROOK = replace(agent(B, 1), name="Rook")
TWO = people_truth(
    FOX,
    ANT,
    ROOK,
    units=(unit(A), replace(unit(B, at=(5, 6), hidden=True), damage=1, heat=2)),
    ships=(yacht(A), shuttler(B)),
    items=(ItemTruth(name=BOOK, carrier=AP1),),
)
THREE = people_truth(FOX, ANT, ROOK, ships=(yacht(A), shuttler(B), ship(C, at=(35, 2))))


# What an audience then knows.

TURN = 5
OLD = ShipAlertSeen(label="C1", over=False)
ITEM = KnownItem(name=BOOK, goal=FAR, site=SITE)
OTHER_ITEM = KnownItem(name="atlas", goal=SITE)
MEMORY = FoundPeople(side=C, site=FAR, turn=1, people=())
SPIED = SpiedTroops(site=FAR, turn=2, units=(), leaders=("Hawk",))
AT_CERES = KnownAlert(side=B, planet=CERES, environs=2)
AGENTS = AgentsIntel(alerts=(AT_CERES,), found=(MEMORY,), spied=(SPIED,), items=(OTHER_ITEM, ITEM))
SHIP = Held(handle=Handle("aaaaaa"), label="C3", fix=Fix.TRACKED, square=Square(1, 2), turn=TURN)
KNOWN = Intel(audience=audience_of(C), turn=TURN, held={A1: SHIP}, told=(OLD,), agents=AGENTS)


def learned(fact: PeopleFact, *notices: Notice, **agents: object) -> None:
    """Check that `fact` adds these notices and changes these parts of what is known of agents."""
    changed = replace(AGENTS, **agents)
    expected = replace(KNOWN, agents=changed, told=(OLD, *notices))
    assert absorb_people(KNOWN, fact) == expected


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
    known = replace(KNOWN, agents=AgentsIntel())
    for side, body, environs in places[::-1]:
        fact = Alerted(side=side, planet=body, environs=environs, over=False)
        known = absorb_people(known, fact)
    found = [(each.side, each.planet, each.environs) for each in known.agents.alerts]
    assert found == places


@pytest.mark.parametrize("over", [False, True])
def test_an_alert_near_a_ship_stays_on_its_track(*, over: bool) -> None:
    after = absorb_people(KNOWN, ShipAlerted(piece=A1, over=over))
    held = {A1: replace(SHIP, alert=not over)}
    assert after == replace(KNOWN, held=held, told=(OLD, ShipAlertSeen(label="C3", over=over)))


PERSON = FoundPerson(name="Fox", combat=4, endurance=5)


def test_found_people_are_one_memory_more() -> None:
    memory = FoundPeople(side=A, site=SITE, turn=TURN, people=(PERSON,))
    learned(PeopleFound(side=A, site=SITE, people=(PERSON,)), found=(MEMORY, memory))


def test_of_many_memories_of_people_the_newest_are_kept() -> None:
    known = KNOWN
    for each in range(FOUND_KEPT + 1):
        fact = PeopleFound(side=A, site=SITE, people=(replace(PERSON, combat=each),))
        known = absorb_people(known, fact)
    assert [each.people[0].combat for each in known.agents.found] == [*range(1, FOUND_KEPT + 1)]


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
    assert people_fog.alerts(known) == (AlertView(side=B, planet=CERES, environs=2),)
    memory = replace(MEMORY, people=(PERSON,))
    person = FoundPersonView(name="Fox", combat=4, endurance=5)
    shown = FoundView(side=C, site=FAR, turn=1, people=(person,))
    assert people_fog.found(replace(known, found=(memory,))) == (shown,)
    troops = SpiedUnitView(
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
    spy = SpyView(site=FAR, turn=2, units=(troops,), leaders=("Hawk",))
    assert people_fog.spied(known) == (spy,)


@pytest.mark.parametrize("fate", [Fate.IN_PLAY, Fate.DESTROYED])
def test_an_item_shows_its_carrier_while_he_is_in_play(fate: Fate) -> None:
    people = own_people(replace(TWO, people={AP1: replace(FOX, fate=fate)}), A)
    carried = replace(ITEM, site=None, carrier=P1, delivered=True)
    carrier = P1 if fate is Fate.IN_PLAY else None
    shown = ItemView(name=BOOK, goal=FAR, site=None, carrier=carrier, delivered=True)
    assert people_fog.items(replace(AGENTS, items=(carried,)), people) == (shown,)
    lying = ItemView(name=BOOK, goal=FAR, site=SITE)
    assert people_fog.items(replace(AGENTS, items=(ITEM,)), people) == (lying,)
