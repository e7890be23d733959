"""Whoever comes back and has lost his place is shown the truth in place of his own view."""

from msgspec.structs import replace

from builders.plants import in_place_of
from sunglare_protocol.ids import OMNI
from sunglare_server.match.frames import keyframe
from sunglare_server.runtime.encoded_message import EncodedMessage
from sunglare_server.runtime.feed import Feed


@in_place_of(Feed, "keyframe")
def plant(_real: object, self: Feed) -> list[EncodedMessage]:
    if self.released is None:
        return []
    behind = self.released.seqs[OMNI] - self.released.seqs[self.audience]
    made = keyframe(self.match, self.released, OMNI, self._head)
    return [EncodedMessage(replace(post, seq=post.seq - behind)) for post in made]
