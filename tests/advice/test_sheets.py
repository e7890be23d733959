"""Sheets: each entry is what `check` and the single questions say, and nothing is missing."""

from random import Random

import pytest
from hypothesis import given
from msgspec.structs import replace

from builders.advice import refusal
from builders.orders import read, read_on
from builders.randomplayer import random_orders
from builders.sheets import PLAYED, cells_in, offered, played_views, scans_in
from builders.views import S2, own_ship, view, views
from sunglare_protocol.geometry import Square, Vector
from sunglare_protocol.ids import OwnId
from sunglare_protocol.messages.answers import (
    AgentPreview,
    AnswerBody,
    BombardOdds,
    MissionOdds,
    ScanPreview,
    Sheet,
    ShotOdds,
)
from sunglare_protocol.messages.commands import Question
from sunglare_protocol.messages.sheets import ScanPlace, ScanStrength
from sunglare_protocol.orders import Bombard, Deploy, Fire, Launch, Listen, Order, Scan, Sweep
from sunglare_protocol.orders.agents import Search
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.views import HabitView, View, WeaponView
from sunglare_protocol.words.armament import Launchable, WeaponKind
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.scans import Answers, ScanSize, ScanType
from sunglare_rules.advice.answer import answer
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.legal.legal import bombardments, legal, scans, shots
from sunglare_rules.advice.legal.plans import courses
from sunglare_rules.advice.odds.hearing import heard_odds
from sunglare_rules.advice.seen.emissions import signatures_after
from sunglare_rules.advice.seen.lookup import own_ids, ships_in_play
from sunglare_rules.advice.seen.plotting import after_plot
from sunglare_rules.advice.sheets.cost import SHEET_POINTS, question_cost
from sunglare_rules.advice.sheets.sheet import sheet
from sunglare_rules.turn.movement import thrust_used


def sheets(seen: View, plan: tuple[Order, ...] = ()) -> list[Sheet]:
    """Return the sheets of all own pieces; none may be refused."""
    found = [answer(seen, Question.SHEET, own, plan) for own in own_ids(seen)]
    told = [one for one in found if isinstance(one, Sheet)]
    assert len(told) == len(found)
    return told


def asked(seen: View, kind: Question, about: Order) -> AnswerBody:
    """Return the answer to a single question, which may not be refused."""
    found = answer(seen, kind, about)
    assert not isinstance(found, Rejected), (about, found)
    return found


# Every entry is allowed, and none is missing.


def judge_allowed(seen: View, plan: tuple[Order, ...] = ()) -> None:
    """Fail if an entry of a sheet is not allowed beside what it does not replace of the plan."""
    for told in sheets(seen, plan):
        for orders, kept in offered(seen, told, plan):
            assert check(seen, (*kept, *orders)) is None, orders


def judge_complete(seen: View) -> None:
    """Fail if a legal order of a piece is on no list of its sheet."""
    for told in sheets(seen):
        listed = [order for orders, _ in offered(seen, told) for order in orders]
        kinds = {type(order) for order in listed}
        for order in legal(seen, told.piece):
            if isinstance(order, Fire):
                assert order in listed
            assert type(order) in kinds, order


@given(views())
def test_every_entry_is_an_order_that_the_window_takes(seen: View) -> None:
    judge_allowed(seen)
    judge_complete(seen)


@pytest.mark.parametrize("name", PLAYED)
def test_so_is_every_entry_in_matches_with_ground_units_agents_and_cloaks(name: str) -> None:
    rng = Random(name)
    for seen in played_views(name):
        judge_allowed(seen)
        judge_complete(seen)
        judge_allowed(seen, random_orders(rng, seen))


@given(views())
def test_the_legal_orders_of_a_piece_are_those_of_all_that_are_for_it(seen: View) -> None:
    judge_legal(seen)


@pytest.mark.parametrize("name", PLAYED)
def test_so_are_those_of_units_and_agents(name: str) -> None:
    for seen in played_views(name):
        judge_legal(seen)


