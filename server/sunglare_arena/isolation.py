"""A mind in a process of its own: limited, waited for only so long, and ended with its match.

Theory of operation. The process is forked (see `forks`). It is given one end of a pair of sockets,
over which it gets the messages that a seat gets on the wire and answers with those that a client
sends, and the reading end of a pipe that is never written to. When the writing end goes, by
`close` or because this process died in whatever way, the other ends itself. It gets what its seat
is sent all at once, with the request for a decision; then it has so long of real time. A process
that has gone, sends nonsense or does not answer in time is killed; the window passes without
orders, and at the next one another process is started, which begins without a memory. After a few
of them the seat gives no orders any more.
"""

import os
import signal
import socket
from typing import Final, NamedTuple, final

from sunglare_arena.entrants import ArenaError
from sunglare_arena.forks import ForkServer
from sunglare_arena.minds import START, Decision, Wrong, empty, given_in
from sunglare_arena.parcels import Begin, BrokenError, Reply, Tell, Wire
from sunglare_client.bot import BotMatch
from sunglare_protocol.codec import Form, decode_client, encode_server
from sunglare_protocol.errors import DecodeError
from sunglare_protocol.messages import Resign, Seated
from sunglare_protocol.messages.commands import GiveOrders
from sunglare_protocol.messages.replies import Frame, News, Over
from sunglare_protocol.replay.notes import Note, counted

MEMORY_MB = 2048
"""How much address space the process of a bot may have unless another limit is given."""

ANSWER_S = 60.0
"""How long of real time a bot may take for a decision where its thinking has no limit."""

START_S = 60.0
"""How long of real time a bot may take until it plays."""

PROCESSES_MOST = 3
"""So many processes are started for a seat in a match."""

_forks: Final = ForkServer()


@final
class Limits(NamedTuple):
    """What a process of a bot may have: bytes of memory, seconds of real time for a decision."""

    memory: int = MEMORY_MB * 1024 * 1024
    answer_s: float = ANSWER_S


def limits(memory_mb: int | None, think_s: float | None) -> Limits:
    """Return the limits of processes for bots that may think so long, in seconds of CPU time.

    A machine that is busy with other things must not make a bot late that is not, so there is more
    of real time; only a bot that hangs uses it up.
    """
    answer_s = ANSWER_S if think_s is None else 10 * think_s + 5
    return Limits((memory_mb or MEMORY_MB) * 1024 * 1024, answer_s)


class _Process:
    """A process of a bot and the line to it."""

    def __init__(self, limits: Limits) -> None:
        ours, theirs = socket.socketpair()
        life, self._held = os.pipe()
        try:
            self._id = _forks.start(theirs.fileno(), life, limits.memory)
        except BaseException:
            os.close(self._held)
            ours.close()
            raise
        finally:
            theirs.close()
            os.close(life)
        self.line = Wire(ours)

    def end(self, *, is_gone: bool = False) -> str:
        """End it with all that it has started; return how it ended, if by itself.

        One that `is_gone` has closed its end of the line.
        """
        self.line.close()
        code = _forks.end(self._id, is_gone=is_gone)
        os.close(self._held)
        if code is not None and code < 0:
            return f"its process was ended by {signal.Signals(-code).name}"
        return "" if code is None else f"its process ended with code {code}"


def load(bot: str, limits: Limits) -> None:
    """Load a bot in a process of its own; raise `ArenaError` if it can't be loaded there."""
    process = _Process(limits)
    try:
        process.line.limit(START_S)
        process.line.send(Begin(bot=bot))
        wrongs = process.line.receive(Reply).wrongs
    except BrokenError as broken:
        ended = process.end(is_gone=broken.is_gone)
        raise ArenaError(f"{bot!r} cannot be loaded: {_why(broken, ended, START_S)}") from None
    process.end()
    if wrongs:
        raise ArenaError(wrongs[0].text)


def _why(broken: BrokenError, ended: str, seconds: float) -> str:
    """Return why a process that had so long of real time is done with."""
    if broken.is_late:
        return f"no answer in {seconds:g} s, so its process was ended"
    return ended if broken.is_gone and ended else f"its process was ended: {broken}"


