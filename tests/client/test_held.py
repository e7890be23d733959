"""What the server held of a seat when it was taken."""

import pytest

from builders.terminals import MATCH, frame, over, resumed, seated, view
from sunglare_client.link.connection import Post
from sunglare_client.link.resume_info import ResumeInfo, age_ms, held_for
from sunglare_protocol.ids import OwnId, WindowId
from sunglare_protocol.messages import News, NewsKind
from sunglare_protocol.orders import Turn

HERE, ELSEWHERE = WindowId("4.plot"), WindowId("4.detect")
ORDERS = (Turn(ship=OwnId("S1"), steps=1),)


def test_orders_are_held_for_the_window_that_was_open() -> None:
    taken = resumed(*ORDERS, window=HERE, rev=2, locked=True)
    assert held_for(taken, HERE) == ResumeInfo(ORDERS, locked=True)
    assert held_for(taken, ELSEWHERE) is None


def test_an_empty_set_of_orders_is_held_as_well() -> None:
    assert held_for(resumed(window=HERE, rev=1, locked=True), HERE) == ResumeInfo((), locked=True)


def test_without_orders_nothing_is_held() -> None:
    assert held_for(resumed(window=HERE), HERE) is None
    assert held_for(seated(), HERE) is None


@pytest.mark.parametrize(
    "post",
    [frame(7, view()), News(match=MATCH, seq=7, kind=NewsKind.CLOCK, closes_ms=80_000), over(7)],
    ids=["frame", "news", "over"],
)
def test_posts_up_to_the_one_named_are_as_old_as_the_answer_says(post: Post) -> None:
    assert age_ms(resumed(seq=7, since_ms=2_500), post) == 2_500
    assert age_ms(resumed(seq=6, since_ms=2_500), post) == 0
    assert age_ms(seated(), post) == 0


def test_news_outside_the_sequence_come_as_they_happen() -> None:
    told = News(match=MATCH, seq=0, kind=NewsKind.SERVER, text="server/again")
    assert age_ms(resumed(seq=7, since_ms=2_500), told) == 0
