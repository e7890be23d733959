"""Advice on data scans on the ground: what may be asked, what is listed, and the cards."""

import pytest
from msgspec.structs import replace

from builders.advice import offered, refusal
from builders.ground import planet
from builders.groundadvice import FAR, G1, S1, SITE, ground_view
from builders.orders import typed
from builders.sections import lines
from builders.spotting import specials
from builders.terminals import GUARD, KITE
from builders.views import C1, contact
from sunglare_client.command import Give, Problem
from sunglare_client.terminal.input.parser import parse
from sunglare_client.text.lists.dossiers import dossier_text
from sunglare_client.text.lists.ground import draw_tokens
from sunglare_client.verbs.sensing import probe_lines
from sunglare_client.verbs.written import legal_text
from sunglare_protocol.geometry import Board, Compass, Landing
from sunglare_protocol.ids import Handle, Side
from sunglare_protocol.orders import Probe
from sunglare_protocol.surface import Build, Cell, GroundKind, Site
from sunglare_protocol.views import View
from sunglare_protocol.views.ground import GroundView, SurfaceView, TokenView
from sunglare_protocol.words.dossiers import Dossier
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.cards.why import look, why
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.check.probe import request_means, token_means
from sunglare_rules.advice.legal.legal import legal, probes
from sunglare_rules.blips.dossiers import Means

H = Handle("tt4tt4")
DOSSIER = Dossier(turn=3, variant="titan", damage=4, heat=1, move=6, modes=("foot",))
DOWN = Landing(body="Ceres", sector=Compass.N, environs=1, cell=Cell(3, 2))


def token(at: tuple[int, int] = (4, 2), **fields: object) -> TokenView:
    known = TokenView(label="C6", cell=Cell(*at), turn=4, handle=H, side=Side("B"), type="'mech")
    return replace(known, **fields)


def view(seen: TokenView, unit: GroundView = GUARD, *, site: Site = SITE) -> View:
    """Return a DETECT window with a guard on (2, 2) of the drawn map and one token."""
    surface = SurfaceView(site=site, seen=True, tokens=(seen,))
    return ground_view(Phase.DETECT, unit, own=(KITE,), surfaces=(surface,))


ASK = typed("probe G1 tt4tt4")


def test_a_unit_may_ask_about_an_identified_token_of_its_map_near_or_far() -> None:
    for at in ((4, 2), (11, 5)):
        assert check(view(token(at)), (ASK,)) is None


@pytest.mark.parametrize(
    ("seen", "unit", "site"),
    [
        (token(side=None, type=None), GUARD, SITE),
        (token(handle=None), GUARD, SITE),
        (token(handle=Handle("aaaaaa")), GUARD, SITE),
        (token(), GUARD, FAR),
        (token(), replace(GUARD, site=None, cell=None, aboard=S1), SITE),
        (token(), replace(GUARD, kind=GroundKind.REMOTE), SITE),
    ],
    ids=["a blip", "a memory", "another handle", "another map", "aboard", "a remote sensor"],
)
def test_every_illegal_request_is_refused_by_the_same_code(
    seen: TokenView, unit: GroundView, site: Site
) -> None:
    assert refusal(check(view(seen, unit, site=site), (ASK,))) == "order/probe [0]"


def test_an_unknown_handle_and_a_blip_are_refused_alike() -> None:
    blip = check(view(token(side=None, type=None)), (ASK,))
    unknown = check(view(token(side=None, type=None, handle=Handle("aaaaaa"))), (ASK,))
    assert blip == unknown


def test_a_unit_makes_one_request_a_turn() -> None:
    assert refusal(check(view(token()), (ASK, ASK))) == "order/twice [1]"


def test_a_ship_asks_about_tokens_where_it_is_landed_and_nowhere_else() -> None:
    ask = typed("probe S1 tt4tt4")
    assert refusal(check(view(token()), (ask,))) == "order/probe [0]"
    grounded = replace(view(token()), own=(replace(KITE, landed=DOWN),))
    assert check(grounded, (ask,)) is None
    assert ask in legal(grounded)
    cold = replace(grounded, own=(replace(KITE, landed=DOWN, powered=False),))
    assert refusal(check(cold, (ask,))) == "order/probe [0]"


PROBE = replace(GUARD, specials=specials("PRB"))


@pytest.mark.parametrize(
    ("unit", "at", "best", "worst"),
    [
        (GUARD, (4, 2), Means.SHORT, Means.SHORT),
        (GUARD, (6, 2), None, None),
        (PROBE, (9, 0), Means.PROBE, Means.PROBE),
        (PROBE, (10, 0), None, None),
        (replace(GUARD, cell=Cell(5, 3)), (7, 3), Means.SHORT, None),
        (replace(PROBE, cell=Cell(5, 3)), (7, 3), Means.SHORT, Means.PROBE),
    ],
    ids=["near", "far", "by probe", "beyond it", "behind woods", "behind woods, by probe"],
)
def test_the_means_follow_from_what_the_asker_sees_and_how_high_the_token_may_stand(
    unit: GroundView, at: tuple[int, int], best: Means | None, worst: Means | None
) -> None:
    seen = view(token(at), unit)
    assert request_means(seen, ASK) == (best, worst)
    assert check(seen, (ASK,)) is None
    assert (ASK in list(probes(seen))) is (worst is not None)
    assert (ASK in legal(seen)) is (worst is not None)