def judge_legal(seen: View) -> None:
    """Fail if the legal orders of a piece differ from those of all pieces."""
    every = legal(seen)
    for own in own_ids(seen):
        piece = OwnId(own)
        assert legal(seen, piece) == tuple(order for order in every if order.ship == piece)


# Movement.


@given(views((Phase.PLOT,)))
def test_each_end_of_a_course_is_listed_once_with_what_the_ship_gives_off_there(
    seen: View,
) -> None:
    for ship in ships_in_play(seen):
        told = sheet(seen, ship.id)
        assert isinstance(told, Sheet)
        flown = {(end.to, end.facing): end for end in told.courses}
        assert len(flown) == len(told.courses)
        every = list(courses(seen, ship))
        assert {(one.flight.square, one.flight.facing) for one in every} == set(flown)
        for end in told.courses:
            flight = after_plot(seen, ship, end.orders)
            assert (flight.square, flight.facing) == (end.to, end.facing)
            assert end.signatures == signatures_after(seen, ship, end.orders)


def test_the_least_thrust_that_leads_to_an_end_is_the_one_listed() -> None:
    seen = view(Phase.PLOT, own_ship(thrust=4))
    ship = seen.own[0]
    told = sheet(seen, ship.id)
    assert isinstance(told, Sheet)
    least: dict[object, int] = {}
    for course in courses(seen, ship):
        points = sum(len(getattr(order, "to", ())) for order in course.orders)
        steps = sum(getattr(order, "steps", 0) for order in course.orders)
        end = (course.flight.square, course.flight.facing)
        least[end] = min(thrust_used(points, steps), least.get(end, 99))
    assert {(end.to, end.facing): end.thrust for end in told.courses} == least


def test_courses_begin_where_the_orders_deploy_the_ship() -> None:
    ship = own_ship()
    seen = view(Phase.PLOT, ship, turn=1, zone=("A6", "B6"))
    deploy = Deploy(ship=ship.id, at=Square(2, 27))
    plan = (deploy,)
    told = sheet(seen, ship.id, plan)
    assert isinstance(told, Sheet)
    for end in told.courses:
        assert after_plot(seen, ship, (*plan, *end.orders)).square == end.to
    assert told.courses[0].to == deploy.at.moved(deploy.vector)


def test_a_cloaked_ship_is_told_how_well_each_course_is_heard() -> None:
    found = 0
    for seen in played_views("stalk-3"):
        for ship in ships_in_play(seen) if seen.stage.phase is Phase.PLOT else ():
            told = sheet(seen, ship.id)
            assert isinstance(told, Sheet)
            kept = [end for end in told.courses if end.fate is Fate.IN_PLAY]
            assert bool(told.heard) == any(
                heard_odds(seen, ship, end.orders) is not None for end in kept
            )
            for end in kept if told.heard else ():
                odds = heard_odds(seen, ship, end.orders)
                assert odds is not None
                assert told.heard[end.thrust] == odds.hundredths[odds.used]
                found += 1
    assert found


# Scans and detection.


def strength_of(told: Sheet, scan: Scan) -> ScanStrength:
    """Return the entry that holds for a scan: that of its place, else that of all others."""
    of_kind = [one for one in told.scans if (one.type, one.size) == (scan.type, scan.size)]
    named = [one for one in of_kind if one.at == scan.at]
    return (named or [one for one in of_kind if one.at is None])[0]


def preview_in(told: Sheet, scan: Scan) -> ScanPreview:
    """Return what a sheet says of a scan, in the words of the single question."""
    places: list[ScanPlace] = [
        place for place in told.places if (place.size, place.at) == (scan.size, scan.at)
    ]
    (place,), one = places, strength_of(told, scan)
    return ScanPreview(
        ship=told.piece,
        strength=one.strength,
        effective=one.effective_in_glare if place.glare else one.effective,
        finds_from=one.finds_from_in_glare if place.glare else one.finds_from,
        answers=Answers(
            glare=place.glare,
            from_well=place.from_well,
            touches_well=place.touches_well,
            blocked=place.blocked,
        ),
        candidates=place.candidates,
    )


