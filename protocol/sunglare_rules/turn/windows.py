"""The windows of a turn as two tables: which phase follows, and which orders a phase takes.

Source: turn sequence of our rule book §4.
"""

from typing import Final

from sunglare_protocol.orders import (
    Aim,
    Bombard,
    Cloak,
    Defend,
    Deploy,
    Fire,
    Hold,
    Land,
    Launch,
    Lift,
    Listen,
    Order,
    Power,
    Probe,
    Rotate,
    Scan,
    Sensors,
    Sweep,
    Thrust,
    Turn,
)
from sunglare_protocol.orders.agents import GoAboard, Mission, Search, Stand, StepOut, Walk
from sunglare_protocol.orders.ground import Move, Station
from sunglare_protocol.words.ladder import Phase

NEXT: Final[dict[Phase, Phase]] = {
    Phase.PLOT: Phase.SCAN,
    Phase.SCAN: Phase.DETECT,
    Phase.DETECT: Phase.ENGAGE,
    Phase.ENGAGE: Phase.PLOT,
    Phase.OVER: Phase.OVER,
}
"""Which phase follows which; after ENGAGE a new turn begins."""

ALLOWED: Final[dict[Phase, dict[type[Order], str]]] = {
    Phase.PLOT: {
        Deploy: "deploy",
        Turn: "turn",
        Thrust: "thrust",
        Power: "power",
        Sensors: "sensors",
        Cloak: "cloak",
        Rotate: "rotate",
        Land: "land",
        Lift: "lift",
        Launch: "launch",
        Aim: "aim",
        Station: "station",
        Move: "move",
        Walk: "walk",
        GoAboard: "board",
        StepOut: "leave",
        Mission: "mission",
        Stand: "stand",
    },
    Phase.SCAN: {Scan: "scan"},
    Phase.DETECT: {Listen: "listen", Sweep: "sweep", Probe: "probe"},
    Phase.ENGAGE: {
        Fire: "fire",
        Hold: "hold",
        Bombard: "bombard",
        Defend: "defend",
        Search: "search",
    },
    Phase.OVER: {},
}
"""The kinds of order that each phase takes, with their words on the wire."""
