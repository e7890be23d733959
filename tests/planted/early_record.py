"""The file of a side's own frames has the one that waits for its beat."""

from builders.plants import in_place_of
from builders.runners import loaded_runner
from sunglare_protocol.codec import Form
from sunglare_protocol.ids import Side, audience_of
from sunglare_server.archive.files import Files
from sunglare_server.archive.recordfile import frames_file
from sunglare_server.ports.rooms import Room
from sunglare_server.runtime.registry import Matches


@in_place_of(Files, "frames")
async def plant(_real: object, files: Files, room: Room, side: Side) -> bytes:
    assert isinstance(files.matches, Matches)
    runner = await loaded_runner(files.matches, room)
    feed = None if runner is None else runner.feeds[audience_of(side)]
    kept = [] if feed is None else [*feed.ring]
    waiting = (
        []
        if feed is None
        else [one for held in feed._pending for one in held.encoded_messages or ()]
    )
    frames = tuple(
        encoded_message.encoded(Form.PACKED) for _, encoded_message in (*kept, *waiting)
    )
    return frames_file(room.match, side, frames)