@final
class Isolated:
    """A bot by name in a process of its own; see the module."""

    def __init__(self, bot: str, seed: int, limits: Limits) -> None:
        """Play with this bot; nothing is started yet."""
        self._bot, self._seed, self._limits = bot, seed, limits
        self._match: BotMatch | None = None
        self._process: _Process | None = None
        self._started = 0
        self._window, self._given_s = START, START_S
        self._heard: list[Frame | News | Over] = []
        self._wrongs: list[Wrong] = []
        self._notes: tuple[Note, ...] = ()

    def start(self, told: BotMatch) -> None:
        """Start a process and send it its match and side."""
        self._match = told
        self._start(told)

    def hear(self, post: Frame | News | Over) -> None:
        """Keep the seat's posts until it is asked; send it the end at once."""
        self._heard.append(post)
        if isinstance(post, Frame):
            self._window = post.window
        elif isinstance(post, Over) and self._process is not None:
            self._asked(self._process, is_asked=False)

    def decide(self, frame: Frame) -> Decision:
        """Return what the process decides; no orders if it can't."""
        if self._process is None and self._match is not None:
            self._start(self._match)
        if self._process is None:
            self._heard.clear()
            return Decision(given=empty(frame))
        told = self._asked(self._process, is_asked=True)
        return Decision(given=empty(frame)) if told is None else self._decision(frame, told)

    def wrongs(self) -> list[Wrong]:
        """Return what was done wrong since the last time."""
        found, self._wrongs = self._wrongs, []
        return found

    def notes(self) -> tuple[Note, ...]:
        """Return what the bot noted for itself so far, in all its processes."""
        return self._notes

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.end()
            self._process = None

    def _start(self, match: BotMatch) -> None:
        if self._started == PROCESSES_MOST:
            return
        self._started += 1
        self._process = process = _Process(self._limits)
        seated = Seated(
            id=1,
            match=match.match,
            side=match.side,
            ticket="",
            commitment="",
            card=match.card,
            classes=match.classes,
        )
        data = encode_server(seated, Form.PACKED)
        self._limit(process, START_S)
        try:
            process.line.send(Begin(bot=self._bot, seed=self._seed, seated=data))
            self._take(process.line.receive(Reply))
        except BrokenError as broken:
            self._gone(process, broken)

    def _asked(self, process: _Process, *, is_asked: bool) -> Reply | None:
        """Send the process what was kept and return its reply; None if it is gone then."""
        posts, self._heard = self._heard, []
        self._limit(process, self._limits.answer_s)
        try:
            for place, post in enumerate(posts, 1):
                data = encode_server(post, Form.PACKED)
                process.line.send(Tell(post=data, is_asked=is_asked and place == len(posts)))
            told = process.line.receive(Reply)
        except BrokenError as broken:
            self._gone(process, broken)
            return None
        self._take(told)
        return told

    def _take(self, told: Reply) -> None:
        self._wrongs += told.wrongs
        if told.notes:
            self._notes = counted((*self._notes, *told.notes))

    def _decision(self, frame: Frame, told: Reply) -> Decision:
        try:
            message = decode_client(told.message, Form.PACKED)
        except DecodeError as fault:
            self._wrongs.append(Wrong(window=self._window, text=f"{fault.at}: {fault.why}"))
            return Decision(given=empty(frame), cpu_s=told.cpu_s)
        if isinstance(message, GiveOrders):
            return Decision(given=given_in(frame, message.orders), cpu_s=told.cpu_s)
        return Decision(given=empty(frame), resigns=isinstance(message, Resign), cpu_s=told.cpu_s)

    def _limit(self, process: _Process, seconds: float) -> None:
        """Give a process so long of real time from now on."""
        self._given_s = seconds
        process.line.limit(seconds)

    def _gone(self, process: _Process, broken: BrokenError) -> None:
        """Be done with a process that answers no more, and note how that came."""
        text = _why(broken, process.end(is_gone=broken.is_gone), self._given_s)
        self._process = None
        self._wrongs.append(Wrong(window=self._window, text=text, is_late=broken.is_late))
