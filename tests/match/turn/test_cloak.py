"""Cloaks in whole turns: what a cloaked ship may do, how it is shot at, and how it answers."""

import pytest
from msgspec.structs import replace

from builders.cloak import TOUGH, fired, found_at, missed_fight, raider, swept_fight
from builders.hunts import RAIDER, hider
from builders.orders import Written
from builders.ordnance import S1, Battle
from builders.truths import A1, B1, A, B, only, seed_of, ship
from sunglare_protocol.geometry import Board, Compass, Planet, PlanetSize, Square, Vector
from sunglare_protocol.ids import audience_of
from sunglare_protocol.orders import Cloak, Fire, Hold, Land
from sunglare_protocol.refusals import Code
from sunglare_protocol.words.armament import SystemAim, WeaponKind
from sunglare_protocol.words.ladder import Fix, Phase
from sunglare_protocol.words.pieces import Arc
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.legal.legal import legal, shots
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.data.scenario import Weapon
from sunglare_server.match.events.cloak import CloakedFired, CloakSwitched, UncloakingSeen
from sunglare_server.match.events.space import ShipDestroyed, ShipExamined, ShotFired, SystemLost
from sunglare_server.match.own.ships import own_pieces
from sunglare_server.match.truth.truth import ShipTruth

JAM = MatchOptions(clock="test", cloak_variant="jam")


# Switching.


def test_a_cloak_is_in_force_from_the_start_of_the_movement() -> None:
    fight = Battle(raider((10, 20), cloaked=False), ship(B, at=(12, 20)))
    events = fight.plot({A: "cloak S1 on; thrust S1 N"})
    assert only(events, CloakSwitched) == [CloakSwitched(piece=A1, on=True)]
    own = fight.own(A, S1)
    assert (own.cloaked, own.square) == (True, Square(10, 19))


def test_no_scan_examines_or_finds_a_cloaked_ship() -> None:
    fight = Battle(raider((10, 20)), replace(ship(B, at=(12, 20)), popped_out=True))
    fight.plot()
    events = fight.scan(B)
    assert only(events, ShipExamined) == []
    assert fight.view(B).contacts == ()


def test_uncloaking_within_36_mu_is_a_contact_at_the_end_of_the_movement() -> None:
    fight = Battle(replace(raider((10, 20)), vector=Vector(0, -2)), ship(B, at=(12, 20)))
    events = fight.plot({A: "cloak S1 off"})
    assert only(events, UncloakingSeen) == [UncloakingSeen(piece=A1, side=B)]
    [contact] = fight.view(B).contacts
    assert (contact.square, contact.signatures) == (Square(10, 18), ("uncloaking",))
    assert fight.own(A, S1).exposed == ()


def test_a_cloak_that_was_shot_away_shows_the_ship_with_the_next_movement() -> None:
    fight = Battle(raider((10, 20)), ship(B, at=(39, 39)))
    _put(fight, replace(raider((10, 20)), lost=("cloak",)))
    events = fight.plot()
    assert only(events, CloakSwitched) == [CloakSwitched(piece=A1, on=False)]


def test_a_threshold_check_may_cost_a_ship_its_cloak() -> None:
    kind = replace(RAIDER, hull=8)

    def loses(seed: int) -> bool:
        fight = Battle(
            hider(A, 1, (10, 20), kind=kind),
            ship(B, at=(10, 23), kind=TOUGH),
            seed=seed_of(seed),
        )
        at = found_at(fight.fighting(detect={B: "sweep S1"}))
        events = fight.engage({B: f"fire S1.B1 {at}; fire S1.P1 {at}"})
        return "cloak" in [loss.system for loss in only(events, SystemLost)]

    assert any(loses(seed) for seed in range(60))


def test_a_body_destroys_a_cloaked_ship_and_nobody_else_hears_of_it() -> None:
    board = Board(planets=(Planet(name="P", at=Square(10, 17), size=PlanetSize.SMALL),))
    fight = Battle(
        replace(raider((10, 19)), vector=Vector(0, -1)), ship(B, at=(12, 30)), board=board
    )
    events = fight.plot()
    assert [event.piece for event in only(events, ShipDestroyed)] == [A1]
    assert fight.told(B) == ()


# What it may do.


@pytest.mark.parametrize(
    ("phase", "order", "code"),
    [
        (Phase.PLOT, "turn S1 1", None),
        (Phase.PLOT, "thrust S1 N", None),
        (Phase.PLOT, "cloak S1 off", None),
        (Phase.PLOT, "sensors S1 out", Code.ORDER_CLOAK),
        (Phase.PLOT, "power S1 off", Code.ORDER_CLOAK),
        (Phase.PLOT, Land(ship=S1, body="R", sector=Compass.N), Code.ORDER_CLOAK),
        (Phase.SCAN, "scan S1 mass 1box C4", Code.ORDER_CLOAK),
        (Phase.DETECT, "listen S1", Code.ORDER_CLOAK),
        (Phase.DETECT, "sweep S1", Code.ORDER_CLOAK),
        (Phase.ENGAGE, "hold S1.B1", Code.ORDER_CLOAK),
    ],
)
def test_a_cloaked_ship_flies_and_does_nothing_else(
    phase: Phase, order: Written, code: Code | None
) -> None:
    fight = Battle(raider((10, 20)), ship(B, at=(12, 20)))
    fight.course.close_until(phase, A if phase is Phase.SCAN else None)
    assert fight.refused(A, order) is code


