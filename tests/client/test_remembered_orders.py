"""Orders that remember: policies, routes and orders again, as a player gives them."""

import pytest
from msgspec.structs import replace

from builders.fullscreens import full_screen_of
from builders.prompts import problem
from builders.terminals import BOARD, CONTACT, KITE, MOTH, S1, S2, TRACK, frame, view
from sunglare_client.command import Again, Give, HoldAll, Planned, Problem, ShowMap, Travel
from sunglare_client.link.resume_info import ResumeInfo
from sunglare_client.terminal.input.completion import complete
from sunglare_client.terminal.input.parser import parse
from sunglare_client.terminal.readying import doubts
from sunglare_client.terminal.routes import SET_UP
from sunglare_client.terminal.turn_session import TurnSession
from sunglare_client.terminal.wanting import NO_HOLDS, NONE_BEFORE
from sunglare_protocol.geometry import Square, Vector
from sunglare_protocol.orders import Fire, Hold, Land, Order, Scan, Sensors, Thrust, Turn
from sunglare_protocol.views import CloakRules, HabitView, OwnView, View
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.pieces import Arc
from sunglare_protocol.words.scans import ScanSize, ScanType
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.odds.after import after
from sunglare_rules.advice.plans.policy import Policy
from sunglare_rules.advice.plans.routes import Waypoint, is_there

IN = tuple(replace(ship, popped_out=False) for ship in (KITE, MOTH))
OUT = tuple(Sensors(ship=ship.id, out=True) for ship in IN)


def at_turn(seen: View, turn: int, phase: Phase | None = None) -> View:
    """Return a view of another turn, perhaps of another window."""
    window = seen.stage.phase if phase is None else phase
    name = f"{turn}.{window.value}"
    return replace(seen, stage=replace(seen.stage, turn=turn, phase=window, window=name))


def desk_at(seen: View) -> TurnSession:
    """Return a desk at the window of a view."""
    return TurnSession(frame(1, seen), seen)


def told(session: TurnSession, *lines: str) -> str:
    """Type lines at a desk, and return what was said."""
    said: list[str] = []
    for line in lines:
        command = parse(line, session.view, session.given)
        if line == "undo":
            said += session.undo()
            continue
        assert isinstance(command, Planned), (line, command)
        said += session.order(command)
        assert check(session.view, session.plan) is None
    return "\n".join(said)


def planned(session: TurnSession) -> tuple[Order, ...]:
    """Return the plan of a desk as it is now."""
    return session.plan


def opened(session: TurnSession, seen: View) -> None:
    """Open the next window of a match at a desk."""
    session.open(frame(session.view.stage.turn * 10, seen), seen)
    assert check(session.view, session.plan) is None


# Sensors at set-up.


def set_up(*own: OwnView) -> View:
    """Return the view of a set-up."""
    return at_turn(replace(view(own=own or IN), zone=("B6", "G7")), 1)


def test_a_set_up_begins_with_the_sensors_out_and_says_so() -> None:
    session = desk_at(set_up())
    assert planned(session) == OUT
    assert session.unsent
    said = session.begun_lines()
    assert said[:3] == ["orders given:", "  sensors S1 out", "  sensors S2 out"]
    assert said[-1] == SET_UP


def test_who_says_otherwise_is_obeyed() -> None:
    session = desk_at(set_up())
    told(session, "sensors S1 in", "clear S2")
    assert planned(session) == (Sensors(ship=S1, out=False),)
    told(session, "undo")
    assert planned(session) == (Sensors(ship=S1, out=False), OUT[1])
    told(session, "power S2 off")
    assert OUT[1] not in session.plan


def test_a_ship_that_is_told_to_cloak_keeps_its_sensors_folded() -> None:
    session = desk_at(set_up(replace(IN[0], cloak=True)))
    told(session, "cloak S1 on")
    assert planned(session) == session.given
    told(session, "cloak S1 off")
    assert OUT[0] in session.plan


