"""Why a scan did not find a ship, and why nobody identified it: every reason, with numbers."""

import pytest
from msgspec.structs import replace

from builders.scanning import SCANNER, scanning, target
from builders.truths import (
    A1,
    B1,
    BOARD,
    CORVETTE,
    DICE,
    FRIGATE,
    A,
    dice_where,
    holding,
    ship,
    truth_of,
)
from sunglare_arena.hindsight.scans import idle_line, scan_line
from sunglare_arena.hindsight.spots import spotting_lines
from sunglare_protocol.geometry import Compass, Landing, Square
from sunglare_protocol.words.ladder import Fix
from sunglare_protocol.words.scans import ScanSize, ScanType
from sunglare_protocol.words.specials import Special
from sunglare_server.match.dice import Dice
from sunglare_server.match.events.space import ScanDeclared
from sunglare_server.match.resolve.spotting import spottings
from sunglare_server.match.truth.truth import ShipTruth, Truth


def scanned(
    truth: Truth,
    kind: ScanType = ScanType.VISUAL,
    at: str | Square = "E5",
    size: ScanSize = ScanSize.BOX,
    dice: Dice = DICE,
) -> str:
    """Return what is said of B1 after the scan that A1 makes."""
    declared, *rest = scanning(truth, kind, at, size, sense=True, dice=dice)
    assert isinstance(declared, ScanDeclared)
    return scan_line(truth, declared, rest, truth.ships[B1])


def spotted(truth: Truth, *, sensors_work: bool = True) -> str:
    """Return what is said of who identified B1 for side A."""
    events = list(spottings(truth, sensors_work=sensors_work))
    lines = spotting_lines(truth, A, truth.ships[B1], events, sensors_work=sensors_work)
    return "\n".join(lines)


def held(*ships: ShipTruth, fix: Fix = Fix.TRACKED) -> Truth:
    """Return a truth in which side A holds B1."""
    return holding(truth_of(*ships), A, B1, fix)


def test_a_ship_outside_the_area_is_told_with_both_places() -> None:
    # Box E5 has the columns 20 to 24 and the rows 20 to 24.
    line = scanned(truth_of(SCANNER, target(at=(25, 22))))
    assert "S1 scanned visual 1box at E5, strength +1" in line
    assert "columns 20 to 24, rows 20 to 24: it stood on 25,22 (sensors §5)" in line


def test_a_ship_behind_a_planet_is_told_with_the_planet() -> None:
    here = replace(SCANNER, square=Square(15, 15))
    line = scanned(truth_of(here, target(at=(15, 3)), board=BOARD), at="D1")
    assert "hidden by Ceres from 15,15: it stood on 15,3 (sensors §2)" in line


def test_a_cloaked_ship_in_the_area_is_told_to_be_cloaked() -> None:
    line = scanned(truth_of(SCANNER, target(cloaked=True, cloaks=1)))
    assert "it was cloaked, and no scan finds a cloaked ship (cloak §1)" in line


def test_a_signal_too_weak_is_told_with_its_terms() -> None:
    # A cold frigate: mass -4; mass rating 2 and a box -1 are a strength of 1.
    line = scanned(truth_of(SCANNER, target(powered=False)), ScanType.MASS)
    assert "too faint: mass hull -4 and strength +1 give signal -3; 0 is needed" in line


def test_sunglare_is_told_with_what_it_cost() -> None:
    # From south of the box, in one of its columns.
    here = replace(SCANNER, square=Square(22, 30))
    line = scanned(truth_of(here, target()))
    assert "strength +1, less 6 for sunglare" in line
    # visual: -4 of a frigate and 6 of the sun, and -5 left.
    assert "visual hull +2 and strength -5 give signal -3" in line


def test_shadow_is_told_where_it_makes_a_hull_too_faint() -> None:
    line = scanned(truth_of(SCANNER, target(at=(15, 22)), board=BOARD), at="D5")
    assert "not lit by the sun, too faint: visual hull -4 and strength +1" in line


@pytest.mark.parametrize("kind", [ScanType.NEUTRINO, ScanType.IR])
def test_a_cold_ship_that_gives_off_nothing_of_the_type_is_told_so(kind: ScanType) -> None:
    line = scanned(truth_of(SCANNER, target(powered=False)), kind)
    assert "gave off nothing that this type senses" in line


