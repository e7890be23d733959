"""`sunglare play`: a seat is taken, the others are filled, and the match is played to its end."""

import argparse
import contextlib
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from itertools import cycle, islice
from pathlib import Path

from sunglare_client.cli.flags import URL
from sunglare_client.errors import LostError, RefusedError
from sunglare_client.fullscreen.console import FullConsole
from sunglare_client.fullscreen.opening import can_fill, full_screen
from sunglare_client.learning.teaching import learn_first
from sunglare_client.link.connecting import connected, is_listening
from sunglare_client.link.connection import Connection, Post
from sunglare_client.link.private_server import child_server
from sunglare_client.link.reconnecting import BACK, CUT
from sunglare_client.link.seat import Seat
from sunglare_client.link.seat_names import SeatNames, seat_names
from sunglare_client.link.seating import (
    keep_record,
    log_lines,
    make_ready,
    put_away,
    seated,
    way_back,
)
from sunglare_client.spectating.see_again import see_again_lines
from sunglare_client.terminal.afterwards import AfterMatch
from sunglare_client.terminal.agreeing import agrees
from sunglare_client.terminal.commitment import DELAY_S
from sunglare_client.terminal.console import Console, PlainConsole
from sunglare_client.terminal.display import Display
from sunglare_client.terminal.jsonlines import JsonScreen
from sunglare_client.terminal.plain import LOST, Terminal
from sunglare_client.terminal.rematching import rematch_of
from sunglare_client.terminal.screen import Screen, can_edit, screen_on, typed_lines
from sunglare_client.terminal.shared_lines import SharedLines
from sunglare_client.terminal.speaking import SpokenScreen, SpokenTurnSession
from sunglare_client.terminal.turn_session import TurnSession
from sunglare_client.text.news import news_line
from sunglare_client.text.story import checksum_line
from sunglare_client.text.terms import CLOCK, is_unusual, term_lines
from sunglare_protocol.botnames import SHIPPED, at_level
from sunglare_protocol.ids import Side
from sunglare_protocol.messages import Accepted, AddBot, Bye, ScenarioCard, Seated
from sunglare_protocol.refusals import Code

LOCAL_BOT = "scout"
"""The bot that a local match seats against the player by default."""

LOCAL_BOTS = {
    "picket-line": "raider",
    "four-corners": "admiral",
    "blip-parade": "admiral",
    "orlog": "raider",
    "redondo": "admiral",
    "smugglers-moon": "raider",
    "two-harbours": "raider",
    "fortress": "raider",
    "two-planets": "raider",
}
"""The same, where another bot plays the scenario better."""


async def play(options: argparse.Namespace) -> int:
    """Take a seat and play it in the terminal; return the exit code."""
    screen = _screen(options)
    if options.url is None:
        options.url = URL
        if not (_names_a_match(options) or _is_script(options) or options.speech):
            await learn_first(options, screen)
        await choose_opponent(options, screen)
    async with contextlib.AsyncExitStack() as stack:
        url = options.url
        if options.local:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="sunglare-"))
            url = await stack.enter_async_context(child_server(Path(folder)))
        connection = await connected(url, options)
        displays: list[Display] = [screen]
        on_link = partial(_tell_link, displays)
        seat = await stack.enter_async_context(
            await seated(connection, options, on_link, screen.tell)
        )
        left: list[str] = []
        try:
            async with _opened(screen, options) as console:
                displays.append(console.display)
                return await _matches(seat, options, console, left, stack)
        finally:
            displays.append(screen)
            for line in left:
                screen.tell(line)


async def choose_opponent(options: argparse.Namespace, screen: Screen) -> None:
    """Seat a bot for who just wants to play: here, or on a private server if there is none.

    The options are changed for that, if they name nothing else to play.
    """
    if _names_a_match(options):
        return
    options.local = not await is_listening(URL)
    if options.local:
        screen.show(["There is no server here: you play against a bot on one of your own."])
    else:
        screen.show([f"You play against a bot on {URL}; with --new you wait for others there."])
        options.bot = [LOCAL_BOT]


def _names_a_match(options: argparse.Namespace) -> bool:
    """Return whether the options say what to play, or against whom."""
    named = (
        options.match,
        options.code,
        options.new,
        options.origin,
        options.quick,
        options.bot,
        options.side,
    )
    return options.local or any(name is not None for name in named)


