"""Which bots `sunglare play` seats against the player."""

import msgspec
import pytest

from builders.data import LIBRARY
from builders.fakeserver import CARD
from sunglare_client.bots import BOTS
from sunglare_client.commands.playing import LOCAL_BOTS, rivals
from sunglare_protocol.ids import SIDES


@pytest.mark.parametrize(
    ("scenario", "sides", "named", "seated"),
    [
        ("shadow-of-ceres", 2, [], ["scout"]),
        ("four-corners", 4, [], ["admiral"] * 3),
        ("redondo", 4, [], ["admiral"] * 3),
        ("orlog", 2, ["random"], ["random"]),
        ("four-corners", 4, ["random", "lurker"], ["random", "lurker", "random"]),
        ("orlog", 2, ["random", "raider"], ["random"]),
    ],
)
def test_a_local_match_has_a_bot_in_every_other_seat(
    scenario: str, sides: int, named: list[str], seated: list[str]
) -> None:
    card = msgspec.structs.replace(CARD, name=scenario, sides=SIDES[:sides])
    assert rivals(named, card, local=True) == seated


@pytest.mark.parametrize("named", [[], ["scout"], ["scout", "random"]])
def test_elsewhere_only_the_bots_named_are_seated(named: list[str]) -> None:
    assert rivals(named, CARD, local=False) == named


def test_the_usual_bots_and_their_scenarios_are_shipped() -> None:
    assert set(LOCAL_BOTS) <= set(LIBRARY.scenarios)
    assert set(LOCAL_BOTS.values()) <= set(BOTS)
