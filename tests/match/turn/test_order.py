"""The steps of DETECT and ENGAGE and the end of a turn come as in the rule book, turn §4."""

from collections.abc import Iterable

import pytest
from msgspec.structs import replace

from builders.agentmatches import MINES, match_of, side_of, troops, who
from builders.blips import able
from builders.hunts import RAIDER, hider
from builders.ordnance import S1, Battle, keen, placed, sent
from builders.truths import B1, FRIGATE, A, B, only, ship
from sunglare_protocol.geometry import Compass, Square
from sunglare_protocol.orders import Fire
from sunglare_protocol.words.ladder import Phase
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.data.scenario import Ratings, ShipEntry
from sunglare_server.match.events.agents import MissionTried, SearchTried
from sunglare_server.match.events.blips import PieceProbed
from sunglare_server.match.events.cloak import (
    HuntStepped,
    JamEnded,
    PassiveRolled,
    SweepDeclared,
    SweepRolled,
)
from sunglare_server.match.events.space import (
    DamageTaken,
    Event,
    ShipDestroyed,
    ShooterExposed,
    ShotFired,
    SystemLost,
    TrackEnded,
    TrackMissed,
    TurnEnded,
)
from sunglare_server.match.truth.truth import ShipTruth


def in_order(events: Iterable[Event], *kinds: type[Event]) -> list[str]:
    """Return the names of the events of those kinds as they happened, repetitions once."""
    names = [type(event).__name__ for event in events if isinstance(event, kinds)]
    return list(dict.fromkeys(names))


def seer(number: int, at: tuple[int, int]) -> ShipTruth:
    """Return a frigate of A that tracks what it covers, and has a probe."""
    one = able(A, at, "PRB", number)
    return replace(one, type=replace(one.type, sensors=Ratings(radar=20)), popped_out=True)


# DETECT.


def test_sweeps_come_before_passive_rolls_these_before_trackers_and_data_scans_last() -> None:
    fight = Battle(
        seer(1, (10, 10)),
        seer(2, (11, 11)),
        ship(B, 1, (12, 10)),
        hider(B, 2, (10, 14), kind=RAIDER),
        options=MatchOptions(clock="test", noise_blinds="self"),
    )
    fight.plot()
    fight.scan(A)
    prize = fight.at(A, Square(12, 10))
    events = fight.detect({A: f"sweep S2; probe S1 {prize}; listen S1"})
    kinds = (SweepDeclared, SweepRolled, PassiveRolled, HuntStepped, PieceProbed)
    assert in_order(events, *kinds) == [kind.__name__ for kind in kinds]


# ENGAGE.


def gun(name: str, y: int) -> ShipEntry:
    return ShipEntry(name=name, type="frigate", at=Square(15, y), popped_out=True)


def busy(seed: int) -> tuple[Event, ...]:
    """Return an ENGAGE with a shot, and with a search and a mission on the planet below."""
    course = match_of(
        side_of(who("Fox", detected=True), who("Owl", MINES), ships=(gun("Ash", 6),)),
        side_of(ground=(troops("Guard"),), ships=(gun("Elm", 4),)),
        seed=seed,
    )
    course.orders(A, "mission P2 spy")
    course.close_until(Phase.SCAN, A)
    course.orders(A, "scan S1 radar 3box D2 nosense")
    shots = "fire S1.B1 C1; fire S1.P1 C1"
    return course.close_with(Phase.ENGAGE, {A: shots, B: "search G1 strike none"})


def test_damage_comes_after_all_attacks_then_checks_then_searches_and_missions_last() -> None:
    kinds = (ShotFired, DamageTaken, SystemLost, SearchTried, MissionTried)
    seen = [found for seed in range(20) if len(found := in_order(busy(seed), *kinds)) == 5]
    assert seen
    assert all(names == [kind.__name__ for kind in kinds] for names in seen)


