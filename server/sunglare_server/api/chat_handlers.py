"""Chat of a connection: whether the operator takes it, and chat after the end of a match."""

from typing import final

import structlog

from sunglare_protocol import messages
from sunglare_protocol.ids import Side
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.accounts.accounts import Caller
from sunglare_server.base.storage_errors import MediumError
from sunglare_server.base.tasks import spawn
from sunglare_server.lobby.match_service import MatchService
from sunglare_server.match.state import Taken
from sunglare_server.runtime.inbox import Answered


@final
class ChatHandlers:
    """Answers chat for a connection from an address."""

    def __init__(self, service: MatchService, address: str | None) -> None:
        """Speak in the matches of `service`; without an address it is one of our own bots."""
        self._matches = service
        self._address = address
        self._log = structlog.get_logger()

    def muted(self, message: messages.Chat, caller: Caller, side: Side | None) -> Rejected | None:
        """Return why the operator takes no chat of the caller, or of whose ticket they hold.

        `side` is that of the seat that the connection holds in the match.
        """
        room = self._matches.room(message.match)
        seat = None if room is None or side is None else room.seat_at(side)
        holder = caller.account if seat is None else seat.account
        return self._matches.policy.muted(caller.account, holder, address=self._address)

    def answered(self, message: messages.Chat, side: Side, text: str, give: Answered) -> Answered:
        """Return what takes the match's answer to a line of chat, and answers by `give`.

        A match that is over takes no line; its room does so for a while, and that answers then.
        """

        def take(given: Taken | Rejected) -> None:
            if isinstance(given, Rejected) and given.code is Code.MATCH_OVER:
                spawn(self._say(message, side, text, give), "chat after the end of a match")
            else:
                give(given)

        return take

    async def _say(self, message: messages.Chat, side: Side, text: str, give: Answered) -> None:
        refusal: Rejected | None = Rejected(code=Code.SERVER_JOURNAL)
        try:
            chat = self._matches.post_match_chat
            refusal = await chat.say(message.match, side, message.id, text)
        except MediumError as error:
            self._log.error("store_refused", why=error.why, fatal=error.fatal)
        finally:
            give(refusal or Taken(message.id))