async def _matches(
    seat: Seat,
    options: argparse.Namespace,
    console: Console,
    left: list[str],
    stack: contextlib.AsyncExitStack,
) -> int:
    """Play a match, and rematches for as long as all want one; return the exit code."""
    code = await _match(seat, options, console, left)
    while code is not None and _may_go_on(seat, options):
        again = await _rematch(seat, console)
        if again is None:
            break
        seat = await stack.enter_async_context(again)
        code = await _match(seat, options, console, left, is_rematch=True)
    return code or 0


async def _rematch(seat: Seat, console: Console) -> Seat | None:
    """Ask whether a rematch is wanted, with chat and what else may be typed after the end."""
    display, names = console.display, dict[Side, str]()
    with contextlib.suppress(RefusedError, LostError, TimeoutError):
        names |= await seat_names(seat.connection, seat.match, seat.code)
    seat.following.tell_chat(lambda news: display.show([news_line(news, names)]))
    if console.shown is None:
        return await rematch_of(seat, console.lines, display.show)
    after = AfterMatch(console.shown, display, seat.chat)
    return await rematch_of(seat, console.lines, display.show, after.read)


async def _match(
    seat: Seat,
    options: argparse.Namespace,
    console: Console,
    left: list[str],
    *,
    is_rematch: bool = False,
) -> int | None:
    """Play one match, and say what is left of it; return as `_played` does.

    What is said goes to `left` where it would vanish with the screen.
    """
    has_left, code = False, None
    try:
        code = await _played(seat, options, console, is_rematch=is_rematch)
        has_left = code is None
        left.extend(_vanishing(console, code))
    except RefusedError as refusal:
        if refusal.code is Code.OPERATOR_BANNED:
            raise _shut_out(seat.connection, refusal) from refusal
        raise
    finally:
        if seat.picture.over is None and not has_left:
            left.append(way_back(seat, options))
    if code is None:
        return None
    put_away(seat, options)
    left.extend(await _say_what_is_left(seat, options, console.display))
    return code


async def _say_what_is_left(
    seat: Seat, options: argparse.Namespace, display: Display
) -> list[str]:
    """Say how a match that is over is seen again and checked.

    Return what has to be said again after the full screen, which vanishes.
    """
    over = seat.picture.over
    if over is None:
        return []
    code = seat.code or options.code
    again = [] if options.local else see_again_lines(options.url, seat.match, code)
    checks = log_lines(seat, options)
    if options.local:
        checks.append(await keep_record(seat.connection, seat))
    for line in again:
        display.tell(line)
    display.show([checksum_line(over)])
    for line in checks:
        display.tell(line)
    return [*again, *checks] if display.keeps_board else []


def _vanishing(console: Console, code: int | None) -> tuple[str, ...]:
    """Return why the match was lost, where a screen that closes would take that along."""
    if code != LOST or not console.display.keeps_board or console.shown is None:
        return ()
    return (console.shown.ending,)


def _shut_out(connection: Connection, refusal: RefusedError) -> LostError:
    """Take the refusal of a banned account for the farewell, which comes a moment later."""
    connection.bye = Bye(code=refusal.code, text=refusal.refused.text)
    return connection.lost


def _may_go_on(seat: Seat, options: argparse.Namespace) -> bool:
    """Return whether a person is there to ask for another match."""
    return seat.picture.over is not None and not _is_script(options)


def _is_script(options: argparse.Namespace) -> bool:
    return bool(options.json) or not sys.stdin.isatty()


def _is_bare(options: argparse.Namespace) -> bool:
    """Return whether lines alone are wanted, for a pipe, a program or a screen reader."""
    return bool(options.plain or options.json or options.speech)


def _screen(options: argparse.Namespace) -> Screen:
    if options.json:
        return JsonScreen(sys.stdout, ascii_only=options.ascii)
    if options.speech:
        return SpokenScreen(sys.stdout, ascii_only=options.ascii)
    return screen_on(sys.stdout, ascii_only=options.ascii)


