"""The match that another one is played on from, and what of it nobody may hear in the other one.

It is played by the same accounts in other seats: who kept a seat, or a view of it, would hear of
the other side.
"""

from functools import lru_cache
from typing import Final

from sunglare_protocol.codec import Form, encode_server
from sunglare_protocol.ids import PUBLIC, Audience, Side
from sunglare_protocol.messages import ServerMessage
from sunglare_server.match.fog import view as fog
from sunglare_server.match.past import records_of
from sunglare_server.match.record import Past, unpacked
from sunglare_server.match.state import MatchState
from sunglare_server.match.step import step
from sunglare_server.match.truth.agents import AgentTruth
from sunglare_server.match.truth.ground import GroundTruth
from sunglare_server.match.truth.truth import ShipTruth

PLAYED_ON: Final = ("past", "onward")
"""The stages of matches that are played on."""

SWAPPED: Final = {"A": "B", "B": "A", "out": "out"}
"""Who sat where in the match before, by where the accounts sit now."""


@lru_cache(maxsize=len(PLAYED_ON))
def then(past: Past) -> MatchState:
    """Return the state at the turn from which a match is played on."""
    state: MatchState | None = None
    last = b""
    for number, blob in enumerate(records_of(past), 1):
        state, last = step(state, unpacked(blob, number, last)).state, blob
    assert state is not None
    return state


def secrets_of(state: MatchState, listener: Audience) -> set[str]:
    """Return handles and names that others had and knew, and whoever listens does not see."""
    audience = _audience(state, listener)
    seen = repr(fog.view(state.intel[audience], state.standing, state.board))
    truth = state.truth
    pieces: list[ShipTruth | GroundTruth | AgentTruth] = [
        *truth.ships.values(),
        *truth.ground.values(),
        *truth.agents.values(),
    ]
    names = {piece.name for piece in pieces if piece.side != Side(audience)}
    return {word for word in names | _handles_of_others(state, listener) if word not in seen}


def _handles_of_others(state: MatchState, listener: Audience) -> set[str]:
    """Return the handles by which all others hold something."""
    return {
        str(held.handle)
        for audience, intel in state.intel.items()
        if audience != _audience(state, listener)
        for held in intel.held.values()
    }


def _audience(state: MatchState, listener: Audience) -> Audience:
    """Return whose view a listener may have: who has no seat has that of the public."""
    return listener if listener in state.intel else PUBLIC


def check_past(past: Past, listener: Audience, heard: list[ServerMessage]) -> None:
    """Check that nothing which was heard is a secret of the match before."""
    said = b"".join(encode_server(message, Form.PACKED) for message in heard)
    secrets = secrets_of(then(past), listener)
    assert not {word for word in secrets if word.encode() in said}
