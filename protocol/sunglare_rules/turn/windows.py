"""The windows of a turn as two tables: which phase follows, and which orders a phase takes.

Source: turn sequence of our rule book §4.
"""

from typing import Final

from sunglare_protocol import orders
from sunglare_protocol.words.ladder import Phase

NEXT: Final[dict[Phase, Phase]] = {
    Phase.PLOT: Phase.SCAN,
    Phase.SCAN: Phase.DETECT,
    Phase.DETECT: Phase.ENGAGE,
    Phase.ENGAGE: Phase.PLOT,
    Phase.OVER: Phase.OVER,
}
"""Which phase follows which; after ENGAGE a new turn begins."""

ALLOWED: Final[dict[Phase, dict[type[orders.Order], str]]] = {
    Phase.PLOT: {
        orders.Deploy: "deploy",
        orders.Turn: "turn",
        orders.Thrust: "thrust",
        orders.Power: "power",
        orders.Sensors: "sensors",
        orders.Cloak: "cloak",
        orders.Rotate: "rotate",
        orders.Land: "land",
        orders.Lift: "lift",
        orders.Launch: "launch",
        orders.Aim: "aim",
        orders.Station: "station",
        orders.Move: "move",
        orders.Walk: "walk",
        orders.GoAboard: "go_aboard",
        orders.StepOut: "step_out",
        orders.Mission: "mission",
        orders.Stand: "stand",
    },
    Phase.SCAN: {orders.Scan: "scan"},
    Phase.DETECT: {orders.Listen: "listen", orders.Sweep: "sweep", orders.Probe: "probe"},
    Phase.ENGAGE: {
        orders.Fire: "fire",
        orders.Hold: "hold",
        orders.Bombard: "bombard",
        orders.Defend: "defend",
        orders.Search: "search",
    },
    Phase.OVER: {},
}
"""The kinds of order that each phase takes, with their words on the wire."""
