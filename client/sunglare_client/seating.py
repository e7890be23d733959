"""How `play` comes to a seat: joined anew, or the own one taken again."""

import argparse
import secrets
from collections.abc import Callable
from functools import partial

from sunglare_client import identity
from sunglare_client.connection import Connection
from sunglare_client.errors import RefusedError
from sunglare_client.lists import beginning_with
from sunglare_client.matchlog import MatchLog, kept_log
from sunglare_client.sealing import ENTROPY_BYTES
from sunglare_client.seat import Hooks, Seat
from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.messages import Create, Created, Resumed
from sunglare_protocol.refusals import Code

SCENARIO = "shadow-of-ceres"
"""The scenario that is played if none is named."""

LOCAL_CLOCK = "local"
"""The clock of a local match: nobody waits for a window longer than the player thinks."""

ID_LETTERS = 26
"""The length of a whole match id; a shorter one is the beginning of one."""


async def seated(connection: Connection, options: argparse.Namespace) -> Seat:
    """Return the seat that the options name; the connection is closed if there is none."""
    try:
        match, code = await _chosen_match(connection, options)
        # Nobody sits yet in a match that was just opened.
        own = match if options.match is not None else None
        resumed = None if own is None else await _resumed(connection, own, options)
        if resumed is not None:
            return resumed
        side = None if options.side is None else Side(options.side)
        # The dice of a private server are the player's own: nobody else is to trust them.
        entropy = None if options.local else secrets.token_bytes(ENTROPY_BYTES)
        hooks = _hooks(options)
        return await Seat.join(
            connection, match=match, code=code, side=side, entropy=entropy, hooks=hooks
        )
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
    """Forget the ticket of a match that is over."""
    if seat.picture.over is not None and not options.local:
        identity.drop_ticket(options.url, seat.match)


def tell_log(seat: Seat, options: argparse.Namespace) -> None:
    """Say where the log of a match that is over was kept, and what it is good for."""
    if seat.log is None or seat.picture.over is None:
        return
    if seat.log.fault is not None:
        print(f"the log of this match could not be kept: {seat.log.fault}")
        return
    print(f"your log of this match: {seat.log.path}")
    if not options.local:
        print(
            f"to check its dice: sunglare record {seat.match} --url {options.url} --out match.sgr"
        )
        print(f"             then: sunglare verify match.sgr --mine {seat.log.path}")


async def _resumed(
    connection: Connection, match: MatchId, options: argparse.Namespace
) -> Seat | None:
    """Take the own seat again, by the ticket that was kept or without one; None without a seat."""
    if options.local:
        return None
    ticket = identity.load_ticket(options.url, match)
    try:
        return await Seat.resume(connection, match, ticket, hooks=_hooks(options))
    except RefusedError as refusal:
        if refusal.code not in (Code.TICKET_BAD, Code.SEAT_NONE):
            raise
    if ticket is not None:
        identity.drop_ticket(options.url, match)
    return None


def _hooks(options: argparse.Namespace) -> Hooks:
    if options.local:
        return Hooks(log=kept_log(options.keep_log))
    on_ticket = partial(identity.save_ticket, options.url)
    return Hooks(on_ticket=on_ticket, log=kept_log(options.keep_log) or _own_log(options.url))


def _own_log(url: str) -> Callable[[MatchId], MatchLog]:
    return lambda match: MatchLog(identity.log_path(url, match))


async def _chosen_match(
    connection: Connection, options: argparse.Namespace
) -> tuple[MatchId | None, str | None]:
    """Return the match or the code to join by; open a match if neither was named."""
    if options.match is not None:
        return await whole_id(connection, options.match), None
    if options.code is not None:
        return None, options.code
    clock = options.clock or (LOCAL_CLOCK if options.local else None)
    wish = {} if clock is None else {"clock": clock}
    created = await connection.expect(
        Created, Create, scenario=options.new or SCENARIO, options=wish, private=options.private
    )
    print(f"match {created.match}" + (f", code {created.code}" if created.code else ""))
    return created.match, None


async def whole_id(connection: Connection, text: str) -> MatchId:
    """Return the listed match whose id begins with `text`, or `text` if that names no other."""
    if len(text) >= ID_LETTERS:
        return MatchId(text)
    found = await beginning_with(connection, text)
    return found[0] if len(found) == 1 else MatchId(text)
