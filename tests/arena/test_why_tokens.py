"""Why a unit or landed ship on a surface map was held, identified or exposed, or was not."""

import pytest
from msgspec.structs import replace

from builders.ground import AG1, BG1, SITE, ground_truth, landed, planet, seeing, unit
from builders.groundprobes import DARK, FLAT, able
from builders.hindsight import happened, of, told
from builders.truths import B1, CORVETTE, A, B, C, applied, ship
from sunglare_arena.hindsight.moments import moments_of
from sunglare_arena.hindsight.tokens import deed_lines, map_lines
from sunglare_protocol.geometry import Planet
from sunglare_protocol.ids import Side
from sunglare_protocol.surface import Cell
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.pieces import PieceKind
from sunglare_server.match.events.agents import UnitsSpied
from sunglare_server.match.events.ground import (
    AttackerRevealed,
    HiddenExposed,
    PieceIdentified,
    UnitDestroyed,
    UnitMoved,
)
from sunglare_server.match.events.space import Event
from sunglare_server.match.ids import PieceId
from sunglare_server.match.resolve import ground as surface
from sunglare_server.match.truth.ground import GroundTruth
from sunglare_server.match.truth.truth import Truth

MATCHES = ("garrison", "siege", "orlog")


def said(truth: Truth, piece: PieceId = BG1, phase: Phase = Phase.PLOT) -> str:
    """Return what A is told of a piece on a map as it stands."""
    return "\n".join(map_lines(truth, A, piece, phase))


def after(truth: Truth, *events: Event, phase: Phase = Phase.PLOT, piece: PieceId = BG1) -> str:
    """Return what A is told of what a piece did, or what was done to it."""
    return "\n".join(deed_lines(moments_of(truth, events), A, piece, phase))


def looking(*units: GroundTruth, body: Planet = FLAT) -> Truth:
    """Return a truth in which A sees the map and holds B's unit as a token, if it is in sight."""
    truth = ground_truth(*units, body=body)
    open_ = [one_unit.id for one_unit in units if one_unit.side == B and not one_unit.hidden]
    return seeing(truth, A, *open_)


def hidden(at: tuple[int, int], words: str = "") -> GroundTruth:
    """Return B's hidden unit with these abilities."""
    return replace(able(B, at, words), hidden=True)


# Landed ships.


def test_a_landed_ship_is_told_with_how_far_off_the_own_pieces_were() -> None:
    # At night a 'Mech or vehicle sees ten inches at the most, and so do its sensors.
    down = landed(ship(B, 1, kind=CORVETTE), (20, 0))
    truth = seeing(ground_truth(able(A, (0, 0)), ships=(down,), body=DARK), A, B1)
    line = said(truth, B1)
    assert "not identified by G1: 40.0 inches away; it sees to " in line
    assert line.endswith(", senses to 10 (blips §2 and §3)")


def test_a_landed_ship_that_is_cold_is_told_as_stealthy() -> None:
    down = replace(landed(ship(B, 1, kind=CORVETTE), (4, 0)), powered=False)
    wall = planet("..4...", "..4...")
    truth = seeing(ground_truth(able(A, (0, 0)), ships=(down,), body=wall), A, B1)
    assert "solid terrain in the way), senses to 10 (nothing stealthy or cold)" in said(truth, B1)


def test_a_landed_ship_on_a_map_that_nobody_sees_is_told_so() -> None:
    down = landed(ship(B, 1, kind=CORVETTE))
    truth = ground_truth(ships=(down,), body=FLAT)
    assert said(truth, B1) == "none of your working pieces saw the map of Ceres 1 (blips §3)"


def test_a_ship_in_flight_is_on_no_map_and_a_unit_aboard_is_told_to_be_there() -> None:
    flying = ship(B, 1, kind=CORVETTE)
    truth = ground_truth(unit(B, at="B/S1"), ships=(flying,), body=FLAT)
    assert said(truth, B1) == ""
    assert said(truth) == "it was aboard a ship, on no surface map (blips §2)"


def test_what_is_identified_is_not_explained_any_more() -> None:
    truth = ground_truth(able(A, (0, 0)), able(B, (20, 0)), body=DARK)
    assert said(seeing(truth, A, BG1, identified=True)) == ""
    assert said(seeing(truth, A, BG1)) != ""


