"""Plain HTTP on the game port: health, the watch page, and the records of finished matches.

Only GET and HEAD are answered, and only for exact paths; nothing here changes anything. The files
of the page are bytes that were made at the start, and few requests are answered at once, so that
visitors never slow down players.
"""

import re
from http import HTTPStatus
from typing import Final, final
from urllib.parse import parse_qsl

from websockets.http11 import Request, Response

from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages.commands import FetchRecord
from sunglare_server.api.port import Service
from sunglare_server.gateway.admission import RETRY_S, Admission, CountedConnection
from sunglare_server.gateway.assets import PAGE_PATHS, Asset, shipped_assets
from sunglare_server.gateway.concurrency_limit import ConcurrencyLimit
from sunglare_server.gateway.rate_limits import SECOND_MS, Budgets
from sunglare_server.gateway.shutdown_broadcast import ShutdownBroadcast
from sunglare_server.gateway.streaming import give_out
from sunglare_server.gateway.token_bucket import Buckets, Rate

PLAY_PATH: Final = "/play"
"""Where the WebSocket is."""

HEALTH_PATH: Final = "/healthz"
"""Where a supervisor asks whether the server is alive."""

READY_PATH: Final = "/readyz"
"""Where load balancers ask whether new players may come."""

HEALTH_PATHS: Final = (HEALTH_PATH, READY_PATH)
"""These answer under any host name: they tell a page nothing."""

REPLAY_PATH: Final = re.compile(r"/replay/([a-z2-7]{26})\.sgr")
"""Where the record of a finished match is."""

IN_FLIGHT_MOST: Final = 8
"""OWN: how many requests for files of the page are answered at once."""

DOWNLOADS_MOST: Final = 4
"""OWN: how many records are given out at once."""

LINGER_S: Final = 1.0
"""OWN: how long the line of an answer stays open for a peer that does not close it."""

PROBES: Final = Rate(20, SECOND_MS, 200)
"""OWN: how often one address may ask for health. No other request counts against it, so that a
flood of those through a proxy does not make its own probes fail."""

METHODS: Final = ("GET", "HEAD")

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors {frames}"
)

