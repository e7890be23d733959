"""Set-up, moves, loading and attacks on the ground, from orders to events."""

import msgspec
import pytest

from builders.ground import (
    AG1,
    BG1,
    GROUND_SHOT,
    SITE,
    ground_truth,
    landed,
    plain_agent,
    planet,
    seeing,
    unit,
)
from builders.truths import B1, DICE, A, B, applied, dice_where, only, ship
from sunglare_protocol.ids import OwnId
from sunglare_protocol.notices import MoveFault
from sunglare_protocol.orders import Move, Station
from sunglare_protocol.surface import Arm, Cell
from sunglare_protocol.words.ladder import Fate
from sunglare_server.match.dice import Dice, Purpose
from sunglare_server.match.events.ground import (
    AgentStationed,
    AttackerRevealed,
    GroundShotFired,
    HiddenExposed,
    UnitDamaged,
    UnitDestroyed,
    UnitLoaded,
    UnitMoved,
    UnitStationed,
    UnitUnloaded,
    WeaponsHeated,
)
from sunglare_server.match.events.space import DamageTaken, ShipDestroyed, ShipEscaped
from sunglare_server.match.ids import PieceId
from sunglare_server.match.resolve import ground_fire, ground_moves
from sunglare_server.match.resolve.aboard import taken_along
from sunglare_server.match.resolve.ground_fire import GroundAttack
from sunglare_server.match.truth.truth import Truth

_replace = msgspec.structs.replace

G1 = OwnId("G1")
AS1 = PieceId("A/S1")


def moved(truth: Truth, order: Move) -> object:
    (event,) = ground_moves.movements(truth, {AG1: order})
    return event


def test_a_unit_ends_where_its_path_does() -> None:
    order = Move(ship=G1, path=(Cell(1, 0), Cell(2, 1)))
    event = moved(ground_truth(unit(A)), order)
    assert event == UnitMoved(piece=AG1, cells=(Cell(1, 0), Cell(2, 1)))
    assert applied(ground_truth(unit(A)), [event]).ground[AG1].cell == Cell(2, 1)


def test_a_unit_stops_before_what_bars_it() -> None:
    truth = ground_truth(unit(A, at=(0, 0), kind="battle-tank"))
    event = moved(truth, Move(ship=G1, path=(Cell(1, 0), Cell(2, 0))))
    assert event == UnitMoved(piece=AG1, cells=(Cell(1, 0),), fault=MoveFault.TERRAIN)


def test_units_pass_through_one_another() -> None:
    truth = ground_truth(unit(A), unit(B, at=(1, 0)))
    event = moved(truth, Move(ship=G1, path=(Cell(1, 0),)))
    assert event == UnitMoved(piece=AG1, cells=(Cell(1, 0),))


@pytest.mark.parametrize(
    ("at", "is_down", "loads"),
    [((3, 3), True, True), ((4, 3), True, True), ((6, 3), True, False), ((3, 3), False, False)],
    ids=["same cell", "beside a large ship", "too far", "ship in space"],
)
def test_a_unit_is_loaded_into_a_ship_that_it_touches(
    at: tuple[int, int], is_down: bool, loads: bool
) -> None:
    carrier = landed(ship(A), (3, 3)) if is_down else ship(A)
    truth = ground_truth(unit(A, at=at), ships=(carrier,))
    event = moved(truth, Move(ship=G1, load=OwnId("S1")))
    if loads:
        assert event == UnitLoaded(piece=AG1, ship=AS1)
        after = applied(truth, [event]).ground[AG1]
        assert (after.site, after.aboard) == (None, AS1)
    else:
        assert event == UnitMoved(piece=AG1, cells=(), fault=MoveFault.NO_SHIP)


def test_a_unit_comes_out_where_its_ship_stands() -> None:
    truth = ground_truth(unit(A, at="A/S1"), ships=(landed(ship(A), (5, 1)),))
    event = moved(truth, Move(ship=G1, unload=True))
    assert event == UnitUnloaded(piece=AG1, site=SITE, cell=Cell(5, 1))


def test_a_ship_without_a_cell_stands_in_the_middle_of_the_map() -> None:
    truth = ground_truth(ships=(landed(ship(A)),))
    assert truth.stands(AS1) == (SITE, Cell(6, 3))


def test_nobody_comes_out_of_a_ship_in_space() -> None:
    truth = ground_truth(unit(A, at="A/S1"), ships=(ship(A),))
    event = moved(truth, Move(ship=G1, unload=True))
    assert event == UnitMoved(piece=AG1, cells=(), fault=MoveFault.NO_SHIP)