def test_a_ship_that_uncloaks_may_do_everything_in_the_same_turn() -> None:
    fight = Battle(raider((10, 20)), ship(B, at=(12, 20)))
    fight.plot({A: "cloak S1 off; sensors S1 out"})
    assert fight.own(A, S1).popped_out


@pytest.mark.parametrize(
    ("one", "code"),
    [
        (ship(A), Code.ORDER_CLOAK),
        (replace(ship(A, kind=RAIDER), lost=("cloak",)), Code.ORDER_CLOAK),
        (replace(ship(A, kind=RAIDER), powered=False), Code.ORDER_POWER),
        (ship(A, kind=RAIDER), None),
    ],
    ids=["a class without", "lost", "cold", "sound"],
)
def test_a_cloak_takes_a_device_that_works_and_power(one: ShipTruth, code: Code | None) -> None:
    fight = Battle(one, ship(B, at=(30, 30)))
    _put(fight, one)
    assert fight.refused(A, Cloak(ship=S1, on=True)) is code


def test_a_ship_listens_or_sweeps() -> None:
    fight = Battle(raider((10, 20)), ship(B, at=(12, 20)))
    fight.course.close_until(Phase.DETECT)
    assert fight.refused(B, "listen S1 off; sweep S1") is None
    for both in ("listen S1; sweep S1", "sweep S1; sweep S1"):
        assert fight.refused(B, both) is Code.ORDER_TWICE


# Fire at cloaked ships.


def detected(distance: int) -> Battle:
    """Return a match in ENGAGE in which A has heard B's ship that many squares north of it."""
    for seed in range(400):
        fight = Battle(
            raider((10, 30), cloaked=False),
            hider(B, 1, (10, 30 - distance), kind=replace(RAIDER, hull=200)),
            seed=seed_of(seed),
        )
        fight.plot()
        _put(fight, replace(fight.truth.ships[B1], thrust_used=7))
        fight.course.close_until(Phase.ENGAGE)
        if any(contact.fix is Fix.DETECTED for contact in fight.view(A).contacts):
            return fight
    raise AssertionError("never heard")


def _put(fight: Battle, one: ShipTruth) -> None:
    """Put a ship into a match as it would be in a later turn, its owner informed."""
    state = fight.course.state
    truth = replace(state.truth, ships={**state.truth.ships, one.id: one})
    audience = audience_of(one.side)
    known = replace(state.intel[audience], own=own_pieces(truth, one.side))
    intel = {**state.intel, audience: known}
    fight.course.go_on_from(replace(state, truth=truth, intel=intel))


@pytest.mark.parametrize(
    ("distance", "weapons"),
    [
        pytest.param(0, "B1 B2 B3 P1", id="class 1 only in its own square"),
        pytest.param(1, "B2 B3 P1", id="2.4 mu"),
        pytest.param(5, "B2 B3 P1", id="12 mu: class 2 to here"),
        pytest.param(6, "B3 P1", id="14.4 mu: class 3 and the torpedo"),
        pytest.param(7, "B3", id="16.8 mu: class 3 alone"),
        pytest.param(8, "", id="19.2 mu: nothing"),
    ],
)
def test_dumb_weapons_count_the_range_to_a_detected_ship_double_or_12_mu_more(
    distance: int, weapons: str
) -> None:
    assert guns(detected(distance)) == weapons


def guns(fight: Battle) -> str:
    """Return the weapons that A's ship may fire, in their order."""
    return " ".join(sorted({shot.weapon for shot in shots(fight.view(A)) if shot.ship == S1}))


def hunt() -> Battle:
    """Return a match in ENGAGE in which A's ship has swept and found B's raider."""
    fight = Battle(raider((10, 30), cloaked=False), hider(B, 1, (10, 20)))
    return fight.fighting(detect={A: "sweep S1"})


def test_a_solution_lets_all_fire_at_the_true_range() -> None:
    [contact] = hunt().view(A).contacts
    assert (contact.fix, contact.type) == (Fix.SOLUTION, "raider")
    assert guns(hunt()) == "B2 B3 P1"


def test_what_is_only_remembered_is_no_target() -> None:
    fight = hunt()
    handle = found_at(fight, A)
    fight.engage()
    fight.course.close_until(Phase.ENGAGE)
    [memory] = fight.view(A).contacts
    assert (memory.fix, memory.handle) == (Fix.MEMORY, handle)
    assert fight.refused(A, Fire(ship=S1, weapon="B3", at=handle)) is Code.ORDER_STATE


