"""Steps and detection in a match: what moves agents, what shows them, what ends that."""

import pytest
from msgspec.structs import replace

from builders.agentmatches import (
    AWAY,
    MINES,
    TOWN,
    WILDS,
    events_of,
    flagged,
    heard,
    high,
    low,
    match_of,
    notices,
    plotted,
    side_of,
    troops,
    truth,
    who,
)
from builders.agents import AP1, AP2, AS1, BP1, CERES, agent, agents_truth, shuttler, yacht
from builders.matches import Course
from builders.truths import A, B, only, with_ship
from sunglare_protocol.geometry import Square, Vector
from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.notices import (
    AlertSeen,
    OwnDetected,
    OwnShaken,
    OwnStepFailed,
    OwnStranded,
    ShipAlertSeen,
)
from sunglare_protocol.orders import GoAboard, StepOut
from sunglare_protocol.views import AlertView
from sunglare_protocol.words.ladder import Fix, Phase
from sunglare_protocol.words.search import Cause, StepFault
from sunglare_server.match.events.agents import AgentStepped, FlagSet, StepFailed
from sunglare_server.match.resolve.agents_scene import scene_of
from sunglare_server.match.resolve.agents_steps import step
from sunglare_server.match.resolve.detection import closures, flights, trackings
from sunglare_server.match.truth.truth import Hunt, ShipTruth, Truth

P1, G1 = OwnId("P1"), OwnId("G1")
NOBODY = side_of()
PAIR = side_of(who("Fox", TOWN), who("Owl", MINES, detected=True))
"""Fox walks about, and Owl in the mines is detected."""


def test_an_agent_walks_two_environs_in_a_turn() -> None:
    course = match_of(side_of(who("Fox", TOWN)), NOBODY)
    plotted(course, "walk P1 2; walk P1 3")
    assert truth(course).agents[AP1].site == WILDS
    assert flagged(course) == []


def test_standing_with_troops_detects_and_leaving_them_does_not_undo_it() -> None:
    course = match_of(side_of(who("Fox"), ground=(troops("Guard"),)), NOBODY)
    plotted(course, "board P1 G1; leave P1")
    assert truth(course).agents[AP1].stacked is None
    assert flagged(course) == [AP1]
    assert OwnDetected(ship=P1, cause=Cause.TROOPS) in notices(course, "A")


def test_a_short_meeting_on_the_way_is_enough_to_be_detected() -> None:
    course = match_of(PAIR, NOBODY)
    plotted(course, "walk P1 2; walk P1 3")
    assert truth(course).agents[AP1].site == WILDS
    assert flagged(course) == [AP1, AP2]
    assert OwnDetected(ship=P1, cause=Cause.COMPANY) in notices(course, "A")


def test_whoever_meets_nobody_because_the_other_walks_first_stays_undetected() -> None:
    course = plotted(match_of(PAIR, NOBODY), "walk P2 3; walk P1 2")
    assert flagged(course) == [AP2]


def test_the_same_orders_the_other_way_round_meet() -> None:
    course = plotted(match_of(PAIR, NOBODY), "walk P1 2; walk P2 3")
    assert flagged(course) == [AP1, AP2]


def test_detection_does_not_spread_to_other_sides_or_environs() -> None:
    course = match_of(
        side_of(who("Fox", detected=True), who("Owl", MINES)), side_of(who("Rook", TOWN))
    )
    plotted(course)
    assert flagged(course) == [AP1]


def test_a_shuttle_lands_its_passenger_detected() -> None:
    course = match_of(side_of(who("Fox", "High"), ships=(high("High"),)), NOBODY)
    plotted(course, "leave P1 2")
    assert truth(course).agents[AP1].site == MINES
    assert OwnDetected(ship=P1, cause=Cause.SHUTTLE) in notices(course, "A")


def test_a_shuttle_takes_an_agent_aboard_without_a_cause() -> None:
    course = match_of(side_of(who("Fox", MINES), ships=(high("High"),)), NOBODY)
    plotted(course, "board P1 S1")
    assert truth(course).agents[AP1].aboard == "A/S1"
    assert flagged(course) == []


def test_landing_in_a_ship_of_ones_own_is_no_cause() -> None:
    course = match_of(side_of(who("Fox", "Low"), ships=(low("Low", Square(15, 10)),)), NOBODY)
    plotted(course, "land S1 Ceres 1; leave P1")
    assert truth(course).agents[AP1].site == TOWN
    assert flagged(course) == []


def test_a_detected_passenger_detects_the_ship_and_the_ship_its_crew() -> None:
    agents = (who("Fox", "Low"), who("Owl", TOWN, detected=True))
    course = match_of(side_of(*agents, ships=(low("Low", Square(15, 10)),)), NOBODY)
    plotted(course, "land S1 Ceres 1; board P2 S1")
    assert flagged(course) == [AP1, AP2, "A/S1"]


