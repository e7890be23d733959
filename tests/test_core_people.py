"""Who is told what of agents, grant by grant, and what an audience then knows and sees."""

import pytest
from msgspec.structs import replace

from groundrigs import SITE, unit
from learnedrigs import granted
from peoplerigs import (
    AP1,
    AP2,
    AS1,
    BG1,
    BOOK,
    BP1,
    CERES,
    FAR,
    GROUND_ALERT,
    ORBIT_ALERT,
    PLAN,
    agent,
    people_truth,
    shuttler,
    yacht,
)
from perceiverigs import Told, told
from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import OMNI, Handle, OwnId, audience_of
from sunglare_protocol.ladder import Fate, Fix
from sunglare_protocol.notices import Notice
from sunglare_protocol.people_notices import (
    AlertSeen,
    ItemMoved,
    MissionResult,
    OwnDetected,
    OwnFreed,
    OwnKilled,
    OwnSabotaged,
    OwnSearched,
    OwnShaken,
    OwnStepFailed,
    OwnStranded,
    OwnStruck,
    SearchResult,
    ShipAlertSeen,
    SpyResult,
    StrikeResult,
    TruthAgents,
)
from sunglare_protocol.people_views import (
    AlertView,
    FoundPersonView,
    FoundView,
    ItemView,
    SpiedUnitView,
    SpyView,
)
from sunglare_protocol.searchwords import Cause, FightOutcome, MissionKind, Soldier, StepFault
from sunglare_protocol.surface import Cell
from sunglare_rules.missions import MissionEvent
from sunglare_server.match import people_fog
from sunglare_server.match.events import Event
from sunglare_server.match.facts import OwnTold, TruthTold
from sunglare_server.match.ids import PieceId
from sunglare_server.match.intel import Held, Intel
from sunglare_server.match.own_ground import own_people
from sunglare_server.match.people_events import (
    AlertEnded,
    AlertRaised,
    Delivered,
    FightFought,
    FlagCleared,
    FlagSet,
    ItemDropped,
    ItemTaken,
    MissionTried,
    PersonFreed,
    PersonKilled,
    PersonStranded,
    SearchTried,
    ShipAlertEnded,
    ShipAlertRaised,
    StepFailed,
    UnitSabotaged,
    UnitsSpied,
)
from sunglare_server.match.people_facts import (
    Alerted,
    FoundPerson,
    ItemKnown,
    PeopleFact,
    PeopleFound,
    ShipAlerted,
    SpiedUnit,
    TroopsSpied,
)
from sunglare_server.match.people_intel import (
    AgentsIntel,
    FoundPeople,
    KnownAlert,
    KnownItem,
    SpiedTroops,
)
from sunglare_server.match.perceive.absorb_people import FOUND_KEPT, absorb_people
from sunglare_server.match.truth_people import ItemTruth
from truthrigs import A1, A, B, C, holding, ship

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


def own(notice: Notice) -> OwnTold:
    return OwnTold(notice=notice)


def omni(event: Event) -> list[Notice]:
    """Return what the truth feed is told."""
    facts = [each.fact for each in granted(TWO, event) if each.audience == OMNI]
    return [fact.notice for fact in facts if isinstance(fact, TruthTold)]


# What befalls a piece.


@pytest.mark.parametrize(
    ("event", "notice", "truth"),
    [
        (
            FlagSet(piece=AP1, cause=Cause.TROOPS),
            OwnDetected(ship=P1, cause=Cause.TROOPS),
            "detected by troops",
        ),
        (
            FlagSet(piece=AS1, cause=Cause.TRACKED),
            OwnDetected(ship=S1, cause=Cause.TRACKED),
            "detected by tracked",
        ),
        (
            FlagCleared(piece=AP1, planet=CERES),
            OwnShaken(ship=P1, planet=CERES),
            "shaken off at Ceres",
        ),
        (PersonKilled(piece=AP1, killers=(B,)), OwnKilled(ship=P1), "killed"),
        (PersonFreed(piece=AP2), OwnFreed(ship=P2), "freed"),
        (StepFailed(piece=AP1, why=StepFault.NO_TROOPS), None, None),
        (PersonStranded(piece=AP1), None, None),
    ],
)
def test_what_befalls_an_agent_is_told_to_the_owner_alone(
    event: Event, notice: Notice | None, truth: str | None
) -> None:
    if notice is not None:
        assert told(TWO, event) == {"A": [own(notice)]}
        piece = P2 if isinstance(event, PersonFreed) else getattr(notice, "ship", None)
        assert omni(event) == [TruthAgents(side=A, piece=piece, what=truth or "")]
    else:
        assert told(TWO, event).keys() == {"A"}
        assert omni(event) == []


