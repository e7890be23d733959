"""A window of a match in the words of the terminal: what happened, and at times the board."""

from collections.abc import Iterator

from sunglare_client.map.drawing import draw_map, draw_truth
from sunglare_client.map.surface import draw_surface
from sunglare_client.replays.recording import Recording, sensible
from sunglare_client.terminal.owned import draw_ground, draw_own
from sunglare_client.text.lists.space import draw_contacts
from sunglare_client.text.news import news_line
from sunglare_client.text.places import place_text
from sunglare_client.text.printable import printable
from sunglare_client.text.story import checksum_line, result_lines, window_lines
from sunglare_protocol.ids import OMNI, PUBLIC, is_of_side
from sunglare_protocol.messages import Frame
from sunglare_protocol.surface import Site
from sunglare_protocol.views import TruthView, View
from sunglare_protocol.words.ladder import Phase

Lines = list[str]


def board_lines(view: TruthView | View, *, ascii_only: bool = False, width: int = 80) -> Lines:
    """Return the whole board of a view with its lists: own pieces, the map, what is held."""
    if isinstance(view, TruthView):
        return draw_truth(view, ascii_only=ascii_only, width=width)
    if not is_of_side(view.audience):
        return draw_map(view, ascii_only=ascii_only, width=width)
    surfaces = [line for site in busy_sites(view) for line in draw_surface(view, site)]
    return [*side_lines(view, ascii_only=ascii_only, width=width), *surfaces]


def side_lines(view: View, *, ascii_only: bool = False, width: int = 80) -> Lines:
    """Return what the seat of a side is shown with a new turn: its own, the map, contacts."""
    drawn = draw_map(view, ascii_only=ascii_only, width=width)
    return [*draw_own(view), *draw_ground(view), *drawn, *draw_contacts(view)]


def busy_sites(view: View) -> list[Site]:
    """Return the surfaces on which a view has anything, own pieces or what is held there."""
    found = [unit.site for unit in view.ground if unit.site is not None]
    found += [surface.site for surface in view.surfaces if surface.tokens]
    return list(dict.fromkeys(found))


def frame_lines(frame: Frame, *, ascii_only: bool = False, width: int = 80) -> Lines:
    """Return the lines of a frame, with the board at the start of a turn."""
    lines = window_lines(frame)
    if frame.view.stage.phase is not Phase.PLOT:
        return lines
    return lines + board_lines(frame.view, ascii_only=ascii_only, width=width)


def all_lines(
    recording: Recording,
    eyes: str,
    turns: range | None = None,
    *,
    ascii_only: bool = False,
    width: int = 80,
) -> Iterator[Lines]:
    """Yield what an audience saw, window by window; raise `ReplayError` at nonsense.

    Some turns alone come without the end of the match.
    """
    yield [f"{recording.title}: {eyes_text(recording, eyes)}"]
    labels = recording.labels(eyes)
    for index, step in enumerate(recording.steps):
        if turns is not None and step.turn not in turns:
            continue
        with sensible():
            frame = recording.frame(eyes, index)
            told = [] if frame is None else frame_lines(frame, ascii_only=ascii_only, width=width)
            news = recording.news_at(eyes, index)
            heard = [news_line(one, recording.players) for one in news]
            noted = note_lines(recording, eyes, index)
            lines = [labels.in_words(line) for line in (*told, *heard, *noted)]
        yield lines
    if turns is None:
        yield end_lines(recording)


def note_lines(recording: Recording, eyes: str, index: int) -> Lines:
    """Return what a side noted for itself at a step, as another author's text."""
    return [
        printable(f"{eyes} noted: {note.text}")
        if note.at is None
        else printable(f"{eyes} marked {place_text(note.at)}: {note.text}".removesuffix(": "))
        for note in recording.notes_at(eyes, index)
    ]


def end_lines(recording: Recording) -> Lines:
    """Return how the match ended; nothing where the file does not say."""
    with sensible():
        over = recording.end()
        if over is None:
            return []
        return [*result_lines(over, recording.players), checksum_line(over)]


def eyes_text(recording: Recording, eyes: str) -> str:
    """Return whose eyes these are, in words."""
    if eyes == str(OMNI):
        return "the truth"
    if eyes == str(PUBLIC):
        return "what everybody knows"
    name = recording.names.get(eyes, "")
    return f"side {eyes} ({name})" if name else f"side {eyes}"
