"""A header of the plain answers is there as soon as any ship is damaged."""

import pytest
from websockets.http11 import Request, Response

from sunglare_server.gateway.admission import CountedConnection
from sunglare_server.gateway.http import HttpHandler
from sunglare_server.runtime.batch import Sealed
from sunglare_server.runtime.runner import Runner

_answer, _adopt = HttpHandler.answer, Runner._adopt


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    is_hit = False

    def noting(runner: Runner, sealed: Sealed) -> None:
        nonlocal is_hit
        is_hit = any(ship.damage for ship in sealed.stepped.state.truth.ships.values())
        _adopt(runner, sealed)

    async def telling(
        talk: HttpHandler, connection: CountedConnection, request: Request
    ) -> Response | None:
        response = await _answer(talk, connection, request)
        if response is not None and is_hit:
            response.headers["X-Busy"] = "1"
        return response

    patch.setattr(Runner, "_adopt", noting)
    patch.setattr(HttpHandler, "answer", telling)
