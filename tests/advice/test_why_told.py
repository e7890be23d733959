"""Why a notice was told: its rule, its section, and the dice as far as the side knows them."""

import pytest
from msgspec.structs import replace

from builders.sections import HEADINGS, cited
from builders.terminals import frame
from builders.views import C1, C2, S1, own_ship, view
from client.test_story import CASES
from sunglare_client.advice import Advice
from sunglare_client.terminal.recent_notices import RecentNotices
from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.messages import Frame
from sunglare_protocol.notices import (
    Notice,
    OwnInScan,
    ScanResult,
    ShotResult,
    ShotSeen,
    TrackLost,
)
from sunglare_protocol.notices.agents import MissionResult, SearchResult
from sunglare_protocol.surface import Site
from sunglare_protocol.views import Crew, View, WeaponView
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.pieces import Arc
from sunglare_protocol.words.search import MissionKind
from sunglare_rules.advice.cards.told import why_told

SEEN = view(Phase.PLOT, own_ship(crew=Crew(operator=1)))
SHOT = ShotResult(ship=S1, weapon="W", at=C1, damage=3, dice=(4, 5, 6, 1))


def words(notice: Notice, seen: View = SEEN) -> str:
    """Return the whole card on a notice."""
    return "\n".join(why_told(seen, notice).lines)


def armed(kind: WeaponKind, rank: int = 1) -> View:
    """Return a view whose ship has the weapon W."""
    weapon = WeaponView(id="W", kind=kind, rank=rank, arc=Arc.FRONT)
    return view(Phase.PLOT, own_ship(weapons=(weapon,)))


def framed(*notices: Notice) -> Frame:
    """Return a frame that brings the notices."""
    return frame(1, SEEN, *notices)


def test_every_notice_is_explained_by_a_section_of_the_rule_book() -> None:
    cards = {type(notice).__name__: why_told(SEEN, notice) for notice, _ in CASES}
    assert not [name for name, card in cards.items() if not card.title]
    assert not [
        (name, line)
        for name, card in cards.items()
        for line in card.lines
        if not cited(line) or not cited(line) <= HEADINGS
    ]


def test_no_notice_of_a_side_falls_to_the_rule_of_the_truth_feed() -> None:
    feed = {type(n) for n, _ in CASES if "truth feed" in words(n)}
    assert feed == {type(n) for n, _ in CASES if type(n).__name__.startswith("Truth")}


@pytest.mark.parametrize(
    ("roll", "signal"),
    [
        pytest.param(6, "+3 or more", id="6 + 1 leaves 3"),
        pytest.param(9, "+0 or more", id="9 + 1 is enough"),
        pytest.param(12, "+0 or more", id="a contact has 0 at least"),
        pytest.param(2, "+7 or more", id="2 + 1 leaves 7"),
    ],
)
def test_a_sense_roll_says_which_signal_it_would_have_tracked(roll: int, signal: str) -> None:
    told = words(ScanResult(ship=S1, found=(C1, C2), tracked=(C2,), roll=roll))
    assert f"Dice {roll} + operator 1 = {roll + 1} of 10" in told
    assert signal in told


def test_a_scan_without_a_roll_says_so() -> None:
    assert "Nothing was rolled" in words(ScanResult(ship=S1, found=(C1,)))


def test_a_ship_in_a_scan_is_told_how_much_was_missing() -> None:
    faint = words(OwnInScan(ship=S1, side=Side("B"), signal=-4))
    assert "was -4, 4 too little" in faint
    loud = words(OwnInScan(ship=S1, side=Side("B"), signal=2, signatures=("ir_power",)))
    assert "was +2; 0 is needed" in loud
    assert "ir power" in loud
    assert "no signal at all" in words(OwnInScan(ship=S1, side=Side("B")))


@pytest.mark.parametrize(
    ("kind", "dice", "told"),
    [
        # 4 and 5 do one point each, a 6 two; with one screen the 4 does none, with two a 6 one.
        (WeaponKind.BEAM, (4, 5, 6, 1), "4 at screens 0, 3 at screens 1, 2 at screens 2"),
        (WeaponKind.TORPEDO, (4, 5), "3+ to 5, 4+ to"),
        (WeaponKind.KGUN, (4, 5), "doubles the 3 points if it shows 3 or less"),
        (WeaponKind.MKP, (6,), "6 does 8"),
        (WeaponKind.SALVO, (3, 3), "for each pip, screens or not"),
        (WeaponKind.CAP, (3, 3), "gunnery 4 plus range"),
    ],
)
def test_a_shot_is_explained_by_how_its_weapon_reads_dice(
    kind: WeaponKind, dice: tuple[int, ...], told: str
) -> None:
    shot = replace(SHOT, dice=dice)
    lines = words(shot, armed(kind, 3))
    assert told in lines
    assert "damage 3" in lines


def test_a_shot_of_a_ship_that_is_gone_still_tells_its_dice() -> None:
    lost = replace(SHOT, ship=OwnId("S9"))
    assert "Dice 4 5 6 1, together 16; damage 3" in words(lost)


def test_a_search_tells_the_table_for_the_own_value_and_no_die() -> None:
    # Search value 6: the column 4 3 3 2 2 2 1 1 1 of the chart.
    lines = words(SearchResult(site=Site("Ceres", 1), side=Side("B"), value=6))
    assert "1: 4, 2: 4, 3: 3, 4: 3, 5: 2, 6: 2, 7: 1, 8: 1, 9: 1" in lines


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        (MissionKind.SPY, "best intelligence of the group, +1 for 3 or more, had to reach 9"),
        (MissionKind.FREE, "best combat of the group, +1 for 3 or more, had to reach 10"),
        (MissionKind.DELIVER, "Nothing is rolled"),
    ],
)
def test_a_mission_tells_what_the_die_had_to_reach(kind: MissionKind, told: str) -> None:
    assert told in words(MissionResult(ship=S1, kind=kind))


def test_the_explanation_uses_nothing_but_the_notice_and_the_own_pieces() -> None:
    fuller = replace(SEEN, contacts=(), record=(ShotSeen(square=Square(1, 1)),))
    for notice, _ in CASES:
        assert why_told(fuller, notice) == why_told(SEEN, notice)


def test_the_terminal_shows_the_newest_rolls_first_and_any_notice_by_its_number() -> None:
    told = RecentNotices()
    told.take(framed(ScanResult(ship=S1, found=(C1,), roll=7), TrackLost(label="C4")), SEEN)
    told.take(framed(SHOT, ShotSeen(square=Square(1, 1))), SEEN)
    rolls = [line for line in told.lines("rolls") if not line.startswith(" ")]
    assert [row[:2] for row in rolls] == ["1.", "3."]
    everything = [line for line in told.lines("told") if not line.startswith(" ")]
    assert [row[:2] for row in everything] == ["1.", "2.", "3."]
    assert "Two SCAN windows" in "\n".join(told.lines("2"))
    assert told.lines("9") == ["nothing of the kind was told you yet"]
    assert told.lines("C4") == []


def test_a_bot_may_ask_why_it_was_told_something() -> None:
    advice = Advice(SEEN)
    assert advice.why_told(SHOT) == why_told(SEEN, SHOT)
    assert advice.why("points") is not None
    assert advice.why("C9") is None
