"""Data scans on surface maps: answers, dossiers, who notices a probe, and who may ask."""

import pytest
from msgspec.structs import replace

from builders.ground import AG1, BG1, SITE, ground_truth, landed, planet, seeing, unit
from builders.groundprobes import FLAT, able, asked, closed, duel, known
from builders.learned import flow_of
from builders.spotting import specials
from builders.truths import A, B, C, only, ship
from sunglare_protocol.ids import Handle, OwnId, audience_of
from sunglare_protocol.orders import Probe
from sunglare_protocol.surface import Cell
from sunglare_protocol.words.dossiers import Dossier, Outcome
from sunglare_protocol.words.ladder import Phase
from sunglare_server.match.events.ground import TokenProbed
from sunglare_server.match.ids import PieceId
from sunglare_server.match.intel.ground import HeldToken
from sunglare_server.match.intel.space import Intel
from sunglare_server.match.resolve.ground_probing import probes
from sunglare_server.match.resolve.probing import Request
from sunglare_server.match.truth.truth import Truth

H = Handle("tttttt")


@pytest.mark.parametrize(
    ("words", "theirs", "apart", "outcome", "by_probe"),
    [
        ("", "", 3, Outcome.FULL, False),
        ("", "", 4, Outcome.OUT_OF_REACH, False),
        ("LPRB", "", 6, Outcome.FULL, True),
        ("LPRB", "", 7, Outcome.OUT_OF_REACH, False),
        ("PRB", "", 3, Outcome.FULL, False),
        ("PRB", "", 8, Outcome.FULL, True),
        ("PRB", "", 9, Outcome.OUT_OF_REACH, False),
        ("BH", "", 13, Outcome.FULL, True),
        ("BH", "", 14, Outcome.OUT_OF_REACH, False),
        ("PRB", "ECM", 8, Outcome.INCONCLUSIVE, True),
        ("BH", "ECM", 8, Outcome.FULL, True),
        ("BH", "AECM", 8, Outcome.INCONCLUSIVE, True),
        ("BH", "STL", 8, Outcome.INCONCLUSIVE, True),
        ("BH", "MAS", 8, Outcome.INCONCLUSIVE, True),
        ("", "STL", 3, Outcome.INCONCLUSIVE, False),
        ("", "AECM", 3, Outcome.FULL, False),
    ],
)
def test_reach_stealth_and_jammers_decide_the_answer(
    words: str, theirs: str, apart: int, outcome: Outcome, by_probe: bool
) -> None:
    # A cell is two inches wide.
    event = asked(duel(words, theirs, apart))
    assert (event.outcome, event.by_probe) == (outcome, by_probe)
    assert (event.dossier is not None) is (outcome is Outcome.FULL)


HILL = planet("......a.........", "......w.........", "................")


@pytest.mark.parametrize(
    ("row", "words", "apart", "outcome"),
    [
        (2, "PRB", 7, Outcome.OUT_OF_REACH),
        (1, "PRB", 7, Outcome.FULL),
        (1, "", 3, Outcome.OUT_OF_REACH),
        (0, "", 3, Outcome.FULL),
    ],
    ids=["a hill stops a probe", "woods do not", "woods hide at short range", "open ground"],
)
def test_solid_ground_stops_probes_and_woods_stop_eyes_alone(
    row: int, words: str, apart: int, outcome: Outcome
) -> None:
    start = 7 - apart + (apart == 3)
    units = (able(A, (start, row), words), able(B, (start + apart, row)))
    assert asked(known(ground_truth(*units, body=HILL), BG1)).outcome is outcome


def test_a_field_anywhere_on_the_line_blocks_a_probe_and_one_beside_it_does_not() -> None:
    wide = planet(*(("." * 26,) * 12))
    for at, outcome in (((4, 1), Outcome.INCONCLUSIVE), ((4, 2), Outcome.FULL)):
        units = (able(A, (0, 0), "PRB"), able(B, (8, 0)), able(C, at, "LECM"))
        truth = known(ground_truth(*units, body=wide), BG1)
        assert asked(truth).outcome is outcome


@pytest.mark.parametrize(
    "truth",
    [
        seeing(duel("BH", "", 2), A, BG1),
        seeing(ground_truth(able(A, (0, 0), "BH"), able(B, (2, 0)), body=FLAT), A),
        known(ground_truth(able(A, (0, 0), "BH", kind="ground-sensor"), able(B, (2, 0))), BG1),
        known(ground_truth(able(A, (0, 0), "BH DRO"), able(B, (2, 0), "ECM"), body=FLAT), BG1),
        known(ground_truth(unit(A, at="A/S1"), able(B, (2, 0)), ships=(ship(A),)), BG1),
    ],
    ids=["a blip", "not held", "a remote sensor", "a drone in a hostile field", "aboard"],
)
def test_a_request_that_cannot_be_made_is_answered_alike_and_noticed_by_nobody(
    truth: Truth,
) -> None:
    event = asked(truth)
    assert event.outcome is Outcome.ILLEGAL
    assert (event.by_probe, event.dossier, event.noticed) == (False, None, ())


