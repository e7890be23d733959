"""Small things that must not leave: memories of the public, counts, orders of the hidden."""

import pytest
from msgspec.structs import replace

from builders.agentmatches import MINES, TOWN, match_of, notices, side_of, troops, who
from builders.agents import AP1, AP2, BG1, FIGHT, agent, agents_truth, shuttler
from builders.ground import BG2, SITE, ground_truth, landed, planet, seeing, unit
from builders.hunts import hider
from builders.learned import granted
from builders.matches import Course
from builders.ordnance import Battle, keen, placed
from builders.perceived import told as heard_by
from builders.sieges import engaged, told
from builders.truths import FRIGATE, A, B, C, holding, only, ratings, ship
from sunglare_protocol.geometry import Compass
from sunglare_protocol.ids import PUBLIC, OwnId, audience_of
from sunglare_protocol.notices import (
    NovaSeen,
    OwnSabotaged,
    SearchResult,
    StrikeResult,
    TokenEnd,
    TrackLost,
)
from sunglare_protocol.orders import Fire, Order
from sunglare_protocol.views import FoundView
from sunglare_protocol.words.ladder import Fix, Phase
from sunglare_server.match.data.scenario import ShipClass
from sunglare_server.match.events.agents import UnitsSpied
from sunglare_server.match.events.ground import MapOpened, PieceIdentified, TokenEnded
from sunglare_server.match.facts.agents import TroopsSpied
from sunglare_server.match.facts.ground import TokenNamed, TokenTaken
from sunglare_server.match.facts.space import OwnTold
from sunglare_server.match.resolve.ground import maps
from sunglare_server.match.truth.ordnance import FIGHTER

G1 = OwnId("G1")

# The public feed.


def test_the_public_has_no_memory_of_a_contact_that_is_over() -> None:
    eyes = replace(FRIGATE, name="eyes", sensors=ratings(9))
    fight = Battle(placed(A, 1, eyes, (10, 20)), ship(B, 1, (12, 20)))
    fight.course.close_until(Phase.SCAN, A)
    fight.course.orders(A, "scan S1 visual 3box C5 nosense")
    fight.course.close()
    [contact] = fight.view(A).contacts
    assert contact.fix is Fix.CONTACT
    assert [held.square for held in fight.course.view(PUBLIC).contacts] == [contact.square]
    fight.engage()
    assert [held.fix for held in fight.view(A).contacts] == [Fix.MEMORY]
    assert fight.course.view(PUBLIC).contacts == ()


def test_the_public_hears_that_a_track_is_lost_and_remembers_nothing_of_it() -> None:
    fight = Battle(placed(A, 1, keen("corvette"), (10, 20)), ship(B, 1, (12, 20)))
    fight.turn(looks=(A,))
    for _ in range(2):
        fight.turn()
    assert only(fight.course.state.intel[PUBLIC].told, TrackLost)
    assert [contact.fix for contact in fight.view(A).contacts] == [Fix.MEMORY]
    assert fight.course.view(PUBLIC).contacts == ()


@pytest.mark.parametrize("order", ["thrust S1 N N N", "cloak S1 on"], ids=["leaves", "cloaks"])
def test_nothing_that_left_or_cloaked_stays_in_the_public_view(order: str) -> None:
    raider = replace(FRIGATE, name="raider", cloak=True)
    goes = replace(ship(B, 1, (12, 2), raider), facing=Compass.N)
    fight = Battle(placed(A, 1, keen("corvette"), (10, 3)), goes)
    fight.turn(looks=(A,))
    assert len(fight.course.view(PUBLIC).contacts) == 1
    fight.plot({B: order})
    assert [contact.fix for contact in fight.view(A).contacts] == [Fix.MEMORY]
    assert fight.course.view(PUBLIC).contacts == ()


