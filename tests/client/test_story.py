"""The story: every notice is a sentence, scans come with their answers, text never commands."""

import unicodedata
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.agentstories import AGENTS_CASES
from builders.terminals import BOARD, A, B, frame, over, stage, view
from sunglare_client.text.printable import printable
from sunglare_client.text.story import (
    checksum_line,
    notice_lines,
    result_lines,
    stage_line,
    window_lines,
)
from sunglare_protocol import notices
from sunglare_protocol.geometry import Compass, Square
from sunglare_protocol.ids import Handle, OwnId
from sunglare_protocol.surface import Arm, Cell, Site
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.dossiers import Dossier, Outcome
from sunglare_protocol.words.ladder import Fix, Phase
from sunglare_protocol.words.scans import Answers, Blocked, ScanSize, ScanType

S1 = OwnId("S1")
H = Handle("kq7xab")
AT = Square(7, 22)

# The third worked scan of the rules: from south of the planet, in its shadow.
SCAN = notices.ScanAnswered(
    side=A,
    type=ScanType.VISUAL,
    size=ScanSize.BOXES,
    at="E4",
    strength=-1,
    answers=Answers(
        glare=False,
        from_well=False,
        touches_well=True,
        blocked=(Blocked(planet="Ceres", sector=Compass.N, near=True),),
    ),
    effective=-1,
)

G1, SITE, CELL = OwnId("G1"), Site("Ceres", 2), Cell(2, 4)
POINT = (5200, 9000)
CAPITAL_CASES: tuple[tuple[notices.Notice, tuple[str, ...]], ...] = (
    (
        notices.FighterSeen(handle=H, label="C5", square=AT, side=B, type="fighter"),
        ("C5", "side B"),
    ),
    (
        notices.BombardResult(
            ship=S1, weapon="C1", site=SITE, dice=(5, 4), point=POINT, harmed=(H,), damage=(3,)
        ),
        ("S1.C1", "Ceres 2 C5", "5.2, 9", "takes 3"),
    ),
    (
        notices.BombardResult(ship=S1, weapon="C1", site=SITE, dice=(1, 2)),
        ("S1.C1", "off the map"),
    ),
    (notices.BlastSeen(site=SITE, point=POINT), ("fire", "Ceres 2 C5")),
    (
        notices.OwnShelled(ship=S1, weapon=Arm.SDS_CM, damage=2, spent=1),
        ("S1", "sds cm", "2 damage", "spends 1"),
    ),
    (
        notices.OwnShelled(ship=S1, weapon=Arm.SDS_CM, damage=0, spent=2, stopped=1),
        ("stops the missile",),
    ),
    (notices.OwnBlasted(ship=G1, damage=2, site=SITE, point=POINT), ("G1", "2 damage", "C5")),
    (notices.OwnDesignated(ship=G1, site=SITE, cell=CELL), ("G1", "C5")),
    (
        notices.OwnMissileSent(ship=G1, weapon="D1", at=SITE, cell=CELL, lands=4),
        ("G1.D1", "Ceres 2 C5", "turn 4"),
    ),
    (notices.OwnNoticed(ship=G1, bearing=210), ("G1", "210")),
    (notices.OwnHit(ship=S1, weapon=WeaponKind.MSL, damage=2, spent=1), ("msl", "spends 1")),
    (notices.TruthDesignated(side=A, ship=G1, at=SITE, cell=CELL), ("A.G1", "C5")),
    (
        notices.TruthMissile(side=A, ship=G1, weapon="D1", at=SITE, cell=CELL, lands=4),
        ("A.G1.D1", "turn 4"),
    ),
    (
        notices.TruthBlast(side=A, ship=S1, weapon="C1", site=SITE, dice=(6, 2), point=POINT),
        ("A.S1.C1", "C5", "6 2"),
    ),
    (
        notices.TruthBlast(side=A, ship=S1, weapon="C1", site=SITE, dice=(1, 2)),
        ("A.S1.C1", "off the map"),
    ),
)

