"""The arithmetic of notices: whose weapon, skill and table it goes by, to the word."""

import pytest
from msgspec.structs import replace

from builders.terminals import GUARD
from builders.views import C1, S1, S2, S3, own_ship, view
from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.notices import Notice, OwnInScan, RadarSeen, ScanResult, ShotResult
from sunglare_protocol.notices.agents import MissionResult, SearchResult
from sunglare_protocol.notices.capital import BombardResult
from sunglare_protocol.notices.ground import GroundShotResult
from sunglare_protocol.surface import Site
from sunglare_protocol.views import Crew, View, WeaponView
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.pieces import Arc, Relation
from sunglare_protocol.words.search import MissionKind
from sunglare_rules.advice.cards.rolls import is_roll, roll_lines

G1, G2, G9 = OwnId("G1"), OwnId("G2"), OwnId("G9")
SITE = Site("Ceres", 1)


def weapon(name: str, kind: WeaponKind, rank: int = 1) -> WeaponView:
    """Return a weapon of the front arc."""
    return WeaponView(id=name, kind=kind, rank=rank, arc=Arc.FRONT)


SEEN: View = replace(
    view(
        Phase.PLOT,
        own_ship(crew=Crew(operator=1, gunnery=5), weapons=(weapon("W", WeaponKind.SALVO),)),
        own_ship(
            id=S2,
            crew=Crew(operator=3, gunnery=2),
            weapons=(weapon("V", WeaponKind.LEECH), weapon("W", WeaponKind.CAP)),
        ),
    ),
    ground=(replace(GUARD, gunnery=5), replace(GUARD, id=G2, gunnery=3)),
)


def told(notice: Notice, seen: View = SEEN) -> str:
    """Return the lines of a notice's arithmetic as one text."""
    return "\n".join(roll_lines(seen, notice))


def shot(*dice: int, ship: OwnId = S1, stopped: int = 0) -> ShotResult:
    """Return what a shot of the weapon W did: 3 points."""
    return ShotResult(ship=ship, weapon="W", at=C1, damage=3, dice=dice, stopped=stopped)


