"""A header of the plain answers says how many ships there are."""

import pytest
from websockets.asyncio.server import ServerConnection
from websockets.http11 import Request, Response

from sunglare_server.host.batch import Sealed
from sunglare_server.host.runner import Runner
from sunglare_server.net import gateway, http

_answer, _adopt = http.answer_http, Runner._adopt


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    ships = 0

    def noting(runner: Runner, sealed: Sealed) -> None:
        nonlocal ships
        ships = len(sealed.stepped.state.truth.in_play())
        _adopt(runner, sealed)

    def telling(connection: ServerConnection, request: Request) -> Response | None:
        response = _answer(connection, request)
        if response is not None:
            response.headers["X-Load"] = str(ships)
        return response

    patch.setattr(Runner, "_adopt", noting)
    patch.setattr(gateway, "answer_http", telling)
