"""The seats of a drill: real connections, by which a match is played without any orders."""

import itertools
from typing import Final, TypeVar, final

from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from sunglare_protocol.codec import Form, decode_server, encode_client
from sunglare_protocol.errors import ProtocolError, SunglareError
from sunglare_protocol.ids import MatchId, WindowId
from sunglare_protocol.messages import (
    PROTOCOL_VERSION,
    Accepted,
    ClientMessage,
    Create,
    Created,
    Frame,
    GiveOrders,
    Hello,
    Join,
    Over,
    Ready,
    Refused,
    Resign,
    Resume,
    Resumed,
    Seated,
    ServerMessage,
    Welcome,
)

WAIT_S: Final = 60.0
"""OWN: how long anything may take that a seat waits for."""

SCENARIO: Final = "shadow-of-ceres"
_MESSAGE_BYTES = 16 * 1024 * 1024
_Wanted = TypeVar("_Wanted", bound=ServerMessage)


@final
class DrillError(SunglareError):
    """The drill has failed; the text says at what."""


@final
class DrillSeat:
    """A player at one connection, and the seat that they take."""

    def __init__(self, url: str, name: str | None = None, token: str | None = None) -> None:
        """Say hello under a new name, or by a token; raise `DrillError` if no server answers."""
        self._ids = itertools.count(1)
        self._revs = itertools.count(1)
        self._newest: Frame | None = None
        self._line = _dialled(url)
        welcome = self.asked(
            Welcome, Hello(id=next(self._ids), v=PROTOCOL_VERSION, name=name, token=token)
        )
        self.name = welcome.name
        self.token = welcome.token
        self.match = MatchId("")
        self.ticket = ""

    def open(self) -> MatchId:
        """Open a match for two whose windows close as soon as both are ready; return it."""
        options: dict[str, str | int | bool] = {"clock": "test"}
        asked = Create(id=next(self._ids), scenario=SCENARIO, options=options)
        return self.asked(Created, asked).match

    def join(self, match: MatchId) -> None:
        """Take a seat, and be ready."""
        seated = self.asked(Seated, Join(id=next(self._ids), match=match))
        self.match, self.ticket = match, seated.ticket
        self.asked(Accepted, Ready(id=next(self._ids), match=match))

    def come_back(self, match: MatchId, ticket: str) -> None:
        """Take the seat again by its ticket."""
        resumed = self.asked(Resumed, Resume(id=next(self._ids), match=match, ticket=ticket))
        self.match, self.ticket = match, resumed.ticket or ticket
        self._ids = itertools.count(resumed.last_id + 1)
        self._revs = itertools.count(resumed.rev + 1)

    def window(self, after: WindowId | None = None) -> WindowId:
        """Return the open window, once it is another one than `after`."""
        while self._newest is None or self._newest.window == after:
            self._heard()
        return self._newest.window

    def lock(self, window: WindowId) -> bool:
        """Give no orders for a window, and be done; return whether that was this seat's to say."""
        given = GiveOrders(
            id=next(self._ids), match=self.match, window=window, rev=next(self._revs), lock=True
        )
        return isinstance(self._answer(given), Accepted)

    def resign(self) -> None:
        """Give the match up, and wait for its end."""
        self.asked(Accepted, Resign(id=next(self._ids), match=self.match))
        self.wait_over()

    def wait_over(self) -> None:
        """Wait until the match is reported to be over."""
        while not isinstance(self._heard(), Over):
            pass

    def asked(self, wanted: type[_Wanted], message: ClientMessage) -> _Wanted:
        """Return the answer to a command, which must be a `wanted`."""
        answer = self._answer(message)
        if not isinstance(answer, wanted):
            said = answer.text if isinstance(answer, Refused) else type(answer).__name__
            raise DrillError(f"the server answers {type(message).__name__} with: {said}")
        return answer

    def close(self) -> None:
        """Close the connection."""
        self._line.close()

    def _answer(self, message: ClientMessage) -> ServerMessage:
        try:
            self._line.send(encode_client(message, Form.PACKED))
        except (OSError, WebSocketException) as error:
            raise DrillError(f"the server went away: {error}") from error
        while getattr(heard := self._heard(), "id", None) != message.id:
            pass
        return heard

    def _heard(self) -> ServerMessage:
        try:
            message = decode_server(self._line.recv(timeout=WAIT_S), Form.PACKED)
        except TimeoutError:
            raise DrillError(f"the server has said nothing for {WAIT_S:g} s") from None
        except (OSError, WebSocketException, ProtocolError) as error:
            raise DrillError(f"the server went away: {error}") from error
        if isinstance(message, Frame):
            self._newest = message
        return message


def _dialled(url: str) -> ClientConnection:
    try:
        return connect(
            url,
            subprotocols=[Subprotocol(Form.PACKED.value)],
            compression=None,
            max_size=_MESSAGE_BYTES,
            proxy=None,
            open_timeout=WAIT_S,
        )
    except (OSError, TimeoutError, WebSocketException) as error:
        raise DrillError(f"no server answers at {url}: {error}") from error


def play_windows(seats: tuple[DrillSeat, ...], count: int) -> None:
    """Play so many windows of a match at all its seats."""
    for _ in range(count):
        window = seats[0].window()
        for seat in seats:
            seat.lock(window)
        for seat in seats:
            seat.window(after=window)
