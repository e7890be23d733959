"""The panel of the pieces says in words how each of them stands."""

import pytest
from msgspec.structs import replace

from builders.terminals import KITE, A, B, view
from sunglare_client.text.lists.brief import own_brief
from sunglare_protocol.ids import Side
from sunglare_protocol.views import HuntView, OwnView, TrackersView
from sunglare_protocol.words.ladder import Fix

HIDDEN = replace(KITE, cloak=True, cloaked=True)


def hunted(*fixes: Fix) -> OwnView:
    return replace(
        HIDDEN, hunted=tuple(HuntView(fix=fix, trackers=TrackersView()) for fix in fixes)
    )


@pytest.mark.parametrize(
    ("ship", "states"),
    [
        pytest.param(HIDDEN, "CLOAKED", id="not hunted"),
        pytest.param(hunted(Fix.DETECTED), "CLOAKED, known to B DETECTED", id="detected"),
        pytest.param(hunted(Fix.SOLUTION), "CLOAKED, known to B SOLUTION", id="solution"),
        pytest.param(hunted(Fix.MEMORY), "CLOAKED, hunted by B, not found", id="missed"),
        pytest.param(replace(HIDDEN, cloak_works=False), "CLOAKED, CLOAK LOST", id="struck"),
        pytest.param(
            replace(HIDDEN, cloak_works=False, cloaked=False), "CLOAK LOST", id="without a cloak"
        ),
    ],
)
def test_the_panel_says_of_a_cloaked_ship_how_it_is_held(ship: OwnView, states: str) -> None:
    assert own_brief(view(own=(ship,)))[2].strip() == states


def test_of_several_sides_the_panel_names_no_hunter() -> None:
    seen = view(own=(hunted(Fix.SOLUTION),))
    seen = replace(seen, stage=replace(seen.stage, sides=(A, B, Side("C"))))
    assert own_brief(seen)[2].strip() == "CLOAKED, known to a side SOLUTION"
