"""A bot that looks at what its side is to do, and plays the match as the bot for that does."""

from collections.abc import Iterable

from sunglare_client.advice import Advice
from sunglare_client.bot import Bot, BotMatch, as_orders
from sunglare_protocol.notices import Notice
from sunglare_protocol.orders import Order
from sunglare_protocol.views import View


class Delegating(Bot):
    """Plays each match as one other bot, which its first view decides on."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self._seed = seed
        self._match: BotMatch | None = None
        self._heard: list[Notice] = []
        self._player: Bot | None = None

    def plays(self, view: View) -> type[Bot]:
        """Return as which bot to play, by what the side has and is to do."""
        raise NotImplementedError

    def on_start(self, match: BotMatch) -> None:
        """Note the match for the bot that is to play it."""
        self._match, self._player = match, None
        self._heard.clear()

    def on_notice(self, notice: Notice) -> None:
        """Pass on what happened, or keep it until it is decided who plays."""
        if self._player is None:
            self._heard.append(notice)
        else:
            self._player.on_notice(notice)

    def on_window(self, view: View, advice: Advice) -> Iterable[Order]:
        """Return what the player orders."""
        return as_orders(self.player(view).on_window(view, advice))

    def gives_up(self, view: View) -> bool:
        """Return whether the player resigns."""
        return bool(self.player(view).gives_up(view))

    def player(self, view: View) -> Bot:
        """Return the bot that plays, which is decided on when it is first asked for."""
        if self._player is None:
            self._player = self.plays(view)(self._seed)
            if self._match is not None:
                self._player.on_start(self._match)
            for notice in self._heard:
                self._player.on_notice(notice)
        return self._player