def test_a_full_answer_tells_variant_damage_heat_move_modes_and_ecm() -> None:
    lancer = replace(unit(B, 1, (2, 0), "lancer"), damage=2, heat=1)
    truth = replace(known(ground_truth(unit(A), lancer, body=FLAT), BG1), turn=4)
    assert asked(truth).dossier == Dossier(
        turn=4, variant="lancer", damage=2, heat=1, move=10, modes=("foot", "jump 10")
    )
    for on in (True, False):
        jammer = replace(unit(B, 1, (2, 0), "tracked-jammer"), ecm_on=on)
        found = asked(known(ground_truth(unit(A), jammer, body=FLAT), BG1)).dossier
        assert found is not None
        assert (found.ecm, found.modes) == (on, ("tracked",))
    cannon = unit(B, 1, (2, 0), "defence-cannon")
    still = asked(known(ground_truth(unit(A), cannon, body=FLAT), BG1)).dossier
    assert still == Dossier(turn=1, variant="defence-cannon")


def test_a_probe_is_noticed_by_its_target_and_all_other_sides_within_twenty_six_inches() -> None:
    truth = known(
        ground_truth(
            able(A, (0, 0), "PRB"),
            able(A, (1, 0), number=2),
            able(B, (8, 0)),
            able(B, (13, 0), number=2),
            able(B, (14, 0), number=3),
            replace(able(C, (0, 2)), hidden=True),
            able(C, (1, 1), number=2, kind="ground-sensor"),
            body=FLAT,
        ),
        BG1,
    )
    # Due west, and due south from the hidden unit, which notices as well as any other.
    assert asked(truth).noticed == (("B/G1", 270), ("B/G2", 270), ("C/G1", 180))


def test_the_target_learns_of_a_probe_even_if_it_is_a_remote_sensor() -> None:
    units = (able(A, (0, 0), "PRB"), able(B, (8, 0), kind="ground-sensor"))
    assert asked(known(ground_truth(*units, body=FLAT), BG1)).noticed == ((BG1, 270),)


def test_at_short_range_nobody_notices() -> None:
    assert asked(duel("PRB", "", 3)).noticed == ()


def test_each_request_is_answered_for_itself_whatever_their_order() -> None:
    units = (
        able(A, (0, 0)),
        able(A, (9, 0), number=2),
        able(B, (2, 0)),
        able(B, (20, 0), number=2),
    )
    truth = known(ground_truth(*units, body=FLAT), BG1, "B/G2")
    first, second = Request(AG1, BG1), Request(PieceId("A/G2"), PieceId("B/G2"))
    answers = list(probes(truth, (second, first)))
    assert answers == list(probes(truth, (first, second)))
    assert [(answer.piece, answer.outcome) for answer in answers] == [
        (AG1, Outcome.FULL),
        ("A/G2", Outcome.OUT_OF_REACH),
    ]


def test_a_landed_ship_asks_about_tokens_and_is_asked_about_as_one() -> None:
    def landing(words: str) -> Truth:
        made = landed(ship(B), (8, 0))
        scanner = replace(made, type=replace(made.type, specials=specials(words)))
        return ground_truth(able(A, (0, 0), "PRB"), ships=(scanner,), body=FLAT)

    event = asked(known(landing("PRB"), AG1, side=B), "B/S1", "A/G1")
    assert (event.outcome, event.by_probe, event.noticed) == (Outcome.FULL, True, ((AG1, 90),))
    back = asked(known(landing(""), "B/S1"), "A/G1", "B/S1")
    assert back.dossier is not None
    assert back.dossier.modes == ("impulse",)


def test_the_jammer_of_a_landed_ship_covers_its_side_on_the_map_if_its_plant_runs() -> None:
    for powered, outcome in ((True, Outcome.INCONCLUSIVE), (False, Outcome.FULL)):
        made = replace(landed(ship(B), (9, 0)), powered=powered)
        jammer = replace(made, type=replace(made.type, specials=specials("ECM")))
        units = (able(A, (0, 0), "PRB"), able(B, (8, 0)))
        truth = ground_truth(*units, ships=(jammer,), body=FLAT)
        assert asked(known(truth, BG1)).outcome is outcome


def test_a_jammed_drone_jams_nobody() -> None:
    def outcome(jammer: str) -> Outcome:
        units = (able(A, (0, 0), "PRB"), able(B, (8, 0)), able(B, (8, 1), jammer, 2))
        quiet = able(C, (9, 1), "LECM")
        return asked(known(ground_truth(*units, quiet, body=FLAT), BG1)).outcome

    assert outcome("LECM") is Outcome.INCONCLUSIVE
    # C's jammer two inches away mutes the drone; it is too far from the line itself.
    assert outcome("LECM DRO") is Outcome.FULL


def test_the_request_of_a_window_is_looked_up_among_the_tokens_of_its_side() -> None:
    flow = flow_of(duel("", "", 2))
    held = HeldToken(handle=H, label="C1", site=SITE, cell=Cell(2, 0), turn=1, side=B, type="tank")
    knows = Intel(audience=audience_of(A), tokens={BG1: held})
    state = replace(flow.state, intel={**flow.state.intel, audience_of(A): knows})
    order = Probe(ship=OwnId("G1"), at=H)
    [event] = only(closed(state, Phase.DETECT, {A: (order,)}).events, TokenProbed)
    assert (event.piece, event.target, event.outcome) == (AG1, BG1, Outcome.FULL)
    assert not only(closed(state, Phase.DETECT, {B: (order,)}).events, TokenProbed)
