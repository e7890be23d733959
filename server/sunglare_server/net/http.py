"""The few plain HTTP answers on the game port: health, and nothing else."""

from http import HTTPStatus

from websockets.asyncio.server import ServerConnection
from websockets.http11 import Request, Response

PLAY_PATH = "/play"
"""Where the WebSocket is."""

HEALTH_PATH = "/healthz"
"""Where a supervisor asks whether the server is alive."""


def answer_http(connection: ServerConnection, request: Request) -> Response | None:
    """Return the answer to a plain request; None lets the WebSocket handshake go on."""
    path = request.path.partition("?")[0]
    if path == PLAY_PATH:
        return None
    if path == HEALTH_PATH:
        return connection.respond(HTTPStatus.OK, "ok\n")
    return connection.respond(HTTPStatus.NOT_FOUND, "The game is played at /play.\n")