def rivals(named: list[str], card: ScenarioCard, *, local: bool) -> list[str]:
    """Return the bots to seat: those named; in a local match they, or the usual one, fill it."""
    if not local:
        return named
    usual = named or [LOCAL_BOTS.get(card.name, LOCAL_BOT)]
    return list(islice(cycle(usual), len(card.sides) - 1))


async def _add_bots(connection: Connection, seat: Seat, options: argparse.Namespace) -> None:
    for name in rivals(options.bot or [], seat.card, local=options.local):
        at = at_level(name, options.level) if name in SHIPPED and name != "random" else name
        await connection.expect(Accepted, AddBot, match=seat.match, name=at)


async def _played(
    seat: Seat, options: argparse.Namespace, console: Console, *, is_rematch: bool
) -> int | None:
    """Fill the other seats as the options say, begin, and play to the end.

    Return the exit code; None if the player did not come to terms and has left the seat.
    """
    is_new = isinstance(seat.taken, Seated) and not is_rematch
    if is_new:
        await _add_bots(seat.connection, seat, options)
    display = console.display
    _introduce(display, seat)
    if is_new and not options.local and options.bot is None:
        display.show([_invitation(seat, options)])
    if is_new and _is_asked(seat, options) and not await agrees(console.lines, display.show):
        await seat.leave()
        return None
    await make_ready(seat)
    is_script = _is_script(options)
    async with SeatNames(seat) as names:
        terminal = Terminal(
            seat,
            console.lines,
            display,
            script=is_script,
            quit_on_eof=options.quit_on_eof,
            names=names.known,
            doubt=lambda: seat.dice_doubt,
            clock=seat.card.options.get(CLOCK, ""),
            commit_delay_s=0.0 if is_script else DELAY_S,
            session=SpokenTurnSession if options.speech else TurnSession,
            on_post=_hearing(names, display),
        )
        console.show(terminal, seat.card.title)
        return await terminal.run()


def _hearing(names: SeatNames, display: Display) -> Callable[[Post], None]:
    """Return what hears every post before it is shown."""

    def hear(post: Post) -> None:
        names.hear(post)
        if isinstance(display, JsonScreen):
            display.post(post)

    return hear


@contextlib.asynccontextmanager
async def _opened(screen: Screen, options: argparse.Namespace) -> AsyncIterator[Console]:
    """Yield what a match is played with: the full screen where there is room, else lines."""
    if not (_is_bare(options) or options.lines) and can_fill():
        async with full_screen(
            ascii_only=screen.ascii_only, mono=options.mono, still=options.still
        ) as stage:
            yield FullConsole(stage)
        return
    playing: list[Terminal] = []
    with _typing(screen, options, playing) as typed:
        lines = SharedLines(typed)
        try:
            yield PlainConsole(lines, screen, playing)
        finally:
            await lines.close()


@contextlib.contextmanager
def _typing(
    screen: Screen, options: argparse.Namespace, playing: list[Terminal]
) -> Iterator[AsyncIterator[str]]:
    """Yield the lines that are typed, from a line editor where there is one.

    The editor completes words with the newest terminal of `playing`.
    """
    if _is_bare(options) or not can_edit():
        yield typed_lines(sys.stdin)
        return
    from sunglare_client.terminal.input.line_editor import above_the_line, edited_lines

    def complete(line: str) -> list[str]:
        return playing[-1].complete(line) if playing else []

    with above_the_line() as stream, screen.through(stream):
        yield edited_lines(complete)


def _introduce(display: Display, seat: Seat) -> None:
    """Show what is played and by which options, before the seat is ready."""
    display.show([f"{seat.card.title}: {seat.card.brief}", f"you are side {seat.side}"])
    display.show(term_lines(seat.card))


def _invitation(seat: Seat, options: argparse.Namespace) -> str:
    where = f"--match {seat.match}" if seat.code is None else f"--code {seat.code}"
    return f"others join with: sunglare play --url {options.url} {where}"


def _is_asked(seat: Seat, options: argparse.Namespace) -> bool:
    """Return whether a person has accepted another player's terms."""
    by_code = options.code is not None and options.origin is None
    is_guest = options.match is not None or by_code
    return is_guest and not _is_script(options) and is_unusual(seat.card)


def _tell_link(displays: list[Display], up: bool) -> None:
    """Say on the face that is shown now whether the connection stands."""
    displays[-1].show([BACK if up else CUT])
