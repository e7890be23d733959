"""Owners on one journal in any interleaving: nothing acknowledged is lost, epochs never fall.

Faults are planted, which this must find: an owner that goes on after it has lost its match, with
showing or with taking commands, and one that serves before `own` is stored.
"""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.memoryjournal import Fault
from builders.owners import Owner
from builders.plants import Plant, Real, in_place_of
from builders.truths import MATCH, A, B
from sunglare_protocol.ids import Side
from sunglare_server.base.tasks import spawn
from sunglare_server.match.clock.presets import BEAT_MS
from sunglare_server.match.record import ChatSaid, Owned, Record, RecordError, body_of, unpacked
from sunglare_server.match.step import step
from sunglare_server.ports.journal import JournalError
from sunglare_server.runtime.journal_writer import FencedError, JournalWriter

STEPS = 60
FAULTS = tuple(Fault)

LEFT = (JournalError, FencedError, RecordError)
"""With what a takeover may end."""


@final
class Course:
    """A match that is handed on from owner to owner at random, and what they said of it."""

    def __init__(self, seed: int) -> None:
        """Draw by `seed`."""
        self.rng = Random(seed)
        self.owners: list[Owner] = []
        self.sent = dict.fromkeys((A, B), 0)
        self.late: list[str] = []
        self._taking: list[asyncio.Task[None]] = []

    async def run(self) -> None:
        """Do this and that, then let all of it come to an end."""
        self.owners.append(await Owner.first())
        for _ in range(STEPS):
            self._do()
            for _ in range(self.rng.randrange(6)):
                await asyncio.sleep(0)
            self._watch()
        for _ in range(4):
            await self.owners[0].clock.run_for(10 * BEAT_MS)
            self._watch()
        for task in self._taking:
            with suppress(*LEFT):
                await task
        for owner in self.owners:
            await owner.runner.stop()

    def _do(self) -> None:
        choice = self.rng.random()
        if choice < 0.55:
            self._speak(self.rng.choice((A, B)))
        elif choice < 0.7:
            self.rng.choice(self.owners).journal.spoil_next(self.rng.choice(FAULTS))
        elif choice < 0.85:
            self.owners[0].clock.advance(self.rng.randrange(2 * BEAT_MS))
        else:
            self._supersede()

    def _speak(self, side: Side) -> None:
        """Say something new, or the same once more, to any owner: a line may be an old one."""
        is_new = self.sent[side] == 0 or self.rng.random() < 0.7
        self.sent[side] += is_new
        number = self.sent[side]
        owner = self.rng.choice(self.owners)
        with suppress(ValueError, KeyError):
            owner.command(side, number, said(side, number))

    def _supersede(self) -> None:
        """Let another one claim the match; some of those before know that they must not go on.

        All should. Those who were stopped for long, and go on, are met by the journal alone.
        """
        for owner in self.owners:
            owner.is_held = owner.is_held and self.rng.random() < 0.4
        before = self.owners[-1]
        epoch = before.epoch + self.rng.randrange(1, 50)
        owner = Owner(before.clock, before.journal.shared(), epoch)
        self.owners.append(owner)
        self._taking.append(spawn(owner.take_over(), "a takeover", awaited=LEFT))

    def _watch(self) -> None:
        """Note who shows something after a later owner has."""
        posts = [owner.posts for owner in self.owners]
        for place, owner in enumerate(self.owners[:-1]):
            is_over = any(posts[place + 1 :])
            is_over = is_over and not owner.is_held
            shown, owner.shown = owner.shown, (owner.shown[0] or is_over, posts[place])
            if shown[0] and posts[place] != shown[1] and not owner.is_held:
                self.late.append(f"epoch {owner.epoch} shows something after a later one")

    async def faults(self) -> list[str]:
        """Return what is wrong with the records, and with what was said of them."""
        blobs = await self.owners[0].journal.read(MATCH)
        try:
            records = list(folded(blobs))
        except RecordError as fault:
            return [str(fault)]
        found = list(dict.fromkeys(self.late))
        stored = Counter((record.s, record.c) for record in records if record.s is not None)
        found += [f"{key} is stored {times} times" for key, times in stored.items() if times > 1]
        bodies = {(record.s, record.c): record.b for record in records}
        for owner in self.owners:
            for side, number in owner.acknowledged:
                if bodies.get((side, number)) != said(side, number):
                    found.append(
                        f"epoch {owner.epoch} acknowledged {side} {number}, which is lost"
                    )
            if owner.posts and owner.epoch not in [record.e for record in records]:
                found.append(f"epoch {owner.epoch} shows something and is in no record")
        return found


def said(side: Side, number: int) -> ChatSaid:
    return ChatSaid(text=f"{side} {number}")


def folded(blobs: tuple[bytes, ...]) -> Iterator[Record]:
    state, before = None, b""
    for number, blob in enumerate(blobs, 1):
        record = unpacked(blob, number, before)
        state, before = step(state, record).state, blob
        yield record


def faults_of(seed: int) -> list[str]:
    async def play() -> list[str]:
        course = Course(seed)
        await course.run()
        return await course.faults()

    return asyncio.run(play())


@given(st.integers(0, 2**32))
def test_whatever_the_interleaving_nothing_acknowledged_is_lost_and_epochs_never_fall(
    seed: int,
) -> None:
    assert faults_of(seed) == []


def holds_for_ever(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(JournalWriter, "is_held", True)


@in_place_of(JournalWriter, "write")
async def goes_on(
    real: Real[object], self: JournalWriter, first: int, blobs: tuple[bytes, ...]
) -> None:
    try:
        await real(self, first, blobs)  # type: ignore[misc]
    except FencedError:
        if isinstance(body_of(blobs[0]), Owned):
            raise


@in_place_of(JournalWriter, "write")
async def serves_at_once(
    real: Real[object], self: JournalWriter, first: int, blobs: tuple[bytes, ...]
) -> None:
    if isinstance(body_of(blobs[0]), Owned):
        append = self._journal.append(self._match, first, blobs)
        spawn(append, "own that nobody waits for", awaited=(JournalError,))
    else:
        await real(self, first, blobs)  # type: ignore[misc]


@pytest.mark.parametrize(
    ("plant", "told"),
    [
        pytest.param(holds_for_ever, "after a later one", id="an owner shows what it must not"),
        pytest.param(goes_on, "is lost", id="an owner goes on after it has lost its match"),
        pytest.param(serves_at_once, "is in no record", id="one serves before own is stored"),
    ],
)
def test_a_planted_fault_is_found(
    plant: Plant, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        plant(patch)
        assert any(told in fault for seed in range(40) for fault in faults_of(seed))