def test_after_the_set_up_nothing_goes_out_by_itself() -> None:
    assert desk_at(at_turn(set_up(), 2)).plan == ()
    assert not desk_at(at_turn(set_up(), 2)).unsent
    assert TurnSession(frame(1, set_up()), set_up(), Policy(sensors=False)).plan == ()


@pytest.mark.parametrize("kept", [(), OUT[:1], OUT, (Turn(ship=S1, steps=1), *OUT)])
def test_a_terminal_that_comes_back_goes_on_with_what_the_server_holds(
    kept: tuple[Order, ...],
) -> None:
    session = desk_at(set_up())
    session.take_over(ResumeInfo(kept, locked=False))
    assert planned(session) == kept
    told(session, "turn S2 +1")
    assert set(session.plan) == {*kept, Turn(ship=S2, steps=1)}


def test_to_be_ready_with_the_sensors_of_the_set_up_alone_is_asked_about() -> None:
    session = desk_at(replace(set_up(), zone=()))
    assert planned(session) == OUT
    assert doubts(session)
    told(session, "sensors S1 out")
    assert not doubts(session)


async def test_sensors_that_go_out_by_themselves_leave_a_ship_idle_to_the_keys() -> None:
    seen = set_up()
    async with full_screen_of((frame(1, seen),), awaits=(seen.stage.window,)) as shown:
        await shown.press("f1", "d")
        assert shown.board.pointer is not None
        first = shown.board.pointer.own
        await shown.press("d")
        assert shown.board.pointer.own != first


# Weapons that are held.

ENGAGE = replace(view(Phase.ENGAGE), cloak_rules=CloakRules(cloaks=True))
HELD = (Hold(ship=S1, weapon="B1"), Hold(ship=S1, weapon="P1"))


def test_hold_all_holds_what_is_free_in_every_engage_until_hold_off() -> None:
    session = desk_at(ENGAGE)
    told(session, "hold all")
    assert planned(session) == HELD
    assert "  hold S1.B1" in session.plan_lines()
    assert any("from now on" in line for line in session.plan_lines())
    opened(session, at_turn(ENGAGE, 5, Phase.PLOT))
    assert planned(session) == ()
    opened(session, at_turn(ENGAGE, 5))
    assert planned(session) == HELD
    assert session.unsent
    told(session, "hold off")
    assert planned(session) == ()
    opened(session, at_turn(ENGAGE, 6))
    assert planned(session) == ()


def test_a_shot_takes_the_place_of_a_hold_and_clear_leaves_a_ship_without() -> None:
    session = desk_at(ENGAGE)
    told(session, "hold all", "fire S1.B1 C3")
    assert [type(order) for order in session.plan] == [Fire, Hold]
    told(session, "clear S1")
    assert planned(session) == ()
    told(session, "undo", "undo")
    assert planned(session) == HELD
    opened(session, at_turn(ENGAGE, 5))
    assert planned(session) == HELD


def test_a_match_without_cloaks_says_that_nothing_is_held() -> None:
    session = desk_at(view(Phase.ENGAGE))
    assert told(session, "hold all") == NO_HOLDS
    assert planned(session) == ()
    assert not session.intent.policy.holds


# Fire all, scan again, as before.


def test_fire_all_gives_ordinary_shots() -> None:
    shots = told_orders("fire all", view(Phase.ENGAGE))
    assert {type(order) for order in shots} == {Fire}
    assert {shot.at for shot in shots if isinstance(shot, Fire)} <= {TRACK.handle, CONTACT.handle}
    first = shots[:1]
    assert told_orders("fire all", view(Phase.ENGAGE), first) == shots[1:]


def told_orders(line: str, seen: View, plan: tuple[Order, ...] = ()) -> tuple[Order, ...]:
    """Return the orders that a line gives."""
    command = parse(line, seen, plan)
    assert isinstance(command, Give), command
    return command.orders


def test_fire_all_says_where_nothing_bears() -> None:
    blind = replace(view(Phase.ENGAGE), contacts=())
    found = parse("fire all", blind)
    assert isinstance(found, Problem)
    assert "bears" in found.wrong


