"""A header of the plain answers says how many ships there are."""

import pytest
from websockets.http11 import Request, Response

from sunglare_server.gateway.admission import CountedConnection
from sunglare_server.gateway.http import HttpHandler
from sunglare_server.runtime.batch import Sealed
from sunglare_server.runtime.runner import Runner

_answer, _adopt = HttpHandler.answer, Runner._adopt


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    ships = 0

    def noting(runner: Runner, sealed: Sealed) -> None:
        nonlocal ships
        ships = len(sealed.stepped.state.truth.in_play())
        _adopt(runner, sealed)

    async def telling(
        talk: HttpHandler, connection: CountedConnection, request: Request
    ) -> Response | None:
        response = await _answer(talk, connection, request)
        if response is not None:
            response.headers["X-Load"] = str(ships)
        return response

    patch.setattr(Runner, "_adopt", noting)
    patch.setattr(HttpHandler, "answer", telling)
