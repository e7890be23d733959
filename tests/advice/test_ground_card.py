"""The cards on own ground units and on foreign tokens, and the odds of attacks on the ground."""

import pytest
from msgspec.structs import replace

from builders.advice import detail, offered, refusal
from builders.cases import cases
from builders.groundadvice import G1, SITE, ground_view
from builders.sections import HEADINGS, cited, lines
from builders.spotting import specials
from builders.terminals import GUARD
from sunglare_protocol.ids import Handle, OwnId, Side
from sunglare_protocol.messages import Question
from sunglare_protocol.messages.answers import GroundOdds
from sunglare_protocol.orders import Fire
from sunglare_protocol.surface import Arm, Build, Cell, Site
from sunglare_protocol.views import View
from sunglare_protocol.views.ground import ArmView, GroundView, SurfaceView, TokenView
from sunglare_protocol.words.dossiers import Dossier
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.specials import Special
from sunglare_rules.advice.answer import answer
from sunglare_rules.advice.cards.why import look, why

NEAR, FAR = Handle("nnnnnn"), Handle("ffffff")
ARMS = (
    *GUARD.weapons,
    ArmView(id="F1", kind=Arm.PHYSICAL, damage=(3, 0, 0, 0)),
    ArmView(id="R2", kind=Arm.DIRECT, damage=(4, 3, 0, 0)),
)


def guard(**fields: object) -> GroundView:
    """Return the guard, who stands on C3 of the drawn map, with the fields given changed."""
    return replace(GUARD, **fields)


def token(at: tuple[int, int] = (4, 2), **fields: object) -> TokenView:
    """Return a held blip four inches east of the guard, with the fields given changed."""
    seen = TokenView(label="C6", cell=Cell(*at), turn=4, handle=NEAR)
    return replace(seen, **fields)


def view(unit: GroundView, *tokens: TokenView) -> View:
    """Return a view in ENGAGE of turn 4 with the unit and the tokens on one map."""
    surface = SurfaceView(site=SITE, seen=True, tokens=tokens)
    return ground_view(Phase.ENGAGE, unit, surfaces=(surface,))


# Odds: gunnery 4, +2 at medium range, +1 for cover; two dice total 4, 6 or 7 in 33, 26, 21 of 36.


@cases(
    ("weapon", "at", "needed", "of_36", "damage"),
    {
        "the first weapon at short range": ("R1", NEAR, 4, 33, 2),
        "the weapon that was named": ("R2", NEAR, 4, 33, 4),
        "the token that was named, at medium range": ("R2", FAR, 6, 26, 3),
        "base contact has no bracket": ("F1", NEAR, 4, 33, 3),
    },
)
def test_the_odds_are_those_of_the_weapon_and_token_named(
    weapon: str, at: Handle, needed: int, of_36: int, damage: int
) -> None:
    far = token((9, 0), handle=FAR, label="C7")
    seen = view(guard(weapons=ARMS), token((3, 2)), far)
    assert answer(seen, Question.ODDS, Fire(ship=G1, weapon=weapon, at=at)) == GroundOdds(
        ship=G1,
        weapon=weapon,
        at=at,
        needed=needed,
        hundredths=round(100 * of_36 / 36),
        damage=damage,
    )


def test_two_large_bases_may_touch_beyond_short_range_and_it_is_still_contact() -> None:
    # 3 of its own and 3 that the token may have, and 1 between: 7 inches, and it is 6.3 away.
    largest = guard(weapons=ARMS, specials=(Special.SLG,))
    seen, close = view(largest, token((5, 3))), Fire(ship=G1, weapon="F1", at=NEAR)
    found = answer(seen, Question.ODDS, close)
    assert isinstance(found, GroundOdds)
    assert (found.needed, found.damage) == (4, 3)


def test_an_attack_that_is_not_allowed_has_no_odds_but_its_refusal() -> None:
    found = answer(view(guard(), token()), Question.ODDS, Fire(ship=G1, weapon="X9", at=NEAR))
    assert (refusal(found), offered(found)) == ("order/weapon $.about.weapon", ("R1",))


def test_a_beam_has_no_odds_for_it_always_succeeds() -> None:
    beam = Fire(ship=G1, weapon="TAG", point=Cell(4, 2))
    found = answer(view(guard(specials=(Special.TAG,))), Question.ODDS, beam)
    assert refusal(found) == "ask/about $.about.point"
    assert detail(found).endswith("always succeeds.")


# Own units.


PLAIN = (
    "Guard (palace-guard), infantry, worth 1.",
    "On C3 of Ceres 1.",
    "Moves 6 inches, foot; jumps 0.",
    "Damage 0 of 4, gunnery 4.",
    "Weapons at short/medium/long/extreme range: R1 direct 2/1/0/0.",
    "Terrain: clear.",
)


def test_the_card_of_an_own_unit_says_what_it_is_and_carries_and_where_it_stands() -> None:
    assert lines(look(view(guard()), G1)) == PLAIN
    assert lines(look(view(guard(weapons=())), G1))[4].endswith("range: none.")


@cases(
    ("words", "fields", "line"),
    {
        "an ability": ("STL", {}, "Abilities: STL."),
        "one that comes in numbers": ("PRB RSD", {"dispensers": 2}, "Abilities: PRB RSD 2."),
        "a jammer on": ("ECM", {}, "Abilities: ECM."),
        "a jammer off": ("ECM", {"ecm_on": False}, "Abilities: ECM, its jammer off."),
        "no jammer": ("STL", {"ecm_on": False}, "Abilities: STL."),
    },
)
def test_the_card_of_an_own_unit_names_its_abilities(
    words: str, fields: dict[str, object], line: str
) -> None:
    unit = guard(specials=specials(words), **fields)
    assert lines(look(view(unit), G1)) == (*PLAIN[:5], line, PLAIN[5])