@pytest.mark.parametrize("guns", [1, 2])
def test_how_many_nova_guns_were_fired_is_told_to_nobody(guns: int) -> None:
    fight = Battle(
        placed(A, 1, keen("dreadnought"), (10, 30)),
        placed(A, 2, keen("dreadnought"), (12, 30)),
        placed(B, 1, keen("frigate"), (30, 10)),
    )
    fight.engage({A: "; ".join(("fire S1.N1", "fire S2.N1")[:guns])})
    for audience in (audience_of(A), audience_of(B), PUBLIC):
        assert len(only(fight.course.state.intel[audience].told, NovaSeen)) == 1


def test_a_nova_gun_fired_in_the_next_turn_is_news_again() -> None:
    fight = Battle(
        placed(A, 1, keen("dreadnought"), (10, 30)), placed(B, 1, keen("frigate"), (30, 10))
    )
    for _ in range(2):
        fight.engage({A: "fire S1.N1"})
        assert fight.heard(B, NovaSeen)


# When the others gave their orders.


def test_which_missile_is_stopped_does_not_depend_on_who_gave_orders_first() -> None:
    target = replace(ship(B, 1, (15, 8), keen("cruiser", point_defence=2)))
    truth = ground_truth(
        unit(A, 1, (1, 1), "defence-missiles"),
        unit(C, 1, (9, 9), "defence-missiles"),
        ships=(target, ship(C, 9, (35, 30))),
        body=planet(*(["............"] * 6)),
    )
    for side in (A, C):
        truth = holding(truth, side, target.id, Fix.TRACKED)
    weapon = truth.ground[BG1.replace("B", "A")].type.weapons[0].id  # type: ignore[index]
    fire: tuple[Order, ...] = (Fire(ship=G1, weapon=weapon, at=str(target.id)),)  # type: ignore[arg-type]
    worlds = []
    for orders in ({A: fire, C: fire}, {C: fire, A: fire}):
        flow = engaged(truth, orders)
        worlds.append([told(flow, side) for side in (A, B, C)])
    assert worlds[0] == worlds[1]


# The order of what was done in secret.


def test_the_order_of_sabotages_does_not_tell_whose_they_were() -> None:
    seen: set[tuple[str, ...]] = set()
    for seed in range(400):
        course = match_of(
            side_of(who("Fox", MINES, intelligence=9)),
            side_of(ground=(troops("Guard", TOWN), troops("Watch", MINES))),
            side_of(who("Crow", TOWN, intelligence=9)),
            seed=seed % 256,
        )
        course.close_with(Phase.PLOT, dict.fromkeys((A, C), "mission P1 sabotage"))
        order = course.state.standing.initiative
        course.close_with(Phase.ENGAGE)
        hurt = [notice.ship for notice in only(notices(course, "B"), OwnSabotaged)]
        if len(hurt) == 2:
            assert hurt == ["G1", "G2"], order
            seen.add(tuple(side for side in order if side != B))
        if len(seen) == 2:
            return
    raise AssertionError("one order of initiative was never drawn")


def founds(seed: int, *names: str) -> tuple[FoundView, ...]:
    """Return whom B finds that searches for A's agents of these names."""
    agents = [who(name, intelligence=1, detected=True) for name in names]
    course = match_of(side_of(*agents), side_of(ground=(troops("Guard"),)), seed=seed)
    course.close_with(Phase.ENGAGE, {B: "search G1 strike none"})
    return course.view("B").found


def test_found_agents_are_named_in_an_order_that_tells_nothing_of_their_roster() -> None:
    found = [
        [founds(seed, *names) for seed in range(12)] for names in (("Fox", "Owl"), ("Owl", "Fox"))
    ]
    assert any(found[0])
    assert found[0] == found[1]


def test_those_who_fell_or_got_away_are_named_in_an_order_that_tells_nothing() -> None:
    truth = agents_truth(agent(A, 1), agent(A, 2), agent(B, 1), ships=(shuttler(B),))
    fight = replace(FIGHT, fallen=(AP1, AP2), escaped=())
    names = []
    for renamed in (("Ann", "Zoe"), ("Zoe", "Ann")):
        agents = dict(truth.agents)
        for piece, name in zip((AP1, AP2), renamed, strict=True):
            agents[piece] = replace(agents[piece], name=name)
        [result] = heard_by(replace(truth, agents=agents), fight)["B"]
        assert isinstance(result, OwnTold)
        assert isinstance(result.notice, StrikeResult)
        names.append(result.notice.fallen)
    assert names[0] == names[1]


