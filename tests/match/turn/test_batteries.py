"""Ground batteries at ships: sight, brackets, what must be held, and what their fire tells."""

import pytest
from msgspec import convert
from msgspec.structs import replace

from builders.advice import refused
from builders.ground import AG1, BG1, ground_truth, seeing, unit
from builders.sieges import OPEN, engaged, handle, heard, rolling, told, view, with_air
from builders.truths import B1, CORVETTE, CRUISER, A, B, C, holding, only, ship, with_ship
from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import PUBLIC, OwnId
from sunglare_protocol.messages.answers import GroundOdds
from sunglare_protocol.notices import FighterSeen, OwnShelled, ShooterKnown, ShotResult, ShotSeen
from sunglare_protocol.orders import Fire
from sunglare_protocol.refusals import Code
from sunglare_protocol.surface import Arm, Pressure
from sunglare_protocol.words.ladder import Fix
from sunglare_rules.advice.cards.ground import ground_odds
from sunglare_server.match.apply.space import apply
from sunglare_server.match.data.scenario import ScenarioData, ShipClass
from sunglare_server.match.events.capital import BatteryExposed, BatteryFired, FighterOverflew
from sunglare_server.match.events.ground import AttackerRevealed
from sunglare_server.match.events.space import ShipDestroyed
from sunglare_server.match.resolve.overflights import overflights
from sunglare_server.match.resolve.scoring import scores
from sunglare_server.match.resolve.sharing import Engagement
from sunglare_server.match.truth.ordnance import FIGHTER
from sunglare_server.match.truth.truth import Truth

G1 = OwnId("G1")
SHOT = Fire(ship=G1, weapon="D1", at=handle(B1))
OVER = (15, 11)


def ground(
    kind: str = "defence-cannon",
    at: tuple[int, int] = (15, 6),
    target: ShipClass = CRUISER,
    fix: Fix = Fix.TRACKED,
    pressure: Pressure = Pressure.STANDARD,
) -> Truth:
    """Return a truth in which A's battery in the north of the planet holds a ship of B."""
    units, ships = (unit(A, at=(3, 3), kind=kind),), (ship(B, 1, at, target),)
    return holding(ground_truth(*units, ships=ships, body=with_air(pressure)), A, B1, fix)


def refusal(truth: Truth) -> Code | None:
    return refused(view(truth, A), SHOT)


def shelled(truth: Truth, least: int, most: int = 12) -> BatteryFired:
    flow = engaged(truth, {A: (SHOT,)}, rolling("A/G1/D1", least, most))
    (event,) = only(flow.events, BatteryFired)
    return event


@pytest.mark.parametrize(
    ("kind", "target", "needed"),
    [
        ("defence-cannon", CRUISER, 6),
        ("defence-laser", CRUISER, 6),
        ("defence-missiles", CRUISER, 6),
        ("defence-cannon", CORVETTE, 11),
        ("defence-laser", CORVETTE, 9),
        ("defence-missiles", CORVETTE, 6),
    ],
)
def test_a_battery_needs_its_bracket_and_more_against_a_small_ship(
    kind: str, target: ShipClass, needed: int
) -> None:
    assert shelled(ground(kind, target=target), needed, needed).damage > 0
    assert shelled(ground(kind, target=target), needed - 1, needed - 1).damage == 0


@pytest.mark.parametrize(("y", "damage"), [(11, 6), (9, 6), (8, 4), (1, 4), (0, 2)], ids=str)
def test_range_counts_from_the_square_above_the_map(y: int, damage: int) -> None:
    assert shelled(ground(at=(15, y)), 12).damage == damage


def test_a_bracket_without_damage_is_out_of_range() -> None:
    assert refusal(ground("defence-cannon", at=(34, 11))) is Code.ORDER_RANGE
    assert refusal(ground("defence-missiles", at=(34, 11))) is None
    assert refusal(ground("defence-missiles", at=(15, 38))) is Code.ORDER_RANGE