@cases(
    ("fields", "where", "terrain"),
    {
        "hidden": ({"hidden": True}, "On C3 of Ceres 1, hidden.", ("clear",)),
        "in woods": ({"cell": Cell(6, 3)}, "On G4 of Ceres 1.", ("woods",)),
        "in a house": ({"cell": Cell(6, 2)}, "On G3 of Ceres 1.", ("building 2",)),
        "aboard": ({"site": None, "cell": None, "aboard": OwnId("S1")}, "Aboard S1.", ()),
        "not stationed yet": ({"site": None, "cell": None}, "Nowhere.", ()),
        "on a map but no cell": ({"cell": None}, "Nowhere.", ()),
        "on a cell of no map": ({"site": None}, "Nowhere.", ()),
        "on a map not of the board": ({"site": Site("Vesta", 1)}, "On C3 of Vesta 1.", ()),
    },
)
def test_the_card_of_an_own_unit_says_where_it_stands_and_on_what(
    fields: dict[str, object], where: str, terrain: tuple[str, ...]
) -> None:
    found = lines(look(view(guard(**fields)), G1))
    assert found == (PLAIN[0], where, *PLAIN[2:5], *(f"Terrain: {words}." for words in terrain))


@pytest.mark.parametrize("fate", [Fate.DESTROYED, Fate.ESCAPED])
def test_the_card_of_a_lost_unit_says_what_became_of_it_and_no_more(fate: Fate) -> None:
    found = lines(look(view(guard(fate=fate)), G1))
    assert found == (f"Guard (palace-guard): {fate.value}.",)


@pytest.mark.parametrize(
    ("hidden", "words"),
    [
        (True, ("no token until it moves", "within 2 inches in sight, or a probe")),
        (
            False,
            (
                "where, never what",
                "sensors within 10 inches",
                "a fighter right above by day",
                "An attack on what it sees itself reveals it; indirect fire does not",
            ),
        ),
    ],
)
def test_an_own_unit_is_told_by_what_rules_enemies_may_learn_of_it(
    hidden: bool, words: tuple[str, ...]
) -> None:
    found = lines(why(view(guard(hidden=hidden)), G1))
    assert [word in line for word, line in zip(words, found, strict=True)] == [True] * len(words)
    assert all(cited(line) and cited(line) <= HEADINGS for line in found)


# Tokens.

BLIP = token(cell=Cell(4, 2))
KNOWN = token(cell=Cell(4, 2), side=Side("B"), type="tank")
MEMORY = token(cell=Cell(9, 5), turn=2, handle=None)


@pytest.mark.parametrize(
    ("seen", "facts"),
    [
        (BLIP, ("Held, as of turn 4, on E3 of Ceres 1.", "A blip: where, not what.")),
        (KNOWN, ("Held, as of turn 4, on E3 of Ceres 1.", "Side B, type tank.")),
        (MEMORY, ("Remembered, as of turn 2, on J6 of Ceres 1.", "A blip: where, not what.")),
        (
            replace(KNOWN, fate=Fate.DESTROYED),
            ("Held, as of turn 4, on E3 of Ceres 1.", "Side B, type tank.", "It is destroyed."),
        ),
        (
            replace(MEMORY, fate=Fate.ESCAPED),
            ("Remembered, as of turn 2, on J6 of Ceres 1.", "A blip: where, not what."),
        ),
    ],
    ids=["a blip", "identified", "a memory", "destroyed", "gone"],
)
def test_the_card_of_a_token_says_what_the_viewer_knows_of_it(
    seen: TokenView, facts: tuple[str, ...]
) -> None:
    assert lines(look(view(guard(), seen), "C6")) == facts


@pytest.mark.parametrize(
    ("seen", "words", "section"),
    [
        (
            BLIP,
            "eyes in range and sight would, or sensors within 10 inches, probes farther",
            "blips §3",
        ),
        (KNOWN, "seen, sensed, exposed, or revealed itself", "blips §1"),
        (MEMORY, "A memory of turn 2, when it was a blip", "turn §3"),
        (replace(KNOWN, handle=None), "when it was identified as tank", "turn §3"),
    ],
    ids=["a blip", "identified", "a memory", "a memory of one that was identified"],
)
def test_the_card_of_a_token_says_why_the_viewer_knows_it(
    seen: TokenView, words: str, section: str
) -> None:
    (line,) = lines(why(view(guard(), seen), "C6"))
    assert words in line
    assert cited(line) == {section}


def test_what_a_data_scan_told_of_a_token_is_told_of_its_memory_too() -> None:
    scan = Dossier(turn=2, variant="mk2", damage=0, heat=0, move=0, modes=())
    for handle in (NEAR, None):
        known = token(side=Side("B"), type="tank", dossier=scan, handle=handle)
        told = lines(why(view(guard(), known), "C6"))
        assert any("A data scan of turn 2 told the rest" in line for line in told)


@pytest.mark.parametrize(
    ("build", "footprint", "words"),
    [
        (None, None, "Side B, type thing."),
        (Build.REMOTE, 0, "Side B, type thing, stands 0 inches high."),
        (Build.MECH, 0, "Side B, type thing, stands 2 inches high."),
        (Build.VERY_LARGE, 4, "Side B, type thing, stands 4 inches high and 4 wide."),
    ],
)
def test_an_identified_token_says_how_high_it_stands_and_how_wide_it_is(
    build: Build | None, footprint: int | None, words: str
) -> None:
    known = token(side=Side("B"), type="thing", build=build, footprint=footprint)
    assert words in lines(look(view(guard(), known), "C6"))