def test_a_step_that_failed_is_told_with_its_reason_and_a_stranded_agent_by_its_id() -> None:
    failed = OwnStepFailed(ship=P1, why=StepFault.NO_TROOPS)
    assert told(TWO, StepFailed(piece=AP1, why=StepFault.NO_TROOPS)) == {"A": [own(failed)]}
    assert told(TWO, PersonStranded(piece=AP1)) == {"A": [own(OwnStranded(ship=P1))]}


@pytest.mark.parametrize("turn", [None, 4])
def test_sabotage_tells_the_owner_the_damage_and_whether_weapons_are_silent(
    turn: int | None,
) -> None:
    event = UnitSabotaged(piece=BG1, side=A, damage=2, silent_turn=turn)
    notice = OwnSabotaged(ship=G1, damage=2, silent=turn is not None)
    assert told(TWO, event) == {"B": [own(notice)]}
    assert omni(event) == [TruthAgents(side=B, piece=G1, what="sabotaged for 2")]


# Alerts.


@pytest.mark.parametrize("over", [False, True])
@pytest.mark.parametrize(("alert", "environs"), [(GROUND_ALERT, 1), (ORBIT_ALERT, None)])
def test_an_alert_is_told_to_all_others_as_a_place(
    alert: object, environs: int | None, *, over: bool
) -> None:
    event = (AlertEnded if over else AlertRaised)(alert=alert)  # type: ignore[arg-type]
    fact = Alerted(side=A, planet=CERES, over=over, environs=environs)
    assert told(TWO, event) == {"B": [fact], "public": [fact]}
    assert told(THREE, event) == {"B": [fact], "C": [fact]}


@pytest.mark.parametrize("over", [False, True])
def test_an_alert_near_a_ship_is_told_to_who_tracks_it(*, over: bool) -> None:
    event = (ShipAlertEnded if over else ShipAlertRaised)(piece=AS1, side=B)
    fact = ShipAlerted(piece=AS1, over=over)
    assert told(TWO, event) == {}
    assert told(holding(TWO, B, AS1, Fix.TRACKED), event) == {"B": [fact], "public": [fact]}
    assert told(holding(THREE, B, AS1, Fix.TRACKED), event) == {"B": [fact]}


# Searches and fights.

SEARCH = SearchTried(
    side=B, owner=A, site=SITE, value=6, hiding=4, needed=3, die=9, found=False, group=(AP1, AP2)
)


@pytest.mark.parametrize("mission", [None, 1])
def test_a_search_that_fails_tells_both_that_it_was_and_nothing_of_who_hides(
    mission: int | None,
) -> None:
    is_event = mission is not None
    result = SearchResult(site=SITE, side=A, value=6, found=False, event=is_event)
    searched = OwnSearched(site=SITE, side=B, found=(), event=is_event)
    event = replace(SEARCH, mission=mission)
    assert told(TWO, event) == {"B": [own(result)], "A": [own(searched)]}


@pytest.mark.parametrize(("value", "hears"), [(0, False), (1, True)])
def test_a_search_by_nobody_is_not_heard_of(value: int, *, hears: bool) -> None:
    assert ("A" in told(TWO, replace(SEARCH, value=value))) is hears


def test_who_is_found_is_told_by_name_and_ratings_and_the_owner_by_id() -> None:
    result = SearchResult(site=SITE, side=A, value=6, found=True, event=False)
    searched = OwnSearched(site=SITE, side=B, found=(P1, P2), event=False)
    people = (
        FoundPerson(name="Ant", combat=1, endurance=2),
        FoundPerson(name="Fox", combat=4, endurance=5),
    )
    found = PeopleFound(side=A, site=SITE, people=people)
    expected: Told = {"B": [own(result), found], "A": [own(searched)]}
    assert told(TWO, replace(SEARCH, found=True)) == expected


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


