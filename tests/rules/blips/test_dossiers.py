"""Data scans, rule by rule and case by case."""

from itertools import product

import pytest

from builders.spotting import beyond, inches, specials
from sunglare_protocol.words.dossiers import Outcome
from sunglare_rules.blips.dossiers import DossierAim, DossierAnswer, Means, data_scan, means_of
from sunglare_rules.blips.ecm import ANGEL_TIER, ECM_TIER, NO_TIER

REACH = {"LPRB": 12, "WAT": 12, "PRB": 16, "NOVA": 16, "BH": 26}
FULL_BY_PROBE = DossierAnswer(Outcome.FULL, Means.PROBE)
VAGUE_BY_PROBE = DossierAnswer(Outcome.INCONCLUSIVE, Means.PROBE)


def _ask(scanner: str, target: str, aim: DossierAim) -> DossierAnswer:
    return data_scan(
        requested=True, legal=True, scanner=specials(scanner), target=specials(target), aim=aim
    )


@pytest.mark.parametrize(("probe", "limit"), REACH.items())
def test_d1_a_probe_scans_to_its_reach(probe: str, limit: int) -> None:
    assert _ask(probe, "", DossierAim(inches(limit), los=False, solid=False)) == FULL_BY_PROBE
    far = DossierAim(beyond(limit), los=True, solid=False)
    assert _ask(probe, "", far) == DossierAnswer(Outcome.OUT_OF_REACH)


def test_d1_the_best_of_several_probes_counts() -> None:
    assert _ask("LPRB BH", "", DossierAim(inches(26), los=False, solid=False)) == FULL_BY_PROBE


@pytest.mark.parametrize("legal", [False, True], ids=["illegal", "legal"])
def test_d3_nothing_is_told_that_was_not_requested(legal: bool) -> None:
    aim = DossierAim(inches(0), los=True, solid=False)
    unasked = data_scan(requested=False, legal=legal, scanner=(), target=(), aim=aim)
    assert unasked == DossierAnswer(Outcome.NOT_REQUESTED)


def test_an_illegal_request_is_answered_alike_whatever_is_there() -> None:
    for stealth, inch, los, jammed in product(("", "STL"), (0, 20), (False, True), (0, 1, 2)):
        aim = DossierAim(inches(inch), los=los, solid=not los, jammed=jammed)
        answer = data_scan(
            requested=True, legal=False, scanner=specials("BH"), target=specials(stealth), aim=aim
        )
        assert answer == DossierAnswer(Outcome.ILLEGAL)


@pytest.mark.parametrize("probe", ["LPRB", "PRB"])
@pytest.mark.parametrize("tier", [ECM_TIER, ANGEL_TIER])
def test_d4_a_hostile_field_on_the_line_blocks_a_probe(probe: str, tier: int) -> None:
    aim = DossierAim(inches(8), los=True, solid=False, jammed=tier)
    assert _ask(probe, "", aim) == VAGUE_BY_PROBE


@pytest.mark.parametrize("probe", REACH)
def test_d4_solid_ground_blocks_every_probe(probe: str) -> None:
    aim = DossierAim(inches(8), los=False, solid=True)
    assert _ask(probe, "", aim) == DossierAnswer(Outcome.OUT_OF_REACH)


def test_d4_soft_ground_blocks_eyes_but_no_probe() -> None:
    aim = DossierAim(inches(3), los=False, solid=False)
    assert _ask("PRB", "", aim) == FULL_BY_PROBE
    assert _ask("", "", aim) == DossierAnswer(Outcome.OUT_OF_REACH)


@pytest.mark.parametrize(
    ("tier", "answer"),
    [(NO_TIER, FULL_BY_PROBE), (ECM_TIER, FULL_BY_PROBE), (ANGEL_TIER, VAGUE_BY_PROBE)],
    ids=["free", "ECM", "AECM"],
)
def test_d5_a_bloodhound_ignores_ecm_but_not_its_angel(tier: int, answer: DossierAnswer) -> None:
    assert _ask("BH", "", DossierAim(inches(20), los=False, solid=False, jammed=tier)) == answer


@pytest.mark.parametrize("tier", [NO_TIER, ECM_TIER, ANGEL_TIER])
@pytest.mark.parametrize("probe", ["", "PRB"], ids=["no probe", "probe"])
def test_d6_short_range_needs_no_probe_and_minds_no_ecm(probe: str, tier: int) -> None:
    aim = DossierAim(inches(6), los=True, solid=False, jammed=tier)
    assert _ask(probe, "", aim) == DossierAnswer(Outcome.FULL, Means.SHORT)


def test_d6_short_range_needs_a_line_of_sight() -> None:
    unseen = DossierAim(inches(6), los=False, solid=True)
    assert _ask("", "", unseen) == DossierAnswer(Outcome.OUT_OF_REACH)
    assert means_of((), DossierAim(beyond(6), los=True, solid=False)) is None


@pytest.mark.parametrize("stealth", ["STL", "MAS"])
@pytest.mark.parametrize(
    ("aim", "means"),
    [
        (DossierAim(inches(6), los=True, solid=False), Means.SHORT),
        (DossierAim(inches(8), los=True, solid=False), Means.PROBE),
    ],
    ids=["short", "probe"],
)
def test_d7_stealth_refuses_both_ways_with_the_words_of_a_jammed_probe(
    stealth: str, aim: DossierAim, means: Means
) -> None:
    assert _ask("BH", stealth, aim) == DossierAnswer(Outcome.INCONCLUSIVE, means)


def test_every_case_agrees_with_a_second_opinion() -> None:
    cases = product(
        ("", *REACH), ("", "STL", "MAS"), range(29), (False, True), (False, True), range(3)
    )
    for probe, stealth, inch, los, solid, tier in cases:
        short = los and inch <= 6
        reached = probe != "" and inch <= REACH[probe] and not solid
        heard = stealth == "" and (short or tier == 0 or (tier == 1 and probe == "BH"))
        expected = Outcome.FULL if heard else Outcome.INCONCLUSIVE
        if not (short or reached):
            expected = Outcome.OUT_OF_REACH
        aim = DossierAim(inches(inch), los=los, solid=solid, jammed=tier)
        assert _ask(probe, stealth, aim).outcome is expected