def test_troops_that_are_gone_leave_an_agent_alone() -> None:
    ships = (high("High", Square(15, 10)),)
    first = side_of(who("Fox", TOWN, stacked="Guard"), ships=ships, ground=(troops("Guard"),))
    course = plotted(match_of(first, NOBODY))
    assert truth(course).agents[AP1].stacked == "A/G1"
    assert flagged(course) == [AP1]
    assert not heard(course, "A", OwnStranded)


def test_in_turn_one_an_agent_is_stationed_in_a_stack_and_detected_there() -> None:
    course = match_of(side_of(who("Fox"), ground=(troops("Guard"),)), NOBODY)
    plotted(course, "station P1 Ceres 1 with G1")
    assert truth(course).agents[AP1].stacked == "A/G1"
    assert flagged(course) == [AP1]


def test_a_step_that_troops_no_longer_there_forbid_fails_and_its_owner_is_told() -> None:
    course = match_of(side_of(who("Fox", MINES), ground=(troops("Guard", TOWN),)), NOBODY)
    course.orders(A, GoAboard(ship=P1, into=G1))
    course.close()
    assert notices(course, "A")[-1] == OwnStepFailed(ship=P1, why=StepFault.NO_TROOPS)
    assert not events_of(course, AgentStepped)


def test_steps_are_taken_side_after_side_in_initiative_order() -> None:
    course = match_of(side_of(who("Fox")), side_of(who("Rook")))
    order = course.state.standing.initiative
    course.close_with(Phase.PLOT, {A: "walk P1 2", B: "walk P1 3"})
    assert [event.piece[0] for event in events_of(course, AgentStepped)] == list(order)


# Alerts.


def test_an_alert_names_a_side_and_a_place_for_the_others_and_nobody_else() -> None:
    first = side_of(who("Fox"), who("Owl"), ground=(troops("Guard"),))
    course = match_of(first, side_of(who("Rook", WILDS)))
    plotted(course, "board P1 G1")
    alert = AlertView(side=A, planet=CERES, environs=1)
    assert course.view("B").alerts == (alert,)
    assert course.view("public").alerts == (alert,)
    assert course.view("A").alerts == ()
    assert AlertSeen(side=A, planet=CERES, environs=1) in notices(course, "B")


def test_a_match_may_begin_with_an_alert() -> None:
    course = match_of(side_of(who("Fox", detected=True), who("Owl", MINES)), NOBODY)
    alert = AlertView(side=A, planet=CERES, environs=1)
    assert course.view("B").alerts == course.view("public").alerts == (alert,)
    assert course.view("A").alerts == ()


def test_with_three_sides_alerts_are_not_public() -> None:
    first = side_of(who("Fox"), ground=(troops("Guard"),))
    course = match_of(first, NOBODY, NOBODY)
    plotted(course, "board P1 G1")
    assert course.view("B").alerts == course.view("C").alerts != ()
    assert course.view("public").alerts == ()


def test_an_alert_follows_an_agent_and_stays_where_a_detected_friend_stays() -> None:
    course = match_of(side_of(who("Fox", detected=True), who("Owl", MINES)), NOBODY)
    plotted(course, "walk P1 2")
    assert [alert.environs for alert in course.view("B").alerts] == [2]
    plotted(course, "walk P1 3")
    assert [alert.environs for alert in course.view("B").alerts] == [2, 3]


def test_the_number_of_detected_agents_changes_nothing_for_the_others() -> None:
    few = match_of(side_of(who("Fox", detected=True)), NOBODY)
    many = match_of(side_of(who("Fox", detected=True), who("Owl", detected=True)), NOBODY)
    for course in (few, many):
        plotted(course)
    assert few.view("B") == many.view("B")
    assert notices(few, "B") == notices(many, "B")


def test_an_undetected_agent_on_his_way_tells_the_others_nothing() -> None:
    still = match_of(side_of(who("Fox")), NOBODY)
    moved = match_of(side_of(who("Fox")), NOBODY)
    plotted(still)
    plotted(moved, "walk P1 2")
    assert still.view("B") == moved.view("B")
    assert notices(still, "B") == notices(moved, "B")


# Tracking, and leaving for good.


def scanned(course: Course, side: Side = B) -> None:
    """Let a side scan the orbit with its first ship, and close its slot."""
    course.close_until(Phase.SCAN, side)
    course.orders(side, "scan S1 radar 3sq 15,9")
    course.close()


def orbiting() -> Course:
    """Return a match in which A's agent is aboard an agent spaceship, B near it."""
    first = side_of(who("Fox", "Low"), ships=(low("Low", Square(15, 8)),))
    return match_of(first, side_of(ships=(high("Watch", Square(17, 6)),)))


def test_a_tracked_agent_spaceship_in_orbit_is_detected_with_its_crew() -> None:
    course = orbiting()
    scanned(course)
    assert flagged(course) == [AP1, "A/S1"]
    causes = {event.piece: event.cause for event in events_of(course, FlagSet)}
    assert causes == {"A/S1": Cause.TRACKED, AP1: Cause.COMPANY}
    assert course.view("B").alerts == (AlertView(side=A, planet=CERES),)


