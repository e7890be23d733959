"""The driver of the full screen on Unix terminals: bad bytes, job control and hang-ups.

Textual's own driver ends the program at the first byte that is not UTF-8, stops only its own
process at Ctrl-Z, so that a shell that runs `make` notices nothing, and draws nothing when it is
continued.
"""

import os
import selectors
import signal
from codecs import getincrementaldecoder
from typing import Final, final

from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver

CHUNK_BYTES: Final = 4096
"""So much is read from the terminal at once."""

LOOK_S: Final = 0.1
"""So often the thread that reads keys looks whether it is to end."""


@final
class TerminalDriver(LinuxDriver):
    """Reads keys from a terminal and draws on it, whatever bytes come and whenever it goes."""

    _is_suspended = False

    def write(self, data: str) -> None:
        """Draw; on a terminal that has gone away nothing, for nothing takes from a full queue."""
        if self._writer_thread is not None and self._writer_thread.is_alive():
            super().write(data)

    def close(self) -> None:
        """End the thread that draws, if it has not ended with its terminal."""
        if self._writer_thread is not None and self._writer_thread.is_alive():
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

    def _sigtstp_application(self, *_: object) -> None:
        """Give the terminal back and stop with all of the job, as at Ctrl-Z in any program.

        A job that no shell could continue is not stopped by the system.
        """
        self._is_suspended = True
        self.suspend_application_mode()
        usual = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.killpg(os.getpgrp(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, usual)
        self._begin_again()
        self._is_suspended = False

    def _sigcont_application(self, *_: object) -> None:
        """Begin again after a SIGSTOP: the terminal is as the shell left it."""
        if not self._is_suspended:
            self.suspend_application_mode()
            self._begin_again()

    def _begin_again(self) -> None:
        """Take the terminal, and draw all of the screen: nothing of it is left."""
        self.resume_application_mode()
        self._app.call_later(self._app.refresh, layout=True)