@pytest.mark.parametrize(
    ("notice", "rolled"),
    [
        (ScanResult(ship=S1, roll=2), True),
        (ScanResult(ship=S1), False),
        (shot(), True),
        (GroundShotResult(ship=G1, weapon="R1", at=C1, damage=0, dice=(1, 1)), True),
        (BombardResult(ship=S1, weapon="C1", site=SITE, dice=(1, 1)), True),
        (SearchResult(site=SITE, side=Side("B"), value=1), True),
        (MissionResult(ship=S1, kind=MissionKind.SPY), True),
        (OwnInScan(ship=S1, side=Side("B"), signal=0), False),
        (RadarSeen(square=Square(1, 1)), False),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_notice_is_of_a_roll_if_something_was_rolled_for_it(
    notice: Notice, rolled: bool
) -> None:
    assert is_roll(notice) is rolled


# Scans.


@pytest.mark.parametrize(
    ("ship", "words"),
    [
        (S1, "Dice 5 + operator 1 = 6 of 10: a contact was tracked if its signal was +4 or more."),
        (S2, "Dice 5 + operator 3 = 8 of 10: a contact was tracked if its signal was +2 or more."),
        (S3, "The two dice show 5."),
    ],
    ids=["the first ship", "the second", "a ship that is gone"],
)
def test_a_sense_roll_goes_by_the_operator_of_the_ship_that_scanned(
    ship: OwnId, words: str
) -> None:
    notice = ScanResult(ship=ship, found=(C1,), roll=5)
    assert told(notice).startswith(f"Found 1, tracked anew 0. {words} Intercept sensors")


@pytest.mark.parametrize(
    ("signal", "words"),
    [(-1, "was -1, 1 too little; 0 is"), (0, "was +0; 0 is"), (1, "was +1; 0 is")],
)
def test_a_signal_is_too_little_below_0(signal: int, words: str) -> None:
    found = told(OwnInScan(ship=S1, side=Side("B"), signal=signal))
    assert words in found
    assert "Given away by: nothing. " in found


# Shots.


@pytest.mark.parametrize(
    ("notice", "words"),
    [
        (shot(4, 2), "Dice 4 2, together 6; damage 3. Fire"),
        (shot(), "No dice; damage 3. Fire"),
        (shot(4, stopped=2), "Dice 4, together 4; damage 3. Point defence stopped 2. Fire"),
    ],
    ids=["dice", "no dice", "stopped"],
)
def test_a_shot_tells_its_dice_and_what_point_defence_stopped(
    notice: ShotResult, words: str
) -> None:
    assert told(notice).startswith(words)


@pytest.mark.parametrize(
    ("needs", "words"),
    [
        (None, "Made through the full front arc. X-Wing 2.0"),
        (
            Relation.FLANKING,
            "Made through the full front arc; it needs a target that is flanking, as this was. ",
        ),
    ],
)
def test_a_shot_tells_the_arc_it_was_made_through(needs: Relation | None, words: str) -> None:
    gun = replace(weapon("W", WeaponKind.BEAM), needs=needs)
    seen = view(Phase.PLOT, own_ship(weapons=(gun,)))
    notice = replace(shot(4), arc=Arc.FULL_FRONT)
    assert words in told(notice, seen)
    assert "Made through" not in told(shot(4), seen)
    of_another = replace(notice, ship=S3)
    assert "Made through the full front arc. " in told(of_another, seen)


@pytest.mark.parametrize(
    "kind",
    [
        WeaponKind.BEAM,
        WeaponKind.STINGER,
        WeaponKind.PULSER,
        WeaponKind.SUBMUNITION,
        WeaponKind.SPICULE,
        WeaponKind.SCATTERGUN,
        WeaponKind.LANCE,
        WeaponKind.FIGHTER,
    ],
)
def test_the_weapons_of_beam_dice_are_read_by_screens(kind: WeaponKind) -> None:
    # A 5 does a point whatever the screens, a 4 none against any.
    seen = view(Phase.PLOT, own_ship(weapons=(weapon("W", kind),)))
    reading = "Beam dice; a 6 is rolled again: 2 at screens 0, 1 at screens 1, 1 at screens 2. "
    assert reading in told(shot(4, 5), seen)


def test_the_second_die_of_a_torpedo_is_its_damage() -> None:
    seen = view(Phase.PLOT, own_ship(weapons=(weapon("W", WeaponKind.TORPEDO),)))
    assert "; the second is the damage. " in told(shot(4, 5), seen)


def test_a_shot_is_read_by_the_weapon_and_the_gunner_that_fired_it() -> None:
    assert "Every die is a point of damage for each pip" in told(shot(4, 5))
    assert "Two dice against gunnery 2 plus range" in told(shot(4, 5, ship=S2))


@pytest.mark.parametrize(
    ("unit", "gunnery"),
    [(G1, "gunnery 5"), (G2, "gunnery 3"), (G9, "gunnery")],
    ids=["the first unit", "the second", "a unit that is gone"],
)
def test_an_attack_on_the_ground_is_read_by_the_gunnery_of_its_unit(
    unit: OwnId, gunnery: str
) -> None:
    notice = GroundShotResult(ship=unit, weapon="R1", at=C1, damage=2, dice=(3, 4))
    words = (
        "Dice 3 4, together 7; damage 2. Needed: "
        f"{gunnery}, +0 at short, +2 at medium, +4 at long, +6 at extreme range, +1 for cover; "
        "2 always misses. "
    )
    assert told(notice).startswith(words)


@pytest.mark.parametrize(
    ("point", "damage", "words"),
    [
        ((52, 90), (3, 1), "it came down, damage to tokens you hold: 3, 1. "),
        ((52, 90), (), "it came down, damage to tokens you hold: none. "),
        (None, (), "it was lost, damage to tokens you hold: none. "),
    ],
    ids=["harm", "no harm", "off the map"],
)
def test_fire_at_a_point_tells_whether_it_came_down_and_whom_it_harmed(
    point: tuple[int, int] | None, damage: tuple[int, ...], words: str
) -> None:
    notice = BombardResult(
        ship=S1,
        weapon="C1",
        site=SITE,
        dice=(5, 4),
        point=point,
        harmed=(C1,) * len(damage),
        damage=damage,
    )
    assert told(notice).startswith(f"Dice 5 4, together 9; {words}")


# Searches. The chart's first column holds a 2 in its first row, and a 1 in all others.


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0, "Search value 0: below 1 is no search. "),
        (
            1,
            (
                "Search value 1: a die of 10 finds them with at most, by their hiding value "
                "1: 2, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1, 7: 1, 8: 1, 9: 1. "
            ),
        ),
    ],
)
def test_a_search_of_value_1_is_the_least_that_has_a_table(value: int, words: str) -> None:
    assert told(SearchResult(site=SITE, side=Side("B"), value=value)).startswith(words)
