"""The cards on own agents: their orders, captors and tasks, and what enemies know and may find."""

from builders.agentmatches import (
    MINES,
    OVER,
    TOWN,
    high,
    low,
    match_of,
    notices,
    side_of,
    troops,
    who,
)
from builders.matches import Course
from builders.sections import lines
from builders.truths import A, B
from sunglare_protocol.ids import OwnId
from sunglare_protocol.notices.agents import OwnSearched
from sunglare_protocol.orders import Order, Scan
from sunglare_protocol.orders.agents import Mission, Search, Stand
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.scans import ScanSize, ScanType
from sunglare_protocol.words.search import FightPolicy, MissionKind, Strike
from sunglare_rules.advice.cards.why import look, why
from sunglare_server.match.data.scenario import AgentEntry
from sunglare_server.match.events.agents import SearchTried

P1, P2, P3, S1, G1 = OwnId("P1"), OwnId("P2"), OwnId("P3"), OwnId("S1"), OwnId("G1")
NOBODY = side_of()


def text(card: object) -> str:
    """Return a card as one text."""
    return "\n".join(lines(card))


def course_of(*agents: AgentEntry, orders: tuple[Order, ...] = ()) -> Course:
    """Return a match of A's agents whose first PLOT is closed with these orders."""
    course = match_of(side_of(*agents, ground=(troops("Guard"),)), NOBODY)
    course.orders(A, *orders)
    course.close()
    return course


def test_look_tells_the_standing_orders_of_an_agent() -> None:
    agents = (who("Fox"), who("Owl"))
    plain = text(look(course_of(*agents).view("A"), P1))
    assert "flees" in plain
    assert "wounds fall at random" in plain
    order = Stand(ship=P1, fight=FightPolicy.SCREEN, wounds=(P2, P1), hides_by=P2)
    told = text(look(course_of(*agents, orders=(order,)).view("A"), P1))
    assert "screens" in told
    assert "wounds fall on P2, P1 first" in told
    assert "hides by P2" in told


def test_look_tells_who_holds_a_prisoner() -> None:
    course = course_of(who("Fox", captor=B))
    assert "Prisoner of B" in text(look(course.view("A"), P1))
    assert "Prisoner" in text(why(course.view("A"), P1))


def test_look_tells_the_mission_group_of_the_turn() -> None:
    order = Mission(ship=P1, kind=MissionKind.SPY, others=(P2,))
    course = course_of(who("Fox"), who("Owl"), who("Elk"), orders=(order,))
    assert "mission group 1" in text(look(course.view("A"), P2))
    assert "mission" not in text(look(course.view("A"), P3))


def test_look_tells_that_an_agent_is_no_leader_by_nature() -> None:
    course = course_of(who("Fox", npc=True), who("Owl"))
    assert "NPC" in text(look(course.view("A"), P1))
    assert "NPC" not in text(look(course.view("A"), P2))


def test_why_tells_what_enemies_know_of_a_detected_agent_and_of_a_hidden_one() -> None:
    course = course_of(who("Fox", detected=True), who("Owl", MINES))
    hot, cold = (text(why(course.view("A"), piece)) for piece in (P1, P2))
    assert "agents of yours are near Ceres 1" in hot
    assert "but not which or how many" in hot
    assert "No enemy is told" in cold


def test_why_tells_an_agent_in_a_stack_that_he_is_always_detected_and_never_found() -> None:
    course = course_of(who("Fox", stacked="Guard"))
    told = text(why(course.view("A"), P1))
    assert "stands with troops" in told
    assert "no search is for him" in told


def test_why_tells_the_hiding_value_by_which_a_search_is_made() -> None:
    agents = (who("Fox", intelligence=5, detected=True), who("Owl", intelligence=2))
    course = match_of(side_of(*agents), side_of(ground=(troops("Guard"), troops("Watch"))))
    course.close_until(Phase.ENGAGE)
    told = text(why(course.view("A"), P1))
    course.orders(B, Search(ship=G1, strike=Strike.NONE))
    course.close()
    [tried] = [event for event in course.steps[-1].events if isinstance(event, SearchTried)]
    assert [notice for notice in notices(course, "A") if isinstance(notice, OwnSearched)]
    assert f"2 of yours hide there with a value of {tried.hiding}" in told
    assert f"search value of {tried.value} finds them with {10 * (tried.needed or 0)} %" in told


def test_why_follows_whom_the_speaker_chose_to_hide_by() -> None:
    agents = (who("Fox", intelligence=5, detected=True, leadership=1), who("Owl", intelligence=2))
    order = Stand(ship=P1, hides_by=P2)
    told = text(why(course_of(*agents, orders=(order,)).view("A"), P2))
    assert "2 of yours hide there with a value of 1:" in told


# Ships.


def test_look_tells_who_is_aboard_a_ship_and_whether_it_is_detected_and_bound_somewhere() -> None:
    boat, fox = low("Low"), who("Fox", "Low", detected=True)
    course = match_of(side_of(fox, ships=(boat,)), NOBODY)
    course.orders(A, Stand(ship=S1, bound_for="Vesta"))
    course.close()
    told = text(look(course.view("A"), S1))
    assert "Aboard: P1." in told
    assert "Agent spaceship, detected." in told
    assert "Bound for Vesta" in told
    plain = match_of(side_of(ships=(high("High"),)), NOBODY)
    for word in ("Aboard", "Agent", "Bound"):
        assert word not in text(look(plain.view("A"), S1))


def test_look_tells_the_tracker_of_a_ship_that_agents_are_near_it() -> None:
    fox = who("Fox", "High", detected=True)
    course = match_of(side_of(fox, ships=(high("High"),)), side_of(ships=(high("Watch", OVER),)))
    course.close_until(Phase.SCAN, B)
    course.orders(B, Scan(ship=S1, type=ScanType.RADAR, size=ScanSize.BOXES, at="D2"))
    course.close()
    [contact] = course.view("B").contacts
    assert contact.alert
    assert "Agents are near it." in text(look(course.view("B"), contact.label))


def test_look_at_the_match_lists_the_alerts_that_the_viewer_was_told_of() -> None:
    course = match_of(side_of(who("Fox", TOWN, detected=True)), NOBODY)
    assert "Alerts: agents of A near Ceres 1." in text(look(course.view("B"), None))
    assert "Alerts" not in text(look(course.view("A"), None))
