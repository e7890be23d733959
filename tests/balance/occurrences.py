"""What occurs in a match of what the rules offer: every rung by its events and its orders.

Somebody who looks on counts it from the truth, so it is for figures about a scenario alone: no
player learns any of it.
"""

from collections import Counter
from collections.abc import Iterator
from typing import final

from sunglare_arena.player import tag_of
from sunglare_protocol.ids import Side
from sunglare_protocol.orders import Listen, Mission, Move, Order, Scan, Stand
from sunglare_protocol.words.pieces import Arc
from sunglare_server.match.events import agents, blips, capital, cloak, ground, space
from sunglare_server.match.events.space import Event
from sunglare_server.match.ids import PieceId
from sunglare_server.match.state import Stepped
from sunglare_server.match.truth.truth import Truth

Count = Counter[str]
"""How often each thing occurred, by its word."""

_PLAIN: dict[type, str] = {
    space.ScanDeclared: "scan",
    space.ShotFired: "shot",
    space.ContactMade: "contact",
    space.ShipTracked: "track",
    space.ShipLanded: "landing",
    space.ShipEscaped: "escape",
    space.VolleyLaunched: "volley",
    space.FighterLaunched: "fighters",
    space.NovaFired: "nova gun",
    blips.PieceSpotted: "identified in space",
    blips.PieceProbed: "data asked in space",
    blips.RemoteLaunched: "remote sensor",
    ground.SensorSown: "remote sensor",
    ground.TokenProbed: "data asked on the ground",
    ground.UnitLoaded: "loading",
    ground.UnitUnloaded: "unloading",
    ground.TokenGained: "token",
    ground.GroundShotFired: "ground shot",
    ground.MapOverflown: "overflight",
    capital.FighterOverflew: "overflight",
    capital.PointDesignated: "TAG",
    capital.MissileSent: "bombardment",
    capital.BatteryFired: "battery",
    cloak.SweepDeclared: "sweep",
    cloak.CloakedFired: "cloaked fire",
    agents.SearchTried: "search",
    agents.FightFought: "fight of agents",
    agents.Delivered: "delivery",
}
"""Events that each are one occurrence."""


@final
class Occurrences:
    """Whoever looks on at one match: `count` is what occurred, once it is over."""

    def __init__(self) -> None:
        """Begin before the first step."""
        self.count = Count()
        self._blips: dict[tuple[Side, PieceId], None] = {}

    def ordered(self, orders: tuple[Order, ...]) -> None:
        """Count the orders of a side that were accepted in a window."""
        self.count.update(word for order in orders for word in words_of(order))

    def happened(self, stepped: Stepped) -> None:
        """Count a step of the match."""
        for event in stepped.events:
            self.count.update(words_for(event, stepped.state.truth))
            match event:
                case ground.TokenGained(piece=piece, side=side, identified=False):
                    self._blips[side, piece] = None
                case space.TurnEnded():
                    self._turn_over(stepped.state.truth)
                case _:
                    pass

    def _turn_over(self, truth: Truth) -> None:
        """Count the tokens gained in this turn that are held as blips when it ends."""
        for side, piece in self._blips:
            held = truth.surface.tokens_of(side).get(piece)
            self.count["blip of a turn"] += held is not None and not held.identified
        self._blips.clear()


def words_for(event: Event, truth: Truth) -> Iterator[str]:
    """Yield what an event is counted as, often nothing."""
    if (word := _PLAIN.get(type(event))) is not None:
        yield word
    match event:
        case space.ScanDeclared():
            yield f"{event.type.value} {event.size.value}"
        case space.ShotFired():
            yield from _places(event, truth)
        case cloak.CloakSwitched():
            yield "cloaked in play" if event.on else "uncloaked"
        case cloak.PassiveRolled():
            yield from ("heard under its cloak" for _ in event.found)
        case cloak.SweepRolled():
            yield from ("found by a sweep" for _ in event.found)
        case capital.PointStruck(sent=None):
            yield "bombardment"
        case _:
            pass


def _places(event: space.ShotFired, truth: Truth) -> Iterator[str]:
    """Yield where a weapon needs its target to be, if it does, and the bullseye."""
    if event.arc is Arc.BULLSEYE:
        yield "bullseye"
    for weapon in truth.ships[event.piece].type.weapons:
        if weapon.id == event.weapon and weapon.needs is not None:
            yield weapon.needs.value.replace("_", " ")


def words_of(order: Order) -> Iterator[str]:
    """Yield what an order is counted as: its kind, and what is special about it."""
    yield f"order {tag_of(type(order))}"
    match order:
        case Move(jump=True):
            yield "jump"
        case Listen(on=False):
            yield "listen off"
        case Mission(silence=True):
            yield "silence"
        case Mission():
            yield f"mission {order.kind.value}"
        case Scan(sense=True):
            yield "sense"
        case Stand():
            yield from (
                f"stand {name}"
                for name in ("bound_for", "fight", "wounds", "hides_by", "strike")
                if getattr(order, name) is not None
            )
        case _:
            pass
