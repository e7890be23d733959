"""Verbs of ground units: where they start, and how they move."""

from sunglare_client.command import Command, Give
from sunglare_client.text.printable import one_word
from sunglare_client.verbs.reading import Reader
from sunglare_client.verbs.verb import PLOT, Verb, Written
from sunglare_protocol.orders.ground import Move, Station
from sunglare_protocol.surface import Cell
from sunglare_protocol.views.ground import AgentView, GroundView
from sunglare_protocol.words.ladder import Fate


def _station(reader: Reader) -> Command:
    """Read a unit or agent, perhaps a planet and environs, a cell, `hidden` or `with`."""
    piece = _piece(reader)
    site = reader.site(piece.site)
    cell: Cell | None = None
    hidden, stacked = False, None
    if isinstance(piece, GroundView):
        cell = reader.cell()
        hidden = reader.more and reader.pick("word after the cell", {"hidden": True})
    elif reader.more:
        reader.pick("word after the environs", {"with": True})
        stacked = reader.unit().id
    return Give((Station(ship=piece.id, at=site, cell=cell, hidden=hidden, stacked=stacked),))


def _piece(reader: Reader) -> GroundView | AgentView:
    every: tuple[GroundView | AgentView, ...] = (*reader.view.ground, *reader.view.agents)
    pieces = {str(piece.id): piece for piece in every if piece.fate is Fate.IN_PLAY}
    return reader.pick("unit or agent of yours", pieces)


def _move(reader: Reader) -> Command:
    """Read a unit and its way: cells, `jump` and a cell, `load` and a ship, or `unload`."""
    unit = reader.unit()
    word = reader.peek().lower()
    if word == "load":
        reader.word("load")
        return Give((Move(ship=unit.id, load=reader.ship().id),))
    if word == "unload":
        reader.word("unload")
        return Give((Move(ship=unit.id, unload=True),))
    jump = word == "jump"
    if jump:
        reader.word("jump")
    path = [reader.cell()]
    while reader.more and reader.peek().lower() != "token":
        path.append(reader.cell())
    token = reader.more and reader.pick("word at the end", {"token": True})
    return Give((Move(ship=unit.id, path=tuple(path), jump=jump, token=token),))


def _station_words(order: Station) -> str:
    cell = f" {order.cell.name}" if order.cell is not None else ""
    hidden = " hidden" if order.hidden else ""
    stacked = f" with {order.stacked}" if order.stacked is not None else ""
    site = f"{one_word(order.at.body)} {order.at.environs}"
    return f"{order.ship} {site}{cell}{hidden}{stacked}"


def _move_words(order: Move) -> str:
    return f"{order.ship} {_way(order)}{' token' if order.token else ''}"


def _way(order: Move) -> str:
    if order.load is not None:
        return f"load {order.load}"
    if order.unload:
        return "unload"
    cells = " ".join(cell.name for cell in order.path)
    return f"jump {cells}" if order.jump else cells


_MORE_ON_MOVE = (
    "Cells are named from the south-west corner: A1, then B1 to the east, A2 to the north.",
    "A hidden unit that nobody sees moving becomes a token if you say so: move G1 C5 token.",
)

ROWS = (
    Verb(
        "station",
        "st",
        PLOT,
        "<unit or agent> [planet environs] <cell> [hidden] | [with unit]",
        "station G1 C4 hidden",
        "turn 1: put a ground unit on a cell, an agent with a unit",
        _station,
        order=Written(Station, _station_words),
    ),
    Verb(
        "move",
        "m",
        PLOT,
        "<unit> <cell> ... | jump <cell> | load <ship> | unload, [token]",
        "move G1 C4 C5",
        "move a ground unit cell by cell, or into or out of a landed ship",
        _move,
        order=Written(Move, _move_words),
        more=_MORE_ON_MOVE,
    ),
)
