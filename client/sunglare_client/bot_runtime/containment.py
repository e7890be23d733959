"""Containment: whatever the code of a bot raises is the bot's mistake, and ends nothing else.

Elsewhere `SystemExit` ends a program, `KeyboardInterrupt` a series and `CancelledError` a task,
without a word or even with success. Around the code of a bot they become a `BotError`, with the
original as its cause. Ctrl-C while a bot runs is not the bot's: what the handler of a signal
raises passes. To distinguish the two, the calls of these handlers are counted while a bot runs.
"""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType
from typing import Any, Final, final

from sunglare_client.errors import BotError

ENDING: Final = (signal.SIGINT, signal.SIGTERM)
"""The signals whose handlers may raise something to end the program."""


@contextmanager
def contained(*passing: type[BaseException]) -> Iterator[None]:
    """Raise a `BotError` in place of what ends a program or a task; exceptions stay as they are.

    What the handler of a signal raises passes, and so does what is `passing`.
    """
    with counting() as signals:
        before = signals.count
        try:
            yield
        except Exception:
            raise
        except BaseException as fault:
            if isinstance(fault, passing) or signals.count > before:
                raise
            raise BotError(f"the bot raised {described(fault)}") from fault


def raised(fault: BaseException) -> BaseException:
    """Return what a bot raised, also where `contained` has raised an error in its place."""
    cause = fault.__cause__ if isinstance(fault, BotError) else None
    return fault if cause is None else cause


def described(fault: BaseException) -> str:
    """Return an exception in one line: its type, and its text if it has any."""
    name, text = type(fault).__name__, str(fault)
    return f"{name}: {text}" if text else name


def counting() -> "SignalCount":
    """Return the counter of handled signals, as a context in which it counts.

    To exchange the handlers takes longer than most methods of a bot: many calls in one such
    context exchange them once.
    """
    return _signals


@final
class SignalCount:
    """Counts the signals that are handled, from the first of nested or parallel uses to the last.

    Bots that wait for something run in parallel. Python handles signals in the main thread alone.
    """

    def __init__(self, *numbers: signal.Signals) -> None:
        """Count these signals where they have a handler; others keep what they have."""
        self.count, self._uses = 0, 0
        self._numbers = numbers
        self._handlers: dict[int, Callable[[int, FrameType | None], Any]] = {}

    def __enter__(self) -> "SignalCount":
        """Begin to count."""
        if current_thread() is main_thread():
            self._uses += 1
            if self._uses == 1:
                self._exchange()
        return self

    def __exit__(self, *_: object) -> None:
        """Put the handlers back after the last use."""
        if current_thread() is main_thread():
            self._uses -= 1
            if not self._uses:
                self._restore()

    def _exchange(self) -> None:
        for number in self._numbers:
            handler = signal.getsignal(number)
            if callable(handler) and handler != self._handle:
                self._handlers[number] = handler
                signal.signal(number, self._handle)

    def _restore(self) -> None:
        for number, handler in self._handlers.items():
            if signal.getsignal(number) == self._handle:
                signal.signal(number, handler)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        self.count += 1
        self._handlers[number](number, frame)


_signals: Final = SignalCount(*ENDING)