def test_after_a_fight_each_side_is_told_its_own_by_ids_and_the_others_by_names() -> None:
    result = StrikeResult(
        site=SITE,
        side=A,
        outcome=FightOutcome.BROKEN_OFF,
        soldier=None,
        soldiers=0,
        lost=0,
        sent=(P1,),
        own_fallen=(P1,),
        fallen=("Fox",),
        escaped=("Ant",),
    )
    struck = OwnStruck(
        site=SITE,
        side=B,
        outcome=FightOutcome.BROKEN_OFF,
        soldier=None,
        soldiers=0,
        lost=0,
        by=("Rook",),
        beaten=("Rook",),
        fallen=(P1,),
        escaped=(P2,),
    )
    assert told(TWO, FIGHT) == {"B": [own(result)], "A": [own(struck)]}


def test_the_own_fallen_are_told_in_the_order_in_which_they_fell() -> None:
    more = {**TWO.people, BP2: replace(agent(B, 2), name="Hawk")}
    event = replace(FIGHT, sent=(BP1, BP2), fallen=(BP2, AP2, BP1, AP1), escaped=())
    both = told(replace(TWO, people=more), event)
    result, struck = (both[side][0].notice for side in "BA")  # type: ignore[union-attr]
    assert (result.own_fallen, result.fallen) == ((P2, P1), ("Ant", "Fox"))  # type: ignore[union-attr]
    assert (struck.fallen, struck.beaten) == ((P2, P1), ("Hawk", "Rook"))  # type: ignore[union-attr]


def test_a_patrol_is_told_by_its_kind_and_number() -> None:
    event = replace(FIGHT, sent=(), fallen=(), soldier=Soldier.LINE, soldiers=4, lost=1)
    both = [told(TWO, event)[side][0].notice for side in "AB"]  # type: ignore[union-attr]
    assert [(each.soldier, each.soldiers, each.lost) for each in both] == [  # type: ignore[union-attr]
        (Soldier.LINE, 4, 1)
    ] * 2


def test_spies_tell_their_side_all_of_the_troops_and_who_leads_them() -> None:
    kind = TWO.ground[BG1].type
    spied = SpiedUnit(
        side=B,
        type=kind.type,
        variant=kind.name,
        cell=Cell(5, 6),
        hidden=True,
        damage=1,
        toughness=kind.toughness,
        heat=2,
        move=kind.move,
        modes=(kind.mode.value,),
        ecm=None,
    )
    event = UnitsSpied(side=A, site=SITE, units=(BG1,), leaders=(BP1,))
    fact = TroopsSpied(site=SITE, units=(spied,), leaders=("Rook",))
    assert told(TWO, event) == {"A": [fact]}


@pytest.mark.parametrize("success", [False, True])
def test_the_owner_alone_is_told_whether_a_mission_succeeded(*, success: bool) -> None:
    event = MissionTried(
        plan=PLAN,
        site=SITE,
        die=4,
        needed=6,
        success=success,
        event_die=9,
        event=MissionEvent.NOTHING,
    )
    result = MissionResult(ship=P1, kind=MissionKind.SPY, success=success)
    assert told(TWO, event) == {"A": [own(result)]}
    [truth] = omni(event)
    assert isinstance(truth, TruthAgents)
    assert (truth.side, truth.piece) == (A, P1)


# Items.


@pytest.mark.parametrize(
    ("event", "moved"),
    [
        (ItemTaken(item=BOOK, carrier=AP1), ItemMoved(name=BOOK, carrier=P1)),
        (ItemDropped(item=BOOK, site=FAR), ItemMoved(name=BOOK, site=FAR)),
        (
            Delivered(side=A, name=BOOK, site=FAR),
            ItemMoved(name=BOOK, site=FAR, delivered=True),
        ),
    ],
)
def test_where_an_item_is_is_told_to_the_side_whose_people_have_it(
    event: Event, moved: ItemMoved
) -> None:
    assert told(TWO, event) == {"A": [ItemKnown(notice=moved)]}


def test_an_item_that_nobody_carried_is_dropped_for_nobody() -> None:
    lying = replace(TWO, agents=replace(TWO.agents, items={BOOK: ItemTruth(name=BOOK)}))
    assert told(lying, ItemDropped(item=BOOK, site=FAR)) == {}


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