GROUND_CASES: tuple[tuple[notices.Notice, tuple[str, ...]], ...] = (
    (notices.MapSeen(site=SITE), ("you see", "Ceres 2")),
    (notices.MapLost(site=SITE), ("no longer see", "Ceres 2")),
    (notices.TokenSeen(handle=H, label="C4", site=SITE, cell=CELL), ("TOKEN C4", "Ceres 2 C5")),
    (notices.TokenIdentified(handle=H, label="C4", side=B, type="tank"), ("C4", "side B", "tank")),
    (notices.TokenGone(label="C4", how=notices.TokenEnd.DESTROYED), ("C4", "DESTROYED")),
    (
        notices.TokenGone(label="C4", how=notices.TokenEnd.LIFTED, side=B, type="courier"),
        ("C4 lifts off", "courier"),
    ),
    (
        notices.GroundShotResult(ship=G1, weapon="R1", at=H, damage=2, dice=(5, 4)),
        ("G1.R1", "hits for 2", "5 4"),
    ),
    (notices.ImpactSeen(site=SITE, cell=CELL), ("fire", "Ceres 2 C5")),
    (
        notices.OwnHalted(ship=G1, why=notices.MoveFault.TERRAIN, cell=CELL),
        ("G1", "C5", "terrain"),
    ),
    (notices.OwnIdentified(ship=G1), ("G1", "IDENTIFIED")),
    (notices.OwnOverflown(side=B, site=SITE, ships=(G1,)), ("FIGHTER", "G1", "IDENTIFIED")),
    (notices.OwnUncovered(ship=G1), ("G1", "found")),
    (notices.OwnEmerged(ship=G1, identified=False), ("G1", "out of hiding", "a token")),
    (notices.OwnEmerged(ship=G1, identified=True), ("G1", "out of hiding", "SHOWN")),
    (
        notices.OwnGroundHit(ship=G1, weapon=Arm.INDIRECT, damage=1, site=SITE, cell=CELL),
        ("G1", "indirect", "1 damage"),
    ),
    (notices.TruthToken(side=A, owner=B, piece=G1, how="seen"), ("A: SEEN", "B.G1")),
)

DOSSIER = Dossier(
    turn=4, variant="jammer-frigate", damage=3, heat=2, move=2, modes=("impulse",), ecm=False
)