def test_pieces_are_spotted_at_the_end_of_movement_alone() -> None:
    truth = looking(able(A, (0, 0)), able(B, (20, 0)), body=DARK)
    assert said(truth, phase=Phase.PLOT)
    assert not said(truth, phase=Phase.ENGAGE)


# Who identified it.


def spotted(truth: Truth, piece: PieceId = BG1) -> str:
    """Return what A is told of what is spotted now."""
    return after(truth, *surface.spottings(truth), piece=piece)


def test_all_who_identified_a_token_are_told_with_their_ways() -> None:
    truth = looking(able(A, (0, 0)), able(A, (3, 0), number=2), able(B, (6, 0)))
    assert spotted(truth) == "IDENTIFIED by G1 (visual), G2 (visual, sensor) (blips §2 and §3)"


def test_a_fighter_above_by_day_is_told_as_one_who_identified() -> None:
    kind = replace(CORVETTE, kind=PieceKind.FIGHTER)
    flying = ship(A, 1, (15, 11), kind)
    truth = looking(able(B, (6, 0)), body=planet(*(("." * 12,) * 3)))
    above = replace(truth, ships={**truth.ships, flying.id: flying})
    assert surface.overhead(above, A) == (SITE,)
    assert spotted(above) == "IDENTIFIED by a fighter above by day (blips §2 and §3)"
    dark = planet(*(("." * 12,) * 3), sector=DARK.environs[0].sector)
    night = replace(above, board=replace(above.board, planets=(dark,)))
    assert spotted(night) == ""


def test_its_own_attack_spies_and_its_end_are_told() -> None:
    truth = looking(able(A, (0, 0)), able(B, (6, 0)))
    revealed = AttackerRevealed(piece=BG1, side=A)
    assert after(truth, revealed, phase=Phase.ENGAGE) == (
        "IDENTIFIED by its own direct or close attack (blips §1)"
    )
    assert after(truth, replace(revealed, side=C), phase=Phase.ENGAGE) == ""
    spies = UnitsSpied(side=A, site=SITE, units=(BG1,), leaders=())
    assert "spies of yours told all of it" in after(truth, spies, phase=Phase.ENGAGE)
    assert after(truth, replace(spies, side=C), phase=Phase.ENGAGE) == ""
    assert after(truth, replace(spies, units=(AG1,)), phase=Phase.ENGAGE) == ""
    gone = UnitDestroyed(piece=BG1, killers=(A,))
    assert after(truth, gone, phase=Phase.ENGAGE) == "it was destroyed (blips §2)"


# Hidden units.


@pytest.mark.parametrize(
    ("own", "apart", "theirs", "words"),
    [
        ("", 2, "", "4.0 inches away, in sight; in sight 2 expose, and it has no probe"),
        (
            "LPRB",
            7,
            "",
            "14.0 inches away, in sight; in sight 2 expose; its LPRB probe reaches 12",
        ),
        ("PRB", 4, "MAS", "its PRB probe reaches 16, but finds nothing stealthy (blips"),
        ("PRB", 4, "ECM", "reaches 16, but was jammed by the ECM of B/G1 (12 inches around)"),
        # A jammer that its own stealth mutes.
        ("PRB DRO", 4, "ECM STL", "reaches 16, but finds nothing stealthy (blips"),
    ],
)
def test_why_a_hidden_unit_was_not_exposed_is_told_with_numbers(
    own: str, apart: int, theirs: str, words: str
) -> None:
    assert words in unexposed(able(A, (0, 0), own), hidden((apart, 0), theirs))


def test_a_remote_sensor_is_told_to_stumble_over_nothing() -> None:
    line = unexposed(able(A, (0, 0), "PRB", kind="ground-sensor"), hidden((0, 0), "STL"))
    assert "0.0 inches away; a remote sensor stumbles over nothing; its PRB probe reaches" in line


def unexposed(own: GroundTruth, there: GroundTruth) -> str:
    """Return what is said of B's unit, which A's does not expose."""
    truth = looking(own, there)
    assert not list(surface.spottings(truth))
    line = said(truth)
    assert line.startswith("not exposed by G1: ")
    return line


