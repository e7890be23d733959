"""Who learns what of data scans on a surface map, and how long it lasts."""

from msgspec.structs import replace

from builders.ground import AG1, BG1, SITE, ground_truth, seeing, unit
from builders.groundprobes import FLAT, able
from builders.learned import flow_of, intel_of, run
from builders.perceived import told
from builders.truths import A, B, C
from sunglare_protocol.ids import OMNI, PUBLIC, OwnId
from sunglare_protocol.notices import DataScanned, OwnProbed, ProbeSensed, TokenEnd, TruthProbed
from sunglare_protocol.surface import Cell
from sunglare_protocol.words.dossiers import Dossier, Outcome
from sunglare_protocol.words.ladder import Phase
from sunglare_server.match.events.ground import PieceIdentified, TokenEnded, TokenProbed, UnitMoved
from sunglare_server.match.facts.ground import TokenAnswered
from sunglare_server.match.facts.space import OwnTold
from sunglare_server.match.fog import view as fog
from sunglare_server.match.ids import PieceId
from sunglare_server.match.kinds import Noticed
from sunglare_server.match.turn.flow import Flow
from sunglare_server.match.turn.ground import look

G1 = OwnId("G1")
DOSSIER = Dossier(turn=1, variant="battle-tank", damage=2, heat=1, move=8, modes=("tracked",))
FULL = TokenProbed(
    piece=AG1, target=BG1, outcome=Outcome.FULL, by_probe=False, dossier=DOSSIER, noticed=()
)
VAGUE = replace(
    FULL,
    outcome=Outcome.INCONCLUSIVE,
    by_probe=True,
    dossier=None,
    noticed=(Noticed(BG1, 270), Noticed(PieceId("C/G1"), 150)),
)
THREE = ground_truth(able(A, (0, 0), "PRB"), able(B, (8, 0)), unit(C, 1, (2, 1)), body=FLAT)


def identified() -> Flow:
    """Return a flow in which A has identified B's unit on the map."""
    flow = flow_of(THREE)
    look(flow)
    flow.run([PieceIdentified(piece=BG1, side=A, is_told=False)])
    return flow


def test_at_short_range_the_asker_alone_is_told() -> None:
    found = told(seeing(THREE, A, BG1, identified=True), FULL)
    answer = TokenAnswered(ship=G1, target=BG1, outcome=Outcome.FULL, dossier=DOSSIER)
    assert found == {"A": [answer]}


def test_a_probe_tells_the_owner_and_those_around_a_bearing_and_nothing_else() -> None:
    found = told(seeing(THREE, A, BG1, identified=True), VAGUE)
    assert found == {
        "A": [TokenAnswered(ship=G1, target=BG1, outcome=Outcome.INCONCLUSIVE)],
        "B": [OwnTold(notice=OwnProbed(ship=G1, bearing=270))],
        "C": [OwnTold(notice=ProbeSensed(ship=G1, bearing=150))],
    }


def test_a_probe_tells_its_bearing_whatever_the_answer() -> None:
    truth = seeing(THREE, A, BG1, identified=True)
    full = replace(VAGUE, outcome=Outcome.FULL, dossier=DOSSIER)
    for side in ("B", "C"):
        assert told(truth, VAGUE)[side] == told(truth, full)[side]


def test_the_public_hears_nothing_of_it_and_omni_everything() -> None:
    flow = identified()
    before = flow.intel[PUBLIC]
    flow.run([VAGUE])
    assert flow.intel[PUBLIC] == before
    asked = TruthProbed(
        side=A, ship=G1, owner=B, target=G1, outcome=Outcome.INCONCLUSIVE, by_probe=True
    )
    assert flow.intel[OMNI].told[-1] == asked


def test_a_full_answer_stays_with_its_token_as_it_was_told() -> None:
    flow = identified()
    flow.run([FULL])
    token = intel_of(flow, "A").tokens[BG1]
    assert token.dossier == DOSSIER
    assert intel_of(flow, "A").told[-1] == DataScanned(
        ship=G1, at=token.handle, outcome=Outcome.FULL, dossier=DOSSIER
    )
    flow.run([VAGUE, UnitMoved(piece=BG1, cells=(Cell(9, 0),))])
    assert intel_of(flow, "A").tokens[BG1] == replace(token, cell=Cell(9, 0))
    view = fog.view(intel_of(flow, "A"), flow.state.standing, flow.state.board)
    shown = {held.label: held.dossier for held in view.surfaces[0].tokens}
    assert shown[token.label] == DOSSIER
    assert list(shown.values()).count(None) == len(shown) - 1


def test_the_memory_of_a_token_keeps_what_was_told_of_it() -> None:
    flow = identified()
    run(flow, FULL, TokenEnded(piece=BG1, side=A, how=TokenEnd.UNSEEN))
    [marker] = intel_of(flow, "A").token_markers
    assert (marker.site, marker.dossier) == (SITE, DOSSIER)
    view = fog.view(intel_of(flow, "A"), flow.state.standing, flow.state.board)
    assert view.stage.phase is Phase.PLOT
    assert [token.dossier for token in view.surfaces[0].tokens if token.handle is None] == [
        DOSSIER
    ]