def test_spied_units_on_one_cell_stand_in_an_order_that_tells_nothing_of_their_roster() -> None:
    shown = []
    for hurt in ((0, 1), (1, 0)):
        units = [replace(unit(B, n, (3, 3)), damage=damage) for n, damage in enumerate(hurt, 1)]
        truth = agents_truth(agent(A, 1), units=tuple(units), ships=(shuttler(B),))
        event = UnitsSpied(side=A, site=SITE, units=(BG1, BG2), leaders=())
        [fact] = [grant.fact for grant in granted(truth, event)]
        assert isinstance(fact, TroopsSpied)
        shown.append([spied.damage for spied in fact.units])
    assert shown[0] == shown[1]


# Types and variants.


@pytest.fixture
def scout() -> ShipClass:
    """Return a variant of the frigates."""
    return replace(FRIGATE, name="scout-frigate", family="frigate", cloak=True)


def test_a_solution_tells_the_type_of_a_cloaked_ship_and_not_its_variant(scout: ShipClass) -> None:
    fight = Battle(ship(A, 1, (10, 30)), hider(B, 1, (10, 20), kind=scout))
    [contact] = fight.fighting(detect={A: "sweep S1"}).view(A).contacts
    assert (contact.fix, contact.side, contact.type) == (Fix.SOLUTION, B, "frigate")


def test_a_landed_ship_that_is_identified_shows_its_type_and_not_its_variant(
    scout: ShipClass,
) -> None:
    down = landed(ship(B, 1, (15, 11), scout), (3, 3))
    truth = seeing(ground_truth(unit(A), ships=(down,)), A, down.id)
    identified = PieceIdentified(piece=down.id, side=A, is_told=False)
    lifted = TokenEnded(piece=down.id, side=A, how=TokenEnd.LIFTED)
    for event, kind in ((identified, TokenNamed), (lifted, TokenTaken)):
        [fact] = heard_by(truth, event)["A"]
        assert isinstance(fact, kind)
        assert (fact.side, fact.type) == (B, "frigate")


# Cloaked fighters.


@pytest.mark.parametrize("cloaked", [True, False])
def test_a_cloaked_fighter_shows_its_side_no_surface_map(cloaked: bool) -> None:
    flight = replace(ship(A, 1, (15, 11), FIGHTER), cloaked=cloaked)
    truth = ground_truth(unit(B), ships=(flight,))
    opened = [event.side for event in only(maps(truth), MapOpened)]
    assert (A in opened) is not cloaked


# The order in which the others wrote their orders.


def two_environs(seed: int) -> Course:
    """Return a match with an agent of A and troops of B on each of two environs."""
    agents = (who("Fox", TOWN, detected=True), who("Owl", MINES, detected=True))
    seeker = side_of(ground=(troops("Guard", TOWN), troops("Watch", MINES)))
    return match_of(side_of(*agents), seeker, seed=seed)


def searched(orders: str, seed: int) -> list[object]:
    """Return what A was told when B searched two environs, given in this order."""
    course = two_environs(seed)
    course.close_with(Phase.ENGAGE, {B: orders})
    return notices(course, "A")


@pytest.mark.parametrize("seed", range(8))
def test_the_order_in_which_searches_were_given_is_told_to_nobody(seed: int) -> None:
    assert searched("search G1; search G2", seed) == searched("search G2; search G1", seed)


def test_the_order_in_which_missions_were_given_is_told_to_nobody() -> None:
    # By the seeds before the first one here two events do not fall together.
    for seed in range(90, 256):
        heard = []
        for orders in ("mission P1 spy; mission P2 spy", "mission P2 spy; mission P1 spy"):
            course = two_environs(seed)
            course.close_with(Phase.PLOT, {A: orders})
            course.close_with(Phase.ENGAGE)
            heard.append(notices(course, "B"))
        assert heard[0] == heard[1]
        if len(only(heard[0], SearchResult)) == 2:
            return
    raise AssertionError("two events never fell together")
