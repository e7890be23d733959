"""The same bot over the wire, in process and at moments of the replay: the same views and orders.

A match is played over sockets, by bots that pledge nothing, so that its dice follow from the
server's seed alone. The arena plays it again from that seed, and the replay shows its moments.
"""

import asyncio
import tempfile
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from builders.players import created
from builders.servers import running_app
from builders.wires import met
from sunglare_arena.entrants import Game
from sunglare_arena.moment import told_in
from sunglare_arena.playing import play as play_in_process
from sunglare_arena.refold import opening
from sunglare_arena.verify import read_here
from sunglare_client.advice import Advice
from sunglare_client.authoring.moment import Moment, packed_moment, read_moment
from sunglare_client.authoring.picking import picked
from sunglare_client.bot import Bot, BotMatch, is_asked, play
from sunglare_client.bots.hunter import Hunter
from sunglare_client.bots.lurker import Lurker
from sunglare_client.bots.scout import Scout
from sunglare_client.replays.recording import Recording, read_recording
from sunglare_protocol.ids import SIDES, MatchId, Side
from sunglare_protocol.notices import Notice
from sunglare_protocol.orders import Order
from sunglare_protocol.replay.notes import Note
from sunglare_protocol.views import View

KINDS: dict[str, tuple[type[Bot], ...]] = {
    "shadow-of-ceres": (Scout, Lurker),
    "picket-line": (Hunter, Hunter),
}
"""Who plays which scenario, in the order of the sides."""

OPTIONS = {"clock": "test", "omni_delay_s": 0}
"""Those of the arena; who only asks for the clock has the truth shown later."""

NOBODY = MatchId("")


class Heard(NamedTuple):
    """Something that a bot was given or gave: of what window, its bytes, and how Python has it."""

    window: str
    data: bytes
    shown: str


def heard(window: str, what: object) -> Heard:
    return Heard(window, msgspec.msgpack.encode(what), repr(what))


class Ear:
    """What one bot was given, in the order in which it was given, and what it ordered."""

    def __init__(self) -> None:
        self.told: list[Heard] = []
        self.views: list[Heard] = []
        self.notices: list[Heard] = []
        self.orders: list[Heard] = []
        self.noted: list[Note] = []


def listening(kind: type[Bot], subscriber: Ear) -> type[Bot]:
    """Return a bot that plays as `kind` does, by the same chances each time, and keeps it all."""

    class Listening(kind):  # type: ignore[misc,valid-type]
        def __init__(self, seed: int = 0) -> None:
            del seed
            super().__init__(7)

        def gives_up(self, view: View) -> bool:
            # Who resigns ends the match in a window that the other seat may not have reached yet:
            # whether that one is still asked depends on how fast each of them is.
            del view
            return False

        def on_start(self, match: BotMatch) -> None:
            # The number of a match is its own wherever it is played.
            subscriber.told.append(heard("", msgspec.structs.replace(match, match=NOBODY)))
            super().on_start(match)

        def on_notice(self, notice: Notice) -> None:
            subscriber.notices.append(heard("", notice))
            super().on_notice(notice)

        def on_window(self, view: View, advice: Advice) -> Iterable[Order]:
            subscriber.views.append(heard(view.stage.window, view))
            self.note(f"{len(view.contacts)} contacts")
            subscriber.noted = self.notebook.notes
            orders = tuple(super().on_window(view, advice))
            subscriber.orders.append(heard(view.stage.window, orders))
            return orders

    return Listening


class Played(NamedTuple):
    """A match that was played over sockets: its record, and what each bot was given."""

    data: bytes
    ears: dict[Side, Ear]


@lru_cache
def over_the_wire(scenario: str) -> Played:
    """Return a match of the bots over sockets."""
    ears = {side: Ear() for side, _ in zip(SIDES, KINDS[scenario], strict=False)}
    with tempfile.TemporaryDirectory() as folder:
        return Played(asyncio.run(_record(scenario, ears, Path(folder))), ears)


async def _record(scenario: str, ears: dict[Side, Ear], folder: Path) -> bytes:
    async with running_app(folder) as app, met(app.url) as host:
        match = await created(host, scenario=scenario, options=OPTIONS)
        bots = [
            play(listening(kind, subscriber)(), app.url, match=match, side=side, strict=True)
            for (side, subscriber), kind in zip(ears.items(), KINDS[scenario], strict=True)
        ]
        await asyncio.gather(*bots)
        return await host.record(match)


