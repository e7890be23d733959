"""Spotting when SCAN has closed: reach, ECM, stealth, drones, and what is not identified."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from builders.blips import able, at_square, held, known, remote, spots
from builders.truths import B1, BOARD, A, B, C, in_other_order, truth_of
from sunglare_protocol.geometry import Landing
from sunglare_protocol.words.ladder import Fate, Fix
from sunglare_server.match.truth.truth import Truth

# South-east of each other, so that the sun blinds nobody; 16 inches are 44 squares squared.
NEAR, FAR = (14, 14), (17, 17)


def facing(words: str, theirs: str, at: tuple[int, int]) -> Truth:
    """Return a truth in which A, at 10,10, holds B's ship there."""
    return held(truth_of(able(A, (10, 10), words), able(B, at, theirs)), A, B1)


@pytest.mark.parametrize(
    ("words", "theirs", "at", "found"),
    [
        ("", "", (14, 10), "B/S1 visual sensor"),
        ("", "", NEAR, "B/S1 visual"),
        ("", "", FAR, ""),
        ("LPRB", "", (15, 10), "B/S1 visual sensor"),
        ("PRB", "", (17, 12), "B/S1 sensor"),
        ("PRB", "", (18, 10), ""),
        ("BH", "", (19, 16), "B/S1 sensor"),
        ("BH", "", (20, 15), ""),
        ("PRB", "ECM", (17, 12), ""),
        ("BH", "ECM", (19, 16), "B/S1 sensor"),
        ("BH", "AECM", (19, 16), ""),
        ("BH", "STL", (17, 12), ""),
        ("BH", "MAS", (17, 12), ""),
        ("", "STL", NEAR, "B/S1 visual"),
        ("", "AECM", (14, 10), "B/S1 visual"),
    ],
)
def test_a_held_blip_is_identified_by_eyes_and_sensors_as_far_as_they_reach(
    words: str, theirs: str, at: tuple[int, int], found: str
) -> None:
    assert spots(facing(words, theirs, at)) == ([("A", found)] if found else [])


def test_only_what_is_held_is_identified() -> None:
    truth = truth_of(able(A, (10, 10), "BH"), able(B, (11, 11)))
    assert spots(truth) == []


@pytest.mark.parametrize(("fix", "found"), [(Fix.CONTACT, 1), (Fix.TRACKED, 1), (Fix.COASTING, 0)])
def test_a_contact_and_a_live_track_are_identified_a_coasting_one_is_not(
    fix: Fix, found: int
) -> None:
    truth = truth_of(able(A, (10, 10)), able(B, (11, 11)))
    assert len(spots(held(truth, A, B1, fix))) == found


def test_what_is_identified_already_is_not_identified_again() -> None:
    assert spots(known(truth_of(able(A, (10, 10)), able(B, (11, 11))), A, B1)) == []


@pytest.mark.parametrize(
    "changes", [{"powered": False}, {"fate": Fate.ESCAPED}], ids=["cold", "gone"]
)
def test_a_ship_that_does_not_work_spots_nothing(changes: dict[str, object]) -> None:
    truth = truth_of(replace(able(A, (10, 10), "BH"), **changes), able(B, (11, 11)))
    assert spots(held(truth, A, B1)) == []


def test_a_cold_ship_is_as_hard_to_sense_as_mimetic_armour() -> None:
    cold = replace(able(B, FAR), powered=False)
    assert spots(held(truth_of(able(A, (10, 10), "BH"), cold), A, B1)) == []


def test_a_ship_in_shadow_is_seen_from_eight_inches_only() -> None:
    # Ceres stands at 15,12; its shadow falls down column 15.
    dark, lit = able(B, (15, 22)), able(B, (16, 22))
    spotter = able(A, (11, 22))
    assert spots(held(truth_of(spotter, at_square(dark, 15, 22), board=BOARD), A, B1)) == [
        ("A", "B/S1 sensor")
    ]
    near = held(truth_of(at_square(spotter, 13, 22), dark, board=BOARD), A, B1)
    assert spots(near) == [("A", "B/S1 visual sensor")]
    assert spots(held(truth_of(able(A, (10, 22)), lit, board=BOARD), A, B1)) == [
        ("A", "B/S1 visual")
    ]


def test_in_the_spotters_own_sunglare_a_target_is_not_seen_but_sensed() -> None:
    north = held(truth_of(able(A, (10, 10)), able(B, (10, 8))), A, B1)
    assert spots(north) == [("A", "B/S1 sensor")]


def test_a_planet_hides_from_eyes_but_not_from_sensors() -> None:
    truth = truth_of(able(A, (13, 12)), able(B, (17, 12)), board=BOARD)
    assert spots(held(truth, A, B1)) == [("A", "B/S1 sensor")]


