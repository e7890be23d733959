"""How a request of the operator is answered, by whatever way it came: a bug ends no process."""

from collections.abc import Awaitable, Callable

import structlog

from sunglare_protocol.errors import SunglareError
from sunglare_server.ops.requests import (
    Answer,
    ForeignError,
    MatchesAsked,
    Request,
    RequestError,
    StatusAsked,
    read_request,
)

Perform = Callable[[Request], Awaitable[Answer]]
"""Does what is asked; `RequestError` says why not."""


async def reloaded(reload: Callable[[], Awaitable[str]]) -> str:
    """Have the settings read again and say what came of it; `RequestError` if nothing did."""
    try:
        return await reload()
    except (SunglareError, OSError) as error:
        raise RequestError(f"all is as it was: {error}") from error


async def answered(line: bytes, perform: Perform) -> Answer:
    """Return what `perform` answers to the request of a line, or why there is no answer."""
    log = structlog.get_logger()
    try:
        request = read_request(line)
        # Whoever looks changes nothing, and may look every second.
        is_look = isinstance(request, StatusAsked | MatchesAsked)
        note = log.debug if is_look else log.info
        note("an operator's request", request=type(request).__name__)
        return await perform(request)
    except RequestError as error:
        return Answer(error=error.why, is_foreign=isinstance(error, ForeignError))
    except Exception:
        # A bug here must not end the server.
        log.exception("an operator's request failed")
        return Answer(error="the server failed at this; its log says how")