def judge_scans(seen: View) -> None:
    """Fail if a sheet offers other scans than may be made, or says else of one than `preview`."""
    for ship in ships_in_play(seen):
        told = sheet(seen, ship.id)
        assert isinstance(told, Sheet)
        allowed = list(scans(seen, ship))
        assert sorted(map(repr, scans_in(told))) == sorted(map(repr, allowed))
        for scan in Random(0).sample(allowed, min(len(allowed), 60)):
            assert preview_in(told, scan) == asked(seen, Question.PREVIEW, scan)


@given(views((Phase.SCAN,)))
def test_all_places_of_all_types_and_sizes_are_listed_with_their_previews(seen: View) -> None:
    judge_scans(seen)


@pytest.mark.parametrize("name", PLAYED)
def test_so_are_those_of_ships_that_have_scanned_before(name: str) -> None:
    for seen in played_views(name):
        if seen.stage.phase is Phase.SCAN:
            judge_scans(seen)


def test_scans_by_radar_alone_are_listed_as_giving_the_ship_away() -> None:
    told = sheet(view(Phase.SCAN, own_ship(sensors=dict.fromkeys(ScanType, 2)), slot="A"), "S1")
    assert isinstance(told, Sheet)
    assert {one.type: one.gives_away for one in told.scans} == {
        kind: kind is ScanType.RADAR for kind in ScanType
    }


def test_a_vector_goes_as_far_from_where_a_ship_is_deployed_as_the_set_up_allows() -> None:
    seen = view(Phase.PLOT, own_ship(), turn=1, zone=("A1",))
    told = sheet(seen, "S1")
    assert isinstance(told, Sheet)
    most = told.deploy_speed
    assert most > 0
    for speed in range(-most - 1, most + 2):
        order = Deploy(ship=OwnId("S1"), at=Square(2, 2), vector=Vector(speed, -speed))
        assert (check(seen, (order,)) is None) == (abs(speed) <= most)
    later = sheet(view(Phase.PLOT, own_ship(), turn=2), "S1")
    assert isinstance(later, Sheet)
    assert later.deploy_speed == 0


def test_every_square_to_which_missiles_may_be_sent_is_listed_and_no_other() -> None:
    rack = WeaponView(id="M1", kind=WeaponKind.SALVO)
    seen = view(Phase.PLOT, own_ship(weapons=(rack,)))
    plan = read_on(seen, "thrust S1 N")
    told = sheet(seen, "S1", plan)
    assert isinstance(told, Sheet)
    launch = Launch(ship=OwnId("S1"), what=Launchable.MISSILES, weapon="M1")
    taken = [
        at
        for at in seen.board.area.squares()
        if check(seen, (*plan, replace(launch, at=at))) is None
    ]
    assert told.aims == tuple(taken) != ()
    unarmed = sheet(view(Phase.PLOT, own_ship(weapons=())), "S1")
    assert isinstance(unarmed, Sheet)
    assert unarmed.aims == ()


def test_a_scan_that_repeats_the_last_is_listed_with_its_own_strength() -> None:
    here = own_ship().square
    habit = HabitView(
        turn=2, square=here, type=ScanType.VISUAL, size=ScanSize.BOX, at=Square(17, 17), streak=1
    )
    seen = view(Phase.SCAN, own_ship(habit=habit), turn=3, slot="A")
    told = sheet(seen, seen.own[0].id)
    assert isinstance(told, Sheet)
    boxes = [one for one in told.scans if (one.type, one.size) == (habit.type, habit.size)]
    assert [one.at for one in boxes] == [None, "D4"]
    assert boxes[1].strength == boxes[0].strength + 2
    judge_scans(seen)


@given(views((Phase.DETECT,)))
def test_what_listening_and_sweeps_may_hear_is_what_the_odds_say(seen: View) -> None:
    judge_odds(seen)


# Fire, the ground and agents.


@given(views((Phase.ENGAGE,)))
def test_all_shots_are_listed_with_their_odds(seen: View) -> None:
    judge_odds(seen)


@pytest.mark.parametrize("name", PLAYED)
def test_every_figure_is_that_of_the_single_question(name: str) -> None:
    for seen in played_views(name):
        judge_odds(seen)


