"""Bots that play as another one does, but for what a subclass says."""

from collections.abc import Callable, Iterable

from sunglare_client.advice import Advice
from sunglare_client.bot import Bot, BotMatch, as_orders
from sunglare_protocol.messages import Over
from sunglare_protocol.notices import Notice
from sunglare_protocol.orders import Order
from sunglare_protocol.views import View


class Wrapped(Bot):
    """Plays as a bot of the class given does; its methods are all without `async`."""

    def __init__(self, kind: Callable[[int], Bot], seed: int = 0) -> None:
        super().__init__(seed)
        self.bot = kind(seed)

    def on_start(self, match: BotMatch) -> None:
        """Give the bot its match and side."""
        self.bot.on_start(match)

    def on_notice(self, notice: Notice) -> None:
        """Give the bot a notice."""
        self.bot.on_notice(notice)

    def on_window(self, view: View, advice: Advice) -> Iterable[Order]:
        """Return what the bot orders."""
        return as_orders(self.bot.on_window(view, advice))

    def gives_up(self, view: View) -> bool:
        """Return whether the bot resigns."""
        return bool(self.bot.gives_up(view))

    def on_end(self, over: Over) -> None:
        """Give the bot the end of the match."""
        self.bot.on_end(over)