HABIT = HabitView(
    turn=3, square=KITE.square, type=ScanType.MASS, size=ScanSize.SQUARE, at=KITE.square
)
SAME = Scan(ship=S1, type=ScanType.MASS, size=ScanSize.SQUARE, at=KITE.square, sense=True)


def test_scan_again_makes_the_scans_of_last_turn_and_names_those_it_cannot() -> None:
    ships = (replace(KITE, habit=HABIT), replace(MOTH, habit=replace(HABIT, at=Square(1, 1))))
    seen = view(Phase.SCAN, slot="A", own=ships)
    command = parse("scan again", seen)
    assert isinstance(command, Give)
    assert command.orders == (SAME,)
    assert "scan S2 mass 1sq 1,1" in command.remark
    alone = parse("scan again", view(Phase.SCAN, slot="A", own=ships[1:]))
    assert isinstance(alone, Problem)
    assert "scan S2 mass 1sq 1,1" in alone.wrong
    none = problem("scan again", Phase.SCAN)
    assert "no ship of yours scanned last turn" in none.wrong


def test_as_before_gives_the_orders_of_last_turn_as_far_as_they_can_stand() -> None:
    session = desk_at(view())
    told(session, "turn S1 +1", "turn S2 -1", "rotate S1 T1 left")
    before = session.plan
    opened(session, at_turn(view(), 4, Phase.ENGAGE))
    assert told(session, "as before") == NONE_BEFORE
    turrets = tuple(replace(turret, arcs=(Arc.LEFT,)) for turret in KITE.turrets)
    opened(session, at_turn(view(own=(replace(KITE, turrets=turrets), MOTH)), 5))
    said = told(session, "as before")
    assert planned(session) == before[:2]
    assert "not again: rotate S1 T1 left" in said
    told(session, "undo")
    assert planned(session) == ()


def test_only_the_turn_before_counts() -> None:
    session = desk_at(view())
    told(session, "turn S1 +1")
    opened(session, at_turn(view(), 6))
    assert told(session, "as before") == NONE_BEFORE


@pytest.mark.parametrize(
    ("line", "phase", "words"),
    [
        ("hold ", Phase.ENGAGE, {"all", "off", "S1.B1"}),
        ("fire ", Phase.ENGAGE, {"all", "S1.B1"}),
        ("scan ", Phase.SCAN, {"again", "S1"}),
        ("as ", Phase.PLOT, {"before"}),
    ],
)
def test_the_words_of_orders_that_remember_are_completed(
    line: str, phase: Phase, words: set[str]
) -> None:
    seen = replace(view(phase, slot="A"), cloak_rules=CloakRules(cloaks=True))
    assert words <= set(complete(line, seen))


# Routes.

FLYING = view(own=(replace(KITE, square=Square(10, 30), vector=Vector(0, 0)), MOTH))


def next_plot(session: TurnSession) -> View:
    """Return the view of the next PLOT as the plan of a desk leads to it."""
    return at_turn(after(session.view, session.plan), session.view.stage.turn + 1, Phase.PLOT)


def test_go_with_a_ship_and_a_place_sends_it_there_and_go_alone_shows_it() -> None:
    assert parse("go S1", FLYING) == ShowMap(Square(10, 30))
    assert parse("go 11,11", FLYING) == ShowMap(Square(11, 11))
    assert parse("go S1 11,11 stop", FLYING) == Travel(S1, Waypoint(Square(11, 11), stop=True))
    assert parse("go S1 C3", FLYING) == Travel(S1, Waypoint(TRACK.square))
    assert parse("hold all", FLYING) == HoldAll(on=True)
    assert parse("as before", FLYING) == Again()


def flown(session: TurnSession, line: str) -> int:
    """Send a ship on its way, and fly until it is there; return in how many turns."""
    first, *legs = told(session, line).splitlines()
    assert first.startswith("ok: S1 ")
    turns = int(first.split(": ")[2].split()[0])
    assert len(legs) == turns
    assert all("thrust" in leg for leg in legs)
    for left in range(turns, 0, -1):
        assert f"{left} turn" in session.plan_lines()[-1]
        opened(session, next_plot(session))
    assert "it is there" in session.begun_lines()[0]
    assert session.intent.policy.routes == ()
    return turns


