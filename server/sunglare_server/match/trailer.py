"""The trailer of a finished match: every die that was looked up, and each audience's chain.

Both follow from the records; they are written out so that dice can be checked without the rules,
and frames without a second run. While the match runs, nothing here may leave the server.
"""

from typing import final

import msgspec

from sunglare_protocol.ids import Audience, MatchId
from sunglare_protocol.messages.replies import Frame
from sunglare_protocol.seals import CHAIN_START, Link, commitment, link
from sunglare_server.match.dice import Roll
from sunglare_server.match.frames import Posted, posted
from sunglare_server.match.state import MatchState, Stepped

TRAILER_FORMAT = "sunglare-trailer"
"""What a trailer says it is."""


@final
class Trailer(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What follows the records of a finished match.

    `header` is the hash of the file's header, `last` that of its last record. `commitment` is the
    hash of the server's seed and `seed` the match seed, from which all `rolls` follow. `chains`
    lists the links of every audience's frames.
    """

    format: str = TRAILER_FORMAT
    header: bytes
    last: bytes
    commitment: str
    seed: bytes
    rolls: tuple[Roll, ...]
    chains: dict[Audience, tuple[Link, ...]]


@final
class TrailerDraft:
    """What a trailer will hold, as it grows with the steps of a match."""

    def __init__(self, match: MatchId) -> None:
        """Begin before the first record; `sent` is what the newest step gave out.

        `head` is the hash of the record that ended the match.
        """
        self.match = match
        self.head = b""
        self.state: MatchState | None = None
        self.rolls: dict[Roll, None] = {}
        self.chains: dict[Audience, list[Link]] = {}
        self.sent: dict[Audience, tuple[Posted, ...]] = {}

    def take(
        self, stepped: Stepped, head: bytes = b""
    ) -> tuple[list[Roll], list[tuple[Audience, Link]]]:
        """Add what a step brought and return it; a die that was looked up before is not new.

        `head` is the hash of its record.
        """
        if stepped.state.is_over and not (self.state is not None and self.state.is_over):
            self.head = head
        self.state = stepped.state
        rolls = [roll for roll in dict.fromkeys(stepped.rolls) if roll not in self.rolls]
        self.rolls.update(dict.fromkeys(rolls))
        links: list[tuple[Audience, Link]] = []
        for audience in stepped.state.intel:
            chain = self.chains.setdefault(audience, [])
            self.sent[audience] = posted(self.match, stepped, audience, "")
            for post in self.sent[audience]:
                if isinstance(post, Frame):
                    before = chain[-1].hash if chain else CHAIN_START
                    chain.append(Link(post.seq, post.window, link(before, post)))
                    links.append((audience, chain[-1]))
        return rolls, links

    def trailer(self, header: bytes, last: bytes) -> Trailer:
        """Return the trailer, with the hashes of the header and of the last record.

        Raise `ValueError` before the end of the match.
        """
        if self.state is None or not self.state.is_over:
            raise ValueError("a match that is not over has no trailer")
        return Trailer(
            header=header,
            last=last,
            commitment=commitment(self.state.server_seed),
            seed=self.state.seed,
            rolls=tuple(self.rolls),
            chains={audience: tuple(links) for audience, links in self.chains.items()},
        )
