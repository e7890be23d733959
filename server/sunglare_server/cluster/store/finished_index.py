"""Where the matches that are over are listed, in memory and without their rooms.

What the lists need to know of a match stands in a header of the message that has its room, so one
is never stored without the other, and it can be sent without the other.
"""

import base64
import binascii
from typing import Final, final

import msgspec
import structlog

from sunglare_protocol.ids import MatchId
from sunglare_server.cluster.client.kv_bucket import KeyState
from sunglare_server.cluster.client.ordered_values import Ordered
from sunglare_server.ports.store import Ended, Place

MATCH: Final = "m"
"""The kind of the keys of rooms."""

_ENDED: Final = "Sunglare-Ended"

_decoder: msgspec.msgpack.Decoder[Ended] = msgspec.msgpack.Decoder(Ended)


@final
class PastPlaces:
    """Where the matches that are over are listed, without their rooms; the newest come first."""

    def __init__(self) -> None:
        """Begin with none."""
        self.ends: dict[MatchId, Ended] = {}
        self._ids: Ordered[MatchId] = Ordered()
        self._public: Ordered[tuple[int, MatchId]] = Ordered()
        self._of: dict[str, Ordered[tuple[int, MatchId]]] = {}

    def take(self, stored: KeyState) -> None:
        """Note what a key of the bucket says of a match."""
        match = MatchId(stored.key.removeprefix(f"{MATCH}."))
        self._drop(match)
        if stored.value is not None and (ended := _ended(stored)) is not None:
            self._add(match, ended)

    def after(self, after: Place | None, most: int, account: str | None) -> list[Place]:
        """Return the first places after one, of all public matches or of one account's."""
        listed = self._public if account is None else self._of.get(account)
        if listed is None:
            return []
        start = None if after is None else (-after.ended_ms, after.match)
        return [Place(-order, match) for order, match in listed.after(start, most)]

    def beginning_with(self, letters: str, most: int) -> list[MatchId]:
        """Return the first matches whose ids begin with these letters."""
        found = self._ids.not_before(MatchId(letters), most)
        return [match for match in found if match.startswith(letters)]

    def _add(self, match: MatchId, ended: Ended) -> None:
        self.ends[match] = ended
        self._ids.add(match)
        for listed in self._lists(ended):
            listed.add((-ended.ended_ms, match))

    def _drop(self, match: MatchId) -> None:
        if (ended := self.ends.pop(match, None)) is None:
            return
        self._ids.drop(match)
        for listed in self._lists(ended):
            listed.drop((-ended.ended_ms, match))

    def _lists(self, ended: Ended) -> list[Ordered[tuple[int, MatchId]]]:
        """Return every list that a match with this end is in."""
        public = [self._public] if ended.is_public else []
        accounts = dict.fromkeys(ended.accounts)
        return public + [self._of.setdefault(account, Ordered()) for account in accounts]


def header_of(ended: Ended) -> dict[str, str]:
    """Return the header that says how a match ended."""
    return {_ENDED: base64.b64encode(msgspec.msgpack.encode(ended)).decode()}


def kept_header(stored: KeyState) -> dict[str, str]:
    """Return the header of a room that is over, for another room of the same match."""
    return {name: value for name, value in stored.headers.items() if name == _ENDED}


def _ended(stored: KeyState) -> Ended | None:
    """Return what the header of a room that is over says; None if it is damaged."""
    try:
        return _decoder.decode(base64.b64decode(stored.headers[_ENDED], validate=True))
    except (KeyError, binascii.Error, msgspec.DecodeError) as error:
        log = structlog.get_logger()
        log.error("match_ending_unreadable", key=stored.key, why=str(error))
        return None
