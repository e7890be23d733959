"""Runs a bot as a program: under which account, in which seats, a new instance in each.

Both `run`, with which the program of a bot ends, and `sunglare bot run` come here.
"""

import argparse
import asyncio
import copy
import logging
import signal
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, final

from sunglare_client.bot import Bot, play_on
from sunglare_client.bot_runtime.containment import SignalCount, contained
from sunglare_client.cli.flags import add_url
from sunglare_client.errors import BotError
from sunglare_client.link.bot_credentials import BotCredentials, as_told
from sunglare_client.link.botaccount import bot_account
from sunglare_client.link.connection import Connection, connect
from sunglare_client.link.lists import lines_of
from sunglare_client.link.matchlog import MatchLog, kept_log
from sunglare_client.link.taking import SeatWish
from sunglare_protocol.errors import SunglareError
from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.messages import Listing, Over

log = logging.getLogger(__name__)


@final
class BotRun(NamedTuple):
    """What the command line of a bot says: the server, the seat, the name, what is kept.

    Without `match` and `code` every seat is taken again that the account has left as a bot.
    """

    url: str
    match: MatchId | None = None
    code: str | None = None
    side: Side | None = None
    name: str | None = None
    strict: bool = False
    log: Callable[[MatchId], MatchLog] | None = None


def add_seat_and_account(parser: argparse.ArgumentParser, name: str = "name") -> None:
    """Add what says which seat a bot takes, and as whom; `name` is where the name is put."""
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--match", help="the match to join (default: every seat that the bot of --name left)"
    )
    which.add_argument("--code", help="the code of a private match to join")
    parser.add_argument("--side", help="the side to take (default: any)")
    parser.add_argument("--seed", type=int, default=0, help="of the bot's own choices")
    parser.add_argument(
        "--name",
        dest=name,
        metavar="NAME",
        help="the name to play under, now and next time (default: a guest's)",
    )
    parser.add_argument("--strict", action="store_true", help="stop at the bot's first mistake")


async def run_bot(bots: Iterator[Bot], run: BotRun) -> tuple[Over, ...]:
    """Play the seats that `run` names to their ends, the next of `bots` in each; return the ends.

    Raise `InUseError` if another process plays under the account, `BotError` if there is no seat
    to take, `RefusedError` if the server refuses one, `LostError` if the connection stays away;
    of several seats the other ones are played to their ends first.
    """
    told = as_told()
    if (run.match, run.code, run.name, told.token) == (None, None, None, None):
        raise BotError("name a match with --match or --code, or with --name a bot that left one")
    with bot_account(run.url, run.name, told.token) as account:
        first = next(bots)
        connection = await connect(
            run.url,
            name=account.name,
            token=account.token,
            client=f"bot {first.name}",
            bot=True,
        )
        try:
            account.keep(connection.welcome.token)
            wishes = await _wishes(connection, run, told)
            players = [first, *[next(bots) for _ in wishes[1:]]]
        except BaseException:
            await connection.close()
            raise
        return await _played(connection, list(zip(players, wishes, strict=True)), run)


async def _played(
    connection: Connection, seats: Sequence[tuple[Bot, SeatWish]], run: BotRun
) -> tuple[Over, ...]:
    """Play seats at the same time, each over a connection of its own; the first has one."""

    async def played(number: int, bot: Bot, wish: SeatWish) -> Over:
        own = connection if number == 0 else await connection.again()
        return await play_on(bot, own, wish, strict=run.strict, log=run.log)

    ends = await asyncio.gather(
        *[played(number, bot, wish) for number, (bot, wish) in enumerate(seats)],
        return_exceptions=True,
    )
    faults = [end for end in ends if isinstance(end, BaseException)]
    for fault in faults[1:]:
        log.error("a seat was not played to its end: %s", fault)
    if faults:
        raise faults[0]
    return tuple(end for end in ends if isinstance(end, Over))


async def _wishes(
    connection: Connection, run: BotRun, told: BotCredentials
) -> tuple[SeatWish, ...]:
    if run.match is not None or run.code is not None:
        return (SeatWish(run.match, run.code, run.side, told.ticket, told.entropy),)
    left = [
        SeatWish(match=line.match, entropy=as_told().entropy)
        async for line in lines_of(connection, Listing.MINE)
        if line.awaits_bot and run.side in (None, line.mine)
    ]
    if not left:
        raise BotError(
            f"no seat on {run.url} waits for a bot called {connection.welcome.name}; name a match "
            "with --match or --code, or with --name who has left one"
        )
    return tuple(left)


def run(bot: Bot | type[Bot], argv: Sequence[str] | None = None) -> int:
    """Play as the command line says and return 0 at the end.

    A bot class is made with the seed of the command line, once for each seat. The environment may
    say who plays, as a server says it to those that it seats itself; else it is the account of
    `--name`, whose token is kept, or a new guest. Leave the program with one sentence and exit
    code 1 if nothing can be played.
    """
    options = _parser().parse_args(argv)
    logging.basicConfig(level=options.log.upper(), format="%(levelname)s %(name)s %(message)s")
    with SignalCount(signal.SIGTERM) as signals:
        try:
            ends = asyncio.run(
                run_bot(instances(bot, options.seed), run_of(options, options.name))
            )
        except (SunglareError, OSError) as fault:  # a time-out is an OSError too
            raise SystemExit(f"{bot.name}: {fault}") from fault
        except SystemExit as ended:  # from a signal's handler, or else from a task of the bot's
            if signals.count:
                raise
            raise SystemExit(f"{bot.name}: a task raised SystemExit: {ended}") from ended
    for over in ends:
        log.info("%s: the winner is %s", bot.name, over.result.winner or "nobody")
    return 0


def instances(bot: Bot | type[Bot], seed: int) -> Iterator[Bot]:
    """Yield a bot for every seat: of a class new ones with the seed, of an instance copies too."""
    if isinstance(bot, Bot):
        yield bot
    while True:
        with contained():
            made = copy.deepcopy(bot) if isinstance(bot, Bot) else bot(seed)
        yield made


def run_of(options: argparse.Namespace, name: str | None) -> BotRun:
    """Return what parsed options say, under a name."""
    return BotRun(
        url=options.url,
        match=options.match,
        code=options.code,
        side=options.side,
        name=name,
        strict=options.strict,
        log=kept_log(options.keep_log),
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Play a match with a bot.")
    add_url(parser)
    add_seat_and_account(parser)
    parser.add_argument("--keep-log", metavar="FILE", help="keep a log for sunglare verify there")
    parser.add_argument("--log", default="warning", choices=("debug", "info", "warning", "error"))
    return parser