def test_a_jammed_drone_is_told_not_to_have_worked() -> None:
    jammer = able(B, (5, 0), "ECM", number=2)
    truth = looking(able(A, (0, 0), "PRB DRO"), hidden((4, 0)), jammer)
    assert "did not work (plant off, a jammed drone) and was jammed by the ECM of B/G2" in said(
        truth
    )


@pytest.mark.parametrize(
    ("letter", "words"),
    [
        ("2", "solid terrain in the way; in sight 2 expose; its PRB probe reaches 16, but goes"),
        ("2", "but goes through nothing solid (blips §1 and §2)"),
        ("w", "woods in the way; in sight 2 expose, and it has no probe"),
    ],
)
def test_what_hides_a_hidden_unit_on_its_map_is_told(letter: str, words: str) -> None:
    body = planet("....", f".{letter}..")
    own = able(A, (0, 0), "PRB" if letter == "2" else "")
    assert words in said(looking(own, hidden((2, 0)), body=body))


def test_who_exposed_a_hidden_unit_is_told_with_the_distance() -> None:
    truth = looking(
        able(A, (0, 0)), able(A, (4, 0), "PRB", 2), able(A, (9, 2), number=3), hidden((1, 0))
    )
    assert spotted(truth) == (
        "EXPOSED by G1, 2.0 inches away, G2, 6.0 inches away (blips §1 and §2)"
    )


def test_damage_exposes_and_that_is_told() -> None:
    truth = looking(able(A, (0, 0)), hidden((6, 0)))
    exposed = HiddenExposed(piece=BG1, side=A)
    assert "it took damage, and a piece of yours saw it" in after(
        truth, exposed, phase=Phase.ENGAGE
    )


def test_a_fighter_above_is_told_to_see_nothing_hidden() -> None:
    truth = looking(hidden((6, 0)))
    assert said(truth) == (
        "you had but a fighter above the map, which sees nothing hidden (blips §1)"
    )


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (FLAT, "an enemy saw the first or the last cell of its move, so it came identified"),
        (planet("..2...", "..2...", "..2..."), "no enemy saw the first or last cell"),
    ],
    ids=["in sight", "behind a building"],
)
def test_a_unit_that_leaves_its_hiding_is_told_with_what_it_became(
    body: Planet, words: str
) -> None:
    truth = looking(able(A, (0, 0)), hidden((4, 0)), body=body)
    moved = UnitMoved(piece=BG1, cells=(Cell(4, 1),))
    now = applied(truth, [moved])
    shows = surface.uncovered(truth, now, [moved], frozenset())
    assert f"it left its hiding: {words}" in after(truth, moved, *surface.uncoverings(shows))


# Whole matches.


@pytest.mark.parametrize("side", [A, B])
@pytest.mark.parametrize("name", MATCHES)
def test_everything_identified_or_exposed_in_a_match_is_told_with_who_did_it(
    name: str, side: Side
) -> None:
    for kind, word in ((PieceIdentified, "IDENTIFIED by "), (HiddenExposed, "EXPOSED by ")):
        made = [e for state, e in of(name, kind) if e.side == side and _moved_then(name, e)]
        lines = [
            line.words
            for line in told(name, side)
            if line.phase is Phase.PLOT and line.words.startswith(word)
        ]
        assert len(lines) == len(made)
        assert not any(words.startswith(f"{word}nobody") for words in lines)


def _moved_then(name: str, event: Event) -> bool:
    """Return whether an event was one of a PLOT: the state after it is in SCAN."""
    return any(e is event and state.standing.phase is Phase.SCAN for state, e in happened(name))


@pytest.mark.parametrize("name", MATCHES)
def test_of_no_hidden_unit_in_a_match_somebody_is_named_who_would_have_exposed_it(
    name: str,
) -> None:
    for side in (A, B):
        for line in told(name, side):
            if line.words.startswith("not exposed by "):
                away = float(line.words.partition(": ")[2].partition(" inches")[0])
                assert away > 2 or "in the way" in line.words or "remote sensor" in line.words
