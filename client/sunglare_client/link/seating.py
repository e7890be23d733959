"""Takes the seat for `play`: joins a match, or resumes the own one."""

import argparse
import contextlib
import secrets
from collections.abc import Callable
from functools import partial
from typing import Any

from sunglare_client.errors import RefusedError, SupersededError
from sunglare_client.link import identity, records
from sunglare_client.link.callbacks import Hooks
from sunglare_client.link.connection import Connection
from sunglare_client.link.lists import beginning_with
from sunglare_client.link.matchlog import MatchLog, kept_log
from sunglare_client.link.quick import quick_match
from sunglare_client.link.sealing import ENTROPY_BYTES
from sunglare_client.link.seat import Seat
from sunglare_protocol.errors import SunglareError
from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.messages import Create, Created, From, Resumed
from sunglare_protocol.refusals import Code

SCENARIO = "shadow-of-ceres"
"""The scenario that is played if none is named."""

LOCAL_CLOCK = "local"
"""The clock of a local match: no window lasts longer than the player thinks."""

ID_LETTERS = 26
"""The length of a whole match id; a shorter one is the beginning of one."""


OnLink = Callable[[bool], None]
"""Called with whether the connection stands."""


async def seated(
    connection: Connection,
    options: argparse.Namespace,
    on_link: OnLink,
    tell: Callable[[str], None] = print,
) -> Seat:
    """Return the seat that the options name; the connection is closed if there is none.

    `tell` is called with the match that was opened for it.
    """
    hooks = _hooks(options, on_link)
    try:
        match, code = await _chosen_match(connection, options, tell)
        # A match that was just opened has no players yet.
        own = match if options.match is not None else None
        resumed = None if own is None else await _resumed(connection, own, options, hooks)
        if resumed is not None:
            return resumed
        side = None if options.side is None else Side(options.side)
        entropy = secrets.token_bytes(ENTROPY_BYTES)
        seat = await Seat.join(
            connection, match=match, code=code, side=side, entropy=entropy, hooks=hooks
        )
        seat.code = code
        return seat
    except BaseException:
        await connection.close()
        raise


async def make_ready(seat: Seat) -> None:
    """Say that the seat is ready; a seat that was taken again may be past that."""
    try:
        await seat.ready()
    except RefusedError as refusal:
        if not isinstance(seat.taken, Resumed) or refusal.code is not Code.MATCH_STARTED:
            raise


def put_away(seat: Seat, options: argparse.Namespace) -> None:
    """Forget the ticket of a match that is over; one that is left opens nothing."""
    if seat.picture.over is not None and not options.local:
        with contextlib.suppress(OSError):
            identity.drop_ticket(options.url, seat.match)


def way_back(seat: Seat, options: argparse.Namespace) -> str:
    """Return how to come back to a match that is not over, if one may, as one line."""
    if options.local:
        return "A local match ends with its terminal; there is nothing to come back to."
    if (bye := seat.connection.bye) is not None and bye.code is Code.OPERATOR_BANNED:
        return "The match goes on by its clock, without you."
    if isinstance(seat.connection.lost, SupersededError):
        return "Your seat is played from there now."
    if identity.load(options.url) is None:
        return "The match goes on without you: your token could not be kept."
    return (
        f"The match goes on; come back with: sunglare play --url {options.url} "
        f"--match {seat.match}"
    )


async def keep_record(connection: Connection, seat: Seat) -> str:
    """Keep the record of a local match that is over; return where, and how it is checked."""
    try:
        file = records.keep(seat.match, await connection.record(seat.match))
    except (SunglareError, TimeoutError, OSError) as fault:
        return f"the record of this match could not be kept: {fault}"
    mine = "" if seat.log is None or seat.log.fault else f" --mine {seat.log.path}"
    return (
        f"the record of this match: {file}; to see it again: sunglare replay {seat.match[:8]}; "
        f"to check it: sunglare verify {file}{mine}"
    )


def log_lines(seat: Seat, options: argparse.Namespace) -> list[str]:
    """Return where the log of a match that is over was kept, and what it is good for."""
    if seat.log is None or seat.picture.over is None:
        return []
    if seat.log.fault is not None:
        return [f"the log of this match could not be kept: {seat.log.fault}"]
    lines = [f"your log of this match: {seat.log.path}"]
    if not options.local:
        record = f"sunglare record {seat.match} --url {options.url} --out match.sgr"
        lines += [
            f"to check its dice: {record}",
            f"             then: sunglare verify match.sgr --mine {seat.log.path}",
        ]
    return lines


async def _resumed(
    connection: Connection, match: MatchId, options: argparse.Namespace, hooks: Hooks
) -> Seat | None:
    """Take the own seat again, by the ticket that was kept or without one; None without a seat."""
    if options.local:
        return None
    ticket = identity.load_ticket(options.url, match)
    try:
        entropy = secrets.token_bytes(ENTROPY_BYTES)
        return await Seat.resume(connection, match, ticket, entropy=entropy, hooks=hooks)
    except RefusedError as refusal:
        if refusal.code not in (Code.TICKET_BAD, Code.SEAT_NONE):
            raise
    if ticket is not None:
        identity.drop_ticket(options.url, match)
    return None


def _hooks(options: argparse.Namespace, on_link: OnLink) -> Hooks:
    log = kept_log(options.keep_log)
    if options.local:
        return Hooks(log=log, on_link=on_link)
    return Hooks(
        on_ticket=partial(_keep_ticket, options.url),
        on_link=on_link,
        log=log or _own_log(options.url),
    )


def _keep_ticket(url: str, match: MatchId, ticket: str) -> None:
    """Keep a ticket where that can be: the account has its seat without one, too."""
    with contextlib.suppress(OSError):
        identity.save_ticket(url, match, ticket)


def _own_log(url: str) -> Callable[[MatchId], MatchLog]:
    return lambda match: MatchLog(identity.log_path(url, match))


async def _chosen_match(
    connection: Connection, options: argparse.Namespace, tell: Callable[[str], None]
) -> tuple[MatchId | None, str | None]:
    """Return the match or the code to join by; open a match if neither was named."""
    if options.match is not None:
        return await whole_id(connection, options.match), options.code
    if options.code is not None and options.origin is None:
        return None, options.code
    if options.quick is not None:
        return await quick_match(connection, options.quick, tell), None
    created = await opened(connection, options)
    tell(f"match {created.match}" + (f", code {created.code}" if created.code else ""))
    return created.match, created.code


async def opened(connection: Connection, options: argparse.Namespace) -> Created:
    """Open a match as the options say; raise `RefusedError` if there is no such thing."""
    clock = options.clock or (LOCAL_CLOCK if options.local else None)
    wish = {**dict(options.option or ()), **({} if clock is None else {"clock": clock})}
    if options.origin is not None:
        match = await whole_id(connection, options.origin)
        origin = From(match=match, turn=options.turn, code=options.code)
        start: dict[str, Any] = {"origin": origin}
    else:
        start = {"scenario": options.new or SCENARIO}
    terms: dict[str, Any] = {"options": wish, "title": options.title}
    terms |= {"private": options.private, "rated": options.rated}
    return await connection.expect(Created, Create, **terms, **start)


async def whole_id(connection: Connection, text: str) -> MatchId:
    """Return the listed match whose id begins with `text`, or `text` if that names no other."""
    if len(text) >= ID_LETTERS:
        return MatchId(text)
    found = await beginning_with(connection, text)
    return found[0] if len(found) == 1 else MatchId(text)
