"""Points, objectives, sides that are out, and the result of a match."""

from string import Formatter

import pytest
from msgspec.structs import replace

from builders.agentmatches import high, match_of, side_of, who
from builders.data import CLASSES
from builders.ground import plain_agent, unit
from builders.learned import contact
from builders.matches import scenario_of
from builders.truths import (
    A1,
    B1,
    C1,
    CORVETTE,
    CRUISER,
    FRIGATE,
    A,
    B,
    C,
    D,
    applied,
    ship,
    truth_of,
)
from sunglare_protocol.geometry import Compass
from sunglare_protocol.ids import Side
from sunglare_protocol.messages import Ending
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_rules.turn.victory import AGENT_POINTS, OBJECTIVES
from sunglare_server.match.data.scenario import GroundEntry, Objective, ScenarioData, ShipClass
from sunglare_server.match.events.space import (
    Event,
    PointsScored,
    ShipDestroyed,
    ShipEscaped,
    ShooterExposed,
    SideWentOut,
)
from sunglare_server.match.resolve.scoring import (
    follows,
    result,
    sides_gone,
    survivors,
)
from sunglare_server.match.resolve.sharing import Engagement
from sunglare_server.match.truth.truth import Truth
from sunglare_server.match.turn.flow import Flow

SHIPS = (ship(A), ship(B), ship(C), ship(D))
TRUTH = truth_of(*SHIPS)


def data(**objectives: tuple[Objective, ...]) -> ScenarioData:
    wanted = {Side(side): some for side, some in objectives.items()}
    return scenario_of(*SHIPS, objectives=wanted).data


NONE = data()


def scored(
    event: Event, scenario: ScenarioData = NONE, truth: Truth = TRUTH
) -> list[PointsScored]:
    happened = follows(truth, scenario, event, Engagement(truth.sides, truth, ()))
    return [one for one in happened if isinstance(one, PointsScored)]


def points(
    event: Event, scenario: ScenarioData = NONE, truth: Truth = TRUTH
) -> list[tuple[Side, int]]:
    return [(score.side, score.points) for score in scored(event, scenario, truth)]


# Destroyed ships.


@pytest.mark.parametrize(
    ("name", "worth"),
    [("corvette", 2), ("frigate", 4), ("cruiser", 8), ("raider", 5), ("courier", 3), ("decoy", 0)],
)
def test_a_class_is_worth_what_the_rule_book_says(name: str, worth: int) -> None:
    truth = truth_of(ship(A, kind=CLASSES[name]), *SHIPS[1:])
    event = ShipDestroyed(piece=A1, cause="fire", killers=(B,))
    assert points(event, NONE, truth) == ([(B, worth)] if worth else [])


def test_every_side_whose_attack_did_it_scores() -> None:
    event = ShipDestroyed(piece=A1, cause="fire", killers=(B, D))
    assert points(event) == [(B, 2), (D, 2)]


def test_destroying_an_own_ship_scores_nothing_for_its_side() -> None:
    assert points(ShipDestroyed(piece=A1, cause="fire", killers=(A, B))) == [(B, 4)]


NO_FOE = [
    ShipDestroyed(piece=A1, cause="crash", killers=()),
    ShipDestroyed(piece=A1, cause="fire", killers=(A,)),
    ShipDestroyed(piece=A1, cause="nova", killers=(), unaware=(A,)),
    ShipEscaped(piece=A1, edge=Compass.N),
]


@pytest.mark.parametrize("event", NO_FOE, ids=["crash", "own fire", "own nova", "leaves"])
def test_what_no_enemy_destroyed_gives_all_its_points_to_each_other_side(event: Event) -> None:
    assert points(event) == [(B, 4), (C, 4), (D, 4)]
    # Nobody has to know of it before the end.
    assert not any(score.is_known or score.at_most for score in scored(event))