# Return fire.


def test_a_shot_from_a_cloak_counts_the_true_range() -> None:
    # 8 squares are 19.2 mu: within the 24 of a class 2 battery, at its farther band.
    for distance, dice in ((8, 1), (4, 2)):
        fight = swept_fight(distance=distance)
        sweeper = fight.at(A, Square(10, 20 - distance))
        [shot] = only(fight.engage({A: f"fire S1.B2 {sweeper}"}), ShotFired)
        assert (shot.piece, shot.weapon, shot.target) == (A1, "B2", B1)
        assert len([die for die in shot.dice if die != 6]) == dice


@pytest.mark.parametrize(
    ("distance", "weapons"),
    [
        pytest.param(5, "B1 B2 B3 P1", id="12 mu: class 1 to here"),
        pytest.param(6, "B2 B3 P1", id="14.4 mu"),
        pytest.param(10, "B2 B3 P1", id="24 mu: class 2 to here"),
        pytest.param(12, "B3 P1", id="28.8 mu"),
        pytest.param(15, "B3", id="36 mu: class 3 to here"),
    ],
)
def test_a_cloaked_ship_reaches_a_sweeper_as_far_as_its_weapons_do(
    distance: int, weapons: str
) -> None:
    assert guns(swept_fight(distance=distance)) == weapons


def test_a_ship_that_the_sweep_has_found_is_not_found_again_by_its_shot() -> None:
    fight = swept_fight()
    events = fight.engage({A: fired(fight)})
    assert len(only(events, ShotFired)) == 1
    assert only(events, CloakedFired) == []


def test_a_ship_that_a_sweep_missed_is_detected_when_it_fires() -> None:
    fight = missed_fight()
    events = fight.engage({A: fired(fight)})
    assert only(events, CloakedFired) == [CloakedFired(piece=A1, side=B)]
    marker = fight.view(B).contacts[-1]
    assert (marker.fix, marker.type) == (Fix.MEMORY, "gunship")


def test_a_needle_beam_picks_no_system_of_a_cloaked_ship() -> None:
    needle = Weapon(id="N1", kind=WeaponKind.NEEDLE, rank=1, arc=Arc.FULL_FRONT)
    kind = replace(TOUGH, name="needler", weapons=(needle,))
    fight = Battle(raider((10, 16)), ship(B, at=(10, 20), kind=kind))
    fight.fighting(detect={B: "sweep S1"})
    plain = Fire(ship=S1, weapon="N1", at=found_at(fight))
    assert fight.refused(B, plain) is None
    problem = check(fight.view(B), (replace(plain, system=SystemAim.DRIVE),))
    assert problem is not None
    assert (problem.code, problem.at) == (Code.ORDER_SYSTEM, "$.orders[0].system")
    assert "without naming a system" in problem.detail


def test_a_cloaked_ship_may_aim_only_at_ships_that_swept() -> None:
    fight = swept_fight()
    sweeper = fight.at(A, Square(10, 16))
    assert fight.refused(A, f"fire S1.B2 {sweeper}") is None
    quiet = Battle(raider((10, 20)), replace(ship(B, at=(10, 16), kind=TOUGH), popped_out=True))
    assert only(legal(quiet.fighting(looks=(B,)).view(A)), Fire) == []


def test_a_weapon_is_fired_or_held() -> None:
    fight = swept_fight()
    assert fight.refused(B, f"fire S1.B1 {found_at(fight)}; hold S1.B1") is Code.ORDER_TWICE


def test_where_sweeps_jam_a_cloaked_ship_never_fires_and_all_hear_of_the_jam() -> None:
    fight = swept_fight(JAM)
    assert fight.view(A).cloak_rules.jammed > 1
    assert fight.view(A).cloak_rules.jammed == fight.view(B).cloak_rules.jammed
    problem = check(fight.view(B), (Hold(ship=S1, weapon="B1"),))
    assert problem is not None
    assert problem.code is Code.ORDER_CLOAK
    assert "No cloaked ship fires in this match" in problem.detail
    assert not [order for order in legal(fight.view(A)) if isinstance(order, Fire | Hold)]
    assert not only(legal(fight.view(B)), Hold)


def test_the_view_of_a_hunted_ship_shows_both_trackers_to_both_sides() -> None:
    fight = swept_fight()
    [contact] = fight.view(B).contacts
    [hunt] = fight.own(A, S1).hunted
    assert contact.trackers == hunt.trackers
    assert contact.trackers is not None
    assert (contact.trackers.multi.count, contact.trackers.single.count) == (3, 10)
    assert contact.trackers.solution_window
    assert contact.trackers.solution_dice
    assert hunt.fix is Fix.SOLUTION
