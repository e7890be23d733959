"""A bot that plays as another one does, to the end."""

from typing import final

from sunglare_client.bots.wrapped import Wrapped
from sunglare_protocol.views import View


@final
class PlayingOn(Wrapped):
    """Plays as another bot does, and never resigns."""

    def gives_up(self, view: View) -> bool:  # noqa: ARG002 - whatever there is to see
        """Return that the bot plays on."""
        return False