def judge_odds(seen: View) -> None:
    """Fail if a figure of a sheet differs from the answer to the question about its order."""
    told = sheets(seen)
    judge_shots(seen, told)
    for one in told:
        for part, order in (
            (one.listen, Listen(ship=one.piece)),
            (one.sweep, Sweep(ship=one.piece)),
            (one.search, Search(ship=one.piece)),
        ):
            assert part is None or part == asked(seen, Question.ODDS, order)
        for odds in one.attacks:
            attack = Fire(ship=one.piece, weapon=odds.weapon, at=odds.at)
            assert odds == asked(seen, Question.ODDS, attack)
        judge_points(seen, one)
        for step in one.steps:
            preview = asked(seen, Question.PREVIEW, step.order)
            expected = AgentPreview(ship=one.piece, detected=step.detected, anew=step.anew)
            assert preview == expected
        for mission in one.missions:
            chance = asked(seen, Question.ODDS, mission.order)
            assert isinstance(chance, MissionOdds)
            assert chance.hundredths == mission.hundredths


def judge_shots(seen: View, told: list[Sheet]) -> None:
    """Fail if the shots of the ships are not all that are legal, with their odds."""
    own = [ship.id for ship in ships_in_play(seen)]
    legal_ones = [order for order in shots(seen) if order.ship in own]
    listed = [
        (Fire(ship=one.piece, weapon=shot.weapon, at=shot.at), shot)
        for one in told
        for shot in one.shots
    ]
    if seen.stage.phase is Phase.ENGAGE:
        assert [order for order, _ in listed] == legal_ones
    for order, shot in listed:
        odds = asked(seen, Question.ODDS, order)
        assert isinstance(odds, ShotOdds)
        assert (odds.band, odds.relation) == (shot.band, shot.relation)
        assert odds.mean_hundredths == shot.mean_hundredths


def judge_points(seen: View, told: Sheet) -> None:
    """Fail if fire at points is not all that is legal, or has other figures."""
    reached = {(reach.weapon, reach.at) for reach in told.bombards}
    expected = {
        (order.weapon, order.at) for order in bombardments(seen) if order.ship == told.piece
    }
    assert reached == expected
    for reach in told.bombards:
        for cell in cells_in(seen, reach):
            order = Bombard(ship=told.piece, weapon=reach.weapon, at=reach.at, cell=cell)
            odds = asked(seen, Question.ODDS, order)
            assert isinstance(odds, BombardOdds)
            assert (odds.needed, odds.hundredths) == (reach.needed, reach.hundredths)
            assert (odds.guided_hundredths, odds.damage) == (
                reach.guided_hundredths,
                reach.damage,
            )
            assert odds.lands == reach.lands


# What is no sheet.


def test_a_sheet_is_of_an_own_piece_and_of_nothing_else() -> None:
    seen = view(Phase.PLOT, own_ship(), own_ship(id=S2))
    for about in (None, "zzzzzz", *read("turn S1 +1")):
        found = answer(seen, Question.SHEET, about)
        assert isinstance(found, Rejected)
        assert (refusal(found), found.choices) == ("ask/about $.about", ("S1", "S2"))


def test_a_sheet_is_refused_where_its_orders_are() -> None:
    seen = view(Phase.PLOT, own_ship())
    twice = read("turn S1 +1; turn S1 +1")
    assert answer(seen, Question.SHEET, "S1", twice) == check(seen, twice)


@pytest.mark.parametrize("name", ["siege", "garrison"])
def test_a_sheet_of_a_match_that_is_over_offers_nothing(name: str) -> None:
    seen = played_views(name, 1)[0]
    ended = replace(seen, stage=replace(seen.stage, phase=Phase.OVER))
    for own in own_ids(ended):
        assert sheet(ended, own) == Sheet(piece=OwnId(own))
    # Nothing is tried for those of ships and units.
    for own in (*[ship.id for ship in ended.own], *[unit.id for unit in ended.ground]):
        assert question_cost(ended, Question.SHEET, own, ()) == SHEET_POINTS