def test_a_witness_that_is_destroyed_in_the_same_engage_has_seen_the_shooter() -> None:
    frail = replace(FRIGATE, name="skiff", hull=1)
    for seed in range(60):
        fight = Battle(
            replace(seer(1, (10, 20)), facing=Compass.N),
            ship(B, 1, (10, 18), frail),
            seed=bytes([seed]) * 32,
        )
        at = fight.fighting(looks=(A,)).at(A, Square(10, 18))
        events = fight.engage({A: f"fire S1.P1 {at}"})
        if only(events, ShipDestroyed):
            assert only(events, ShooterExposed)[0].witnesses == (B,)
            [marker] = fight.view(B).contacts
            assert (marker.side, marker.type) == (A, "frigate")
            return
    raise AssertionError("never hit")


def test_a_ship_destroyed_by_guns_has_spent_its_point_defence_before() -> None:
    target = replace(keen("frigate"), hull=1, point_defence=6)
    for seed in range(60):
        fight = Battle(
            placed(A, 1, keen("lancer"), (10, 10)),
            placed(A, 2, replace(FRIGATE, name="gun"), (12, 12)),
            placed(B, 1, target, (12, 10)),
            seed=bytes([seed]) * 32,
        )
        fight.fighting(looks=(A,), plot=sent((12, 10)))
        shots = only(fight.engage({A: f"fire S2.P1 {fight.at(A, Square(12, 10))}"}), ShotFired)
        by_gun, by_missiles = (
            next(shot for shot in shots if shot.piece.endswith(name)) for name in ("S2", "M1")
        )
        if by_gun.damage:
            assert by_missiles.stopped > 0
            return
    raise AssertionError("never hit")


# The end of the turn.


def test_a_remote_sensor_that_an_enemy_stands_beside_ends_with_the_turn_it_is_held_in() -> None:
    fight = Battle(
        ship(A, 1, (10, 10), replace(FRIGATE, name="tender", dispensers=1)),
        placed(B, 1, keen("frigate"), (10, 10)),
    )
    events = fight.turn({A: "launch S1 remote"}, looks=(B,))
    gone = [(event.piece, event.cause) for event in only(events, ShipDestroyed)]
    assert gone == [("A/R1", "contact")]
    assert in_order(events, ShipDestroyed, TurnEnded) == ["ShipDestroyed", "TurnEnded"]


def test_a_jam_counts_down_by_turns_and_is_over_at_the_end_of_its_last_one() -> None:
    jam = MatchOptions(clock="test", cloak_variant="jam")
    fight = Battle(hider(A, 1, (10, 20)), ship(B, 1, (10, 16)), options=jam)
    last = fight.fighting(detect={B: "sweep S1"}).truth.jam_end
    for turn in range(1, last + 1):
        assert fight.course.state.standing.turn == turn
        assert (only(fight.engage(), JamEnded) != []) is (turn == last)


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_nova_is_gone_with_the_turn_of_its_third_sweep(turns: int) -> None:
    fight = Battle(
        placed(A, 1, keen("dreadnought"), (10, 30)), placed(B, 1, keen("frigate"), (30, 10))
    )
    fight.engage({A: (Fire(ship=S1, weapon="N1"),)})
    for _ in range(turns - 1):
        fight.engage()
    assert len(fight.truth.novas) == (1 if turns < 3 else 0)


def jammed(seed: int) -> Battle:
    """Return a match after turn 1, in which A has tracked B's ship and jammed space."""
    fight = Battle(
        placed(A, 1, keen("corvette"), (10, 20)),
        ship(B, 1, (12, 20)),
        options=MatchOptions(clock="test", cloak_variant="jam"),
        seed=bytes([seed]) * 32,
    )
    fight.fighting(looks=(A,), detect={A: "sweep S1"}).engage()
    return fight


def test_a_jam_is_over_before_tracks_are_lost_and_these_before_the_turn_ends() -> None:
    fight = next(battle for battle in map(jammed, range(60)) if battle.truth.jam_end == 3)
    assert only(fight.turn(), TrackMissed) == [TrackMissed(piece=B1, side=A, misses=1)]
    events = fight.turn()
    assert only(events, TrackEnded) == [TrackEnded(piece=B1, side=A)]
    kinds = (JamEnded, TrackEnded, TurnEnded)
    assert in_order(events, *kinds) == [kind.__name__ for kind in kinds]
