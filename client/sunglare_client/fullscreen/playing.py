"""A match that is played, as the full screen shows it: from the session of its terminal alone."""

from collections.abc import Callable
from typing import Protocol, final

from sunglare_client.command import Give
from sunglare_client.fullscreen.pointing.ground_pointing import (
    GroundPointer,
    acting_piece,
    ground_meaning,
    ground_pointer,
    place_at,
)
from sunglare_client.fullscreen.pointing.pointing import (
    Pointer,
    acting,
    meaning,
    named_at,
)
from sunglare_client.fullscreen.pointing.ship_ways import contact_at
from sunglare_client.fullscreen.pointing.ways import Meaning
from sunglare_client.fullscreen.scene import ENTER, MapLook, Occasion, Panel
from sunglare_client.fullscreen.steering import name_there
from sunglare_client.map.cells import Overlay
from sunglare_client.map.groundchart import ground_chart
from sunglare_client.map.groundsheet import pieces_on
from sunglare_client.map.layers import line, overlay, reach, scan_places
from sunglare_client.map.legend import ground_rows
from sunglare_client.map.passage import Passage, passage
from sunglare_client.map.surface import title as surface_title
from sunglare_client.terminal.actions import Action
from sunglare_client.terminal.clockface import Clockface
from sunglare_client.terminal.input.parser import parse
from sunglare_client.terminal.turn_session import TurnSession
from sunglare_client.text.cards import card_lines
from sunglare_client.text.lists.brief import contacts_brief, own_brief
from sunglare_client.text.places import place_text
from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Order, Scan
from sunglare_protocol.surface import Cell
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.plans.policy import FLIGHT, movement_ahead
from sunglare_rules.advice.seen.lookup import ships_in_play
from sunglare_rules.advice.seen.plotting import as_deployed

KEYS = {
    "R": "ready",
    "U": "undo",
    "A": "as before",
    "F": "fire all",
    "g": "surface",
    "question_mark": "legend",
}
"""The commands of single keys that do not depend on the pointer."""

LEFT_LEAST_S = 10
"""With less time than this left in a window, what happened before it is not shown."""


class Played(Protocol):
    """A game that takes lines: a terminal in a match, or a pupil before a lesson."""

    @property
    def session(self) -> TurnSession | None:
        """Return the newest view with the plan; None before there is one."""
        ...

    @property
    def clock(self) -> Clockface:
        """Return when the open window closes."""
        ...

    @property
    def is_committing(self) -> bool:
        """Return whether the player is ready and may still take that back unseen."""
        ...

    @property
    def is_asking(self) -> bool:
        """Return whether the next line answers a question."""
        ...

    def complete(self, line: str) -> list[str]:
        """Return what the last word of a line may become."""
        ...