@pytest.mark.parametrize(
    ("build", "means"),
    [
        (Build.INFANTRY, None),
        (Build.VEHICLE, None),
        (Build.LARGE_VEHICLE, None),
        (Build.SPHEROID, Means.SHORT),
    ],
)
def test_the_build_of_an_identified_token_says_whether_the_ground_hides_it(
    build: Build, means: Means | None
) -> None:
    unit = replace(GUARD, cell=Cell(5, 3))
    seen = view(token((7, 3), build=build, footprint=0), unit)
    assert request_means(seen, ASK) == (means, means)
    assert (ASK in legal(seen)) is (means is not None)


def test_an_identified_large_unit_may_stand_in_the_way_and_a_blip_is_taken_not_to() -> None:
    between = token((3, 2), label="C7", handle=C1, build=Build.VERY_LARGE, footprint=4)
    for other, worst in (
        (between, None),
        (replace(between, build=Build.VEHICLE, footprint=0), Means.SHORT),
        (replace(between, side=None, type=None, build=None, footprint=None), Means.SHORT),
        (replace(between, handle=None), Means.SHORT),
    ):
        plain = view(token((4, 2), build=Build.MECH, footprint=0))
        (surface,) = plain.surfaces
        seen = replace(plain, surfaces=(replace(surface, tokens=(*surface.tokens, other)),))
        assert request_means(seen, ASK) == (Means.SHORT, worst)


def test_a_remote_sensor_may_lie_so_low_that_the_lowest_house_hides_it() -> None:
    house = planet(*["............"] * 3, "...1........", *["............"] * 2)
    tall = replace(GUARD, height=2)
    seen = replace(view(token(), tall), board=Board(planets=(house,)))
    assert request_means(seen, ASK) == (Means.SHORT, None)


@pytest.mark.parametrize(
    "place",
    [{"site": None, "cell": None, "aboard": S1}, {"cell": None}, {"site": Site("Ceres", 9)}],
    ids=["aboard", "on no cell", "on no map of the board"],
)
def test_a_unit_that_stands_on_no_map_reaches_no_token(place: dict[str, object]) -> None:
    unit = replace(GUARD, **place)
    assert token_means(view(token(), unit), unit, token()) is None


def test_a_unit_asks_about_nothing_in_space() -> None:
    held = contact(side=Side("B"), type="frigate")
    seen = replace(view(token()), contacts=(held,))
    ask = typed("probe G1 aaaaaa")
    problem = check(seen, (ask,))
    assert refusal(problem) == "order/probe [0]"
    assert offered(problem) == (H,)
    assert request_means(seen, ask) == (None, None)
    assert [probe for probe in probes(seen) if probe.ship == G1] == [ASK]


def test_a_request_of_nobody_or_about_nothing_has_no_means() -> None:
    for request in (typed("probe G7 tt4tt4"), typed("probe G1 zzzzzz")):
        assert request_means(view(token()), request) == (None, None)


# At the terminal.


def test_a_unit_or_a_landed_ship_asks_by_the_label_of_a_token() -> None:
    grounded = replace(view(token()), own=(replace(KITE, landed=DOWN),))
    for line, own in (("probe G1 C6", G1), ("pr g1 tt4tt4", G1), ("probe S1 c6", S1)):
        command = parse(line, grounded)
        assert isinstance(command, Give), command
        assert command.orders == (Probe(ship=own, at=H),)
        assert legal_text(command.orders[0], grounded) == f"probe {own} C6"


def test_a_memory_of_a_token_is_nothing_to_ask_about() -> None:
    command = parse("probe G1 C6", view(token(handle=None)))
    assert isinstance(command, Problem)
    assert "memory" in command.text


def test_the_terminal_says_by_what_means_a_request_would_be_carried_out() -> None:
    [near] = probe_lines(view(token()), ASK)
    assert "short range" in near
    hidden = view(token((7, 3)), replace(PROBE, cell=Cell(5, 3)))
    assert [line.split(":")[0] for line in probe_lines(hidden, ASK)] == [
        "  at short range",
        "  or, if the ground hides it, by probe",
    ]


def test_what_a_data_scan_told_stands_on_the_lists_and_the_cards() -> None:
    seen = view(token(dossier=DOSSIER))
    assert dossier_text(DOSSIER) == "[titan damage 4 heat 1 move 6, turn 3]"
    assert any(dossier_text(DOSSIER) in line for line in draw_tokens(seen))
    facts, reasons = lines(look(seen, "C6")), lines(why(seen, "C6"))
    assert "Scanned in turn 3: titan, damage 4, heat 1, move 6 by foot." in facts
    assert any("data scan of turn 3" in line for line in reasons)