def test_the_planet_hides_what_is_behind_it() -> None:
    assert refusal(ground(at=(15, 14))) is Code.ORDER_LINE


@pytest.mark.parametrize(
    ("kind", "fix", "code"),
    [
        ("defence-cannon", Fix.CONTACT, None),
        ("defence-laser", Fix.CONTACT, None),
        ("defence-missiles", Fix.CONTACT, Code.ORDER_STATE),
        ("defence-missiles", Fix.TRACKED, None),
        ("defence-cannon", Fix.COASTING, Code.ORDER_STATE),
    ],
)
def test_guns_fire_at_contacts_missiles_at_live_tracks_and_nothing_at_what_coasts(
    kind: str, fix: Fix, code: Code | None
) -> None:
    assert refusal(ground(kind, fix=fix)) is code


def test_a_battery_takes_no_token_and_other_weapons_no_ship() -> None:
    units = (unit(A, at=(3, 3), kind="defence-cannon"), unit(B, at=(4, 3)))
    truth = seeing(ground_truth(*units, body=OPEN), A, BG1)
    assert refused(view(truth, A), Fire(ship=G1, weapon="D1", at=handle(BG1))) is Code.ORDER_HANDLE
    rifles = ground("battle-tank")
    assert refused(view(rifles, A), Fire(ship=G1, weapon="C1", at=handle(B1))) is Code.ORDER_HANDLE


def test_the_odds_of_a_mere_contact_take_it_for_small() -> None:
    found = []
    for fix in (Fix.CONTACT, Fix.TRACKED):
        seen = view(ground(fix=fix), A)
        odds = ground_odds(seen, seen.ground[0], SHOT)
        assert isinstance(odds, GroundOdds)
        found.append((odds.needed, odds.hundredths))
    assert found == [(11, 8), (6, 72)]


def test_point_defence_meets_the_missiles_of_batteries() -> None:
    guarded = replace(CRUISER, point_defence=2)
    truth = ground("defence-missiles", target=guarded)
    flow = engaged(truth, {A: (SHOT,)}, rolling("A/G1/D1", 12))
    (fired,) = only(flow.events, BatteryFired)
    assert (fired.damage, fired.spent, fired.stopped) == (0, 2, True)
    shelling = OwnShelled(ship=OwnId("S1"), weapon=Arm.SDS_CM, damage=0, spent=2, stopped=1)
    assert shelling in told(flow, "B")
    (result,) = heard(flow, "A", ShotResult)
    assert result.stopped == 1


def test_a_battery_that_fires_directly_gives_its_square_to_all_and_itself_to_witnesses() -> None:
    ships = (ship(B, 1, (15, 6), CRUISER), ship(C, 1, (15, 30)))
    truth = ground_truth(unit(A, at=(3, 3), kind="defence-cannon"), ships=ships, body=OPEN)
    flow = engaged(holding(truth, A, B1, Fix.TRACKED), {A: (SHOT,)})
    for audience in ("B", "C", PUBLIC):
        assert ShotSeen(square=Square(*OVER)) in told(flow, audience)
    (known,) = heard(flow, "B", ShooterKnown)
    assert (known.square, known.side, known.type) == (Square(*OVER), A, "SDS battery")
    assert not heard(flow, "C", ShooterKnown)


def test_missiles_from_the_ground_give_nothing_away() -> None:
    flow = engaged(ground("defence-missiles"), {A: (SHOT,)})
    assert not only(flow.events, BatteryExposed)
    assert not only(flow.events, AttackerRevealed)
    assert not {ShotSeen, ShooterKnown} & {type(notice) for notice in told(flow, "B")}