_ALWAYS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""What is said with every file, whatever it is."""


@final
class HttpHandler:
    """Answers plain requests on the game port."""

    def __init__(
        self,
        service: Service,
        budgets: Budgets,
        admission: Admission,
        shutdown_broadcast: ShutdownBroadcast,
    ) -> None:
        """Give out the records that `service` has; `budgets` bound how often.

        Where `shutdown_broadcast` has announced an end, no new client should come.
        """
        self._service = service
        self._budgets = budgets
        self._admission = admission
        self._shutdown_broadcast = shutdown_broadcast
        self._assets = shipped_assets()
        self._files = ConcurrencyLimit(IN_FLIGHT_MOST)
        self._downloads = ConcurrencyLimit(DOWNLOADS_MOST)
        self._probes = Buckets(PROBES)

    async def answer(self, connection: CountedConnection, request: Request) -> Response | None:
        """Return the answer to a request that is plain, or asks for a name that is not ours.

        None lets the WebSocket handshake go on.
        """
        path, _, query = request.path.partition("?")
        if path in HEALTH_PATHS:
            response = self._health(connection, request, path)
        elif (refused := self._admission.misdirected(connection, request)) is not None:
            response = refused
        elif path == PLAY_PATH:
            return None
        else:
            response = await self._found(connection, request, path, query)
        connection.close_timeout = LINGER_S
        if request.method == "HEAD":
            response.body = b""
        return response

    async def _found(
        self, connection: CountedConnection, request: Request, path: str, query: str
    ) -> Response:
        allowance = self._budgets.of(self._admission.who_asks(connection, request))
        if allowance.message():
            return _later(connection)
        if request.method not in METHODS:
            return _wrong_method(connection)
        if (named := REPLAY_PATH.fullmatch(path)) is not None:
            allowance.weigh(FetchRecord)
            return await self._replay(connection, request, MatchId(named[1]))
        asset = self._assets.get(path)
        if asset is None:
            return _nothing(connection)
        if not await _has_place(self._files, connection):
            return _later(connection)
        is_embedded = path in PAGE_PATHS and ("embed", "1") in parse_qsl(query)
        return _file(connection, request, asset, is_embedded=is_embedded)

    def _health(self, connection: CountedConnection, request: Request, path: str) -> Response:
        if request.method not in METHODS:
            return _wrong_method(connection)
        now_ms = self._budgets.clock.now_ms()
        key = self._admission.who_asks(connection, request)
        if self._probes.of(key, now_ms).take(1, now_ms):
            return _later(connection, HTTPStatus.TOO_MANY_REQUESTS)
        if path == HEALTH_PATH:
            return connection.respond(HTTPStatus.OK, "ok\n")
        return self._ready(connection)

    def _ready(self, connection: CountedConnection) -> Response:
        why = (
            "draining" if self._shutdown_broadcast.closing is not None else self._service.unready()
        )
        if why is None:
            return connection.respond(HTTPStatus.OK, "ready\n")
        return connection.respond(HTTPStatus.SERVICE_UNAVAILABLE, f"not ready: {why}\n")

    async def _replay(
        self, connection: CountedConnection, request: Request, match: MatchId
    ) -> Response:
        """Return the record of a match as a stranger may have it over the wire."""
        if not await _has_place(self._downloads, connection):
            return _later(connection)
        data = await self._service.record(match)
        if data is None:
            return _nothing(connection)
        head = _record_head(connection, match, len(data))
        return head if request.method == "HEAD" else await give_out(connection, head, data)


async def _has_place(places: ConcurrencyLimit, connection: CountedConnection) -> bool:
    """Return whether there is a place; it is left when the line is gone."""
    if not await places.take():
        return False
    connection.when_gone(places.leave)
    return True


def _file(
    connection: CountedConnection, request: Request, asset: Asset, *, is_embedded: bool
) -> Response:
    is_packed = "gzip" in request.headers.get("Accept-Encoding", "")
    tag = f'"{asset.packed_tag if is_packed else asset.tag}"'
    known = request.headers.get("If-None-Match", "")
    is_known = any(part.strip().removeprefix("W/") in (tag, "*") for part in known.split(","))
    body = b"" if is_known else asset.packed if is_packed else asset.body
    response = connection.respond(HTTPStatus.NOT_MODIFIED if is_known else HTTPStatus.OK, "")
    _say(response, **_ALWAYS)
    _say(response, **{"Cache-Control": asset.caching, "ETag": tag, "Vary": "Accept-Encoding"})
    _say(response, **{"Content-Security-Policy": _policy("*" if is_embedded else "'none'")})
    del response.headers["Content-Length"], response.headers["Content-Type"]
    if not is_known:
        _say(response, **{"Content-Type": asset.kind, "Content-Length": str(len(body))})
    if body and is_packed:
        _say(response, **{"Content-Encoding": "gzip"})
    response.body = body
    return response


def _record_head(connection: CountedConnection, match: MatchId, size: int) -> Response:
    response = connection.respond(HTTPStatus.OK, "")
    del response.headers["Content-Length"], response.headers["Content-Type"]
    _say(response, **_ALWAYS)
    _say(response, **{"Content-Security-Policy": _policy("'none'")})
    _say(response, **{"Content-Type": "application/octet-stream", "Content-Length": str(size)})
    _say(response, **{"Content-Disposition": f'attachment; filename="{match}.sgr"'})
    # The names in it may be forgotten, so it is not kept for good.
    _say(response, **{"Cache-Control": "public, max-age=600"})
    return response


def _policy(frames: str) -> str:
    return _POLICY.format(frames=frames)


def _nothing(connection: CountedConnection) -> Response:
    return connection.respond(HTTPStatus.NOT_FOUND, "The game is played at /play.\n")


def _wrong_method(connection: CountedConnection) -> Response:
    response = connection.respond(
        HTTPStatus.METHOD_NOT_ALLOWED, "Only GET and HEAD are answered.\n"
    )
    _say(response, Allow=", ".join(METHODS))
    return response


def _later(
    connection: CountedConnection, status: HTTPStatus = HTTPStatus.SERVICE_UNAVAILABLE
) -> Response:
    text = f"Too many ask at once. Try again in {RETRY_S} seconds.\n"
    response = connection.respond(status, text)
    _say(response, **{"Retry-After": str(RETRY_S)})
    return response


def _say(response: Response, **headers: str) -> None:
    for name, value in headers.items():
        response.headers[name] = value
