"""Who learns what of identification, data scans and probes; and how long it lasts."""

from msgspec.structs import replace

from builders.blips import able, known
from builders.learned import (
    contact,
    flow_of,
    granted,
    intel_of,
    missed,
    probed,
    run,
    shot,
    tracked,
)
from builders.perceived import end_turn, told
from builders.truths import A1, B1, C1, A, B, C, holding, only, truth_of
from sunglare_protocol.ids import PUBLIC
from sunglare_protocol.notices import ContactIdentified, DataScanned, OwnProbed, ProbeSensed
from sunglare_protocol.words.dossiers import Outcome
from sunglare_protocol.words.ladder import Fix
from sunglare_rules.blips.spotting import Method
from sunglare_server.match.apply.space import apply
from sunglare_server.match.events.blips import EcmSwitched, PieceSpotted
from sunglare_server.match.events.space import ShooterExposed
from sunglare_server.match.facts.space import Answered, Identified, OwnTold
from sunglare_server.match.turn.flow import Flow

THREE = truth_of(able(A, (10, 10), "ECM"), able(B, (14, 14), "PRB"), able(C, (12, 12)))
SPOTTED = PieceSpotted(piece=A1, side=B, methods=(Method.SENSOR,))


def spotted() -> Flow:
    """Return a flow in which B has contacted, tracked and identified A's ship."""
    return flow_of(THREE, contact(A1, B), tracked(A1, B), SPOTTED)


def test_an_identification_is_told_to_its_holder_alone_as_side_and_family() -> None:
    fact = Identified(piece=A1, side=A, type="frigate")
    assert told(known(THREE, B, A1), SPOTTED) == {"B": [fact]}


def test_the_public_is_never_told_what_a_piece_is() -> None:
    two = truth_of(able(A, (10, 10)), able(B, (14, 14)))
    assert PUBLIC not in told(known(two, B, A1), SPOTTED)


def test_an_identified_piece_shows_side_and_type_but_not_its_class() -> None:
    held = intel_of(spotted(), "B").held[A1]
    assert (held.side, held.type) == (A, "frigate")
    assert intel_of(spotted(), "B").told[-1] == ContactIdentified(
        handle=held.handle, label="C1", side=A, type="frigate"
    )


def test_identification_lasts_while_the_track_lives_coasting_or_not() -> None:
    flow = spotted()
    end_turn(flow, 1)
    flow.run([missed(A1, B)])
    assert flow.truth.holds[B][A1].identified
    flow.run([contact(A1, B)])
    assert flow.truth.holds[B][A1].identified
    assert intel_of(flow, "B").held[A1].type == "frigate"


def test_a_contact_takes_its_identity_along_when_it_fades() -> None:
    flow = flow_of(THREE, contact(A1, B), SPOTTED)
    end_turn(flow, 1)
    flow.run([contact(A1, B)])
    assert not flow.truth.holds[B][A1].identified
    assert intel_of(flow, "B").held[A1].type is None
    assert [marker.type for marker in intel_of(flow, "B").markers] == ["frigate"]


def test_a_shot_identifies_a_held_shooter_for_this_hold() -> None:
    flow = flow_of(THREE, contact(A1, B), ShooterExposed(piece=A1, witnesses=(B,)))
    assert flow.truth.holds[B][A1].identified


def test_a_shot_does_not_identify_a_coasting_track() -> None:
    coasting = holding(THREE, B, A1, Fix.COASTING)
    after = apply(coasting, ShooterExposed(piece=A1, witnesses=(B,)))
    assert not after.holds[B][A1].identified
    assert after.identified[B] == (A1,)


def test_at_short_range_the_asker_alone_is_told() -> None:
    event = probed(B1, A1, by_probe=False)
    assert set(told(known(THREE, B, A1), event)) == {"B"}


def test_a_probe_tells_the_owner_and_those_around_a_bearing_and_nothing_else() -> None:
    event = probed(B1, A1, by_probe=True, noticed=(C1,))
    found = told(known(THREE, B, A1), event)
    ours = THREE.ships[A1].own
    assert found["A"] == [OwnTold(notice=OwnProbed(ship=ours, bearing=120))]
    assert found["C"] == [OwnTold(notice=ProbeSensed(ship=ours, bearing=120))]
    assert [type(fact) for fact in found["B"]] == [Answered]
    assert set(found) == {"A", "B", "C"}


def test_a_probe_tells_its_bearing_whatever_the_answer() -> None:
    truth = known(THREE, B, A1)
    vague = probed(B1, A1, by_probe=True)
    full = replace(vague, outcome=Outcome.FULL)
    assert told(truth, vague)["A"] == told(truth, full)["A"]


def test_a_dossier_stays_as_it_was_told() -> None:
    flow = spotted()
    flow.run([probed(B1, A1, by_probe=False)])
    before = intel_of(flow, "B").held[A1].dossier
    assert before is not None
    end_turn(flow, 1)
    run(flow, contact(A1, B), shot(B1, A1))
    assert intel_of(flow, "B").held[A1].dossier == before


def test_an_inconclusive_answer_keeps_the_dossier_there_was() -> None:
    flow = spotted()
    flow.run([probed(B1, A1, by_probe=False)])
    before = intel_of(flow, "B").held[A1].dossier
    flow.run([probed(B1, A1, by_probe=True)])
    assert intel_of(flow, "B").held[A1].dossier == before
    last = only(intel_of(flow, "B").told, DataScanned)[-1]
    assert (last.outcome, last.dossier) == (Outcome.INCONCLUSIVE, None)


def test_nothing_is_told_to_anybody_when_a_jammer_is_switched() -> None:
    assert granted(THREE, EcmSwitched(piece=A1, on=False)) == []