def test_on_its_map_direct_fire_into_space_identifies_the_battery_to_all_who_see_it() -> None:
    units = (unit(A, at=(3, 3), kind="defence-cannon"), unit(B, at=(5, 3)))
    truth = ground_truth(*units, ships=(ship(B, 1, (15, 6), CRUISER),), body=OPEN)
    truth = holding(seeing(truth, B, AG1), A, B1, Fix.TRACKED)
    flow = engaged(truth, {A: (SHOT,)})
    assert only(flow.events, AttackerRevealed) == [AttackerRevealed(piece=AG1, side=B)]


def test_what_a_battery_destroys_is_its_sides_kill() -> None:
    weak = with_ship(ground(), B1, damage=CRUISER.hull - 1)
    flow = engaged(weak, {A: (SHOT,)}, rolling("A/G1/D1", 6))
    (gone,) = only(flow.events, ShipDestroyed)
    assert gone.killers == (A,)
    assert flow.truth.points[A] == CRUISER.points


# Fighters over the map.


@pytest.mark.parametrize(
    ("pressure", "needed"),
    [(Pressure.STANDARD, 11), (Pressure.HIGH, 11), (Pressure.THIN, 9), (Pressure.VACUUM, 9)],
)
def test_the_air_over_a_map_protects_a_fighter_in_it(pressure: Pressure, needed: int) -> None:
    truth = ground("defence-cannon", OVER, FIGHTER, Fix.CONTACT, pressure)
    assert shelled(truth, needed, needed).damage > 0
    assert shelled(truth, needed - 1, needed - 1).damage == 0


def test_the_air_does_not_protect_a_ship_above_it() -> None:
    assert shelled(ground(at=OVER), 4, 4).damage == 6


def flown_over(at: tuple[int, int] = OVER, kind: ShipClass = FIGHTER) -> Truth:
    """Return a truth with a unit of A's under a ship of B's, as a rule a fighter."""
    return ground_truth(unit(A, at=(3, 3)), ships=(ship(B, 1, at, kind),), body=OPEN)


def test_a_fighter_over_a_map_is_a_known_contact_for_every_side_that_sees_the_map() -> None:
    truth = flown_over()
    assert list(overflights(truth)) == []
    (event,) = overflights(seeing(truth, A))
    assert event == FighterOverflew(piece=B1, side=A)
    after = apply(truth, event)
    assert after.holds[A][B1].fix is Fix.CONTACT
    assert after.identified[A] == (B1,)


@pytest.mark.parametrize(
    ("at", "kind"), [((15, 10), FIGHTER), ((14, 11), FIGHTER), (OVER, CORVETTE)], ids=str
)
def test_elsewhere_or_no_fighter_it_is_no_contact(at: tuple[int, int], kind: ShipClass) -> None:
    assert list(overflights(seeing(flown_over(at, kind), A))) == []


def test_the_side_below_gets_a_handle_with_side_and_type_and_the_owner_hears_nothing() -> None:
    flow = engaged(flown_over(), {})
    flow.run(overflights(seeing(flown_over(), A)))
    (seen,) = heard(flow, "A", FighterSeen)
    assert (seen.square, seen.side, seen.type) == (Square(*OVER), B, "fighter")
    assert not heard(flow, "B", FighterSeen)
    assert not heard(flow, PUBLIC, FighterSeen)


def test_a_coasting_track_seen_overhead_is_live_again() -> None:
    coasting = holding(flown_over(), A, B1, Fix.COASTING)
    after = apply(coasting, FighterOverflew(piece=B1, side=A))
    assert after.holds[A][B1].fix is Fix.TRACKED


def test_an_objective_is_met_by_a_fighter_that_flies_over_the_map() -> None:
    truth = flown_over()
    objectives = [{"kind": "identify", "piece": "CanaryB1"}]
    wanted = {"title": "x", "sides": {"A": {"objectives": objectives}, "B": {}}}
    scenario = convert(wanted, ScenarioData)
    engagement = Engagement(truth.sides, truth, ())
    (points,) = scores(truth, scenario, FighterOverflew(piece=B1, side=A), engagement)
    assert (points.side, points.is_known) == (A, True)