CASES: tuple[tuple[notices.Notice, tuple[str, ...]], ...] = (
    (notices.InitiativeDrawn(order=(B, A)), ("B before A",)),
    (SCAN, ("A scans", "gloss")),
    (notices.RadarSeen(square=AT), ("radar", "7,22 B5")),
    (notices.ShotSeen(square=AT), ("shot", "7,22")),
    (notices.NovaSeen(until=6), ("NOVA", "turn 6")),
    (notices.SideOut(side=B), ("side B",)),
    (
        notices.PieceLost(side=B, piece="Kite", turns=2, ends_after=3),
        ("side B has lost Kite", "turn 2 of 3 before the match ends"),
    ),
    (notices.Occupation(site=SITE), (SITE.name, "no side")),
    (notices.Occupation(site=SITE, sides=(A, B)), (SITE.name, "sides A and B stand")),
    (notices.Occupation(site=SITE, sides=(B,), turns=2), ("side B alone", "turn 2")),
    (
        notices.Occupation(site=SITE, sides=(B,), turns=2, ends_after=3),
        ("side B alone", "turn 2 of 3 before the match ends"),
    ),
    (notices.SweepSeen(square=AT), ("sweep", "7,22 B5")),
    (notices.JamSet(until=7), ("JAMMED", "turn 7")),
    (notices.JamOver(), ("jammed no longer",)),
    (notices.ScanResult(ship=S1), ("S1", "nothing")),
    (
        notices.ContactSeen(handle=H, label="C3", square=AT, signatures=("visual_hull",)),
        ("CONTACT C3",),
    ),
    (notices.TrackGained(handle=H, label="C3", square=AT), ("TRACKED C3",)),
    (notices.TrackCoasts(handle=H, label="C3"), ("COASTING C3",)),
    (notices.TrackLost(label="C3"), ("LOST C3",)),
    (notices.ContactCloaked(label="C3"), ("C3", "CLOAKED")),
    (
        notices.CloakedFound(handle=H, label="C3", square=AT, fix=Fix.SOLUTION),
        ("SOLUTION C3", "cloaked", "7,22"),
    ),
    (notices.TrailCold(label="C3"), ("C3", "cold")),
    (notices.ContactLeft(label="C3"), ("C3 left the map",)),
    (notices.ContactLanded(label="C3", body="Ceres", sector=Compass.SW), ("C3", "Ceres", "SW")),
    (notices.ContactDestroyed(label="C3"), ("C3", "DESTROYED")),
    (
        notices.ShooterKnown(label="C3", square=AT, side=B, type="cruiser"),
        ("C3", "side B", "cruiser"),
    ),
    (notices.ShotResult(ship=S1, weapon="B1", at=H, damage=2, dice=(5, 4)), ("S1.B1", "2", "5 4")),
    (
        notices.OwnInScan(ship=S1, side=B, signal=1, signatures=("ir_power",)),
        ("S1", "scan of B", "+1", "ir power"),
    ),
    (notices.OwnTracked(ship=S1, side=B), ("S1", "TRACKED by B")),
    (notices.OwnTrackLost(ship=S1, side=B), ("S1", "no longer tracked")),
    (notices.OwnFound(ship=S1, fix=Fix.DETECTED), ("S1", "cloak", "DETECTED")),
    (notices.OwnHit(ship=S1, weapon=WeaponKind.BEAM, damage=3), ("S1", "beam", "3 damage")),
    (
        notices.OwnHit(ship=S1, weapon=WeaponKind.SALVO, damage=0, stopped=4),
        ("S1", "salvo missile", "stops 4"),
    ),
    (notices.OwnLaunched(ship=S1, piece=OwnId("M2"), missiles=5), ("S1", "M2", "volley of 5")),
    (notices.OwnLaunched(ship=S1, piece=OwnId("F1")), ("S1", "F1", "fighters")),
    (notices.OwnDrained(ship=S1, damage=4), ("S1", "4 damage", "leeches")),
    (notices.OwnSystemLost(ship=S1, system="drive"), ("S1", "drive")),
    (notices.OwnDestroyed(ship=S1, cause="fire"), ("S1", "DESTROYED", "fire")),
    (notices.OwnEscaped(ship=S1, edge=Compass.W), ("S1", "W edge")),
    (notices.OwnCollected(ship=S1, body="Styx"), ("S1", "Styx")),
    (notices.TruthCollected(side=A, piece=S1, body="Styx"), ("A.S1", "Styx")),
    (
        notices.TruthHeld(side=A, owner=B, piece=S1, fix="tracked", square=AT, roll=9),
        ("A: TRACKED", "B.S1", "roll 9"),
    ),
    (
        notices.TruthShot(side=A, ship=S1, weapon="B1", owner=B, target=S1, damage=2, dice=(6, 4)),
        ("A.S1.B1", "B.S1", "HITS for 2"),
    ),
    (notices.TruthGone(side=B, piece=S1, cause="fire"), ("B.S1", "fire")),
    *GROUND_CASES,
    *AGENTS_CASES,
    (
        notices.ContactIdentified(handle=H, label="C3", side=B, type="frigate"),
        ("IDENTIFIED C3", "side B", "frigate"),
    ),
    (
        notices.DataScanned(ship=S1, at=H, outcome=Outcome.FULL, dossier=DOSSIER),
        ("S1 SCANNED", "jammer-frigate", "damage 3", "heat 2", "move 2", "jammer off"),
    ),
    (notices.DataScanned(ship=S1, at=H, outcome=Outcome.INCONCLUSIVE), ("S1", "cannot make out")),
    (notices.DataScanned(ship=S1, at=H, outcome=Outcome.OUT_OF_REACH), ("S1", "out of reach")),
    (notices.OwnProbed(ship=S1, bearing=30), ("S1", "PROBED", "030 to 060")),
    (notices.ProbeSensed(ship=S1, bearing=0), ("S1", "probe at work", "000 to 030")),
    (notices.ProbeSensed(ship=S1), ("S1", "own square")),
    (
        notices.TruthIdentified(side=A, owner=B, piece=S1, methods=("visual", "sensor")),
        ("A: IDENTIFIED", "B.S1", "visual and sensor"),
    ),
    (
        notices.TruthProbed(
            side=A, ship=S1, owner=B, target=S1, outcome=Outcome.ILLEGAL, by_probe=True
        ),
        ("A.S1", "B.S1", "by probe"),
    ),
    *CAPITAL_CASES,
    (notices.TruthCloak(side=B, ship=S1, on=True), ("B.S1", "CLOAKS")),
    (notices.TruthCloak(side=B, ship=S1, on=False), ("B.S1", "uncloaks")),
    (
        notices.TruthHunt(side=A, ship=S1, sweep=True, dice=(2, 6), found=((B, S1),)),
        ("A.S1 sweeps", "finds B.S1", "2 6"),
    ),
    (
        notices.TruthHunt(side=A, ship=S1, sweep=False, dice=(5,)),
        ("A.S1 listens", "finds nobody", "5"),
    ),
)


