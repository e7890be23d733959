"""Reviews of a set of orders as sentences: what would be lost, and what is left undone."""

from sunglare_client.text.labels import label_of
from sunglare_client.text.places import square_text
from sunglare_client.text.printable import printable
from sunglare_protocol.messages.answers import Idle, Loss
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.review import IdleKind, LossKind


def loss_line(loss: Loss) -> str:
    """Return the sentence on one loss; it names the piece, and who is lost with it."""
    with_it = f", with {', '.join(loss.aboard)} aboard" if loss.aboard else ""
    return printable(f"{_piece(loss)} {_end(loss)}{with_it}.")


def _piece(loss: Loss) -> str:
    return loss.piece if loss.weapon is None else f"The volley of {loss.piece}.{loss.weapon}"


def _end(loss: Loss) -> str:
    where = "" if loss.square is None else f" at {square_text(loss.square)}"
    pull = ", pulled there by its gravity" if loss.pulled else ""
    match loss.kind:
        case LossKind.LEAVES_MAP:
            edge = "" if loss.edge is None else f" over the {loss.edge.value} edge"
            return f"leaves the map{edge}{where} and is lost"
        case LossKind.STRIKES_BODY:
            return f"strikes {loss.body}{where}{pull} and is lost"
        case LossKind.LOST_NEXT_TURN:
            what = "leaves the map" if loss.body is None else f"strikes {loss.body}"
            return f"{what} in turn {loss.turn}, whatever it does then"
        case LossKind.NOT_DEPLOYED:
            return f"is not deployed: it starts{where}, where the dice have put it"
        case LossKind.NOT_STATIONED:
            return "is not stationed: it stays where it was put"


def idle_lines(idle: tuple[Idle, ...], view: View) -> list[str]:
    """Return what is left undone, one line for each kind."""
    sentences = {
        IdleKind.NO_ORDER: _no_order(view.stage.phase),
        IdleKind.NO_SENSOR: "will have no sensor that works:",
        IdleKind.WEAPON_UNUSED: "in reach and unused:",
    }
    lines = []
    for kind, sentence in sentences.items():
        names = [_idle(one, view) for one in idle if one.kind is kind]
        lines += [printable(f"{sentence} {', '.join(names)}")] if names else []
    return lines


def _no_order(phase: Phase) -> str:
    match phase:
        case Phase.SCAN:
            return "could scan:"
        case Phase.DETECT:
            return "could request data:"
        case _:
            return "without an order:"


def _idle(one: Idle, view: View) -> str:
    name = one.piece if one.weapon is None else f"{one.piece}.{one.weapon}"
    folded = " (its sensors are folded)" if one.folded else ""
    label = None if one.at is None else label_of(view, one.at)
    is_request = label is not None and one.kind is IdleKind.NO_ORDER
    how = f"probe {one.piece} {label}" if is_request else label
    at = "" if how is None else f" ({how})"
    return f"{name}{at}{folded}"
