"""Who is told what of agents, grant by grant."""

import pytest
from msgspec.structs import replace

from builders.agents import (
    ANT,
    AP1,
    AP2,
    AS1,
    BG1,
    BOOK,
    BP1,
    CERES,
    FAR,
    FIGHT,
    FOX,
    GROUND_ALERT,
    ORBIT_ALERT,
    ROOK,
    SEARCH,
    TRIED,
    agent,
    agents_truth,
    shuttler,
    yacht,
)
from builders.agents import IN_TOWN as TWO
from builders.ground import SITE, unit
from builders.perceived import Told, omni, own, told
from builders.truths import A, B, C, holding, ship
from sunglare_protocol.ids import OwnId
from sunglare_protocol.notices import (
    ItemMoved,
    MissionResult,
    Notice,
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
    StrikeResult,
    TruthAgents,
)
from sunglare_protocol.surface import Cell
from sunglare_protocol.words.ladder import Fix
from sunglare_protocol.words.search import Cause, MissionKind, Soldier, StepFault
from sunglare_server.match.events.agents import (
    AgentFreed,
    AgentKilled,
    AgentStranded,
    AlertEnded,
    AlertRaised,
    Delivered,
    FlagCleared,
    FlagSet,
    ItemDropped,
    ItemTaken,
    ShipAlertEnded,
    ShipAlertRaised,
    StepFailed,
    UnitSabotaged,
    UnitsSpied,
)
from sunglare_server.match.events.space import Event
from sunglare_server.match.facts.agents import (
    AgentsFound,
    Alerted,
    FoundAgent,
    ItemKnown,
    ShipAlerted,
    SpiedUnit,
    TroopsSpied,
)
from sunglare_server.match.ids import PieceId
from sunglare_server.match.truth.agents import ItemTruth

BP2 = PieceId("B/P2")
P1, P2, S1, G1 = OwnId("P1"), OwnId("P2"), OwnId("S1"), OwnId("G1")
TROOPS, TRACKED, FAULT = Cause.TROOPS, Cause.TRACKED, StepFault.NO_TROOPS
THREE = agents_truth(FOX, ANT, ROOK, ships=(yacht(A), shuttler(B), ship(C, at=(35, 2))))


# What befalls a piece.


@pytest.mark.parametrize(
    ("event", "notice", "truth"),
    [
        (
            FlagSet(piece=AP1, cause=TROOPS),
            OwnDetected(ship=P1, cause=TROOPS),
            "detected by troops",
        ),
        (
            FlagSet(piece=AS1, cause=TRACKED),
            OwnDetected(ship=S1, cause=TRACKED),
            "detected by tracked",
        ),
        (
            FlagCleared(piece=AP1, planet=CERES),
            OwnShaken(ship=P1, planet=CERES),
            "shaken off at Ceres",
        ),
        (AgentKilled(piece=AP1, killers=(B,)), OwnKilled(ship=P1), "killed"),
        (AgentFreed(piece=AP2), OwnFreed(ship=P2), "freed"),
        (StepFailed(piece=AP1, why=FAULT), OwnStepFailed(ship=P1, why=FAULT), None),
        (AgentStranded(piece=AP1), OwnStranded(ship=P1), None),
    ],
)
def test_what_befalls_an_agent_is_told_to_the_owner_alone(
    event: Event, notice: Notice, truth: str | None
) -> None:
    assert told(TWO, event) == {"A": [own(notice)]}
    shown = TruthAgents(side=A, piece=getattr(notice, "ship", None), what=truth or "")
    assert omni(TWO, event) == ([] if truth is None else [shown])


@pytest.mark.parametrize("turn", [None, 4])
def test_sabotage_tells_the_owner_the_damage_and_whether_weapons_are_silent(
    turn: int | None,
) -> None:
    event = UnitSabotaged(piece=BG1, side=A, damage=2, silent_turn=turn)
    notice = OwnSabotaged(ship=G1, damage=2, silent=turn is not None)
    assert told(TWO, event) == {"B": [own(notice)]}
    assert omni(TWO, event) == [TruthAgents(side=B, piece=G1, what="sabotaged for 2")]


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
    agents = (
        FoundAgent(name="Ant", combat=1, endurance=2),
        FoundAgent(name="Fox", combat=4, endurance=5),
    )
    found = AgentsFound(side=A, site=SITE, agents=agents)
    expected: Told = {"B": [own(result), found], "A": [own(searched)]}
    assert told(TWO, replace(SEARCH, found=True)) == expected


def test_after_a_fight_each_side_is_told_its_own_by_ids_and_the_others_by_names() -> None:
    seen = {"site": SITE, "outcome": FIGHT.outcome, "soldier": None, "soldiers": 0, "lost": 0}
    theirs = {"fallen": ("Fox",), "escaped": ("Ant",)}
    result = StrikeResult(side=A, sent=(P1,), own_fallen=(P1,), **theirs, **seen)  # type: ignore[arg-type]
    own_lost = {"fallen": (P1,), "escaped": (P2,)}
    struck = OwnStruck(side=B, by=("Rook",), beaten=("Rook",), **own_lost, **seen)  # type: ignore[arg-type]
    assert told(TWO, FIGHT) == {"B": [own(result)], "A": [own(struck)]}