@lru_cache
def recording_of(scenario: str) -> Recording:
    """Return the replay of that match, read once."""
    return read_recording(over_the_wire(scenario).data)


@lru_cache
def beginning_of(scenario: str, side: Side) -> BotMatch:
    """Return what a bot of the side is told at the start of that match."""
    return told_in(over_the_wire(scenario).data, side)


@lru_cache
def in_process(scenario: str) -> dict[Side, Ear]:
    """Return what the bots are given when the arena plays that match from its seed."""
    _, opened = read_here(over_the_wire(scenario).data)
    ears = {side: Ear() for side in opened.scenario.sides}
    seats = tuple((side, number) for number, side in enumerate(opened.scenario.sides))
    kinds = tuple(
        listening(kind, subscriber)
        for kind, subscriber in zip(KINDS[scenario], ears.values(), strict=True)
    )
    play_in_process(opened.scenario, Game(0, opened.server_seed, seats), kinds)
    return ears


def moments_of(scenario: str, side: Side, *, past: bool = False) -> list[Moment]:
    """Return every moment of the replay in which a side is asked for orders."""
    recording, told = recording_of(scenario), beginning_of(scenario, side)
    frames = [recording.frame(side, index) for index in range(len(recording.steps))]
    sent = [frame for frame in frames if frame is not None]
    return [
        Moment(
            match=told.match,
            side=side,
            card=told.card,
            classes=told.classes,
            frames=tuple(sent[: number + 1] if past else sent[number : number + 1]),
        )
        for number, frame in enumerate(sent)
        if isinstance(frame.view, View) and is_asked(frame.view, side)
    ]


@pytest.fixture(params=KINDS)
def scenario(request: pytest.FixtureRequest) -> str:
    """Return a scenario that was played."""
    return str(request.param)


def test_the_match_was_long_enough_to_show_something(scenario: str) -> None:
    for subscriber in over_the_wire(scenario).ears.values():
        assert len(subscriber.views) > 12
        assert {view.window.split(".")[1] for view in subscriber.views} >= {
            "plot",
            "scan",
            "engage",
        }
        assert subscriber.notices


def test_a_bot_in_process_is_given_the_bytes_that_it_is_given_over_the_wire(scenario: str) -> None:
    _, ears = over_the_wire(scenario)
    again = in_process(scenario)
    for side, subscriber in ears.items():
        assert again[side].told == subscriber.told
        assert again[side].views == subscriber.views
        assert again[side].notices == subscriber.notices


def test_a_bot_in_process_orders_and_notes_what_it_does_over_the_wire(scenario: str) -> None:
    _, ears = over_the_wire(scenario)
    again = in_process(scenario)
    for side, subscriber in ears.items():
        assert again[side].orders == subscriber.orders
        assert again[side].noted == subscriber.noted
        assert [note.window for note in subscriber.noted] == [
            view.window for view in subscriber.views
        ]


def test_a_bot_at_a_moment_of_the_replay_is_given_the_same_bytes(
    scenario: str, tmp_path: Path
) -> None:
    for number, (side, subscriber) in enumerate(over_the_wire(scenario).ears.items()):
        again = Ear()
        for moment in moments_of(scenario, side):
            file = tmp_path / "moment.json"
            file.write_bytes(packed_moment(moment))
            read_moment(file).orders(listening(KINDS[scenario][number], again)())
        assert again.views == subscriber.views
        assert again.told == subscriber.told * len(subscriber.views)


def test_with_what_came_before_a_bot_orders_at_a_moment_what_it_ordered_in_the_match(
    scenario: str,
) -> None:
    for number, (side, subscriber) in enumerate(over_the_wire(scenario).ears.items()):
        *_, last = moments_of(scenario, side, past=True)
        again = Ear()
        last.orders(listening(KINDS[scenario][number], again)())
        assert again.orders == subscriber.orders
        assert again.notices == subscriber.notices[: len(again.notices)]


def test_a_side_and_a_turn_name_the_moment_that_they_should() -> None:
    scenario = "shadow-of-ceres"
    recording = recording_of(scenario)
    for moment in moments_of(scenario, Side("B"), past=True):
        stage = moment.view.stage
        assert picked(recording, Side("B"), stage.turn, stage.phase) == moment.frames


def test_what_is_compared_is_of_the_match_that_was_opened() -> None:
    file, opened = read_here(over_the_wire("shadow-of-ceres").data)
    assert opening(file) == opened
    assert not any(seat.entropy for seat in opened.seats)
