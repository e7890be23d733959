"""Data scans in space: answers, dossiers, and who notices a probe."""

import pytest
from msgspec.structs import replace

from builders.blips import able, held, known, remote
from builders.truths import A1, A2, B1, B2, BOARD, C1, A, B, C, truth_of, with_ship
from sunglare_protocol.geometry import Square
from sunglare_protocol.words.dossiers import Dossier, Outcome
from sunglare_protocol.words.ladder import Fix
from sunglare_server.match.events.blips import PieceProbed
from sunglare_server.match.resolve.probing import Request, probes
from sunglare_server.match.truth.truth import Truth


def asked(truth: Truth, scanner: str = A1) -> PieceProbed:
    """Return what comes of A's request about B's ship."""
    [event] = probes(truth, (Request(truth.ships[A1].id if scanner == A1 else A2, B1),))
    return event


def duel(words: str, theirs: str, at: tuple[int, int]) -> Truth:
    return known(truth_of(able(A, (10, 10), words), able(B, at, theirs)), A, B1)


@pytest.mark.parametrize(
    ("words", "theirs", "at", "outcome", "by_probe"),
    [
        ("", "", (11, 12), Outcome.FULL, False),
        ("", "", (12, 12), Outcome.OUT_OF_REACH, False),
        ("PRB", "", (12, 12), Outcome.FULL, True),
        ("PRB", "", (11, 12), Outcome.FULL, False),
        ("PRB", "", (16, 12), Outcome.FULL, True),
        ("PRB", "", (17, 10), Outcome.OUT_OF_REACH, False),
        ("LPRB", "", (15, 10), Outcome.FULL, True),
        ("LPRB", "", (15, 11), Outcome.OUT_OF_REACH, False),
        ("BH", "", (19, 16), Outcome.FULL, True),
        ("PRB", "ECM", (16, 12), Outcome.INCONCLUSIVE, True),
        ("BH", "ECM", (16, 12), Outcome.FULL, True),
        ("BH", "AECM", (16, 12), Outcome.INCONCLUSIVE, True),
        ("BH", "STL", (16, 12), Outcome.INCONCLUSIVE, True),
        ("", "STL", (11, 12), Outcome.INCONCLUSIVE, False),
        ("", "AECM", (11, 12), Outcome.FULL, False),
    ],
)
def test_reach_stealth_and_jammers_decide_the_answer(
    words: str, theirs: str, at: tuple[int, int], outcome: Outcome, by_probe: bool
) -> None:
    event = asked(duel(words, theirs, at))
    assert (event.outcome, event.by_probe) == (outcome, by_probe)
    assert (event.dossier is not None) is (outcome is Outcome.FULL)


def test_a_field_anywhere_on_the_line_blocks_a_probe() -> None:
    truth = truth_of(
        able(A, (10, 10), "PRB"), able(B, (16, 10)), able(C, (13, 11), "LECM"), board=BOARD
    )
    assert asked(known(truth, A, B1)).outcome is Outcome.FULL
    crossed = with_ship(truth, C1, square=Square(13, 10))
    assert asked(known(crossed, A, B1)).outcome is Outcome.INCONCLUSIVE


def test_a_planet_in_the_way_puts_the_target_out_of_reach() -> None:
    truth = truth_of(able(A, (13, 12), "BH"), able(B, (17, 12)), board=BOARD)
    assert asked(known(truth, A, B1)).outcome is Outcome.OUT_OF_REACH


@pytest.mark.parametrize(
    "truth",
    [
        held(truth_of(able(A, (10, 10), "BH"), able(B, (11, 12))), A, B1),
        known(truth_of(able(A, (10, 10), "BH"), able(B, (11, 12))), A, B1, Fix.COASTING),
        truth_of(able(A, (10, 10), "BH"), able(B, (11, 12))),
        known(truth_of(replace(able(A, (10, 10), "BH"), powered=False), able(B, (11, 12))), A, B1),
        known(
            truth_of(able(A, (10, 10), "BH DRO"), able(B, (11, 12)), able(C, (9, 9), "ECM")), A, B1
        ),
    ],
    ids=["a blip", "coasting", "not held", "a cold asker", "a drone in a hostile field"],
)
def test_a_request_that_cannot_be_made_is_answered_alike_and_noticed_by_nobody(
    truth: Truth,
) -> None:
    event = asked(truth)
    assert event.outcome is Outcome.ILLEGAL
    assert (event.by_probe, event.dossier, event.noticed) == (False, None, ())


def test_a_full_answer_tells_variant_damage_heat_move_modes_and_ecm() -> None:
    target = replace(able(B, (11, 12), "ECM"), damage=5, heat=2, drive_losses=1, ecm_on=False)
    truth = known(truth_of(able(A, (10, 10)), target, turn=4), A, B1)
    assert asked(truth).dossier == Dossier(
        turn=4, variant="lancer", damage=5, heat=2, move=1, modes=("impulse",), ecm=False
    )


def test_a_probe_is_noticed_by_all_other_sides_within_twenty_six_inches() -> None:
    truth = truth_of(
        able(A, (10, 10), "PRB"),
        able(A, (11, 10), number=2),
        able(B, (16, 12)),
        able(B, (19, 16), number=2),
        able(C, (20, 15)),
        remote(C, (10, 12)),
    )
    assert asked(known(truth, A, B1)).noticed == (B2,)


def test_at_short_range_nobody_notices() -> None:
    truth = truth_of(able(A, (10, 10), "PRB"), able(B, (11, 12)), able(C, (10, 12)))
    assert asked(known(truth, A, B1)).noticed == ()


def test_each_request_is_answered_for_itself() -> None:
    truth = truth_of(
        able(A, (10, 10)), able(A, (18, 18), "PRB", 2), able(B, (11, 12)), able(C, (30, 30))
    )
    truth = known(truth, A, B1)
    events = list(probes(truth, (Request(A2, B1), Request(A1, B1))))
    assert [(event.piece, event.outcome) for event in events] == [
        (A1, Outcome.FULL),
        (A2, Outcome.OUT_OF_REACH),
    ]