def test_stations_put_units_and_agents_where_they_are_ordered() -> None:
    truth = ground_truth(unit(A), agents=(plain_agent(A),))
    orders = {
        AG1: Station(ship=G1, at=SITE, cell=Cell(4, 4), hidden=True),
        PieceId("A/P1"): Station(ship=OwnId("P1"), at=SITE, stacked=G1),
    }
    events = list(ground_moves.stationings(truth, orders))
    assert events == [
        UnitStationed(piece=AG1, site=SITE, cell=Cell(4, 4), hidden=True),
        AgentStationed(piece=PieceId("A/P1"), site=SITE, stacked=AG1),
    ]
    after = applied(truth, events)
    assert after.ground[AG1].hidden
    assert after.agents[PieceId("A/P1")].stacked == AG1


@pytest.mark.parametrize(
    ("event", "fate"),
    [
        (ShipDestroyed(piece=AS1, cause="fire", killers=(B,)), Fate.DESTROYED),
        (ShipEscaped(piece=AS1, edge=planet().environs[0].sector), Fate.ESCAPED),
    ],
    ids=["destroyed", "escaped"],
)
def test_whoever_is_aboard_shares_the_fate_of_the_ship(
    event: ShipDestroyed | ShipEscaped, fate: Fate
) -> None:
    truth = ground_truth(
        unit(A, at="A/S1"), unit(A, 2), ships=(ship(A),), agents=(plain_agent(A, aboard="A/S1"),)
    )
    taken = list(taken_along(truth, event))
    assert {passenger.piece for passenger in taken} == {"A/G1", "A/P1"}
    assert {passenger.fate for passenger in taken} == {fate}
    after = applied(truth, taken)
    assert after.ground[AG1].fate is fate
    assert after.agents[PieceId("A/P1")].fate is fate


def test_nobody_is_taken_along_by_another_ship() -> None:
    truth = ground_truth(unit(A, at="A/S1"), ships=(ship(A), ship(A, 2)))
    other = ShipDestroyed(piece=PieceId("A/S2"), cause="fire", killers=())
    assert list(taken_along(truth, other)) == []


# Attacks.


def rolling(total: int, weapon: str = "R1") -> Dice:
    """Return dice with which A's unit rolls this total."""
    return dice_where(lambda dice: sum(dice.two_d6(1, Purpose.FIRE, f"{AG1}/{weapon}")) == total)


def attacked(truth: Truth, dice: Dice = DICE, weapon: str = "R1") -> GroundShotFired:
    (shot,) = ground_fire.shots(truth, (GroundAttack(AG1, weapon, BG1),), dice)
    return shot


@pytest.mark.parametrize(
    ("at", "total", "damage"),
    [((3, 0), 4, 1), ((3, 0), 3, 0), ((9, 0), 6, 1), ((9, 0), 5, 0), ((3, 0), 2, 0)],
    ids=["short hits", "short misses", "medium hits", "medium misses", "a two"],
)
def test_an_attack_hits_on_gunnery_and_bracket(
    at: tuple[int, int], total: int, damage: int
) -> None:
    truth = ground_truth(unit(A), unit(B, at=at))
    assert attacked(truth, rolling(total)).damage == damage


def test_woods_around_the_target_cost_one() -> None:
    truth = ground_truth(unit(A, at=(6, 5)), unit(B, at=(6, 4)))
    assert attacked(truth).needed == 5


@pytest.mark.parametrize(
    ("target", "weapon"), [((8, 3), "R1"), ((11, 0), "F1")], ids=["behind woods", "no contact"]
)
def test_an_attack_that_cannot_work_is_rolled_and_misses(
    target: tuple[int, int], weapon: str
) -> None:
    kind = "lancer" if weapon == "F1" else "first-line-rifles"
    truth = ground_truth(unit(A, at=(4, 3), kind=kind), unit(B, at=target))
    shot = attacked(truth, weapon=weapon)
    assert (shot.needed, shot.damage) == (None, 0)
    assert len(shot.dice) == 2


def test_an_attack_in_contact_needs_gunnery_alone() -> None:
    truth = ground_truth(unit(A, kind="lancer"), unit(B))
    assert attacked(truth, weapon="F1").needed == 4


@pytest.mark.parametrize(
    ("friend", "needed"),
    [(None, None), ("first-line-rifles", 7), ("ground-sensor", 10)],
    ids=["nobody sees it", "a friend sees it", "only a remote sensor sees it"],
)
def test_indirect_fire_takes_a_friend_who_sees_the_target(
    friend: str | None, needed: int | None
) -> None:
    friends = [] if friend is None else [unit(A, 2, (11, 2), friend)]
    mortar = unit(A, at=(4, 3), kind="field-mortar")
    truth = ground_truth(mortar, unit(B, at=(9, 3)), *friends)
    shot = attacked(truth, weapon="M1")
    assert (shot.kind, shot.needed) == (Arm.INDIRECT, needed)


