"""The wiring of the server: its parts, in the order in which they start and stop."""

import asyncio
import gc
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, final

import structlog

from sunglare_protocol.botnames import KEPT_BACK, RETIRED, current_name
from sunglare_protocol.messages.replies import RoomState
from sunglare_server.accounts.accounts import Accounts
from sunglare_server.accounts.pseudonyms import Pseudonyms
from sunglare_server.accounts.webhooks import Post, Webhooks
from sunglare_server.api.session import FORGOTTEN, LocalService
from sunglare_server.base.clock import Clock, SystemClock, note_lag
from sunglare_server.base.deterministic_clock import SteppedClock
from sunglare_server.base.entropy import (
    Entropy,
    SeededEntropy,
    SystemEntropy,
    base32_id,
    beside,
)
from sunglare_server.base.library import Library, load_beside, load_library
from sunglare_server.base.status_texts import AGAIN_TEXT
from sunglare_server.base.tasks import kept_up, spawn
from sunglare_server.config import Duty, Settings
from sunglare_server.config_reload import ReadSettings, Reloading
from sunglare_server.development import SEED_WARNING
from sunglare_server.gateway.admission import Admission
from sunglare_server.gateway.filelimit import raise_file_limit
from sunglare_server.gateway.gateway import Gateway
from sunglare_server.gateway.webhook_client import WebhookClient
from sunglare_server.housebots.custom_bots import own_bots
from sunglare_server.housebots.housebots import HouseBots, Offer
from sunglare_server.lobby.lobby import Lobby
from sunglare_server.lobby.token_rotation import NORMAL
from sunglare_server.matchmaking.queue_store import QUEUE
from sunglare_server.ops.cluster.remote_control import CarriedControl
from sunglare_server.ops.control.answers import EnginesLine
from sunglare_server.ops.control.control_socket import Control
from sunglare_server.ops.control.operator import Operator
from sunglare_server.ops.control.overview import Installation, Signs
from sunglare_server.ops.control.scheduled_shutdown import TimedEnd
from sunglare_server.ops.metrics.exporter import Metrics
from sunglare_server.ops.metrics.memory import memory_bytes
from sunglare_server.ops.metrics.server_metrics import server_figures
from sunglare_server.ports.audit_log import InMemoryAuditLog
from sunglare_server.ports.libraries import changes
from sunglare_server.ports.secret_store import ProcessSecrets
from sunglare_server.ports.storage_probe import Probing
from sunglare_server.process import (
    MEDIUM_FAILED,
    Ending,
    end_signals,
    input_ended,
    listened,
    on_hangup,
    unbounded,
)
from sunglare_server.rooms.quotas import RoomBounds, RoomLimits
from sunglare_server.runtime.scheduler import Scheduler
from sunglare_server.sqlite.replication import Copier, CopyError
from sunglare_server.sqlite.storage import OpenStorage, Storage, sqlite_storage
from sunglare_server.transport.socket_server import SocketServer
from sunglare_server.transport.transport import Transport
from sunglare_server.transport.unix_socket import why_not
from sunglare_server.worker.rpc_server import RpcServer
from sunglare_server.worker.signed_claims import SignedClaims

if TYPE_CHECKING:
    from sunglare_server.cluster.worker_storage import Site

TIDY_MS = 250
"""OWN: how often what is new is looked through for reference cycles."""

MINUTE_MS = 60_000

LIFE_LETTERS = 8
"""How long the part of a worker's name is that is drawn again in each of its lives."""


def _entropy(seed: str | None) -> Entropy:
    return SeededEntropy(seed.encode()) if seed else SystemEntropy()


def _clock(seed: str | None) -> Clock:
    return SteppedClock() if seed else SystemClock()


def _life_of(name: str) -> str:
    """Return the name of a worker in this life, by which gateways distinguish lives."""
    return f"{name}-{base32_id(SystemEntropy())[:LIFE_LETTERS]}"


def _offer(settings: Settings) -> Offer:
    for name in settings.bots:
        if name in RETIRED:
            log = structlog.get_logger()
            log.warning("house_bot_retired", bot=name, now=current_name(name))
    names = tuple(dict.fromkeys(map(current_name, settings.bots)))
    own = own_bots(names, settings.data)
    return Offer(names, settings.bots_at_once, settings.bots_per_address, own)


def _room_bounds(settings: Settings) -> RoomBounds:
    return RoomBounds(
        most=settings.matches,
        each_account=settings.matches_per_account,
        each_address=settings.rooms_per_address,
        alone_ms=settings.lobby_minutes * MINUTE_MS,
        seats=settings.seats_per_account,
        bot_seats=settings.seats_per_bot,
        rated_bots=settings.rated_bots,
        waiting=settings.quick_waiting,
        waiting_each_address=settings.quick_per_address,
    )