@pytest.mark.parametrize("event", NO_FOE, ids=["crash", "own fire", "own nova", "leaves"])
def test_all_aboard_give_their_points_with_their_ship(event: ShipDestroyed | ShipEscaped) -> None:
    truth = replace(
        TRUTH,
        ground={one.id: one for one in (unit(A, 1, A1), unit(A, 2, "B.S1"))},
        agents={one.id: one for one in (plain_agent(A, 1, A1), plain_agent(A, 2, "B.S1"))},
    )
    given = points(event, NONE, truth)
    won = {side: sum(each for other, each in given if other == side) for side in (A, B, C, D)}
    worth = 4 + 1 + AGENT_POINTS
    assert won == {A: 0, B: worth, C: worth, D: worth}


ABOARD = GroundEntry(name="Rifles", type="first-line-rifles", aboard="Mother")

ENDS = {
    "crash": ShipDestroyed(piece=A1, cause="crash", killers=()),
    "unaware": ShipDestroyed(piece=A1, cause="leech", killers=(), unaware=(B,)),
    "leaves": ShipEscaped(piece=A1, edge=Compass.N),
}


@pytest.mark.parametrize("event", ENDS.values(), ids=ENDS)
def test_in_a_match_all_aboard_are_counted_once_however_their_ship_ends(event: Event) -> None:
    course = match_of(
        side_of(who("Fox", "Mother"), ships=(high("Mother"),), ground=(ABOARD,)),
        side_of(who("Pell")),
    )
    flow = Flow(course.state)
    flow.run((event,))
    assert flow.truth.points == {A: 0, B: 4 + 1 + AGENT_POINTS}


def test_those_aboard_a_ship_that_sides_destroyed_unaware_are_shared_among_these() -> None:
    truth = replace(TRUTH, ground={one.id: one for one in (unit(A, 1, A1),)})
    event = ShipDestroyed(piece=A1, cause="leech", killers=(), unaware=(B,))
    assert points(event, NONE, truth) == [(B, 4), (B, 1)]


def test_a_side_that_leaves_free_gives_nothing_by_leaving_but_by_crashing() -> None:
    setup = replace(NONE.sides[A], leaves_free=True)
    free = replace(NONE, sides={**NONE.sides, A: setup})
    assert points(ShipEscaped(piece=A1, edge=Compass.N), free) == []
    assert points(ShipEscaped(piece=B1, edge=Compass.N), free) == [(A, 4), (C, 4), (D, 4)]
    assert len(points(ShipDestroyed(piece=A1, cause="crash", killers=()), free)) == 3


def test_destroy_points_follow_from_what_the_killer_was_told() -> None:
    event = ShipDestroyed(piece=A1, cause="fire", killers=(B,))
    assert [score.is_known for score in scored(event)] == [True]


# Objectives.


@pytest.mark.parametrize(
    ("kind", "worth"),
    [(CORVETTE, 4), (FRIGATE, 8), (CRUISER, 16)],
    ids=["corvette", "frigate", "cruiser"],
)
def test_an_escape_over_the_edge_named_is_worth_twice_the_points(
    kind: ShipClass, worth: int
) -> None:
    scenario = data(A=(Objective(kind=ObjectiveKind.ESCAPE, edge=Compass.S),))
    truth = truth_of(ship(A, kind=kind), *SHIPS[1:])
    assert points(ShipEscaped(piece=A1, edge=Compass.S), scenario, truth) == [(A, worth)]


def test_an_escape_over_another_edge_or_of_another_side_is_a_loss() -> None:
    scenario = data(A=(Objective(kind=ObjectiveKind.ESCAPE, edge=Compass.S),))
    over_another = points(ShipEscaped(piece=A1, edge=Compass.N), scenario)
    assert over_another == [(B, 4), (C, 4), (D, 4)]
    assert points(ShipEscaped(piece=B1, edge=Compass.S), scenario) == [(A, 4), (C, 4), (D, 4)]


WANTED = data(B=(Objective(kind=ObjectiveKind.IDENTIFY, piece="CanaryA1"),))


def test_identifying_the_piece_named_is_worth_3() -> None:
    assert points(ShooterExposed(piece=A1, witnesses=(B, C)), WANTED) == [(B, 3)]


def test_a_piece_is_identified_once() -> None:
    exposed = ShooterExposed(piece=A1, witnesses=(B,))
    assert points(exposed, WANTED, applied(TRUTH, [exposed])) == []


