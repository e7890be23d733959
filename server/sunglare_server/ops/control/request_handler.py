"""Answers a request of the operator, by whatever way it came: a bug ends no process."""

from collections.abc import Awaitable, Callable

import structlog
from msgspec.structs import replace

from sunglare_protocol.errors import SunglareError
from sunglare_server.ops.control.answers import Answer
from sunglare_server.ops.control.requests import (
    ForeignError,
    Request,
    RequestError,
    is_look,
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


async def answered(line: bytes, perform: Perform, by: str | None = None) -> Answer:
    """Return what `perform` answers to the request of a line, or why there is no answer.

    `by` is who asks, where that is known; else the request says it.
    """
    log = structlog.get_logger()
    try:
        request = read_request(line)
        if by is not None:
            request = replace(request, by=by)
        note = log.debug if is_look(request) else log.info
        note("operator_request", request=type(request).__name__)
        return await perform(request)
    except RequestError as error:
        return Answer(error=error.why, is_foreign=isinstance(error, ForeignError))
    except Exception:
        # A bug here must not end the server.
        log.exception("operator_request_failed")
        return Answer(error="the server failed at this; its log says how")
