"""What is left undone, as sentences: each names the command that would do it."""

from builders.terminals import KITE, S1, TRACK, view
from sunglare_client.command import Give
from sunglare_client.terminal.input.parser import parse
from sunglare_client.text.reviews import idle_lines
from sunglare_protocol.messages.answers import Idle
from sunglare_protocol.orders import Probe
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.review import IdleKind


def test_a_request_for_data_that_could_be_made_is_named_as_it_is_typed() -> None:
    assert TRACK.handle is not None
    seen = view(Phase.DETECT, own=(KITE,))
    idle = Idle(piece=S1, kind=IdleKind.NO_ORDER, at=TRACK.handle)
    (line,) = idle_lines((idle,), seen)
    said, _, command = line.rstrip(")").partition("(")
    assert said == "could request data: S1 "
    assert parse(command, seen) == Give((Probe(ship=S1, at=TRACK.handle),))


def test_a_weapon_in_reach_is_named_with_its_target() -> None:
    idle = Idle(piece=S1, kind=IdleKind.WEAPON_UNUSED, weapon="B1", at=TRACK.handle)
    assert idle_lines((idle,), view(Phase.ENGAGE)) == ["in reach and unused: S1.B1 (C3)"]
