"""A view with agents, and orders for them, for the tests of what is allowed."""

from typing import Any

from msgspec.structs import replace

from builders.ground import planet
from builders.orders import Written, read
from builders.terminals import AGENT, GUARD, KITE, SURFACE, stage
from builders.terminals import view as space_view
from sunglare_protocol.geometry import Board as SpaceBoard
from sunglare_protocol.geometry import Compass, Landing, Square
from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.orders.agents import AgentOrder
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.surface import GroundKind, Site
from sunglare_protocol.views import View
from sunglare_protocol.views.agents import AlertView
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.check.agents import agents_problem

P1, P2, P3, P4, G1, G2, S1, S2 = map(OwnId, ["P1", "P2", "P3", "P4", "G1", "G2", "S1", "S2"])
HERE, FAR = Site("Ceres", 1), Site("Ceres", 2)
B = Side("B")
ORBIT = Square(15, 9)
SHUTTLER = replace(KITE, square=ORBIT, shuttle=True)
LANDER = replace(
    KITE,
    id=S2,
    square=Square(15, 11),
    landed=Landing(body="Ceres", sector=Compass.N, environs=1),
    agent_spaceship=True,
)
OWL = replace(AGENT, id=P2, name="Owl", intelligence=3, leadership=3)
LED = replace(AGENT, id=P3, name="Elk", stacked=G1, leadership=2)
CAPTIVE = replace(AGENT, id=P4, name="Ant", captor=B)
RADIO = replace(GUARD, id=G2, kind=GroundKind.REMOTE)
ALERTS = (AlertView(side=B, planet="Ceres", environs=1),)


def view_of(phase: Phase = Phase.PLOT, **fields: Any) -> View:
    """Return a view with two free agents, a leader with troops, a captive and two ships."""
    made = replace(
        space_view(phase),
        stage=stage(phase),
        board=SpaceBoard(planets=(planet(),)),
        own=(SHUTTLER, LANDER),
        ground=(replace(GUARD, af=4), RADIO),
        agents=(AGENT, OWL, LED, CAPTIVE),
        surfaces=(SURFACE,),
        alerts=ALERTS,
    )
    return replace(made, **fields)


VIEW = view_of()


def problem(order: Written, *before: Written, view: View = VIEW) -> Rejected | None:
    """Return why an order is refused that stands after these."""
    (last,), first = read(order), read(*before)
    assert isinstance(last, AgentOrder)
    return agents_problem(view, last, first, (*first, last))