def test_the_own_fallen_are_told_in_the_order_in_which_they_fell() -> None:
    more = {**TWO.agents, BP2: replace(agent(B, 2), name="Hawk")}
    event = replace(FIGHT, sent=(BP1, BP2), fallen=(BP2, AP2, BP1, AP1), escaped=())
    both = told(replace(TWO, agents=more), event)
    result, struck = (both[side][0].notice for side in "BA")  # type: ignore[union-attr]
    assert (result.own_fallen, result.fallen) == ((P2, P1), ("Ant", "Fox"))  # type: ignore[union-attr]
    assert (struck.fallen, struck.beaten) == ((P2, P1), ("Hawk", "Rook"))  # type: ignore[union-attr]


def test_a_patrol_is_told_by_its_kind_and_number() -> None:
    event = replace(FIGHT, sent=(), fallen=(), soldier=Soldier.LINE, soldiers=4, lost=1)
    both = [told(TWO, event)[side][0].notice for side in "AB"]  # type: ignore[union-attr]
    assert [(notice.soldier, notice.soldiers, notice.lost) for notice in both] == [  # type: ignore[union-attr]
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
    event = replace(TRIED, success=success)
    result = MissionResult(ship=P1, kind=MissionKind.SPY, success=success)
    assert told(TWO, event) == {"A": [own(result)]}
    [truth] = omni(TWO, event)
    assert isinstance(truth, TruthAgents)
    assert (truth.side, truth.piece) == (A, P1)
    assert "die 4 against 6" in truth.what
    assert ("success" if success else "failure") in truth.what


# Items.


@pytest.mark.parametrize(
    ("event", "moved"),
    [
        (ItemTaken(item=BOOK, carrier=AP1), ItemMoved(name=BOOK, carrier=P1)),
        (ItemDropped(item=BOOK, site=FAR), ItemMoved(name=BOOK, site=FAR)),
        (Delivered(side=A, name=BOOK, site=FAR), ItemMoved(name=BOOK, site=FAR, delivered=True)),
    ],
)
def test_where_an_item_is_is_told_to_the_side_whose_agents_have_it(
    event: Event, moved: ItemMoved
) -> None:
    assert told(TWO, event) == {"A": [ItemKnown(notice=moved)]}


def test_the_truth_feed_is_told_what_was_delivered() -> None:
    delivered = TruthAgents(side=A, what="book delivered")
    assert omni(TWO, Delivered(side=A, name=BOOK, site=FAR)) == [delivered]


def test_an_item_that_nobody_carried_is_dropped_for_nobody() -> None:
    lying = replace(TWO, search=replace(TWO.search, items={BOOK: ItemTruth(name=BOOK)}))
    assert told(lying, ItemDropped(item=BOOK, site=FAR)) == {}


# In an order that tells nothing of a foreign roster.


def test_spies_tell_units_by_side_and_cell() -> None:
    units = (
        unit(B, 1, (5, 6)),
        unit(B, 2, (2, 1), "tracked-jammer"),
        unit(C, 1, (0, 3)),
        unit(C, 2, (0, 2), "tracked-jammer"),
    )
    truth = agents_truth(FOX, ROOK, units=units)
    seen = tuple(piece.id for piece in units)
    for order in (seen, seen[::-1]):
        event = UnitsSpied(side=A, site=SITE, units=order, leaders=())
        [fact] = told(truth, event)["A"]
        assert isinstance(fact, TroopsSpied)
        assert [(spied.side, spied.cell) for spied in fact.units] == [
            (B, Cell(2, 1)),
            (B, Cell(5, 6)),
            (C, Cell(0, 2)),
            (C, Cell(0, 3)),
        ]


@pytest.mark.parametrize("kind", ["first-line-rifles", "tracked-jammer"])
def test_spies_tell_of_a_jammer_whether_it_works_and_of_others_nothing(kind: str) -> None:
    truth = agents_truth(FOX, units=(unit(B, 1, (5, 6), kind),))
    [fact] = told(truth, UnitsSpied(side=A, site=SITE, units=(BG1,), leaders=()))["A"]
    assert isinstance(fact, TroopsSpied)
    assert fact.units[0].ecm is (True if kind == "tracked-jammer" else None)


def test_found_agents_of_one_name_come_by_their_ratings() -> None:
    ratings = ((2, 3), (2, 1), (1, 9))
    agents = [
        replace(agent(A, number, combat=combat, endurance=endurance), name="Fox")
        for number, (combat, endurance) in enumerate(ratings, 1)
    ]
    group = tuple(rated.id for rated in agents)
    truth = agents_truth(*agents, ROOK)
    [_, found] = told(truth, replace(SEARCH, found=True, group=group))["B"]
    assert isinstance(found, AgentsFound)
    assert [(rated.combat, rated.endurance) for rated in found.agents] == [(1, 9), (2, 1), (2, 3)]


@pytest.mark.parametrize(
    ("event", "numbers"),
    [
        pytest.param(SEARCH, "die 9 against 3", id="a search"),
        pytest.param(replace(SEARCH, die=None, needed=None), "no die rolled", id="without a roll"),
        pytest.param(FIGHT, "dice ((3, 4),)", id="a fight"),
    ],
)
def test_the_truth_feed_is_told_of_searches_and_fights_with_their_numbers(
    event: Event, numbers: str
) -> None:
    [truth] = omni(TWO, event)
    assert isinstance(truth, TruthAgents)
    assert truth.side == B
    assert numbers in truth.what
