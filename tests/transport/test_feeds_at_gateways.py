"""What is released reaches every line once and in order, whatever the road does to it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.memorytransport import Harm, Weather
from builders.remotematches import A, B, Person, RemoteMatches, yonder
from builders.remotepeers import Tap
from sunglare_protocol import messages
from sunglare_protocol.codec import Form
from sunglare_protocol.ids import PUBLIC, MatchId, audience_of
from sunglare_server.transport.messages import FeedMessage, PrivateFeedMessage, sealed_up
from sunglare_server.transport.subjects import line, view

STORMS = st.lists(st.sampled_from([Harm.NONE, Harm.NONE, *Harm]), max_size=80)
"""What happens to one thing after the other, until all is well again."""

CALM_MS = 20_000
"""By when a road is calm again: every answer that was lost has been given up."""


class Story:
    """Two seats and two watchers at two gateways, and what their feeds gave out at the worker."""

    def __init__(self, y: RemoteMatches) -> None:
        self.y = y
        self.match = MatchId("")
        self.pairs: list[tuple[Person, Tap]] = []

    async def begin(self) -> None:
        """Start a match, and have everybody follow it."""
        near, far = await self.y.gate("near"), await self.y.gate("far")
        ann, bob = await near.one("ann"), await far.one("bob")
        watchers = [await gate.one(f"w{n}") for n, gate in enumerate((near, far, far))]
        self.match = await self.y.duel(ann, bob)
        for watcher in watchers:
            await watcher.expect(messages.Watching, messages.Watch, match=self.match, feed=PUBLIC)
        taps = [self.y.tap(self.match, feed) for feed in (audience_of(A), audience_of(B), PUBLIC)]
        self.pairs = [(ann, taps[0]), (bob, taps[1]), *[(one, taps[2]) for one in watchers]]
        await self.y.go_on(100)
        self.before = [len(person.peer.posts(self.match)) for person, _ in self.pairs]

    def check(self) -> None:
        """Check that each line has what the same feed gave out in the worker, byte for byte."""
        for (person, tap), before in zip(self.pairs, self.before, strict=True):
            assert person.peer.farewell is None
            assert person.peer.posts(self.match)[before:] == tap.posts(self.match)
            numbers = [number for number, _ in person.peer.posts(self.match)]
            assert numbers == list(range(1, len(numbers) + 1))


async def storm(weather: Weather, where: str = "") -> None:
    """Play windows in such a weather and some more behind it, and check what came of them.

    It harms what goes by a subject that begins with `where`.
    """
    async with yonder() as y:
        story = Story(y)
        await story.begin()
        y.road.heed = lambda subject: subject.startswith(where)
        y.road.weather = weather
        await y.play(story.match, 8)
        y.road.weather = Weather()
        await y.go_on(CALM_MS)
        await y.play(story.match, 2)
        await y.go_on(CALM_MS)
        assert len(story.pairs[0][1].posts(story.match)) >= 10
        story.check()


@given(harms=STORMS)
async def test_every_frame_reaches_every_line_once_and_in_order(harms: list[Harm]) -> None:
    await storm(Weather(harms))


@pytest.mark.parametrize("seed", range(6))
async def test_a_long_storm_loses_nothing_in_the_end(seed: int) -> None:
    await storm(Weather.of_seed(seed))


@pytest.mark.parametrize("away_ms", [0, 100, 1_500, 30_000])
async def test_a_gateway_that_was_cut_off_gives_its_lines_what_they_missed(away_ms: int) -> None:
    async with yonder() as y:
        story = Story(y)
        await story.begin()
        for gate in y.gates:
            gate.carrier.cut()
            await y.play(story.match, 2)
            await y.go_on(away_ms)
            gate.carrier.mend()
            await y.go_on(1_000)
            await y.play(story.match, 1)
        story.check()


async def test_lines_that_are_brought_back_twice_get_nothing_twice() -> None:
    async with yonder() as y:
        story = Story(y)
        await story.begin()
        await y.play(story.match, 2)
        # Of each line the first answer is lost.
        y.road.heed = lambda subject: subject.startswith("req")
        for gate in y.gates:
            y.road.weather = Weather([Harm.UNANSWERED] * 3)
            gate.carrier.cut()
            gate.carrier.mend()
            await y.go_on(CALM_MS)
            await y.play(story.match, 2)
        story.check()


async def test_a_match_that_was_put_away_is_there_again_with_the_lines_that_come_back() -> None:
    async with yonder() as y:
        near = await y.gate("near")
        ann, bob = await near.one("ann"), await near.one("bob")
        match = await y.duel(ann, bob, clock="correspondence")
        near.carrier.hold_up()
        y.reception.sessions.sweep(y.clock.now_ms() + 6_000)
        await y.rest()
        await y.lobby.matches.park_idle()
        assert y.lobby.matches.handle(match) is None
        near.carrier.go_on()
        await y.go_on(3_000)
        assert y.lobby.matches.handle(match) is not None


async def test_the_last_frame_is_asked_for_again_though_no_frame_follows() -> None:
    async with yonder() as y:
        story = Story(y)
        await story.begin()
        far = y.gates[1]
        far.carrier.cut()
        await y.play(story.match, 1)
        # The lines come back, and the answer with what they missed is lost.
        y.road.heed = lambda subject: subject.startswith("req") and subject.endswith("far")
        y.road.weather = Weather([Harm.NONE] * 3 + [Harm.LOST] * 6)
        far.carrier.mend()
        await y.go_on(CALM_MS)
        story.check()


async def test_frames_of_an_old_owner_are_dropped_after_the_first_of_a_new_one() -> None:
    async with yonder() as y:
        story = Story(y)
        await story.begin()
        ann = story.pairs[0][0]
        await y.play(story.match, 1)
        newest = y.newest(story.match, A)
        of_b = story.pairs[1][1].posts(story.match)[-1][1]

        def show(epoch: int, seq: int, packed: bytes) -> None:
            shown = FeedMessage(epoch, seq, is_frame=True, before=0, packed=packed)
            given = PrivateFeedMessage(story.match, audience_of(A), shown)
            y.carrier.publish(line("near"), sealed_up(given))

        show(7, newest + 1, of_b.replace(b"window", b"window"))
        await y.go_on(20)
        count = len(ann.peer.came)
        for epoch in (0, 1, 6):
            show(epoch, newest + 2, of_b)
        await y.go_on(20)
        assert len(ann.peer.came) == count
        show(7, newest + 2, of_b)
        await y.go_on(20)
        assert len(ann.peer.came) == count + 1
        assert ann.peer.came[-1] == of_b


async def test_garbage_in_the_place_of_a_frame_is_a_line_in_the_log_and_no_more() -> None:
    async with yonder() as y:
        story = Story(y)
        await story.begin()
        for subject in (line("near"), view(story.match, PUBLIC)):
            for data in (b"", b"\xc1", b"\xa1\xff", b"\x91" * 2_000, sealed_up(_shown())[:-1]):
                y.carrier.publish(subject, data)
        await y.play(story.match, 3)
        story.check()


async def test_who_comes_in_the_middle_has_the_rest_and_no_gap() -> None:
    async with yonder() as y:
        story = Story(y)
        await story.begin()
        await y.play(story.match, 3)
        late = await y.gates[0].one("late")
        await late.expect(messages.Watching, messages.Watch, match=story.match, feed=PUBLIC)
        begin = late.peer.posts(story.match)
        tap = y.tap(story.match, PUBLIC)
        await y.play(story.match, 3)
        assert late.peer.posts(story.match)[len(begin) :] == tap.posts(story.match)
        assert begin[-1][0] + 1 == tap.posts(story.match)[0][0]
        story.check()


async def test_a_gateway_asks_once_for_what_all_its_lines_have_missed() -> None:
    async with yonder() as y:
        story = Story(y)
        await story.begin()
        far = y.gates[1]
        more = [await far.one(f"more{n}") for n in range(20)]
        for one in more:
            await one.expect(messages.Watching, messages.Watch, match=story.match, feed=PUBLIC)
        await y.go_on(100)
        y.road.heed = lambda subject: subject == view(story.match, PUBLIC)
        # To the first of the two gateways, and to the second, in which order they came.
        y.road.weather = Weather([Harm.NONE, Harm.LOST])
        y.road.asked.clear()
        await y.play(story.match, 3)
        asked = [subject for name, subject, _ in y.road.asked if name == "far"]
        assert len(asked) <= 2
        ends = {tuple(one.peer.posts(story.match)[-3:]) for one in (*more, story.pairs[3][0])}
        assert len(ends) == 1
        story.check()


def _shown() -> FeedMessage:
    return FeedMessage(
        1, 1, is_frame=True, before=0, packed=b"", change=Form.PACKED.value.encode()
    )