def test_a_landed_ship_gives_off_nothing() -> None:
    landing = Landing(body="Ceres", sector=Compass.SW)
    down = target(at=(15, 12), landing=landing)
    line = scanned(truth_of(replace(SCANNER, square=Square(3, 25)), down, board=BOARD), at="D3")
    assert "gave off nothing" in line


@pytest.mark.parametrize("is_tracked", [True, False])
def test_a_contact_is_told_with_its_sense_roll(is_tracked: bool) -> None:
    # Operator 0 and signal +3 (1 of strength, 2 of the lit hull): the dice need 7.
    truth = truth_of(SCANNER, target())
    word = "TRACKED" if is_tracked else "not tracked anew"
    dice = dice_where(lambda dice: f", {word}: dice" in scanned(truth, dice=dice))
    line = scanned(truth, dice=dice)
    assert "FOUND: visual hull +2 and strength +1 give signal +3" in line
    roll = int(line.partition(": dice ")[2].partition(" ")[0])
    skill = truth.ships[A1].crew.operator
    assert (roll + skill + 3 >= 10) is is_tracked


def test_radar_tracks_without_a_roll() -> None:
    big = target(at=(22, 22), popped_out=True)
    line = scanned(truth_of(SCANNER, big), ScanType.RADAR)
    assert "FOUND: radar hull -1 and strength +1 give signal +0, tracked by radar" in line


def test_a_side_that_did_not_scan_is_told_which_plants_were_off() -> None:
    truth = truth_of(replace(SCANNER, powered=False), target())
    assert idle_line(truth, A) == "you made no scan; plant off on S1 (sensors §5)"
    assert idle_line(truth_of(SCANNER, target()), A) == "you made no scan (sensors §5)"


# Who identified it.


def test_an_identified_ship_is_told_with_the_ways() -> None:
    assert "IDENTIFIED by visual, sensor" in spotted(held(ship(A), target(at=(10, 13))))


def test_what_is_not_held_is_not_identified() -> None:
    near = (ship(A), target(at=(10, 13)))
    assert "and you had nothing" in spotted(truth_of(*near))
    assert "and you had a coasting hold" in spotted(held(*near, fix=Fix.COASTING))


def test_a_spotter_too_far_off_is_told_with_distance_and_reach() -> None:
    # 10 squares are 24 inches; a lit target is seen to 16, sensors reach 10.
    line = spotted(held(ship(A), target(at=(20, 10))))
    assert "not identified by S1: 24.0 inches away; it sees to 16, senses to 10" in line


AHEAD, ASTERN = ship(A, at=(10, 2)), ship(A, at=(10, 15))
COLD = replace(ship(A, at=(10, 10)), powered=False)
JAMMING = replace(FRIGATE, specials=(Special.ECM,))


@pytest.mark.parametrize(
    ("here", "there", "words"),
    [
        (ASTERN, target(at=(10, 10)), "sees to 16 (blinded by the sun)"),
        (COLD, target(at=(10, 15)), "it did not work"),
        (AHEAD, target(at=(10, 10), powered=False), "nothing stealthy or cold"),
        (AHEAD, target(at=(10, 10), type=JAMMING), "ECM covers it"),
    ],
    ids=["sun", "cold spotter", "cold target", "jammer"],
)
def test_a_spotter_in_vain_is_told_what_stood_in_its_way(
    here: ShipTruth, there: ShipTruth, words: str
) -> None:
    assert words in spotted(held(here, there))


def test_in_jammed_space_sensors_are_told_not_to_work() -> None:
    line = spotted(held(ship(A), target(at=(20, 10))), sensors_work=False)
    assert "senses to 10 (not in jammed space)" in line


def test_a_planet_in_the_way_of_eyes_is_named() -> None:
    truth = truth_of(ship(A, at=(15, 15)), target(at=(15, 5)), board=BOARD)
    assert "hidden by Ceres" in spotted(holding(truth, A, B1, Fix.TRACKED))


def test_a_small_ship_is_fainter_than_a_large_one() -> None:
    small = scanned(truth_of(SCANNER, target(type=CORVETTE, powered=False)), ScanType.MASS)
    assert "mass hull -7 and strength +1 give signal -6" in small
