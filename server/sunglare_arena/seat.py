"""The program that runs bots, each in a process of its own for one seat of one match.

It forks these processes as it is asked. Each is limited before any code of the bot is read, and
ends by itself when the match that started it is gone, whatever the bot does: a thread waits for
that and nothing else.
"""

import os
import resource
import signal
import socket
import sys
from collections.abc import Sequence

from sunglare_arena.entrants import ArenaError, bot_called
from sunglare_arena.forks import serve
from sunglare_arena.jobs import end_with
from sunglare_arena.minds import START, InProcess, Wrong, minded
from sunglare_arena.parcels import Begin, BrokenError, Reply, Tell, Wire
from sunglare_arena.series import tune_python
from sunglare_client.bot import BotMatch
from sunglare_protocol.codec import Form, decode_server, encode_client
from sunglare_protocol.messages import Resign, Seated
from sunglare_protocol.messages.replies import Frame, News, Over


def main(argv: Sequence[str]) -> int:
    """Serve the socket `argv[0]`, or in a new process run the bot that it is for."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    tune_python()
    given = serve(socket.socket(fileno=int(argv[0])))
    if given is None:
        return 0
    speak, life, memory = given
    _limit(memory)
    end_with(lambda: os.read(life, 1), _end_all)
    line = Wire(socket.socket(fileno=speak))
    try:
        _play(line)
    except BrokenError:
        return 1
    return 0


def _end_all() -> None:
    """End this process with all that the bot has started."""
    if os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def _limit(memory: int) -> None:
    """Let this process have no more than so many bytes, and leave no picture of it behind."""
    for what, most in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_CORE, 0)):
        _, hard = resource.getrlimit(what)
        at_most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (at_most, at_most))


def _play(line: Wire) -> None:
    begin = line.receive(Begin)
    if not begin.seated:
        line.send(_loaded(begin.bot))
        return
    mind = _begun(begin)
    told = len(mind.notes())
    line.send(Reply(wrongs=tuple(mind.wrongs()), notes=mind.notes()))
    while True:
        tell = line.receive(Tell)
        post = decode_server(tell.post, Form.PACKED)
        if not isinstance(post, Frame | News | Over):
            raise BrokenError("this is nothing that a seat is sent")
        mind.hear(post)
        if tell.is_asked and isinstance(post, Frame):
            line.send(_decided(mind, post, told))
            told = len(mind.notes())
        elif isinstance(post, Over):
            line.send(Reply(wrongs=tuple(mind.wrongs()), notes=mind.notes()[told:]))
            return


def _loaded(bot: str) -> Reply:
    try:
        bot_called(bot)
    except ArenaError as fault:
        return Reply(wrongs=(Wrong(window=START, text=str(fault)),))
    return Reply()


def _begun(begin: Begin) -> InProcess:
    """Return the mind of the bot, which has its match."""
    seated = decode_server(begin.seated, Form.PACKED)
    if not isinstance(seated, Seated):
        raise BrokenError("this seats nobody")
    mind = minded(lambda seed: bot_called(begin.bot)(seed), begin.seed)
    mind.start(
        BotMatch(match=seated.match, side=seated.side, card=seated.card, classes=seated.classes)
    )
    return mind


def _decided(mind: InProcess, frame: Frame, told: int) -> Reply:
    """Return the bot's decision, with its notes but for the first `told`."""
    decision = mind.decide(frame)
    given = Resign(id=1, match=frame.match) if decision.resigns else decision.given
    return Reply(
        message=encode_client(given, Form.PACKED),
        cpu_s=decision.cpu_s,
        wrongs=tuple(mind.wrongs()),
        notes=mind.notes()[told:],
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
