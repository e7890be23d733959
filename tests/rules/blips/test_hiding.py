"""Hidden units: what they become after a move, and what exposes them."""

import pytest

from builders.cases import cases
from builders.spotting import beyond, inches, specials
from sunglare_rules.blips.dossiers import DossierAim
from sunglare_rules.blips.ecm import ECM_TIER
from sunglare_rules.blips.hiding import Searcher, Shown, after_move, exposes


@pytest.mark.parametrize(
    ("moved", "enemy_los", "wants_token", "shown"),
    [
        (False, True, True, Shown.HIDDEN),
        (True, False, True, Shown.BLIP),
        (True, False, False, Shown.IDENTIFIED),
        (True, True, True, Shown.IDENTIFIED),
    ],
    ids=["H1 unmoved", "H2 unseen", "H2 unseen, unwilling", "H2 seen"],
)
def test_a_hidden_unit_becomes_a_token_only_by_moving_unseen(
    moved: bool, enemy_los: bool, wants_token: bool, shown: Shown
) -> None:
    assert after_move(moved=moved, enemy_los=enemy_los, wants_token=wants_token) is shown


def test_an_enemy_within_two_inches_in_sight_exposes_even_stealth() -> None:
    near = DossierAim(inches(2), los=True, solid=False)
    assert exposes(Searcher(operational=False), specials("STL"), near)
    assert not exposes(Searcher(), (), DossierAim(beyond(2), los=True, solid=False))
    assert not exposes(Searcher(), (), DossierAim(inches(0), los=False, solid=False))


def test_a_remote_sensor_stumbles_over_nothing() -> None:
    assert not exposes(Searcher(remote=True), (), DossierAim(inches(0), los=True, solid=False))


PROBE, HOUND = Searcher(specials("PRB")), Searcher(specials("BH"))
JAMMED = DossierAim(inches(9), True, False, ECM_TIER)


@cases(
    ("searcher", "hidden", "aim", "found"),
    {
        "probe": (PROBE, "", DossierAim(inches(16), los=False, solid=False), True),
        "probe at short range": (PROBE, "", DossierAim(inches(5), los=True, solid=False), True),
        "too far": (PROBE, "", DossierAim(beyond(16), los=True, solid=False), False),
        "solid ground": (PROBE, "", DossierAim(inches(16), los=False, solid=True), False),
        "stealth": (PROBE, "STL", DossierAim(inches(16), los=True, solid=False), False),
        "jammed": (PROBE, "", JAMMED, False),
        "Bloodhound": (HOUND, "", JAMMED, True),
        "not working": (
            HOUND._replace(operational=False),
            "",
            DossierAim(inches(9), True, False),
            False,
        ),
        "no probe": (Searcher(), "", DossierAim(inches(5), los=True, solid=False), False),
    },
)
def test_a_working_probe_exposes_what_it_could_scan(
    searcher: Searcher, hidden: str, aim: DossierAim, found: bool
) -> None:
    assert exposes(searcher, specials(hidden), aim) is found
