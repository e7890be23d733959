"""The terminal with blips: verbs for ECM, launches and probes, lists, map and desk."""

import msgspec
import pytest

from builders.spotting import specials
from builders.terminals import S1, TRACK, ship, view
from sunglare_client.command import Give, Problem
from sunglare_client.map.drawing import draw_map
from sunglare_client.terminal.input.parser import parse
from sunglare_client.terminal.owned import draw_own
from sunglare_client.text.lists.space import draw_contacts
from sunglare_client.verbs.sensing import probe_lines
from sunglare_client.verbs.written import order_text
from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.orders import Launch, Order, Power, Probe
from sunglare_protocol.views import ContactView
from sunglare_protocol.words.armament import Launchable
from sunglare_protocol.words.dossiers import Dossier
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.pieces import PieceKind

TENDER = ship(specials=specials("PRB ECM RSD"), ecm=True, dispensers=2)
BUOY = ship(id=OwnId("R1"), name="buoy", type="buoy", kind=PieceKind.REMOTE)


def given(line: str, phase: Phase, plan: tuple[Order, ...] = ()) -> tuple[Order, ...]:
    """Return the orders that a line gives to the tender."""
    command = parse(line, view(phase, own=(TENDER,)), plan)
    assert isinstance(command, Give), command
    return command.orders


@pytest.mark.parametrize(
    ("line", "orders"),
    [
        ("ecm S1 off", (Power(ship=S1, on=True, ecm=False),)),
        ("e S1 on", (Power(ship=S1, on=True, ecm=True),)),
        ("power S1 off ecm off", (Power(ship=S1, on=False, ecm=False),)),
        ("launch S1 remote", (Launch(ship=S1, what=Launchable.REMOTE),)),
        ("launch S1 remote 2", (Launch(ship=S1, what=Launchable.REMOTE),) * 2),
    ],
)
def test_a_line_of_plot_gives_its_orders(line: str, orders: tuple[Order, ...]) -> None:
    assert given(line, Phase.PLOT) == orders


def test_plant_and_jammer_are_switched_together_in_either_order() -> None:
    plant, jammer = Power(ship=S1, on=False), Power(ship=S1, on=True, ecm=False)
    both = (Power(ship=S1, on=False, ecm=False),)
    assert given("ecm S1 off", Phase.PLOT, (plant,)) == both
    assert given("power S1 off", Phase.PLOT, (jammer,)) == both


@pytest.mark.parametrize("line", ["probe S1 C3", "pr S1 kq7xab"])
def test_a_probe_names_a_ship_and_a_contact(line: str) -> None:
    assert TRACK.handle is not None
    assert given(line, Phase.DETECT) == (Probe(ship=S1, at=TRACK.handle),)


@pytest.mark.parametrize("line", ["launch S1 remote 3", "launch S1 torpedo", "ecm S1 maybe"])
def test_a_wrong_word_is_told_what_would_be_right(line: str) -> None:
    found = parse(line, view(Phase.PLOT, own=(TENDER,)), ())
    assert isinstance(found, Problem)
    assert "Choices" in found.text


@pytest.mark.parametrize(
    "order",
    [
        Power(ship=S1, on=True, ecm=False),
        Power(ship=S1, on=False),
        Launch(ship=S1, what=Launchable.REMOTE),
    ],
)
def test_an_order_reads_back_from_its_own_text(order: Order) -> None:
    assert given(order_text(order), Phase.PLOT) == (order,)


def test_an_identified_contact_is_listed_with_side_type_and_dossier() -> None:
    dossier = Dossier(turn=3, variant="lancer", damage=4, heat=1, move=2, ecm=True)
    known = replaced(side=Side("B"), type="frigate", dossier=dossier)
    text = "\n".join(draw_contacts(view(Phase.PLOT, contacts=(known,))))
    assert "side B  frigate  [lancer damage 4 heat 1 move 2 ecm on, turn 3]" in text


def replaced(**fields: object) -> ContactView:
    """Return the track with the fields given changed."""
    return msgspec.structs.replace(TRACK, **fields)


def test_own_abilities_are_listed_and_remote_sensors_stand_on_the_map() -> None:
    seen = view(Phase.PLOT, own=(TENDER, BUOY))
    assert "PRB ECM RSD 2" in "\n".join(draw_own(seen))
    apart = view(Phase.PLOT, own=(TENDER, ship(BUOY, square=Square(9, 20))))
    assert any("$R1" in row for row in draw_map(apart, ascii_only=True))


@pytest.mark.parametrize(
    ("at", "words"),
    [(Square(8, 25), "no side notices"), (Square(7, 22), "by probe"), (Square(7, 5), "out of")],
)
def test_before_a_probe_the_terminal_says_who_will_notice(at: Square, words: str) -> None:
    known = replaced(square=at, side=Side("B"), type="frigate")
    seen = view(Phase.DETECT, own=(TENDER,), contacts=(known,))
    assert TRACK.handle is not None
    [line] = probe_lines(seen, Probe(ship=S1, at=TRACK.handle))
    assert words in line
