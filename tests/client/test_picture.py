"""The picture folded from posts: numbers without a gap, the latest frame, and the chain."""

import hashlib

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.fakeserver import frame, news, over, view
from sunglare_client.errors import GapError
from sunglare_client.link.picture import Picture
from sunglare_protocol.codec import Form, encode_server
from sunglare_protocol.geometry import Square
from sunglare_protocol.messages import Frame
from sunglare_protocol.notices import RadarSeen
from sunglare_protocol.seals import CHAIN_START, canonical
from sunglare_protocol.words.ladder import Phase


def folded(*frames: Frame) -> Picture:
    picture = Picture()
    for post in frames:
        assert picture.fold(post)
    return picture


def test_a_picture_shows_the_latest_frame() -> None:
    picture = folded(frame(1), frame(2, view(Phase.ENGAGE, turn=4)))
    assert picture.have == 2
    assert picture.view == view(Phase.ENGAGE, turn=4)


def test_a_picture_knows_nothing_before_the_first_frame() -> None:
    assert Picture().view is None
    assert Picture().chain == CHAIN_START


def test_notices_are_kept_by_the_window_they_came_with() -> None:
    seen = RadarSeen(square=Square(3, 4))
    first = msgspec.structs.replace(frame(1), notices=(seen,))
    picture = folded(first, frame(2))
    assert picture.notices == {first.window: (seen,), frame(2).window: ()}


def test_a_post_that_was_folded_before_changes_nothing() -> None:
    picture = folded(frame(1), frame(2))
    before = (picture.have, picture.chain, picture.view)
    assert not picture.fold(frame(1))
    assert not picture.fold(frame(2))
    assert (picture.have, picture.chain, picture.view) == before


def test_a_gap_in_the_numbers_is_raised() -> None:
    picture = folded(frame(1))
    with pytest.raises(GapError) as gap:
        picture.fold(news(3))
    assert (gap.value.expected, gap.value.got) == (2, 3)
    assert picture.have == 1


def test_news_and_the_end_count_in_the_same_sequence() -> None:
    picture = folded(frame(1))
    assert picture.fold(news(2))
    assert picture.fold(over(3))
    assert picture.have == 3
    assert picture.over == over(3)
    assert list(picture.news) == [news(2)]


def test_news_numbered_zero_stand_outside_the_sequence() -> None:
    picture = folded(frame(1))
    assert picture.fold(news(0))
    assert picture.fold(news(0))
    assert picture.have == 1
    assert picture.fold(frame(2))


def test_a_keyframe_that_was_announced_may_leave_a_gap() -> None:
    picture = folded(frame(1))
    picture.expect_keyframe()
    assert picture.fold(frame(9))
    assert picture.have == 9
    assert picture.chain_from == 9
    with pytest.raises(GapError):
        picture.fold(frame(11))


def test_only_a_frame_can_be_the_announced_keyframe() -> None:
    picture = folded(frame(1))
    picture.expect_keyframe()
    with pytest.raises(GapError):
        picture.fold(news(9))


def test_a_feed_that_is_watched_begins_with_any_keyframe() -> None:
    picture = Picture(from_keyframe=True)
    assert picture.fold(frame(40))
    assert picture.fold(frame(41))


def test_each_link_of_the_chain_is_the_hash_of_the_link_before_and_the_frame() -> None:
    expected = bytes(16)
    for post in (frame(1), frame(2)):
        form = canonical(encode_server(post, Form.PACKED), Form.PACKED)
        expected = hashlib.blake2b(expected + form, digest_size=16).digest()
    assert folded(frame(1), frame(2)).chain == expected


def test_a_field_that_the_library_does_not_know_is_part_of_the_chain() -> None:
    sent = msgspec.msgpack.decode(encode_server(frame(1), Form.PACKED))
    sent["view"]["weather"] = {"wind": 3}
    sent["moon"] = None
    form = canonical(msgspec.msgpack.encode(sent), Form.PACKED)
    picture = Picture()
    assert picture.fold(frame(1), form)
    assert picture.chain == hashlib.blake2b(bytes(16) + form, digest_size=16).digest()
    assert picture.chain != folded(frame(1)).chain


def test_the_pad_of_a_frame_is_no_part_of_the_chain() -> None:
    assert folded(frame(1, pad="." * 77)).chain == folded(frame(1)).chain


def test_other_frames_give_another_chain() -> None:
    assert folded(frame(1, view(Phase.SCAN))).chain != folded(frame(1, view(Phase.PLOT))).chain


@given(cuts=st.lists(st.integers(min_value=0, max_value=8), max_size=6))
def test_repeated_posts_never_change_the_picture(cuts: list[int]) -> None:
    frames = [frame(seq) for seq in range(1, 9)]
    straight, repeated = folded(*frames), Picture()
    for back in cuts:
        for post in frames[max(0, repeated.have - back) : repeated.have + 2]:
            repeated.fold(post)
    for post in frames:
        repeated.fold(post)
    assert repeated.chain == straight.chain
    assert repeated.notices == straight.notices