def test_a_friend_with_ecm_covers_from_sensors_up_to_twelve_inches() -> None:
    covered = truth_of(able(A, (10, 10), "PRB"), able(B, FAR), able(B, (20, 21), "ECM", 2))
    bare = truth_of(able(A, (10, 10), "PRB"), able(B, (15, 15)), able(B, (20, 21), "ECM", 2))
    assert spots(held(covered, A, B1)) == []
    assert spots(held(bare, A, B1)) == [("A", "B/S1 sensor")]


@pytest.mark.parametrize(
    "jammer",
    [
        replace(able(B, (16, 16), "ECM", 2), ecm_on=False),
        replace(able(B, (16, 16), "ECM", 2), powered=False),
        replace(able(B, (16, 16), "ECM", 2), lost=("ecm",)),
        able(B, (16, 16), "ECM STL", 2),
        able(C, (16, 16), "ECM"),
    ],
    ids=["switched off", "cold", "shot away", "muted by stealth", "another side's"],
)
def test_a_jammer_that_does_not_work_or_is_no_friends_covers_nobody(jammer: object) -> None:
    truth = truth_of(able(A, (10, 10), "PRB"), able(B, (15, 15)), jammer)  # type: ignore[arg-type]
    assert spots(held(truth, A, B1)) == [("A", "B/S1 sensor")]


def test_a_probe_that_is_shot_away_leaves_plain_sensors() -> None:
    blind = replace(able(A, (10, 10), "BH"), lost=("probe",))
    assert spots(held(truth_of(blind, able(B, FAR)), A, B1)) == []


def test_in_jammed_space_only_eyes_identify() -> None:
    truth = facing("BH", "", (14, 10))
    assert spots(truth, sensors_work=False) == [("A", "B/S1 visual")]


# Remote sensors.


def test_a_remote_sensor_identifies_what_it_sees_whatever_protects_it() -> None:
    # 20 inches are 69 squares squared: 8, 2 is 68.
    for words in ("", "STL", "AECM"):
        truth = truth_of(able(A, (35, 35)), remote(A, (10, 10)), able(B, (18, 12), words))
        assert spots(held(truth, A, B1)) == [("A", "B/S1 remote")]


@pytest.mark.parametrize(
    ("words", "found"), [("", True), ("ECM", False), ("STL", False), ("MAS", False)]
)
def test_an_unseeing_remote_sensor_identifies_what_is_plain_within_ten_inches(
    words: str, found: bool
) -> None:
    # The target stands in the sunglare of the sensor, north of it.
    truth = truth_of(able(A, (35, 35)), remote(A, (10, 10)), able(B, (10, 6), words))
    assert bool(spots(held(truth, A, B1))) is found


@pytest.mark.parametrize(("words", "found"), [("", True), ("AECM", True)])
def test_a_remote_sensor_in_the_same_square_minds_no_ecm(words: str, found: bool) -> None:
    truth = truth_of(able(A, (35, 35)), remote(A, (10, 10)), able(B, (10, 10), words))
    assert bool(spots(held(truth, A, B1))) is found


def test_a_drone_is_mute_inside_a_hostile_field_and_a_buoy_is_not() -> None:
    jammer, target = able(B, (14, 12), "ECM", 2), able(B, (12, 12))
    for drone, found in ((True, []), (False, [("A", "B/S1 remote")])):
        truth = truth_of(able(A, (35, 35)), remote(A, (10, 10), drone=drone), target, jammer)
        assert spots(held(truth, A, B1)) == found


def test_a_drone_is_mute_if_the_line_from_its_launcher_meets_a_hostile_field() -> None:
    launcher, target = able(A, (30, 10)), able(B, (8, 12))
    drone = remote(A, (10, 10), launcher, drone=True)
    jammer = able(B, (20, 10), "LECM", 2)
    jammed = held(truth_of(launcher, drone, target, jammer), A, B1)
    assert spots(jammed) == []
    # OWN: without its launcher it goes on by itself.
    gone = replace(launcher, fate=Fate.DESTROYED)
    alone = held(truth_of(gone, drone, target, jammer), A, B1)
    assert spots(alone) == [("A", "B/S1 remote")]


def test_a_landed_target_is_judged_from_where_it_stands() -> None:
    landing = Landing(body="Rock", sector=able(A, (1, 1)).facing)
    down = replace(able(B, (30, 30)), landing=landing)
    truth = truth_of(able(A, (31, 27), "PRB"), down, board=BOARD)
    assert spots(held(truth, A, B1)) == [("A", "B/S1 visual sensor")]


@given(seed=st.integers(0, 2**16))
def test_the_order_of_ships_makes_no_difference(seed: int) -> None:
    truth = truth_of(
        able(A, (10, 10), "PRB"),
        able(A, (20, 20), "BH", 2),
        able(B, (14, 14), "ECM"),
        able(C, (16, 16), "STL"),
    )
    for side in (A, C):
        truth = held(truth, side, B1)
    truth = held(truth, A, able(C, (1, 1)).id)
    assert spots(in_other_order(truth, seed)) == spots(truth)
