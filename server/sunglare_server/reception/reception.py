"""The reception of a worker: answers what gateways ask, and tells them that it is there.

Theory of operation. For each line of a gateway there is a talk, as there is one for each
connection of a server of one process, and it answers the very same messages. What it says while
it answers goes back as the answer, with what the line holds then. Feeds go to the gateways beside
that, once for all lines, and numbered.

Nothing is kept of a line that could not be lost: who it is and what it holds the gateway knows,
which brings it to whoever owns its match. A gateway that is silent is gone, and its lines with it,
just as if their peers had gone.
"""

import asyncio
from typing import assert_never, final

import structlog
from msgspec.structs import replace

from sunglare_protocol.codec import Form, decode_client, encode_server
from sunglare_protocol.errors import DecodeError
from sunglare_protocol.ids import Audience, MatchId
from sunglare_protocol.messages import ClientMessage, ServerMessage
from sunglare_protocol.messages.commands import Join, Resume, Watch
from sunglare_protocol.messages.replies import Created, Matches, Queued, ResumeKind
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.desk.answers import lines_of
from sunglare_server.desk.port import Command, Immediate
from sunglare_server.desk.quick_talk import OfQueue
from sunglare_server.desk.refusing import refused
from sunglare_server.desk.talk import HouseDesk
from sunglare_server.host.clock import Clock
from sunglare_server.host.closing import Closing
from sunglare_server.host.lobby import Lobby
from sunglare_server.host.medium import MediumError
from sunglare_server.host.tasks import kept_up, spawn
from sunglare_server.reception.far_line import ANSWER_BYTES
from sunglare_server.reception.glances import Glances
from sunglare_server.reception.guests import Guest, Guests
from sunglare_server.reception.owning import Owning
from sunglare_server.reception.posts import Posts
from sunglare_server.reception.spectating import SEEN_BY_ALL, is_open, is_public
from sunglare_server.road import envelopes
from sunglare_server.road.carrier import Carrier, CarrierError, Stop
from sunglare_server.road.envelopes import sealed_up
from sunglare_server.road.subjects import (
    EVERY_MATCH,
    EVERYBODY,
    HERE,
    WORKERS,
    Trust,
    asker_of,
    here,
    of_anybody,
    of_match,
    of_worker,
)

HERE_MS = 500
"""OWN: how often a worker says that it is there."""

FAREWELL_S = 5.0
"""OWN: how long the last answers of a worker may take."""