def test_the_alert_near_a_ship_is_told_to_whoever_tracks_it_alone() -> None:
    course = orbiting()
    scanned(course)
    (held,) = [contact for contact in course.view("B").contacts if contact.handle]
    assert held.alert
    assert ShipAlertSeen(label=held.label) in notices(course, "B")


def veiled(ship: ShipTruth, fix: Fix | None) -> Truth:
    """Return a truth with a cloaked ship of A, Fox aboard, that B has found like this."""
    cloaked = replace(ship, cloaked=True, cloaks=1)
    found = agents_truth(agent(A, 1, AS1), ships=(cloaked,))
    hunts = {A: {}, B: {cloaked.quarry: Hunt(piece=AS1, fix=fix)}}
    return replace(found, hunts=hunts)


@pytest.mark.parametrize(
    ("fix", "detected"), [(Fix.SOLUTION, [AP1, AS1]), (Fix.DETECTED, []), (None, [])]
)
def test_a_solution_on_a_cloaked_agent_spaceship_detects_it(
    fix: Fix | None, detected: list[str]
) -> None:
    flags = only(trackings(veiled(yacht(A), fix)), FlagSet)
    assert sorted(flag.piece for flag in flags) == detected


def test_a_solution_in_open_space_is_no_cause() -> None:
    assert not list(trackings(veiled(yacht(A, at=AWAY), Fix.SOLUTION)))


def test_nobody_leaves_a_cloaked_ship() -> None:
    cloaked = veiled(shuttler(A), None)
    happened = list(step(cloaked, A, StepOut(ship=P1, environs=1)))
    assert happened == [StepFailed(piece=AP1, why=StepFault.CLOAKED)]


def test_a_detected_passenger_of_a_cloaked_ship_detects_it_all_the_same() -> None:
    hidden = veiled(yacht(A), None)
    fox = replace(hidden.agents[AP1], detected=True)
    told = closures(replace(hidden, agents={AP1: fox}))
    assert [event.piece for event in only(told, FlagSet)] == [AS1]


def test_a_tracked_starship_is_no_cause_whoever_is_aboard() -> None:
    first = side_of(who("Fox", "High"), ships=(high("High", Square(15, 8)),))
    course = match_of(first, side_of(ships=(high("Watch", Square(17, 6)),)))
    scanned(course)
    assert flagged(course) == []
    assert course.view("B").alerts == ()


def test_enemy_ships_in_the_same_orbit_box_notice_nothing_by_themselves() -> None:
    course = orbiting()
    course.close_until(Phase.PLOT)
    assert flagged(course) == []


@pytest.mark.parametrize(
    ("bound", "kept"),
    [("Vesta", []), ("off", []), ("none", [AP1, "A/S1"]), (CERES, [AP1, "A/S1"])],
    ids=["for another planet", "off the map", "without the order", "for the same planet"],
)
def test_leaving_the_well_clears_the_flags_only_for_good(bound: str, kept: list[str]) -> None:
    course = orbiting()
    scanned(course)
    plotted(course, f"stand S1 bound {bound}; thrust S1 N N N N")
    assert flagged(course) == kept
    cleared = OwnShaken(ship=P1, planet=CERES) in notices(course, "A")
    assert cleared is (kept == [])


def test_coming_back_brings_the_old_flags_again() -> None:
    out = replace(yacht(A, at=Square(15, 6)), shaken=CERES, bound_for="off")
    fox = replace(agent(A, 1, AS1), shaken=CERES)
    gone = agents_truth(fox, ships=(out,))

    after = with_ship(gone, AS1, square=Square(15, 8))
    flags = only(flights(scene_of(gone), after), FlagSet)
    causes = {flight.piece: flight.cause for flight in flags}
    assert causes == {AP1: Cause.RETURN, AS1: Cause.RETURN}


def test_those_left_behind_keep_their_flags() -> None:
    first = side_of(
        who("Fox", "Low"),
        who("Owl", "Other"),
        ships=(low("Low", Square(15, 8)), low("Other", Square(16, 8))),
    )
    course = match_of(first, side_of(ships=(high("Watch", Square(17, 6)),)))
    scanned(course)
    assert flagged(course) == [AP1, AP2, "A/S1", "A/S2"]
    plotted(course, "stand S1 bound off; thrust S1 N N N N")
    assert flagged(course) == [AP2, "A/S2"]


def test_a_destroyed_ship_takes_everybody_aboard_along() -> None:
    first = side_of(
        who("Fox", "Low"), ships=(low("Low", Square(15, 10), Vector(0, 1)), high("Far", AWAY))
    )
    course = match_of(first, side_of(who("Rook", WILDS)))
    plotted(course)
    assert not truth(course).agents[AP1].in_play
    assert truth(course).agents[BP1].in_play
