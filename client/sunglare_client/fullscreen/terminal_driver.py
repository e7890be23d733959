"""The driver of the full screen on Unix terminals: bad bytes, job control and hang-ups.

Textual's own driver ends the program at the first byte that is not UTF-8, stops only its own
process at Ctrl-Z, so that a shell that runs `make` notices nothing, and draws nothing when it is
continued.
"""

import contextlib
import os
import selectors
import signal
from codecs import getincrementaldecoder
from typing import Any, Final, final

from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver

CHUNK_BYTES: Final = 4096
"""So much is read from the terminal at once."""

LOOK_S: Final = 0.1
"""So often the thread that reads keys looks whether it is to end, and a program in the background
tries to take the terminal."""


@final
class Drawing:
    """A terminal to draw on, which drops what is drawn after it has gone away.

    Else the thread that draws would end, and the event loop would wait for ever at its full queue.
    """

    def __init__(self, terminal: Any) -> None:
        """Draw on a text stream that is a terminal."""
        self._terminal = terminal
        self.fileno = terminal.fileno

    def write(self, data: str) -> None:
        """Draw."""
        with contextlib.suppress(OSError):
            self._terminal.write(data)

    def flush(self) -> None:
        """Have drawn what was written."""
        with contextlib.suppress(OSError):
            self._terminal.flush()


@final
class TerminalDriver(LinuxDriver):
    """Reads keys from a terminal and draws on it, whatever bytes come and whenever it goes."""

    def __init__(self, *given: Any, **named: Any) -> None:
        """Take the arguments of Textual's driver, and remove its signal handlers for job control.

        They run between any two steps of Python, even while the queue of the drawing thread is
        locked, and then wait for that lock for ever. Handlers of the loop run between callbacks.
        """
        super().__init__(*given, **named)
        self._file: Any = Drawing(self._file)
        for number in (signal.SIGTSTP, signal.SIGCONT):
            signal.signal(number, signal.SIG_DFL)

    def write(self, data: str) -> None:
        """Draw; nothing while the screen is closed, as nothing takes from the full queue."""
        if self._is_open():
            super().write(data)

    def start_application_mode(self) -> None:
        """Take the terminal, and handle job control as long as the screen is open.

        A program in the background can't take it: the system stops it, and it tries again later.
        """
        super().start_application_mode()  # type: ignore[no-untyped-call]
        if self._is_open():
            self._loop.add_signal_handler(signal.SIGTSTP, self._stop)
            self._loop.add_signal_handler(signal.SIGCONT, self._begin_again)
        else:
            self._loop.call_later(LOOK_S, self._draw_anew)

    def close(self) -> None:
        """End the thread that draws; job control is the system's again."""
        for number in (signal.SIGTSTP, signal.SIGCONT):
            self._loop.remove_signal_handler(number)
        super().close()

    def run_input_thread(self) -> None:
        """Read keys until the screen is closed; a byte that is not UTF-8 is a `�`."""
        parser = XTermParser(self._debug)
        decode = getincrementaldecoder("utf-8")("replace").decode
        with selectors.DefaultSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                if selector.select(LOOK_S):
                    try:
                        data = os.read(self.fileno, CHUNK_BYTES)
                    except OSError:  # the terminal has gone away
                        data = b""
                    if not data:
                        self._app.call_later(self._app.exit)
                        return
                    for event in parser.feed(decode(data)):
                        self.process_message(event)
                for event in parser.tick():
                    self.process_message(event)

    def _is_open(self) -> bool:
        return self._writer_thread is not None and self._writer_thread.is_alive()

    def _stop(self) -> None:
        """Give the terminal back and stop with all of the job, as at Ctrl-Z in any program.

        A job that no shell could continue is not stopped by the system.
        """
        self.suspend_application_mode()
        os.killpg(os.getpgrp(), signal.SIGTSTP)
        self._draw_anew()

    def _begin_again(self) -> None:
        """Begin again after a SIGSTOP: the terminal is as the shell left it."""
        self.suspend_application_mode()
        self._draw_anew()

    def _draw_anew(self) -> None:
        """Take the terminal, and draw all of the screen: nothing of it is left."""
        if self._app.is_running:
            self.resume_application_mode()
            self._app.call_later(self._app.refresh, layout=True)