@final
class Reception:
    """Answers by a carrier for the matches of one worker."""

    def __init__(
        self, lobby: Lobby, clock: Clock, carrier: Carrier, name: str, called: str
    ) -> None:
        """Answer for `lobby` as `name`, which no other life of the worker `called` so has had.

        `closing` is told with each sign of life: when the worker and its matches end.
        """
        self._lobby = lobby
        self._desk = HouseDesk(lobby, clock)
        self._clock = clock
        self._carrier = carrier
        self._name = name
        self._called = called
        self._posts = Posts(carrier, self._epoch_of)
        self._glances = Glances(lobby, carrier, called)
        self.guests = Guests(self._desk, self._posts, name)
        self._is_alone = False
        self.closing: Closing | None = None
        self._owned: dict[MatchId, Owning] = {}
        self._stops: list[Stop] = []
        self._answering: dict[asyncio.Task[envelopes.Answer], None] = {}
        self._chore: asyncio.Task[None] | None = None
        self._log = structlog.get_logger()

    async def open(self) -> None:
        """Begin to answer what any worker may, and what is for this one."""
        for trust in Trust:
            await self._serve(of_anybody(trust, EVERYBODY), WORKERS)
            await self._serve(of_worker(trust, self._name, EVERYBODY))
        self._stops.append(await self._carrier.subscribe(HERE, self._heard))
        self._carrier.when_changed(self._changed)
        self._chore = kept_up(self._be_here, "say that the worker is there", self._clock)

    async def own_all(self) -> None:
        """Answer for every match: there is no other worker."""
        self._is_alone = True
        for trust in Trust:
            await self._serve(of_match(trust, EVERY_MATCH, EVERYBODY))

    def own(self, match: MatchId, is_owned: bool) -> None:
        """Answer for a match from now on, or no more."""
        if is_owned:
            self._owned.setdefault(match, Owning(match)).wants = True
        elif match in self._owned:
            self._owned[match].wants = False
        if (owning := self._owned.get(match)) is not None:
            owning.work = spawn(self._settle(owning), f"answer for {match}")

    async def _settle(self, owning: Owning) -> None:
        """Serve a match, or stop it, as was told last; whoever asks for it finds this worker."""
        async with owning.lock:
            if owning.wants and not owning.stops:
                for trust in Trust:
                    subject = of_match(trust, owning.match, EVERYBODY)
                    owning.stops.append(await self._carrier.serve(subject, self._answered))
                self._say_here(took=owning.match)
            elif not owning.wants:
                owning.stop()
                self._owned.pop(owning.match, None)
                self._posts.forget(owning.match)

    def stop_answering(self) -> None:
        """Take no request any more; what was taken is answered."""
        for stop in self._stops:
            stop()
        for owning in self._owned.values():
            owning.stop()

    async def close(self) -> None:
        """Say farewell once all is answered; gateways bring their lines to whoever is next."""
        if self._chore is not None:
            self._chore.cancel()
        if self._answering:
            await asyncio.wait(tuple(self._answering), timeout=FAREWELL_S)
            # What carries the answers has its turn.
            await asyncio.sleep(0)
        self._say_here(leaves=True)
        self.guests.end_all()

    async def _serve(self, subject: str, group: str = "") -> None:
        self._stops.append(await self._carrier.serve(subject, self._answered, group))

    async def _be_here(self) -> None:
        while True:
            self._say_here()
            self.guests.sweep(self._clock.now_ms())
            await self._clock.sleep_until_ms(self._clock.now_ms() + HERE_MS)

    def _changed(self, is_up: bool) -> None:
        if is_up:
            # What was posted meanwhile is lost: all lines come back and hear how they stand.
            self.guests.stay += 1

    def _say_here(self, *, leaves: bool = False, took: MatchId | None = None) -> None:
        told = envelopes.Here(
            self._name,
            self.guests.stay,
            leaves=leaves,
            took=took,
            called=self._called,
            closing=self.closing,
        )
        self._carrier.publish(here(self._name), sealed_up(told))

    def _heard(self, subject: str, data: bytes) -> None:
        try:
            told = envelopes.here_of(data, subject)
        except CarrierError as error:
            self._log.warning("a sign of life could not be read", why=error.why)
            return
        # Another worker has no lines here, and takes none along when it is gone.
        if told.trust is not None:
            self.guests.heard(told, self._clock.now_ms())

    async def _answered(self, subject: str, data: bytes) -> bytes:
        trust = Trust(subject.partition(".")[0])
        try:
            asked = envelopes.request_of(data)
            _check_asker(asked, asker_of(subject))
            # In a task of its own, which is not cut when the carrier is.
            work = spawn(self._answer(asked, trust), "answer a gateway", awaited=(Exception,))
            self._answering[work] = None
            work.add_done_callback(self._answering.pop)
            return sealed_up(await work)
        except CarrierError as error:
            self._log.warning("a gateway's request could not be read", why=error.why)
        except MediumError as error:
            # Whoever asked comes again, here or to another worker.
            self._log.error("the store refused", why=error.why, fatal=error.fatal)
            return sealed_up(envelopes.Told(self._name, is_cut=True))
        except Exception:  # noqa: BLE001 - told in full to the log
            # A bug in one answer must not end the worker.
            self._log.exception("an answer to a gateway failed")
        return sealed_up(envelopes.Failed(self._name))

    async def _answer(self, asked: envelopes.Request, trust: Trust) -> envelopes.Answer:
        match asked:
            case envelopes.Speak():
                return await self._say(asked, trust)
            case envelopes.Back():
                return await self._back(asked, trust)
            case envelopes.After():
                return await self._after(asked, trust)
            case envelopes.Fetch():
                return await self._fetch(asked)
            case envelopes.Glance():
                return await self._glance(asked, trust)
            case envelopes.HungUp():
                self.guests.end(asked.card, deliberate=asked.deliberate)
                return envelopes.Told(self._name)
            case _:
                assert_never(asked)

    async def _say(self, asked: envelopes.Speak, trust: Trust) -> envelopes.Told:
        message = _opened(asked.message)
        match: MatchId | None = getattr(message, "match", None)
        is_held = self.guests.knows(asked.card, match)
        if asked.is_known and not is_held:
            return envelopes.Told(self._name, is_cut=True)
        guest = await self._guest(asked.card, trust)
        if not is_open(message, trust, is_held=is_held):
            answer = refused(message.id, Rejected(code=Code.SERVER_SPECTATORS))
            return envelopes.Told(self._name, answer=encode_server(answer, Form.PACKED))
        if (sent_on := await self._sent_on(message)) is not None:
            return sent_on
        # Whoever is just being brought back holds its seat before it is looked for.
        async with guest.turn:
            try:
                return await self._said_to(guest, message, asked.round_trip_ms)
            except BaseException:
                guest.line.fail()
                raise

    async def _said_to(
        self, guest: Guest, message: ClientMessage, round_trip_ms: int
    ) -> envelopes.Told:
        guest.line.begin(round_trip_ms)
        if isinstance(message, Immediate):
            answer = guest.talk.answer_now(message)
            await guest.talk.settled()
        else:
            answer = await self._answered_by(guest, message)
        is_cut = isinstance(message, Command) and answer is None and not guest.line.said
        # What a line that was given up meanwhile has been told it does not hold: it asks anew.
        is_cut |= guest.line.is_given_up and isinstance(message, Command | Resume | Watch)
        told = self._told(guest, _claimed(message))
        return replace(
            told,
            answer=b"" if answer is None else encode_server(answer, Form.PACKED),
            caller=guest.talk.caller,
            is_cut=is_cut,
        )

    async def _answered_by(self, guest: Guest, message: ClientMessage) -> ServerMessage | None:
        """Return the answer to a message; of others' matches in a list their owners are asked."""
        answer = await guest.talk.answer(message)
        match = answer.match if isinstance(answer, Created | Queued) else None
        if match is not None and (owning := self._owned.get(match)) is not None:
            # Whoever is told of it may ask for it at once.
            await owning.settled()
        caller = guest.talk.caller
        if isinstance(answer, Matches) and caller is not None and not self._is_alone:
            return await self._glances.filled(answer, caller.account)
        return answer

    async def _glance(self, asked: envelopes.Glance, trust: Trust) -> envelopes.Glimpsed:
        room = self._lobby.rooms.get(asked.match)
        if room is None or trust is Trust.SPECTATORS:
            return envelopes.Glimpsed()
        lines = await lines_of(self._lobby, (room,), asked.account)
        return envelopes.Glimpsed(lines[asked.match])

    async def _sent_on(self, message: ClientMessage) -> envelopes.Told | None:
        """Return whom to ask instead about a match of another worker; None for all else."""
        if self._is_alone:
            return None
        if isinstance(message, OfQueue):
            is_ours = self._lobby.quick.is_ours
            return None if is_ours else envelopes.Told(self._name, is_cut=True)
        if isinstance(message, Join) and message.match is None:
            room = await self._lobby.find(None, message.code)
            if isinstance(room, Rejected) or room.match in self._lobby.rooms:
                return None
            return envelopes.Told(self._name, elsewhere=room.match)
        match: MatchId | None = getattr(message, "match", None)
        if match is None or not await self._lobby.neighbours.has(match):
            return None
        # Its owner was asked first, and was not there.
        return envelopes.Told(self._name, is_cut=True)

    async def _back(self, asked: envelopes.Back, trust: Trust) -> envelopes.Told:
        if trust is Trust.SPECTATORS and not is_public(asked.side, asked.feed):
            raise CarrierError("a seat is not for spectators")
        if not self._is_alone and await self._lobby.neighbours.has(asked.match):
            return envelopes.Told(self._name, is_cut=True)
        guest = await self._guest(asked.card, trust)
        async with guest.turn:
            guest.line.begin(0)
            try:
                await guest.talk.hold_again(asked.match, asked.side, asked.feed, asked.proof)
            except BaseException:
                guest.line.fail()
                raise
            told = self._told(guest, 0)
            if not self._is_alone and await self._lobby.neighbours.has(asked.match):  # by now
                return envelopes.Told(self._name, is_cut=True)
            return told

    async def _guest(self, card: envelopes.Card, trust: Trust) -> Guest:
        """Return a guest, who is whom its gateway says; of a spectators' its token says it."""
        guest = self.guests.of(card, self._clock.now_ms())
        caller = card.caller
        if caller is None or guest.talk.caller is not None:
            return guest
        if trust is Trust.SPECTATORS:
            known = await self._lobby.accounts.hello(caller.token, None)
            if isinstance(known, Rejected):
                raise CarrierError("a spectator without a token")
            caller = known
        if guest.talk.caller is None:
            guest.talk.receive_again(caller)
        return guest

    def _told(self, guest: Guest, claimed: int) -> envelopes.Told:
        """Return what was said to a guest, and what it holds from now on."""
        line = guest.line
        holds = [self._hold(guest, *held, claimed=claimed) for held in guest.talk.holdings]
        return envelopes.Told(
            self._name,
            count=line.finish(),
            said=tuple(line.said),
            holds=tuple(holds),
            close=line.close,
        )

    def _epoch_of(self, match: MatchId) -> int:
        """Return by which epoch a match is owned here, 0 for one that is not in memory."""
        front = self._lobby.matches.front(match)
        return 0 if front is None else front.epoch

    def _hold(
        self, guest: Guest, match: MatchId, feed: Audience, is_seat: bool, *, claimed: int
    ) -> envelopes.Holding:
        """Return up to where a line has a feed, by what it was given or says that it has."""
        front = self._lobby.matches.front(match)
        newest = 0 if front is None else front.newest(feed)
        have = guest.line.given.get(match, min(claimed, newest))
        proof = guest.line.proofs.get(match, "") if is_seat else ""
        return envelopes.Holding(match, feed, is_seat, have, self._epoch_of(match), proof)

    async def _after(self, asked: envelopes.After, trust: Trust) -> envelopes.Missed:
        if trust is Trust.SPECTATORS and asked.feed not in SEEN_BY_ALL:
            raise CarrierError(f"{asked.feed} is not for spectators")
        room = await self._lobby.find(asked.match)
        front = None if isinstance(room, Rejected) else await self._lobby.matches.front_of(room)
        epoch = self._epoch_of(asked.match)
        if front is None or not front.newest(asked.feed):
            return envelopes.Missed(self._name, epoch, asked.have, ())
        kind, parcels = front.following(asked.feed, asked.have)
        return envelopes.Missed(
            self._name,
            epoch,
            front.newest(asked.feed),
            tuple([parcel.encoded(Form.PACKED) for parcel in parcels]),
            is_whole=kind is ResumeKind.RESET,
        )

    async def _fetch(self, asked: envelopes.Fetch) -> envelopes.Part:
        data = await self._desk.record(asked.match)
        if data is None:
            return envelopes.Part()
        end = asked.from_byte + ANSWER_BYTES
        return envelopes.Part(data[asked.from_byte : end], len(data))


def _opened(packed: bytes) -> ClientMessage:
    try:
        return decode_client(packed, Form.PACKED)
    except DecodeError as error:
        raise CarrierError(f"no client message at {error.at}: {error.why}") from None


def _check_asker(asked: envelopes.Request, asker: str) -> None:
    """Raise CarrierError where a gateway asks for the line of another one."""
    if isinstance(asked, envelopes.Speak | envelopes.Back | envelopes.HungUp):
        named = asked.card.gateway
        if named != asker:
            raise CarrierError(f"{asker} speaks for a line of {named}")


def _claimed(message: ClientMessage) -> int:
    return (message.have or 0) if isinstance(message, Watch | Resume) else 0