async def tidied(scheduler: Scheduler, clock: Clock) -> None:
    """Have Python look through what is new in small portions, whenever no callback is due soon.

    By itself it waits until there is so much more than before; where thousands of connections
    renew what they hold, that is seldom, and all that they have renewed is looked through at once.
    """
    while True:
        await clock.sleep_until_ms(clock.now_ms() + TIDY_MS)
        await scheduler.wait_idle()
        gc.collect(0)


@final
class App:
    """A whole server in one object; `start` listens, `stop` leaves everything on disk."""

    def __init__(
        self,
        settings: Settings,
        clock: Clock | None = None,
        entropy: Entropy | None = None,
        *,
        open_storage: OpenStorage = sqlite_storage,
        library: Library | None = None,
        post: Post | None = None,
    ) -> None:
        """Take the settings; tests may give everything that reaches outside the process.

        Without `library` it is loaded at each start. `post` posts to webhooks.
        """
        self.reloading = Reloading(settings, self._take)
        # Not from `entropy`, or a seed would draw another match in a worker than elsewhere.
        self.name = settings.name or base32_id(SystemEntropy())
        self._open_storage = open_storage
        self._library = library
        self._closes: list[Callable[[], Awaitable[None]]] = []
        self.url = ""
        self._clock = clock or _clock(settings.seed)
        self._chores: list[asyncio.Task[None]] = []
        self._hub: SocketServer | None = None
        self._site: Site | None = None
        self._carried: CarriedControl | None = None
        self._rpc_server: RpcServer | None = None
        self._copier: Copier | None = None
        self._post = post or (WebhookClient() if settings.webhooks else None)
        self._entropy = entropy or _entropy(settings.seed)
        self._log = structlog.get_logger()

    async def start(self) -> str:
        """Open the journal, take up what was running, listen; return the address."""
        library = self._library or load_library(self.settings.data)
        self.storage = await self._opened_storage()
        await self._prepare_copy()
        store, site = self.storage.store, self._site
        self.bots = HouseBots(_offer(self.settings))
        accounts = self._accounts = Accounts(
            store, self._entropy, dict.fromkeys((*KEPT_BACK, *self.bots.names))
        )
        await accounts.load()
        webhooks = Webhooks(store, self._clock, self._post)
        lobby = self.lobby = self._lobby(library, accounts, webhooks)
        secrets = self.storage.secrets or ProcessSecrets()
        lobby.marks = Pseudonyms(secrets, store, self._clock, beside(self._entropy))
        await lobby.marks.load()
        lobby.health = self.storage.health or lobby.health
        accounts.bar_by(lambda: lobby.policy.barred_names)
        if (fill_s := self.settings.quick_bots_s) is not None:
            lobby.quick.fill_ms = fill_s * 1000
        self._gateway = Gateway(LocalService(lobby, self._clock), self._clock, self.settings)
        if site is None:
            await lobby.load()
        self.url = await self._listen()
        await self._open_outlets()
        if self.bots.names:
            await self._listen_to_bots()
        if site is None:
            await lobby.bot_seats.fill_again()
            lobby.starting.begin_again()
        else:
            await self._join(site)
        raise_file_limit(self.settings.connections)
        rooms = self.lobby.rooms.values()
        running = sum(room.state is RoomState.RUNNING for room in rooms)
        self._log.info("listening", url=self.url, matches=running)
        self._begin_chores(webhooks)
        return self.url

    def _lobby(self, library: Library, accounts: Accounts, webhooks: Webhooks) -> Lobby:
        site = self._site
        return Lobby(
            library,
            self.storage.store,
            self.storage.journal,
            accounts,
            self.bots,
            self._clock,
            self._entropy,
            RoomLimits(_room_bounds(self.settings)),
            webhooks,
            self.storage.ratings,
            None if site is None else site.lease,
            None if site is None else site.repository,
            self.storage.sanctions,
        )

    def _trace(self, url: str) -> None:
        """Have orders traced to a collector; ModuleNotFoundError without what that needs."""
        # Its client is an extra that no other part needs.
        from sunglare_server.ops.metrics.tracing import Tracing

        scheduler = self.lobby.matches.scheduler
        tracing = Tracing(url, scheduler.wait_idle)
        scheduler.figures.traced = tracing.take
        self._chores.append(kept_up(tracing.run, "trace orders", self._clock))
        self._closes.append(tracing.close)

    def _begin_chores(self, webhooks: Webhooks) -> None:
        probing = Probing(self.lobby.health, self.storage.journal, self._clock)
        self._chores.append(kept_up(probing.run, "probe what stores", self._clock))
        if self._site is not None:
            copies = self._site.copies
            self._chores.append(kept_up(copies.run, "look at the engines", self._clock))
        if self._post is not None:
            self._chores.append(kept_up(webhooks.run, "tell webhooks", self._clock))
        if self._copier is not None:
            self._chores.append(kept_up(self._copier.run, "copy the database", self._clock))
        if isinstance(self._clock, SystemClock):
            clock, matches = self._clock, self.lobby.matches
            self._chores += [
                kept_up(
                    lambda: clock.heed_stops(self._note_stop, matches.stood), "heed stops", clock
                ),
                kept_up(lambda: tidied(matches.scheduler, clock), "tidy", clock),
                kept_up(lambda: note_lag(clock, matches.scheduler.figures.lag.note), "lag", clock),
            ]

    async def _opened_storage(self) -> Storage:
        """Open what everything is kept in: a file, or an engine that others share."""
        settings = self.settings
        if not settings.nats:
            return await self._open_storage(settings.journal)
        # Its client is an extra that no other part needs.
        from sunglare_server.cluster.client.connect import Reach
        from sunglare_server.cluster.worker_storage import open_site

        reach = Reach(
            urls=settings.nats,
            credentials=settings.credentials,
            is_development=settings.development,
        )
        self.name = reach.named(settings.name) or self.name
        self._site = await open_site(
            reach, self.name, settings.lease_ms, self._clock, self._entropy
        )
        return self._site.storage

    async def _prepare_copy(self) -> None:
        """See to it that a copy of the database may be kept, if one is wanted."""
        database, folder = self.storage.database, self.settings.copy
        if database is None or folder is None:
            return
        self._copier = Copier(database, folder / self.settings.journal.name, self._clock)
        try:
            await self._copier.prepare()
        except CopyError:
            await self._close_storage()
            raise

    async def _listen(self) -> str:
        """Listen to people, or as a worker to gateways; return where."""
        if self._site is not None:
            self._rpc_server = self._received_by(self._site.transport)
            self.lobby.registry.on_served = self._rpc_server.own
            await self._rpc_server.open()
            return f"nats:{self.name}"
        path = self.settings.socket
        if self.settings.duty is not Duty.WORKER:
            return await self._gateway.listen(self.settings.host, self.settings.port)
        self._hub = SocketServer(path)
        self._rpc_server = self._received_by(self._hub)
        await self._rpc_server.open()
        await self._rpc_server.own_all()
        await self._hub.open()
        return f"unix:{path}"

    def _received_by(self, transport: Transport) -> RpcServer:
        storage = self.storage
        # Not from the server's own entropy: by a seed the key would be known.
        secrets = storage.secrets or ProcessSecrets()
        seals = SignedClaims(secrets, storage.store, self._clock, SystemEntropy())
        return RpcServer(self.lobby, self._clock, transport, seals, _life_of(self.name), self.name)

    def _hear_name(self, account: str, name: str | None) -> None:
        """Hear what an account is called by now; one that is forgotten has no lines any more."""
        self.lobby.accounts.heard(account, name)
        if name is None:
            self.lobby.presence.turn_out(account, FORGOTTEN, NORMAL)

    async def _join(self, site: "Site") -> None:
        """Follow other workers' names and rooms, and take over matches without an owner."""
        lobby = self.lobby
        peer_rooms, takeover = lobby.peer_rooms, lobby.takeover
        lobby.quick.keep_in(site.waits)
        lobby.begin()
        await site.store.watch_names(self._hear_name)
        await site.store.watch_renewals(lobby.accounts.heard_renewed)
        await site.store.watch_rooms(lambda match, blob, _: peer_rooms.hear(match, blob))
        site.lease.on_free(takeover.offer)
        for room in peer_rooms.rooms:
            if not site.lease.knows(room.match):
                # Whatever kept its lease is gone, as after a restore.
                takeover.offer(room.match)
        takeover.offer(QUEUE)

    def _note_stop(self, ms: int) -> None:
        """Report a stop of the whole process, which every window outlasts."""
        self._log.warning("process_stalled", ms=ms)
        matches = self.lobby.matches
        matches.scheduler.figures.lag.note(ms)
        matches.tell_all(AGAIN_TEXT)

    @property
    def admission(self) -> Admission:
        """Return the admission, which counts connections."""
        return self._gateway.admission

    async def stop(self) -> None:
        """Stop in the order that loses nothing: matches, connections, journal.

        New connections are refused; what a match is storing is stored and answered; then all
        clients are asked to come back.
        """
        lobby = self.lobby
        lobby.policy.is_draining = True
        self._gateway.stop_listening()
        if self._rpc_server is not None:
            self._rpc_server.stop_answering()
        for close in self._closes:
            await close()
        await lobby.stop()
        if self._rpc_server is not None:
            await self._rpc_server.close()
        if self._hub is not None:
            await self._hub.close()
        await self._gateway.close()
        for chore in self._chores:
            chore.cancel()
        if self._site is not None:
            await self._site.transport.close()
            await self._site.close()
        await self._close_storage()
        if isinstance(self._post, WebhookClient):
            self._post.close()
        scheduler = lobby.matches.scheduler
        release_lag = scheduler.release_lag
        self._log.info(
            "stopped",
            on_beat=release_lag.releases,
            slips=release_lag.slips,
            latest_ms=release_lag.latest_ms,
        )

    async def _close_storage(self) -> None:
        if self._copier is not None:
            await self._copier.finish()
        await self.storage.journal.close()

    async def _open_outlets(self) -> None:
        """Open what the operator uses: the control socket, the engine's subjects, the metrics."""
        database = self.storage.database
        site = Installation(
            lobby=self.lobby,
            gateway=self._gateway,
            journal=self.storage.journal,
            clock=self._clock,
            started_ms=self._clock.now_ms(),
            url=self.url,
            end=TimedEnd(self._clock),
            reload=self.reloading.again,
            database=database,
            path=None if database is None else self.settings.journal,
            medium="memory" if self._site is None else "nats",
            is_shared=self._site is not None,
            rpc_server=self._rpc_server,
            signs=self._signs(),
            engines=self._engines(),
            idle_bytes=memory_bytes(),
            copier=self._copier,
            erase=self.storage.erase,
            aside=self.storage.aside,
            audit_log=self.storage.audit_log or InMemoryAuditLog(),
        )
        self.operator = Operator(site)
        if self._site is not None:
            perform, transport = self.operator.perform, self._site.transport
            self._carried = CarriedControl(transport, self.name, perform, self._clock)
            await self._carried.listen()
        control = Control(self._control_path(), self.operator.perform)
        await control.listen()
        self.metrics = Metrics(lambda: server_figures(site), self.admission.host_names)
        await self.metrics.listen(self.settings.metrics)
        self._closes = [control.close, self.metrics.close, self.operator.close]
        if self._carried is not None:
            self._closes.append(self._carried.close)
        if self.settings.trace:
            self._trace(self.settings.trace)

    def _signs(self) -> Callable[[], Signs] | None:
        if (site := self._site) is None:
            return None
        return lambda: Signs(site.lease.beat_age_ms, site.engine.gaps)

    def _engines(self) -> Callable[[], EnginesLine | None] | None:
        if (site := self._site) is None:
            return None

        def seen() -> EnginesLine | None:
            known = site.copies.seen
            return None if known is None else EnginesLine(**known._asdict())

        return seen

    def _control_path(self) -> Path | None:
        path = self.settings.control_path
        if self.settings.control == "auto" and self.storage.database is None:
            # There is no file next to which it would be found.
            return None
        if path is not None and self.settings.control == "auto" and (why := why_not(path)):
            self._log.warning("control_socket_missing", path=str(path), why=why)
            return None
        return path

    @property
    def settings(self) -> Settings:
        """Return the settings that count now."""
        return self.reloading.settings

    async def _take(self, settings: Settings) -> tuple[str, ...]:
        """Go by those settings that can change while matches run; return what else has changed."""
        offer = _offer(settings)
        lobby = self.lobby
        before = lobby.matches.library
        # A tenth of a second's work in pieces: every match has its beats meanwhile.
        library = self._library
        if library is None:
            library = await load_beside(settings.data, lobby.matches.scheduler.wait_idle)
        if settings.bots:
            await self._listen_to_bots()
        self._gateway.take(settings)
        raise_file_limit(settings.connections)
        lobby.limits.take(_room_bounds(settings))
        self.bots.take(offer)
        lobby.accounts.keep_back(offer.names)
        lobby.matches.libraries.renew(library)
        return changes(before, library)

    async def _listen_to_bots(self) -> None:
        if not self.bots.url:
            self.bots.url = await self._gateway.listen_to_own()

    def _hung_up(self) -> None:
        spawn(self.reloading.on_hangup(), "read settings again")

    async def run(self, read: ReadSettings | None = None, ending: Ending = unbounded) -> int:
        """Serve until a signal or a failing medium ends it; return the exit code.

        `read` reads the settings again, whenever SIGHUP asks for it; without it nothing does.
        `ending` is called before it stops.
        """
        if self.settings.seed:
            self._log.warning("seed_given", why=SEED_WARNING)
        if read is not None:
            # While it starts it has just read them.
            self.reloading.read = read
            on_hangup(lambda: self._hung_up() if self.url else None)
        signalled = end_signals(lambda: bool(self.url), ending)
        url = await self.start()
        gone = (input_ended,) if self.settings.until_input_ends else ()
        ends = (signalled.wait, self.storage.broken.wait, self.operator.drained.wait, *gone)
        await listened(url, *ends)
        is_broken = self.storage.broken.is_set()
        if is_broken:
            self._log.error("journal_medium_failed")
        ending()
        await self.stop()
        return MEDIUM_FAILED if is_broken else 0
