"""The scout: what it takes for worth its while."""

import msgspec
import pytest

from builders.bots import contact
from builders.fakeserver import CARD, MATCH, SIDE
from sunglare_client.bot import BotMatch
from sunglare_client.bots.fleet import CHAFF_WORTH, UNKNOWN_WORTH
from sunglare_client.bots.scout import Scout
from sunglare_protocol.geometry import Square
from sunglare_protocol.messages import ClassCard
from sunglare_protocol.words.ladder import Fix
from sunglare_protocol.words.scans import Echo

CLASSES = (
    ClassCard(name="cruiser", size="large", hull=28, thrust=2, points=8, weapons=()),
    ClassCard(name="decoy", size="large", hull=1, thrust=3, points=0, weapons=()),
)


@pytest.mark.parametrize(
    ("kind", "size", "worth"),
    [
        (None, None, UNKNOWN_WORTH),
        ("cruiser", Echo.LARGE, 8.0),
        ("decoy", Echo.LARGE, CHAFF_WORTH),
        ("frigate", Echo.MEDIUM, UNKNOWN_WORTH),
        ("frigate", None, UNKNOWN_WORTH),
        ("spy-drone", Echo.MISSILE, CHAFF_WORTH),
    ],
    ids=[
        "a blip",
        "a ship of a type of one's own",
        "a decoy",
        "a ship of a type that one has none of",
        "the same while it is not tracked",
        "a drone",
    ],
)
def test_a_piece_is_worth_what_its_type_is_and_no_ship_is_chaff_for_being_strange(
    kind: str | None, size: Echo | None, worth: float
) -> None:
    bot = Scout(0)
    bot.on_start(BotMatch(match=MATCH, side=SIDE, card=CARD, classes=CLASSES))
    piece = msgspec.structs.replace(contact(Square(5, 5), Fix.TRACKED), type=kind, size=size)
    assert bot.worth(piece) == worth
