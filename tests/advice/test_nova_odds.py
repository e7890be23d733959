"""The odds of a nova gun, which asks for no target."""

from msgspec.structs import replace

from builders.orders import typed
from builders.views import S1, contact, own_ship, view
from sunglare_protocol.geometry import Square
from sunglare_protocol.messages.answers import ShotOdds
from sunglare_protocol.refusals import Code
from sunglare_protocol.views import WeaponView
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.ladder import Fix, Phase
from sunglare_protocol.words.pieces import Relation
from sunglare_rules.advice.odds.fire import shot_odds

GUN = own_ship(weapons=(WeaponView(id="nova", kind=WeaponKind.NOVA),))
SHOT = typed("fire S1.nova")


def test_the_odds_of_a_nova_are_six_dice_for_each_piece_held_in_its_first_sweep() -> None:
    # 6 to 24 mu are 3 to 10 squares ahead.
    near, far, aside = Square(7, 24), Square(7, 17), Square(12, 22)
    ahead = (contact(square=near), contact(square=far, label="C2", fix=Fix.TRACKED))
    for held, mean in (
        (ahead, 2 * 2100),
        ((*ahead[:1], contact(square=aside)), 2100),
        ((contact(square=near, fix=Fix.MEMORY, handle=None),), 0),
        ((), 0),
    ):
        assert shot_odds(view(Phase.ENGAGE, GUN, contacts=held), SHOT) == ShotOdds(
            ship=S1, weapon="nova", at=None, band=0, relation=Relation.NONE, mean_hundredths=mean
        )


def test_a_nova_of_a_ship_that_thrust_has_no_odds_but_the_reason() -> None:
    refused = shot_odds(view(Phase.ENGAGE, replace(GUN, thrust_spent=1)), SHOT)
    assert getattr(refused, "code", None) is Code.ORDER_NOVA
