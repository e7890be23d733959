"""One run: a match at two or three workers and a gateway, with trouble on the way to its end."""

import asyncio
from collections.abc import Mapping
from random import Random
from typing import Any, NamedTuple, final

from msgspec.structs import replace
from structlog.testing import capture_logs

from builders.memorytransport import Weather
from simulation.diary import Diary, Evidence, Life, Play
from simulation.matchplan import TWO
from simulation.workers.people import Person, Wire
from simulation.workers.worker import EPOCH_MS, Worker
from simulation.workers.yard import GATE, Yard
from sunglare_protocol import messages
from sunglare_protocol.codec import Form, encode_server
from sunglare_protocol.ids import MatchId, Side, audience_of
from sunglare_server.ports.rooms import unpacked_room
from sunglare_server.transport.messages import FeedMessage, PrivateFeedMessage, sealed_up
from sunglare_server.transport.subjects import line

NAMES = ("ann", "ben")
SIDES = (Side("A"), Side("B"))

RUN_S = 300.0
"""By then the match is over."""

TURNS = (2, 3, 4, 5)
"""In which turn the first player resigns."""

STALLS = (
    "match_read_failed",
    "snapshot_not_stored",
    "append_slow",
    "append_refused",
    "store_refused",
    "match_open_failed",
    "finished_match_archive_failed",
    "journal_finish_failed",
)
"""What a worker may say as an error of an engine that does not answer."""


@final
class Found(NamedTuple):
    """What a run came to: `epochs` are of whom each line had which post, by its number."""

    evidence: Evidence
    epochs: Mapping[str, list[list[tuple[int, int]]]]


@final
class Run:
    """A run and what it is made of, all of it drawn from its seed."""

    def __init__(self, seed: int) -> None:
        """Begin nothing yet."""
        self._rng = Random(f"{seed}/workers")
        self._yard = Yard(self._rng)
        self._match = MatchId("")
        self._people: list[Person] = []

    async def played(self) -> Found:
        """Play the match to its end and return what there is to judge."""
        with capture_logs() as logs:
            stuck = await self._play()
        found = (await self._records()).get(self._match, ())
        diaries = tuple(person.diary for person in self._people)
        room = await self._yard.engine.room(self._match)
        chat = () if room is None else unpacked_room(room, self._match).chat
        evidence = Evidence(
            plays=(Play(self._match, "test", found, diaries, chat=chat),),
            lives=(Life(0.0, EPOCH_MS, {}),),
            logged=tuple(f"{line}" for line in logs if is_fault(line)),
            took_s=asyncio.get_running_loop().time(),
            stuck=stuck,
            reached=self._reached,
        )
        epochs = {person.diary.name: person.epochs for person in self._people}
        return Found(evidence, epochs)

    def workers_now(self) -> list[Worker]:
        """Return the workers that live."""
        return self._yard.workers_now()

    def owner(self) -> Worker | None:
        """Return who owns the match, if that one lives."""
        return self._yard.owner(self._match)

    def shake(self, weather: Weather) -> None:
        """Have this weather on the road."""
        self._yard.shake(weather)

    def haunt(self) -> None:
        """Show each line something that is in no record, of an epoch before the one it is in."""
        for person in self._people:
            heard = person.epochs[-1]
            newest = max((epoch for _, epoch in heard), default=0)
            old = self._yard.engine.first_epoch
            frame = person.diary.frame
            if not old < newest or frame is None:
                continue
            ghost = replace(frame, seq=person.diary.seen + 1)
            packed = encode_server(ghost, Form.PACKED)
            shown = FeedMessage(old, ghost.seq, is_frame=True, before=0, packed=packed)
            said = PrivateFeedMessage(self._match, audience_of(person.diary.side), shown)
            self._yard.way.soon(self._ghost.publish, line(GATE), sealed_up(said))

    async def _play(self) -> tuple[str, ...]:
        await self._yard.open()
        self._ghost = self._yard.road.carrier("ghost")
        lines = await self._yard.at_gate(self._sit_down())
        for person, own in zip(self._people, lines, strict=True):
            self._yard.at_gate(person.play(own))
        ends = [asyncio.ensure_future(one.diary.ended.wait()) for one in self._people]
        self._reached, failures = await self._yard.troubled(self, ends, RUN_S)
        stuck = [one.diary.name for one in self._people if one.diary.over is None]
        return (*stuck, *failures)

    async def _sit_down(self) -> list[Wire]:
        wish = {
            "clock": "test",
            "scan_slots": self._rng.choice(("sequential", "sealed")),
            "allowance_beats": self._rng.choice((1, 3)),
        }
        lines: list[tuple[Wire, str]] = []
        for number, name in enumerate(NAMES):
            resigns = self._rng.choice(TURNS) if number == 0 else None
            person = Person(self._yard.desk, Random(self._rng.getrandbits(64)), resigns)
            self._people.append(person)
            lines.append(await person.greet(name))
        create = self._people[0].next(messages.Create, scenario=TWO, options=wish)
        self._match = (await lines[0][0].expect(messages.Created, create)).match
        for person, name, side, (wire, token) in zip(
            self._people, NAMES, SIDES, lines, strict=True
        ):
            join = person.next(messages.Join, match=self._match, side=side)
            seated = await wire.expect(messages.Seated, join)
            person.sit(Diary(name, self._match, side, token, seated.ticket))
        for person, (wire, _) in zip(self._people, lines, strict=True):
            await wire.expect(messages.Accepted, person.next(messages.Ready, match=self._match))
        return [wire for wire, _ in lines]

    async def _records(self) -> Mapping[MatchId, tuple[bytes, ...]]:
        return {self._match: await self._yard.engine.journal.read(self._match)}


def is_fault(line: Mapping[str, Any]) -> bool:
    """Return whether a line of the log tells of what must not be."""
    return line["log_level"] in ("error", "critical") and line["event"] not in STALLS
