"""What bots ask and fire on the ground: nothing that cannot work, and nothing twice in vain."""

import os
from collections import Counter

import pytest
from msgspec.structs import replace

from advice.test_ground_probing import ASK, H, token, view
from builders.botmatches import fought
from builders.played import Rig
from builders.terminals import GUARD
from sunglare_client.advice import Advice
from sunglare_client.bots.scans.data_requests import Requests
from sunglare_protocol.ids import OwnId
from sunglare_protocol.notices.blips import DataScanned
from sunglare_protocol.surface import Arm, Build, Cell
from sunglare_protocol.words.dossiers import Dossier, Outcome
from sunglare_server.match.events.ground import GroundShotFired, TokenProbed

OUT_OF_REACH_MOST = 0.05
"""OWN: the share of the data scans that may come back out of reach, as a blip may be large."""

CANNOT_HIT_MOST = 0.05
"""OWN: the share of the direct shots that may be unable to hit, for the same reason."""

LONG = bool(os.environ.get("SUNGLARE_LONG"))
SEEDS = tuple(range(3, 9 if LONG else 6))
SMALL = ("smugglers-moon", "two-harbours")


def test_the_bots_ask_and_fire_on_the_ground_at_what_they_can_reach() -> None:
    scans: Counter[Outcome] = Counter()
    shots: Counter[bool] = Counter()

    def watch(_window: object, match: Rig) -> None:
        assert match.last is not None
        for event in match.last.events:
            if isinstance(event, TokenProbed):
                scans[event.outcome] += 1
            elif isinstance(event, GroundShotFired) and event.kind is Arm.DIRECT:
                shots[event.needed is not None] += 1

    for name in SMALL:
        for seed in SEEDS:
            fought(name, seed, "admiral", "admiral", watch=watch)
    assert scans.total() > 10
    assert shots.total() > 10
    assert scans[Outcome.OUT_OF_REACH] <= OUT_OF_REACH_MOST * scans.total()
    assert shots[False] <= CANNOT_HIT_MOST * shots.total()


KNOWN = token((4, 2), build=Build.MECH, footprint=0)
DOSSIER = Dossier(turn=4, variant="titan", damage=0, heat=0, move=6)


@pytest.mark.parametrize("outcome", list(Outcome))
def test_a_bot_asks_again_from_the_same_two_cells_only_after_a_full_answer(
    outcome: Outcome,
) -> None:
    bot, seen = Requests(), Advice(view(KNOWN))
    assert list(bot.worth_making(seen)) == [ASK]
    dossier = DOSSIER if outcome is Outcome.FULL else None
    bot.heard(DataScanned(ship=ASK.ship, at=H, outcome=outcome, dossier=dossier))
    again = [ASK] if outcome is Outcome.FULL else []
    assert list(bot.worth_making(seen)) == again
    moved = Advice(view(replace(KNOWN, cell=Cell(4, 3))))
    assert list(bot.worth_making(moved)) == [ASK]
    stepped = Advice(view(KNOWN, replace(GUARD, cell=Cell(2, 3))))
    assert list(bot.worth_making(stepped)) == [ASK]


def test_an_answer_to_somebody_elses_request_spoils_nothing() -> None:
    bot, seen = Requests(), Advice(view(KNOWN))
    other = OwnId("G9")
    bot.heard(DataScanned(ship=other, at=H, outcome=Outcome.OUT_OF_REACH))
    assert list(bot.worth_making(seen)) == [ASK]