@final
class Playing:
    """What a terminal shows and asks, once it has opened a window."""

    def __init__(
        self,
        terminal: Played,
        title: str,
        about: Callable[[], tuple[Panel, ...]] = tuple,
        only: Callable[[], str] = str,
        page: Callable[[], int] = lambda: 1,
    ) -> None:
        """Show this terminal's match, with panels `about` it before all others.

        If `only` returns a command, Enter gives that one whatever is pointed at. Without a `page`
        everything that is shown in a match may be a result.
        """
        self.points = True
        self.occasion: Occasion = "match"
        self._about = about
        self._only = only
        self._page = page
        self._terminal = terminal
        self._title = title
        self._whole: tuple[object, Overlay] = (None, ())
        self._passed: tuple[object, Passage | None] = (None, None)
        self._meant: tuple[object, Meaning[Square] | Meaning[Cell]] = (None, Meaning())
        self._begun: tuple[object, dict[str, list[str]]] = (None, {})

    @property
    def page(self) -> int:
        """Return the page of which results are kept."""
        return self._page()

    def heading(self) -> str:
        """Return the match with its turn and window."""
        session = self._terminal.session
        if session is None:
            return f"{self._title}  waiting for the others"
        stage = session.view.stage
        where = f"T{stage.turn} {stage.phase.value.upper()}"
        return f"{self._title}  side {session.view.audience}  {where}  {self._state(session)}"

    def _state(self, session: TurnSession) -> str:
        if self._terminal.clock.is_over:
            return "the match is over"
        if self._terminal.clock.is_paused:
            return "PAUSED"
        if self._only():
            return f"{ENTER}{self._only()}"
        if self._terminal.is_committing:
            return "READY (Esc: not yet)"
        if session.locked:
            return "READY"
        return "your orders" if session.is_asked else "others choose"

    def clock(self) -> str:
        """Return the time that is left."""
        return "" if self._terminal.session is None else self._terminal.clock.short()

    def view(self) -> View | None:
        """Return the newest view, with own ships where the plan deploys them."""
        session = self._terminal.session
        return None if session is None else as_deployed(session.view, session.plan)

    def plan(self) -> tuple[Order, ...]:
        """Return the orders by which a ship is busy: those given, and those of its route."""
        session = self._terminal.session
        if session is None:
            return ()
        return tuple(
            one for one in session.plan if one in session.given or isinstance(one, FLIGHT)
        )

    def given(self) -> tuple[Order, ...]:
        """Return the orders given, with which another must agree."""
        return () if self._terminal.session is None else self._terminal.session.given

    def look(self, pointer: Pointer | None) -> MapLook:
        """Return the map as it was asked for last, with what the pointer means drawn on it."""
        session = self._terminal.session
        if session is None:
            return MapLook()
        scan = self._scan_at(session, pointer) or session.scan
        return MapLook(
            zoom=session.zoom,
            sight=session.sight,
            scan=scan or session.evidence.scan,
            arcs=session.arcs,
            over=(*self._over(session, pointer, scan), *session.evidence.over),
            site=session.site,
            cells=tuple(
                place for place in self._reach(session, pointer) if isinstance(place, Cell)
            ),
        )

    def _reach(self, session: TurnSession, pointer: Pointer | None) -> tuple[Square | Cell, ...]:
        """Return where the piece that acts can end its move, if it is to move."""
        may_order = pointer is not None and session.is_asked and not session.locked
        return self._meaning(session, pointer).reach if may_order and pointer is not None else ()

    def _over(self, session: TurnSession, pointer: Pointer | None, scan: Scan | None) -> Overlay:
        view, layers = session.view, session.layers
        ship = None if pointer is None else acting(view, pointer)
        cells = self._layered(session, None if ship is None else ship.id)
        if ship is None or pointer is None:
            return cells
        ends = (place for place in self._reach(session, pointer) if isinstance(place, Square))
        cells = (*cells, *reach(ends, ship.id))
        if scan is not None and "places" in layers:
            cells = (*cells, *scan_places(view, scan))
        if view.stage.phase is Phase.ENGAGE and contact_at(view, pointer.square) is not None:
            cells = (*cells, *line(ship.square, pointer.square))
        return cells

    def _layered(self, session: TurnSession, own: OwnId | None) -> Overlay:
        """Return the layers that are on; the same ones again as long as nothing has changed."""
        ahead = movement_ahead(session.view, session.intent.policy, session.plan)
        wanted = (session.window, ahead, session.layers, own)
        if self._whole[0] != wanted:
            view = as_deployed(session.view, session.plan)
            self._whole = wanted, overlay(view, ahead, session.layers, own)
        return self._whole[1]

    def _scan_at(self, session: TurnSession, pointer: Pointer | None) -> Scan | None:
        if pointer is None or session.view.stage.phase is not Phase.SCAN or session.locked:
            return None
        given = parse(self.line_at(pointer) or "orders", session.view, session.given)
        order = given.orders[0] if isinstance(given, Give) else None
        return order if isinstance(order, Scan) else None

    def panels(self) -> list[Panel]:
        """Return the pieces, the orders, the ground, the public record and the goals."""
        session = self._terminal.session
        if session is None:
            return [Panel("Pieces", ["the match has not started yet"])]
        return [
            *self._about(),
            *_surface(session),
            Panel("Pieces", _pieces(session)),
            Panel("Orders", session.plan_lines()),
            Panel("Lists", [*session.own_lines(), *session.contact_lines()]),
            Panel("Public record", card_lines(session.view, "record", reasons=True)),
            Panel("Goals", session.goal_lines()),
        ]

    def card(self, pointer: Pointer | None) -> Panel:
        """Return what a command there would mean, and what is known of the place."""
        session = self._terminal.session
        if session is None or pointer is None:
            return Panel("Here", ["F1 gives the keys to the map: point at a place"])
        meant, ground = self._meaning(session, pointer), _ground(session, pointer)
        way = f"{meant.words} ({meant.number}, m)" if meant.words else "nothing to do here now"
        rows = [] if self._only() else [f"way{_of_ship(session, pointer, ground)}: {way}"]
        if session.is_asked and not session.locked:
            rows += _meant_lines(session, meant)
        there = _place_lines(session, pointer) if ground is None else _cell_lines(session, ground)
        has_card = name_there(as_deployed(session.view, session.plan), session.site, pointer)
        return Panel("Here (F1: card)" if has_card else "Here", [*rows, *there])

    def line_at(self, pointer: Pointer) -> str:
        """Return the command that Enter gives there: one that is refused says why."""
        session = self._terminal.session
        return "" if session is None else self._meaning(session, pointer).command

    def _meaning(self, session: TurnSession, pointer: Pointer) -> Meaning[Square] | Meaning[Cell]:
        """Return what pointing there means; the same again as long as nothing has changed."""
        if self._only():
            return Meaning[Square](line=self._only())
        if session.locked:
            return Meaning[Square]()
        wanted = (session.window, session.given, session.site, pointer)
        if self._meant[0] != wanted:
            ground = _ground(session, pointer)
            found = (
                meaning(session.view, pointer, session.given)
                if ground is None
                else ground_meaning(session.view, ground, session.given)
            )
            self._meant = wanted, found
        return self._meant[1]

    def line_of_row(self, row: int) -> str:
        """Return nothing: it is a map that is shown."""
        del row
        return ""

    def hint(self, pointer: Pointer | None, width: int) -> str:
        """Return what Enter does."""
        del width
        session = self._terminal.session
        if session is None or pointer is None:
            return "Enter means nothing here"
        meant = self._meaning(session, pointer)
        if meant.vain:
            return f"{meant.words}: not here; Enter says why"
        return f"{ENTER}{meant.line}" if meant.line else "Enter means nothing here"

    def complete(self, line: str) -> list[str]:
        """Return what the last word of a line may become."""
        session = self._terminal.session
        wanted = None if session is None else (session.window, session.plan)
        if self._begun[0] != wanted:
            self._begun = wanted, {}
        known = self._begun[1]
        if line not in known:
            known[line] = self._terminal.complete(line)
        return known[line]

    def passage(self) -> Passage | None:
        """Return what happened since the window before; None if little time is left."""
        session = self._terminal.session
        if session is None:
            return None
        if self._passed[0] is not session.frame:
            is_late = session.is_asked and self._terminal.clock.left_s() < LEFT_LEAST_S
            steps = passage(session.view_before, session.view, session.frame.notices)
            self._passed = session.frame, None if is_late else steps
        return self._passed[1]

    def keys(self) -> dict[str, str]:
        """Return the commands of single keys; while a question is open `y` agrees to it."""
        return {**KEYS, "y": "y"} if self._terminal.is_asking else KEYS

    def taking_back(self) -> str:
        """Return the command of Escape: to take back a `ready`, or to decline what is asked."""
        if self._terminal.is_committing:
            return Action.UNREADY
        return "no" if self._terminal.is_asking else ""


