"""The activity of a match in its public record of the last three turns."""

from collections import deque
from typing import Final, final, get_args

from sunglare_protocol.ids import PUBLIC
from sunglare_protocol.notices import PublicNotice
from sunglare_server.match.state import FramePost, Stepped

TURNS: Final = 3
"""So many turns count, the one that is played among them."""

_ENTRIES: Final = get_args(PublicNotice)


@final
class ActivityScore:
    """Counts the entries of the public record of one match, step by step as they are released."""

    def __init__(self) -> None:
        """Begin with none."""
        self._turns: deque[tuple[int, int]] = deque()

    @property
    def entries(self) -> int:
        """Return how many entries the last turns have."""
        return sum(entries for _, entries in self._turns)

    def note(self, stepped: Stepped) -> None:
        """Count what a step shows to all; what ENGAGE brought counts to its own turn."""
        if not [post for post in stepped.posts if isinstance(post, FramePost)]:
            # What the last window brought was sent with its frame.
            return
        state = stepped.state
        turn = state.standing.moved_turn
        entries = sum([isinstance(notice, _ENTRIES) for notice in state.intel[PUBLIC].told])
        if self._turns and self._turns[-1][0] == turn:
            entries += self._turns.pop()[1]
        self._turns.append((turn, entries))
        while self._turns[0][0] <= turn - TURNS:
            self._turns.popleft()
