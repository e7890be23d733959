"""A review as a whole, as a bot is given it, and what it may depend on."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from builders.orders import read
from builders.views import ORDERS, S1, S2, contact, own_ship, view, views
from sunglare_client.advice import Advice
from sunglare_protocol.geometry import Square, Vector
from sunglare_protocol.orders import Order, Sensors
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.review.review import review

LEAVING = own_ship(square=Square(1, 5), vector=Vector(-3, 0))
TWO = view(Phase.PLOT, LEAVING, own_ship(id=S2), contacts=(contact(),))


def test_a_review_has_losses_what_is_idle_and_whether_all_are() -> None:
    found = review(TWO, ())
    assert [one.piece for one in found.losses] == [S1]
    assert [one.piece for one in found.idle] == [S1, S2]
    assert found.all_idle
    assert not review(TWO, read("turn S2 +1")).all_idle


def test_a_review_says_whether_the_window_has_a_decision() -> None:
    assert review(TWO, ()).has_decision
    seen = replace(TWO, stage=replace(TWO.stage, phase=Phase.DETECT), contacts=())
    assert not review(seen, ()).has_decision


def test_a_review_of_the_set_up_has_the_orders_that_put_the_sensors_out() -> None:
    seen = view(Phase.PLOT, own_ship(popped_out=False), turn=1)
    (usual,) = review(seen, ()).usual
    assert usual == Sensors(ship=S1, out=True)
    assert review(seen, (Sensors(ship=S1, out=False),)).usual == ()
    assert review(replace(seen, stage=replace(seen.stage, turn=2)), ()).usual == ()


def test_a_bot_is_given_the_review_of_the_part_that_can_stand() -> None:
    orders = read("turn S2 +1; turn S2 +1")
    assert Advice(TWO).review(orders) == review(TWO, orders[:1])


@given(views((Phase.PLOT, Phase.SCAN)), st.lists(ORDERS, max_size=4))
def test_before_anything_is_aimed_a_review_follows_from_the_own_side_alone(
    seen: View, orders: list[Order]
) -> None:
    plan = Advice(seen).legal_part(orders)
    assert review(seen, plan) == review(replace(seen, contacts=()), plan)


@given(views(), st.lists(ORDERS, max_size=4))
def test_a_review_names_own_pieces_in_play_and_what_they_have(
    seen: View, orders: list[Order]
) -> None:
    plan = Advice(seen).legal_part(orders)
    found = review(seen, plan)
    ships = {ship.id: ship for ship in Advice(seen).ships()}
    held = [target.handle for target in seen.contacts]
    for lost in found.losses:
        assert lost.piece in ships
    for idle in found.idle:
        weapons = [weapon.id for weapon in ships[idle.piece].weapons]
        assert idle.weapon is None or idle.weapon in weapons
        assert idle.at is None or idle.at in held
    assert found.idle or not found.all_idle
