"""`sunglare export`: what is made of a replay, in which file."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple, final

from sunglare_client.cli.output import STANDARD_OUTPUT, check_folder, write_output
from sunglare_client.cli.progress_bar import watched
from sunglare_client.errors import ExportError
from sunglare_client.export.colours import Theme
from sunglare_client.export.cutting import layer_alone
from sunglare_client.export.html import replay_page
from sunglare_client.export.shapes import Sketch
from sunglare_client.export.stills import moving, still
from sunglare_client.export.svg import svg
from sunglare_client.export.writing import check_free, write_whole
from sunglare_client.replays.choosing import NoSuchError, eyes_of, steps_of
from sunglare_client.replays.finding import SUFFIX
from sunglare_client.replays.recording import Recording, read_recording
from sunglare_client.replays.telling import all_lines
from sunglare_client.text.printable import printable
from sunglare_protocol.extras import install_command, is_installed
from sunglare_protocol.replay.notes import without_notes
from sunglare_protocol.replay.values import ReplayError

WIDTH: Final = 960
"""Points that a picture is wide unless a size is asked for; of a PNG the board alone."""

WIDTHS: Final = range(100, 4_097)
"""OWN: how many it may be."""


@final
class Wanted(NamedTuple):
    """What is to be made of a replay: of which turns, through whose eyes, how wide, how coloured.

    Without `turns` a still is of the last window, everything else of the whole match. `layers`
    are drawn on the board of a picture.
    """

    eyes: str | None = None
    turns: range | None = None
    width: int | None = None
    theme: Theme = Theme.PAGE
    ascii_only: bool = False
    layers: tuple[str, ...] = ()


def export(data: bytes, name: str, options: argparse.Namespace) -> str:
    """Write what is wanted of a replay and return a sentence about it, none on standard output.

    `name` is what the replay is called. Raise `ReplayError` if the file is cut, foreign or
    hostile, `NoSuchError` if it has not what is asked for, `ExportError` if it can't be made,
    `NoFolderError` if its folder is not there.
    """
    wanted = Wanted(
        options.eyes,
        options.turns,
        options.size,
        Theme(options.theme),
        options.ascii,
        tuple(options.layers),
    )
    if options.out == STANDARD_OUTPUT:
        write_output(made_of(data, name, options.kind, wanted))
        return ""
    path = Path(options.out or f"{name}.{options.kind}")
    check_folder(path)
    check_free(path, force=options.force)
    made = made_of(data, name, options.kind, wanted)
    write_whole(path, made, force=options.force)
    return f"{path}: {len(made)} bytes"


def made_of(data: bytes, name: str, kind: str, wanted: Wanted) -> bytes:
    """Return the bytes of a file of some kind, without private notes."""
    recording = read_recording(data)
    if recording.fault:
        raise ReplayError(recording.fault)
    if recording.notes:
        data, recording = without_notes(data), recording._replace(notes={})
    for index in watched(range(len(recording.steps)), len(recording.steps), "reading"):
        recording.check(index)
    return KINDS[kind](Job(data, name, recording, wanted))


@final
class Job(NamedTuple):
    """A whole replay, and what is wanted of it."""

    data: bytes
    name: str
    recording: Recording
    wanted: Wanted

    @property
    def eyes(self) -> str:
        """Return whose eyes are meant."""
        return eyes_of(self.recording, self.wanted.eyes)

    @property
    def indices(self) -> range:
        """Return which steps are meant."""
        return steps_of(self.recording, self.wanted.turns)

    @property
    def width(self) -> int:
        """Return how wide an animation is meant to be, with all that is in it."""
        return self.wanted.width or WIDTH

    def still(self) -> Sketch:
        """Return the one picture that is meant: where the turn begins, else the last one."""
        indices = self.indices
        index = indices[-1] if self.wanted.turns is None else indices[0]
        return still(self.recording, self.eyes, index, self.wanted.layers)


def _svg(job: Job) -> bytes:
    return svg(job.still(), job.wanted.theme, job.wanted.width).encode()


def _png(job: Job) -> bytes:
    _need_pillow()
    from sunglare_client.export.images import png

    drawn = job.still()
    wide = min(WIDTHS[-1], round(WIDTH * drawn.width / drawn.board))
    return png(drawn, job.wanted.theme, job.wanted.width or wide)


def _gif(job: Job) -> bytes:
    _need_pillow()
    from sunglare_client.export.images import gif

    return _animation(job, gif)


def _webp(job: Job) -> bytes:
    _need_pillow()
    from sunglare_client.export.images import webp

    return _animation(job, webp)


def _animation(job: Job, make: Callable[..., bytes]) -> bytes:
    indices = job.indices
    sketches = list(moving(job.recording, job.eyes, indices, job.wanted.layers))
    if not sketches:
        raise NoSuchError(f"Nothing was sent to {job.eyes} in these turns.")
    even = watched(_even(sketches), len(sketches), "painting")
    return make(even, job.wanted.theme, job.width)


def _even(sketches: list[Sketch]) -> list[Sketch]:
    """Return pictures that are as high as the highest of them, whatever notes stand below."""
    most = max(drawn.height for drawn in sketches)
    return [drawn._replace(height=most) for drawn in sketches]


def _text(job: Job) -> bytes:
    told = all_lines(
        job.recording, job.eyes, job.wanted.turns, ascii_only=job.wanted.ascii_only, width=_ENDLESS
    )
    steps = watched(told, len(job.indices), "writing")
    # Terminals show the text as it is, and a file from somewhere may name anything.
    shown = [
        printable(line, ascii_only=job.wanted.ascii_only) for lines in steps for line in lines
    ]
    return "".join(f"{line}\n" for line in shown).encode()


_ENDLESS = 10_000


def _html(job: Job) -> bytes:
    data = job.data if job.wanted.eyes is None else layer_alone(job.data, job.eyes)
    window = job.recording.steps[job.indices[0]].window
    page = replay_page(
        data,
        name=f"{job.name}{SUFFIX}",
        title=f"Sunglare: {job.recording.title}",
        moment="" if job.wanted.turns is None else f"#t={window}",
    )
    return page.encode()


KINDS: Final[dict[str, Callable[[Job], bytes]]] = {
    "png": _png,
    "svg": _svg,
    "gif": _gif,
    "webp": _webp,
    "html": _html,
    "txt": _text,
}
"""What a replay can be made, by the ending of its file."""


def _need_pillow() -> None:
    if not is_installed("export"):
        raise ExportError(f"This needs Pillow: {install_command('export')}; svg does without.")