def test_a_notice_is_a_sentence() -> None:
    texts = [("\n".join(notice_lines(notice, BOARD)), words) for notice, words in CASES]
    assert not [(text, word) for text, words in texts for word in words if word not in text]


def test_every_kind_of_notice_has_its_sentence() -> None:
    told = {type(notice) for notice, _ in CASES}
    assert told == {
        kind for part in get_args(notices.Notice) for kind in get_args(part) or (part,)
    }


def test_a_scan_is_told_with_its_three_questions_and_answers() -> None:
    assert notice_lines(SCAN, BOARD)[0] == (
        "A scans visual 3box at E4, strength -1 | glare? no"
        " | from or touching a well? touches | blocked: near N of Ceres | -> -1"
    )


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        (
            Answers(glare=True, from_well=False, touches_well=False),
            "well? no | blocked: not asked",
        ),
        (Answers(glare=False, from_well=True, touches_well=False), "from within | blocked: noth"),
        (Answers(glare=False, from_well=True, touches_well=True), "from within and touches"),
    ],
    ids=["no well: not asked", "a well, nothing blocked", "both halves of the question"],
)
def test_what_is_not_asked_is_not_answered(answers: Answers, words: str) -> None:
    seen = notices.ScanAnswered(
        side=B,
        type=ScanType.IR,
        size=ScanSize.SQUARE,
        at=Square(3, 4),
        strength=2,
        answers=answers,
        effective=-4,
    )
    assert words in notice_lines(seen, BOARD)[0]
    assert "ir 1sq at 3,4, strength +2" in notice_lines(seen, BOARD)[0]


def test_the_gloss_says_where_the_scanner_must_be() -> None:
    (_, gloss) = notice_lines(SCAN, BOARD)
    assert gloss.startswith("   gloss: ")
    assert "164 squares left" in gloss


def test_a_miss_says_so() -> None:
    (line,) = notice_lines(
        notices.ShotResult(ship=S1, weapon="B1", at=H, damage=0, dice=(1,)), BOARD
    )
    assert "misses" in line


def test_a_window_is_told_after_what_happened_before_it() -> None:
    lines = window_lines(frame(1, view(Phase.SCAN, slot="B"), notices.SideOut(side=B)))
    assert "side B has no piece left" in lines[0]
    assert lines[-1] == "-- turn 4 of 20: SCAN, slot of B"
    assert stage_line(stage(Phase.OVER)).endswith("the match is over")


def test_the_end_names_winner_and_points() -> None:
    text = "\n".join(result_lines(over(), {A: "anna", B: "ben"}))
    for words in ("A (anna) wins", "A (anna) 4, B (ben) 2", "last turn"):
        assert words in text
    assert "a draw" in result_lines(over(winner=None), {})[0]


def test_the_checksum_is_the_seed_and_the_hash_of_the_record() -> None:
    assert checksum_line(over()) == f"seed {'ab' * 32}  record {'cd' * 32}"


@given(st.text())
def test_printable_text_is_one_line_without_control_characters(text: str) -> None:
    shown = printable(text)
    assert all(not unicodedata.category(letter).startswith("C") for letter in shown)
    assert len(shown.splitlines()) <= 1
    assert printable(shown) == shown
    assert printable(text, ascii_only=True).isascii()


@given(st.text(alphabet=st.characters(categories=("L", "N", "P")), max_size=100))
def test_printable_text_leaves_letters_alone(text: str) -> None:
    assert printable(text) == text
