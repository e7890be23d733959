"""The plain terminal: lines in, lines out, no escape codes; for people, pipes and scripts."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from typing import Any, TypeVar

from sunglare_client.command import Act, Planned, Problem
from sunglare_client.errors import LostError, RefusedError
from sunglare_client.link.connection import Post
from sunglare_client.link.resume_info import age_ms, held_for
from sunglare_client.link.sealing import doubt_lines, is_sealing
from sunglare_client.map.layers import SHOWN_FIRST
from sunglare_client.terminal.actions import Action, asked_of, is_reading, lines_of, unsure_lines
from sunglare_client.terminal.clockface import Clockface
from sunglare_client.terminal.commitment import Commitment
from sunglare_client.terminal.display import Display
from sunglare_client.terminal.input.completion import complete
from sunglare_client.terminal.input.line_input import EMPTY, SURE, LineInput
from sunglare_client.terminal.input.parser import parse
from sunglare_client.terminal.pacing import fair_dice
from sunglare_client.terminal.passing import Passing
from sunglare_client.terminal.readying import doubts, question, sent_lines
from sunglare_client.terminal.seat_port import SeatPort
from sunglare_client.terminal.turn_session import TurnSession
from sunglare_client.text.foremost import foremost_lines
from sunglare_client.text.news import news_line
from sunglare_client.text.players import Names
from sunglare_client.text.story import result_lines, window_lines
from sunglare_protocol.messages import Accepted, Frame, News, NewsKind, Over
from sunglare_protocol.views import View

Item = TypeVar("Item")

ENDED = 0
"""The match is over, or the player has left."""

LOST = 3
"""The connection ended before the match did."""

STANDSTILL = ("paused", "absent")
"""News of pauses after which no clock runs."""

READY_ALREADY = "E-PHASE   you are ready already.  Say unready first."
"""The answer to a player who changes orders that are sent."""

LEFT = "You have left the terminal."
"""The farewell to a player who leaves."""


class Terminal:
    """One match in the plain terminal: `run` plays it from the first post to the last.

    A `script` (a pipe or a file) is read only while its seat may give orders: `ready` waits for
    the next such window. `quit_on_eof` leaves when the script ends; without it the match goes on
    without orders. A person who ends the input (`CTRL_D`) is asked first, and leaves by doing it
    again; when the terminal itself is gone, so is the player. A question is answered by the line
    right after it: `y` agrees, anything else drops the question. Else an empty line of a person
    whose orders are asked raises the question whether to be ready; in a script it means nothing.
    A line that holds line breaks was pasted: its commands are given, those that commit are not.
    `doubt` says why the dice of the match may do without the seat's entropy. `now` is the clock
    of all windows, in seconds; without it that of the running loop. `clock` names the clock of
    the match, `dice` yields numbers from 0 to below 1 for the moments of locks, and the lock of
    a person who is ready waits `commit_delay_s`.
    `on_post` is given every post before it is shown. `session` makes the player's side of the
    first window. `ending` is what was said when it ended before the match, nothing until then.
    """

    def __init__(
        self,
        table: SeatPort,
        lines: AsyncIterator[str],
        screen: Display,
        *,
        script: bool = False,
        quit_on_eof: bool = False,
        names: Names | None = None,
        doubt: Callable[[], str | None] = lambda: None,
        now: Callable[[], float] | None = None,
        clock: str = "",
        dice: Callable[[], float] = fair_dice,
        commit_delay_s: float = 0.0,
        on_post: Callable[[Post], None] = lambda _: None,
        session: Callable[[Frame, View], TurnSession] = TurnSession,
    ) -> None:
        """Keep what the match is played with."""
        self._table = table
        self._lines = lines
        self._screen = screen
        self._script = script
        self._quit_on_eof = quit_on_eof
        self._names: Names = {} if names is None else names
        self._doubt = doubt
        self._on_post = on_post
        self._new_desk = session
        self._session: TurnSession | None = None
        now = now or (lambda: asyncio.get_running_loop().time())
        self._clock = Clockface(now)
        self._commitment = Commitment(now, clock, dice, commit_delay_s)
        self._passing = Passing()
        self._once_locked: list[str] = []
        self._fresh = False
        self._greeted = False
        self._input = LineInput(script=script)
        self._input_ended = False
        self._code = ENDED
        self._done, self.ending = False, ""

    async def run(self) -> int:
        """Play until the match is over, the player leaves or the connection is lost.

        Return the exit code.
        """
        posts, lines = aiter(self._table), aiter(self._lines)
        post, line = _next(posts), _next(lines)
        try:
            while not self._done:
                await asyncio.sleep(0)
                self._screen.draw()
                if post.done():
                    self._take(post)
                    post = _next(posts)
                elif not await self._idle():
                    await self._news_of({post, line} if self._wants_line else {post})
                    if line.done() and self._wants_line and not post.done():
                        self._read(line.result())
                        line = line if self._input_ended else _next(lines)
        finally:
            post.cancel()
            line.cancel()
            # An editor takes its prompt away before anything else is written.
            await asyncio.gather(post, line, return_exceptions=True)
        return self._code

    @property
    def session(self) -> TurnSession | None:
        """Return the newest view with the plan; None before the match has started."""
        return self._session

    @property
    def clock(self) -> Clockface:
        """Return when the open window closes."""
        return self._clock

    @property
    def is_committing(self) -> bool:
        """Return whether the player is ready and may still take that back unseen."""
        return self._commitment.is_pending

    @property
    def is_asking(self) -> bool:
        """Return whether the next line answers a question."""
        return self._input.is_asking

    def complete(self, line: str) -> list[str]:
        """Return what the last word of a line that is being typed may become."""
        session = self._session
        return [] if session is None else complete(line, session.view, session.given)

    async def _news_of(self, wanted: set["asyncio.Task[Any]"]) -> None:
        """Wait until one of the tasks is done, or a warning is due; give the warning."""
        waits = [self._clock.warning_s() if self._may_order else None, self._commitment.wait_s()]
        wait_s = min((wait for wait in waits if wait is not None), default=None)
        await asyncio.wait(wanted, timeout=wait_s, return_when=asyncio.FIRST_COMPLETED)
        warning = self._clock.warning() if self._may_order else ""
        self._show([warning] if warning else [])

    @property
    def _may_order(self) -> bool:
        session = self._session
        return session is not None and session.is_asked and not session.locked

    @property
    def _wants_line(self) -> bool:
        if self._input_ended:
            return False
        if self._session is None:
            return not self._script
        return not self._input.commands and (self._may_order or not self._script)

    def _take(self, post: "asyncio.Task[Post | None]") -> None:
        """Show what came from the server."""
        try:
            came = post.result()
        except LostError as lost:
            self._end(LOST, str(lost))
            return
        if came is not None:
            self._on_post(came)
        match came:
            case None:
                self._end(LOST, "The server has closed the connection.")
            case Frame():
                self._open(came)
            case News():
                self._hear(came)
            case Over():
                self._clock.end()
                self._show(lines := result_lines(came, self._names), lines)
                self._done = True

    def _show(self, lines: Iterable[str], first: Iterable[str] = ()) -> None:
        """Show lines of ours, with the labels of the pieces that they name by handles."""
        session = self._session
        words: Callable[[str], str] = str if session is None else session.labels.in_words
        self._screen.show(map(words, lines))
        self._screen.put_first(map(words, first))

    def _hear(self, news: News) -> None:
        self._screen.show([] if is_sealing(news) else [news_line(news, self._names)])
        if news.closes_ms is not None:
            self._clock.move(news.closes_ms - age_ms(self._table.taken, news))
        elif news.kind is NewsKind.PAUSE and news.text in STANDSTILL:
            self._clock.stop()

    def _open(self, frame: Frame) -> None:
        if not isinstance(frame.view, View):
            self._show(window_lines(frame))
            return
        age = age_ms(self._table.taken, frame)
        # Before anything looks at the view: the moment must follow from the window alone.
        self._commitment.open(frame.view.stage.phase, age / 1000)
        self._input.forget(SURE)
        if self._session is None:
            self._session = self._new_desk(frame, frame.view)
            self._session.layers = SHOWN_FIRST if self._screen.keeps_board else ()
            self._screen.show(doubt_lines(self._doubt()))
        else:
            self._session.open(frame, frame.view)
        if (held := held_for(self._table.taken, frame.window)) is not None:
            self._session.take_over(held)
        self._show(window_lines(frame), foremost_lines(frame))
        self._clock.open(frame.closes_ms - age, frame.bank_ms)
        self._show(lines := self._passing.take(self._session), lines)
        self._fresh = True

    async def _idle(self) -> bool:
        """Do the next thing that waits for no news; return whether there was one."""
        session = self._session
        if session is None:
            return False
        if self._fresh:
            self._fresh = False
            self._show_window(session)
        elif self._input.commands and (self._may_order or not self._script):
            await self._obey(self._input.commands.popleft(), session)
        elif self._may_order and (self._passing.reason(session) or self._input_ended):
            reason = self._passing.reason(session)
            self._commit(session, [reason] if reason and not self._script else [], is_passed=True)
        elif self._commitment.wait_s() == 0:
            await self._lock(session)
        elif session.unsent and (self.is_committing or not session.locked):
            await self._send(session, lock=False)
        else:
            return False
        return True

    def _commit(self, session: TurnSession, lines: list[str], *, is_passed: bool = False) -> None:
        """End the thinking: the lock leaves soon, and these lines are shown then."""
        session.locked, self._once_locked = True, lines
        self._commitment.begin(self._clock.left_s(), is_passed=is_passed)

    async def _lock(self, session: TurnSession) -> None:
        self._commitment.take_back()
        if await self._send(session, lock=True):
            self._show(self._once_locked)

    def _show_window(self, session: TurnSession) -> None:
        if not self._greeted:
            self._greeted = True
            self._show(session.goal_lines())
        if not session.is_asked:
            self._show(session.waiting_lines())
        elif not self._passing.reason(session):
            self._show([*session.board_lines(self._screen), *self._asked_lines(session)])

    def _asked_lines(self, session: TurnSession) -> list[str]:
        """Return what is asked of the player, and which of their orders the server has already."""
        held = session.begun_lines()
        if session.locked:
            return [*held, f"you are ready; unready takes that back. {self._clock.words()}"]
        return [*held, f"your orders, please. {self._clock.words()}"]

    def _read(self, line: str | None) -> None:
        if line is None:
            self._input_ended = True
            if self._quit_on_eof or not self._script:
                self._end(ENDED, "The input has ended.")
            return
        has_started = self._session is not None
        said = self._input.take(line, has_started=has_started, may_order=self._may_order)
        self._screen.show(said)
        if self._input.has_left:
            self._end(ENDED, LEFT)

    async def _obey(self, text: str, session: TurnSession) -> None:
        """Carry one command out and show what came of it."""
        self._input.ask("")
        if text == EMPTY:
            self._ask_to_commit(session, question(session))
            return
        command = parse(text, session.view, session.given)
        if isinstance(command, Problem):
            self._show([command.text])
        elif isinstance(command, Act):
            await self._act(command, session)
        elif isinstance(command, Planned) and session.locked:
            self._show([READY_ALREADY])
        else:
            self._show(session.carry_out(command, self._screen))

    async def _act(self, act: Act, session: TurnSession) -> None:
        if unsure := unsure_lines(act):
            self._input.ask(f"{act.deed} yes")
            self._show(unsure)
        elif act.deed == Action.READY:
            self._ready(session, is_sure=act.sure or self._script)
        elif act.deed == Action.UNREADY:
            await self._unready(session)
        elif act.deed in (Action.SKIP, Action.PASS, Action.SET):
            self._show(self._settle(act, session))
        elif act.deed == Action.QUIT:
            self._end(ENDED, LEFT)
        elif act.deed == Action.UNDO and session.locked:
            self._show([READY_ALREADY])
        elif (asked := asked_of(act, self._table)) is not None:
            await self._tell(*asked)
        else:
            show = self._screen.read if is_reading(act) else self._show
            show(lines_of(act, session, self._clock))

    def _settle(self, act: Act, session: TurnSession) -> list[str]:
        """Change how this terminal treats windows; return what it does from now on."""
        if act.deed == Action.SKIP:
            return self._passing.skip(is_on=act.sure)
        if act.deed == Action.PASS:
            return self._passing.until_contact(session, is_on=act.sure)
        self._commitment.delay_s = float(act.text)
        return [f"from now on a lock waits {self._commitment.delay_s:g} s"]

    def _ready(self, session: TurnSession, *, is_sure: bool) -> None:
        if not session.is_asked:
            self._show(["there is nothing to be ready for now"])
        elif session.locked:
            self._show([READY_ALREADY])
        elif lines := [] if is_sure else doubts(session):
            self._ask_to_commit(session, lines)
        else:
            self._commit(session, sent_lines(session))

    def _ask_to_commit(self, session: TurnSession, lines: list[str]) -> None:
        if session.is_asked and not session.locked:
            self._input.ask(SURE)
            self._show(lines)

    async def _unready(self, session: TurnSession) -> None:
        is_unseen = self.is_committing
        self._commitment.take_back()
        if is_unseen:
            session.locked = False
        if is_unseen or await self._send(session, lock=False):
            self._show([*session.plan_lines(), self._clock.words()])

    async def _send(self, session: TurnSession, *, lock: bool) -> bool:
        """Send the plan; return whether the server took it. A plan is sent once, taken or not."""
        session.unsent = False
        sent = self._table.orders(session.plan, lock=lock, window=session.window)
        taken = await self._tell(sent)
        # Locked even if refused: what the server does not take now, it does not take again.
        session.locked = lock or self.is_committing
        return taken

    async def _tell(self, command: Coroutine[Any, Any, Accepted], done: str = "") -> bool:
        """Wait for the server's answer; show a refusal, or `done`; return whether it agreed."""
        try:
            await command
        except RefusedError as refused:
            self._show([f"E-SERVER  {refused} ({refused.code.value})"])
            return False
        except (LostError, TimeoutError) as lost:
            self._end(LOST, str(lost) or "The server does not answer.")
            return False
        if done:
            self._show([done])
        return True

    def _end(self, code: int, sentence: str) -> None:
        self._code, self._done, self.ending = code, True, sentence
        self._show([sentence])


async def _one(items: AsyncIterator[Item]) -> Item | None:
    return await anext(items, None)


def _next(items: AsyncIterator[Item]) -> "asyncio.Task[Item | None]":
    """Return a task that waits for the next item; None means that there is none."""
    return asyncio.create_task(_one(items))