def test_a_remote_sensor_is_easier_to_hit() -> None:
    truth = ground_truth(unit(A), unit(B, at=(3, 0), kind="ground-sensor"))
    assert attacked(truth).needed == 2


def test_silent_weapons_hit_nothing() -> None:
    quiet = _replace(unit(A), silent_turn=1)
    assert attacked(ground_truth(quiet, unit(B, at=(1, 0)))).needed is None


SHOT = _replace(GROUND_SHOT, piece=AG1, target=BG1)


def fired(**changes: object) -> GroundShotFired:
    return _replace(SHOT, **changes)


def test_a_direct_attack_shows_the_attacker_to_its_target_and_to_who_sees_it() -> None:
    truth = seeing(ground_truth(unit(A), unit(B, at=(1, 0))), B, AG1)
    assert list(ground_fire.reveals(truth, (SHOT,))) == [AttackerRevealed(piece=AG1, side=B)]
    known = seeing(truth, B, AG1, identified=True)
    assert list(ground_fire.reveals(known, (SHOT,))) == []


def test_indirect_fire_shows_nobody() -> None:
    truth = seeing(ground_truth(unit(A), unit(B, at=(1, 0))), B, AG1)
    shot = fired(kind=Arm.INDIRECT, indirect=True)
    assert list(ground_fire.reveals(truth, (shot,))) == []


@pytest.mark.parametrize(
    ("friend", "target", "indirect"),
    [
        pytest.param(None, (5, 3), False, id="it sees its target itself"),
        pytest.param((11, 2), (5, 3), False, id="a friend sees it too"),
        pytest.param((11, 2), (9, 3), True, id="a friend alone sees it"),
        pytest.param(None, (9, 3), True, id="nobody sees it"),
    ],
)
def test_a_mortar_that_fires_at_what_it_sees_itself_shows_itself(
    friend: tuple[int, int] | None, target: tuple[int, int], indirect: bool
) -> None:
    friends = [] if friend is None else [unit(A, 2, friend)]
    mortar = unit(A, at=(4, 3), kind="field-mortar")
    truth = ground_truth(mortar, unit(B, at=target), *friends)
    shot = attacked(truth, weapon="M1")
    assert shot.indirect is indirect
    shown = list(ground_fire.reveals(seeing(truth, B, AG1), (shot,)))
    assert shown == ([] if indirect else [AttackerRevealed(piece=AG1, side=B)])


def test_all_damage_of_a_turn_comes_at_once_and_heat_is_what_was_fired() -> None:
    truth = ground_truth(unit(A), unit(B, at=(1, 0)))
    shots = (SHOT, fired(weapon="X1", damage=2))
    assert list(ground_fire.damages(truth, shots)) == [UnitDamaged(piece=BG1, damage=3)]
    assert list(ground_fire.heats(truth, shots)) == [WeaponsHeated(piece=AG1, heat=2)]


def test_a_unit_is_destroyed_at_its_toughness_by_those_who_damaged_it() -> None:
    before = ground_truth(unit(A), unit(B, at=(1, 0)))
    after = applied(before, [UnitDamaged(piece=BG1, damage=3)])
    (event,) = ground_fire.consequences(before, after, (fired(damage=3),))
    assert event == UnitDestroyed(piece=BG1, killers=(A,))
    assert applied(after, [event]).ground[BG1].fate is Fate.DESTROYED


def test_damage_exposes_a_hidden_unit_to_all_who_see_it() -> None:
    hidden = unit(B, at=(1, 0), hidden=True)
    before = seeing(ground_truth(unit(A), hidden), A)
    after = applied(before, [UnitDamaged(piece=BG1, damage=1)])
    events = list(ground_fire.consequences(before, after, (SHOT,)))
    assert events == [HiddenExposed(piece=BG1, side=A)]


def test_ground_fire_at_a_landed_ship_counts_for_its_end() -> None:
    truth = ground_truth(unit(A), ships=(landed(ship(B), (1, 0)),))
    shot = fired(target=B1)
    assert list(ground_fire.damages(truth, (shot,))) == [DamageTaken(piece=B1, damage=1)]
    end = ShipDestroyed(piece=B1, cause="fire", killers=())
    named = ground_fire.with_killers(truth, end, (shot,))
    assert only([named], ShipDestroyed)[0].killers == (A,)