def _meant_lines(session: TurnSession, meant: Meaning[Square] | Meaning[Cell]) -> list[str]:
    """Return what Enter does and what that brings, or why it means nothing there."""
    if meant.line:
        return [f"{ENTER}{meant.line}", *session.tried(meant.line)]
    if meant.reach:
        return ["  not there: the map marks where that can end"]
    return session.tried(meant.vain) if meant.vain else []


def _of_ship(session: TurnSession, pointer: Pointer, ground: GroundPointer | None) -> str:
    """Return which ship acts on the map of space; nothing of the only one."""
    ship = acting(session.view, pointer)
    is_plain = ship is None or ground is not None or len(ships_in_play(session.view)) == 1
    return "" if ship is None or is_plain else f" of {ship.id}"


def _ground(session: TurnSession, pointer: Pointer) -> GroundPointer | None:
    """Return where one points on the surface map that is shown, if one is."""
    return (
        None
        if session.site is None
        else ground_pointer(session.view, session.site, pointer.ground)
    )


def _cell_lines(session: TurnSession, pointer: GroundPointer) -> list[str]:
    """Return which piece acts, the cell that is pointed at, and what is known of who is there."""
    piece, place = acting_piece(session.view, pointer), place_at(session.view, pointer)
    rows = [f"acts: {'nothing of yours is here' if piece is None else piece.id}"]
    if place is None:
        return rows
    rows.append(f"{place.at.name}: {place.terrain}{', lit' if place.is_lit else ''}")
    for one in place.standing:
        rows += card_lines(session.view, one.name, reasons=False)
    return rows


def _surface(session: TurnSession) -> tuple[Panel, ...]:
    """Return what there is to say of a surface map that is shown, and where everything stands."""
    chart = None if session.site is None else ground_chart(session.view, session.site)
    if chart is None:
        return ()
    standing = pieces_on(chart) or ["nobody is held or remembered there"]
    legend = ground_rows((place for row in chart.rows for place in row), hides=False)
    return (Panel("Surface", [surface_title(chart), *standing, "  ".join(legend)]),)


def _pieces(session: TurnSession) -> list[str]:
    view = as_deployed(session.view, session.plan)
    own = ["yours:", *own_brief(view)]
    others = ["contacts:", *contacts_brief(view)]
    return [*own, *others] if view.stage.phase is Phase.PLOT else [*others, *own]


def _place_lines(session: TurnSession, pointer: Pointer) -> list[str]:
    name = named_at(as_deployed(session.view, session.plan), pointer.square)
    place = place_text(pointer.square)
    if not name:
        return [f"{place}: nothing known here"]
    return [f"{place}: {name}", *card_lines(session.view, name, reasons=False)]
