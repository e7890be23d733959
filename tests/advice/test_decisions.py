"""Which windows offer their side a decision, as its own view tells."""

from msgspec.structs import replace

from builders.agentorders import view_of
from builders.cases import cases
from builders.groundadvice import ground_view
from builders.spotting import specials
from builders.terminals import AGENT, GUARD
from builders.views import contact, own_ship, view
from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import Side
from sunglare_protocol.views import CloakRules, OwnView, View
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_rules.advice.legal.decisions import has_decision

CLOAKS = CloakRules(cloaks=True)
DEAD = replace(GUARD, fate=Fate.DESTROYED)
GONE = own_ship(fate=Fate.ESCAPED)
PROBER = own_ship(specials=specials("PRB"))
KNOWN = contact(side=Side("B"), type="frigate", square=Square(7, 26))


def with_cloaks(seen: View) -> View:
    """Return the view of a match in which a class has a cloak."""
    return replace(seen, cloak_rules=CLOAKS)


@cases(
    ("seen", "expected"),
    {
        "a ship to order": (view(Phase.PLOT), True),
        "none left": (view(Phase.PLOT, GONE), False),
        "troops alone": (ground_view(), True),
        "troops that are dead": (ground_view(Phase.PLOT, DEAD), False),
        "an agent alone": (view_of(own=(), ground=(), agents=(AGENT,)), True),
        "an agent who is dead": (
            view_of(own=(), ground=(), agents=(replace(AGENT, fate=Fate.DESTROYED),)),
            False,
        ),
    },
)
def test_a_plot_offers_one_while_a_piece_is_in_play(seen: View, expected: bool) -> None:
    assert has_decision(seen) is expected


@cases(
    ("ship", "slot", "expected"),
    {
        "a scan": (own_ship(), "A", True),
        "no ship left": (GONE, "A", False),
        "the slot of others": (own_ship(), "B", False),
    },
)
def test_a_scan_offers_one_where_a_scan_is_legal(ship: OwnView, slot: str, expected: bool) -> None:
    plain = view(Phase.SCAN, ship, slot=slot)
    for seen in (plain, with_cloaks(plain)):
        assert has_decision(seen) is expected


@cases(
    ("seen", "expected"),
    {
        "cloaks to hunt": (with_cloaks(view(Phase.DETECT)), True),
        "cloaks, and no ship left": (with_cloaks(view(Phase.DETECT, GONE)), False),
        "no cloaks": (view(Phase.DETECT), False),
        "no cloaks, and data to ask for": (view(Phase.DETECT, PROBER, contacts=(KNOWN,)), True),
        "no cloaks, and nothing known": (view(Phase.DETECT, PROBER), False),
    },
)
def test_a_detect_offers_one_where_there_are_cloaks_or_data_to_ask_for(
    seen: View, expected: bool
) -> None:
    assert has_decision(seen) is expected


UNARMED = own_ship(weapons=(), point_defence=1)


@cases(
    ("seen", "expected"),
    {
        "something to fire at": (view(Phase.ENGAGE, contacts=(contact(),)), True),
        "nothing to fire at": (view(Phase.ENGAGE), False),
        "weapons to hold where ships are cloaked": (with_cloaks(view(Phase.ENGAGE)), True),
        "point defence alone": (view(Phase.ENGAGE, UNARMED), False),
        "point defence alone where ships are cloaked": (
            with_cloaks(view(Phase.ENGAGE, UNARMED)),
            False,
        ),
        "an alert to follow": (replace(view_of(Phase.ENGAGE), surfaces=()), True),
    },
)
def test_an_engage_offers_one_where_there_is_something_to_fire_at_or_to_do(
    seen: View, expected: bool
) -> None:
    assert has_decision(seen) is expected


def test_a_match_that_is_over_offers_none() -> None:
    assert not has_decision(view(Phase.OVER, contacts=(contact(),)))