@pytest.mark.parametrize(
    "event",
    [
        ShooterExposed(piece=A1, witnesses=(C,)),
        ShooterExposed(piece=C1, witnesses=(B,)),
        contact(A1, B),
    ],
    ids=["seen by another", "another piece", "a contact"],
)
def test_nothing_else_counts_as_identifying_it(event: Event) -> None:
    assert points(event, WANTED) == []


SURVIVE = data(A=(Objective(kind=ObjectiveKind.SURVIVE, piece="CanaryA1"),))


@pytest.mark.parametrize(
    ("fate", "expected"),
    [(Fate.IN_PLAY, [(A, 3)]), (Fate.ESCAPED, [(A, 3)]), (Fate.DESTROYED, [])],
    ids=["in play", "escaped", "destroyed"],
)
def test_the_piece_named_to_survive_is_worth_3_at_the_end(
    fate: Fate, expected: list[object]
) -> None:
    truth = truth_of(replace(ship(A), fate=fate), *SHIPS[1:])
    found = list(survivors(truth, SURVIVE))
    assert [(event.side, event.points) for event in found] == expected
    # That it survives is not known before the end.
    assert not any(event.is_known for event in found)


def test_points_are_added_to_the_tally() -> None:
    scored = PointsScored(side=B, points=4, why="destroy", is_known=True)
    assert applied(TRUTH, [scored, scored]).points == {A: 0, B: 8, C: 0, D: 0}


# Sides that are out.


@pytest.mark.parametrize("fate", [Fate.DESTROYED, Fate.ESCAPED])
def test_a_side_without_pieces_in_play_is_out_and_announced_once(fate: Fate) -> None:
    truth = truth_of(replace(ship(A), fate=fate), *SHIPS[1:])
    gone = list(sides_gone(truth))
    assert gone == [SideWentOut(side=A)]
    after = applied(truth, gone)
    assert after.out == (A,)
    assert list(sides_gone(after)) == []


def test_a_side_with_one_ship_left_is_not_out() -> None:
    lost = replace(ship(A), fate=Fate.DESTROYED)
    assert list(sides_gone(truth_of(lost, ship(A, 2), *SHIPS[1:]))) == []


# The result.


def tally(**won: int) -> Truth:
    return replace(TRUTH, points={side: won.get(side, 0) for side in (A, B, C, D)})


@pytest.mark.parametrize(
    ("truth", "winner"),
    [
        (tally(A=4, B=8), B),
        (tally(A=8, B=8), None),
        (tally(), None),
        (tally(A=1), A),
        (tally(B=5, C=5, D=6), D),
    ],
    ids=["most points", "equal", "nobody scored", "one point", "four sides"],
)
@pytest.mark.parametrize("ending", [Ending.TURNS, Ending.LAST_SIDE])
def test_most_points_win_and_equal_is_a_draw(
    truth: Truth, winner: Side | None, ending: Ending
) -> None:
    found = result(truth, ending, (A, B, C, D))
    assert (found.winner, found.ending, found.points) == (winner, ending, truth.points)


def test_who_has_resigned_does_not_win() -> None:
    assert result(tally(A=9, B=1), Ending.RESIGNED, (B,)).winner == B


@pytest.mark.parametrize("ending", [Ending.DRAW, Ending.ADJOURNED])
def test_a_draw_and_an_adjourned_match_have_no_winner(ending: Ending) -> None:
    assert result(tally(A=9, B=1), ending, (A, B, C, D)).winner is None


@pytest.mark.parametrize("kind", list(ObjectiveKind), ids=lambda kind: kind.value)
def test_an_objective_says_the_points_and_whatever_it_must_name(kind: ObjectiveKind) -> None:
    terms = OBJECTIVES[kind]
    said = {field for _, field, _, _ in Formatter().parse(terms.sentence) if field}
    named = {"edge": terms.edge, "piece": terms.piece is not None, "at": terms.site}
    named["body"] = terms.asteroid
    assert said == {"points", *(word for word, is_named in named.items() if is_named)}