def test_a_ship_on_a_route_gets_its_orders_turn_by_turn_until_it_is_there() -> None:
    session = desk_at(FLYING)
    assert flown(session, "go S1 20,20 stop") > 2
    kite = session.view.own[0]
    assert (kite.square, kite.vector) == (Square(20, 20), Vector(0, 0))


@pytest.mark.parametrize(
    ("line", "goal"),
    [
        ("land S1 Ceres 1", Land(ship=S1, body="Ceres", environs=1)),
        ("land S1 OldRock", Land(ship=S1, body="Old Rock", sector=KITE.facing)),
    ],
)
def test_a_landing_from_afar_is_one_plan_of_as_many_turns_as_it_says(
    line: str, goal: Land
) -> None:
    session = desk_at(FLYING)
    assert flown(session, line) > 2
    assert is_there(BOARD, session.view.own[0], goal)


def test_a_landing_that_is_possible_at_once_is_an_order_as_ever() -> None:
    session = desk_at(view(own=(KITE, MOTH)))
    told(session, "land S2 OldRock sw")
    assert [type(order) for order in session.given] == [Land]
    assert session.intent.policy.routes == ()


@pytest.mark.parametrize(
    "line", ["burn S1 +0,-1", "turn S1 +1", "drift S1", "clear S1", "land S1 Ceres 2"]
)
def test_an_order_for_its_flight_ends_a_route(line: str) -> None:
    session = desk_at(FLYING)
    told(session, "go S1 20,20 stop")
    assert session.plan
    before = session.intent
    said = told(session, line)
    assert ("S1 goes to 20,20 and stops there: given up" in said) is ("land" not in line)
    goals = [route.goal for route in session.intent.policy.routes]
    assert Waypoint(Square(20, 20), stop=True) not in goals
    told(session, "undo")
    assert session.intent == before


def test_a_route_takes_the_place_of_what_the_ship_was_told_of_its_flight() -> None:
    session = desk_at(FLYING)
    told(session, "turn S1 +2", "sensors S1 in", "go S1 20,20 stop")
    assert session.given == (Sensors(ship=S1, out=False),)
    (route,) = session.intent.policy.routes
    assert set(route.legs[0].orders) <= set(session.plan)


def test_another_order_stands_beside_a_route_and_what_hinders_it_is_said() -> None:
    session = desk_at(FLYING)
    told(session, "go S1 20,20 stop", "sensors S1 in")
    assert any(isinstance(order, Thrust) for order in session.plan)
    told(session, "power S1 off")
    assert not any(isinstance(order, Thrust) for order in session.plan)
    assert any(
        "not in this window: The ship's power is off" in row for row in session.plan_lines()
    )


def test_what_cannot_be_reached_is_refused_and_nothing_changes() -> None:
    session = desk_at(FLYING)
    assert "order/place" in told(session, "go S1 15,12")
    assert "order/window" in told(desk_at(at_turn(FLYING, 4, Phase.DETECT)), "go S1 20,20")
    assert "there already" in told(desk_at(FLYING), "go S1 10,30 stop")
    assert planned(session) == ()


def test_a_route_of_a_ship_that_is_lost_ends_with_a_word() -> None:
    session = desk_at(FLYING)
    told(session, "go S1 20,20 stop")
    opened(session, at_turn(replace(FLYING, own=(MOTH,)), 5))
    assert "no longer" in session.begun_lines()[0]
    assert session.intent.policy.routes == ()


def test_what_a_route_would_cost_is_told_before_it_is_given() -> None:
    session = desk_at(FLYING)
    rows = session.tried("go S1 20,20 stop")
    assert rows[0].startswith("S1 goes to 20,20")
    assert planned(session) == ()
    assert session.tried("land S1 Ceres 1")[0].startswith("S1 lands on Ceres 1")
