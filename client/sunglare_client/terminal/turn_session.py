"""A player's side of one window: the view, the plan, and what each command does to them.

It sends nothing and draws nothing on its own; every method returns the lines to show.
"""

from sunglare_client.bot import is_asked
from sunglare_client.command import (
    FIT,
    Act,
    Clear,
    Command,
    Plan,
    Planned,
    Preview,
    Problem,
    ShowMap,
    ShowSurface,
    Travel,
    Wanted,
    Weigh,
)
from sunglare_client.link.resume_info import ResumeInfo
from sunglare_client.map.chart import Wish as MapWish
from sunglare_client.map.drawing import draw_map, draw_wish, legend_of
from sunglare_client.map.evidence import NONE, newest
from sunglare_client.map.groundchart import ground_chart
from sunglare_client.map.layers import overlay
from sunglare_client.map.legend import ground_rows
from sunglare_client.map.marks import square_of
from sunglare_client.map.sight import Sight, told_squares
from sunglare_client.map.surface import draw_surface
from sunglare_client.terminal.display import Display
from sunglare_client.terminal.input.parser import parse
from sunglare_client.terminal.intents import Intent, onward, resumed
from sunglare_client.terminal.owned import draw_ground, draw_own, draw_standing
from sunglare_client.terminal.recent_notices import RecentNotices
from sunglare_client.terminal.refusal import refusal
from sunglare_client.terminal.routes import SET_UP, ended_lines, onward_lines, policy_lines
from sunglare_client.terminal.wanting import (
    Before,
    Outcome,
    given_words,
    replaced_lines,
    travelled,
    wanted_of,
)
from sunglare_client.text.cards import answer_lines, thing_lines, why_lines
from sunglare_client.text.classes import ship_goals
from sunglare_client.text.courses import course_lines
from sunglare_client.text.labels import Labels
from sunglare_client.text.lists.agents import draw_alerts, draw_items
from sunglare_client.text.lists.ground import draw_tokens
from sunglare_client.text.lists.space import draw_contacts
from sunglare_client.text.printable import printable
from sunglare_client.verbs.sensing import preview_lines
from sunglare_client.verbs.written import given_lines, legal_text, odds_lines
from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import OwnId, Side, WindowId
from sunglare_protocol.messages import Frame
from sunglare_protocol.orders import Land, Order, Scan, Sensors
from sunglare_protocol.surface import Site
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.cards.tallies import goals
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.odds.after import scanning
from sunglare_rules.advice.plans.policy import USUAL, Policy, movement_ahead

_ENDLESS = 10_000
"""A width that cuts no map."""


class TurnSession:
    """The newest view of a seat with the plan for the open window.

    The plan is what the player's `intent` comes to there, `given` the orders in it. `unsent` says
    that the server does not have the plan as it stands, `locked` that the player
    has said ready. `frame` brought the view, `view_before` is the one before it, at first the
    same. `focus`, `zoom`, `scan` and `arcs` are how the map was asked for last,
    `sight` is what a map that stays has to show since then,
    `evidence` is what lies behind the result that was asked about last.
    """

    def __init__(self, frame: Frame, view: View, policy: Policy = USUAL) -> None:
        """Begin with what follows from a policy; by itself sensors go out at set-up."""
        self.window: WindowId = frame.window
        self.view = view
        self.frame, self.view_before = frame, view
        self.intent = Intent(policy=policy)
        self.plan: Plan = self.intent.plan(view)
        self.locked = False
        self.unsent = bool(self.plan)
        self.notes: dict[str, str] = {}
        self.labels = Labels()
        self.labels.take(view)
        self.recent_notices = RecentNotices()
        self.recent_notices.take(frame, view)
        self._past: list[Intent] = []
        self._before: Before = {}
        self._news: list[str] = []
        self._asked: Order | None = None
        self.focus: Square | None = None
        self.sight = Sight().led(*told_squares(frame))
        self.zoom: int | None = None
        self.scan: Scan | None = None
        self.arcs: OwnId | None = None
        self.site: Site | None = None
        self.evidence = NONE
        self.layers: tuple[str, ...] = ()
        self._drawn: list[list[str]] = []

    def take_over(self, held: ResumeInfo) -> None:
        """Go on with the orders that the server holds for the open window."""
        self.intent = resumed(self.view, self.intent.policy, held)
        self.plan, self.locked, self.unsent = held.orders, held.locked, False

    def open(self, frame: Frame, view: View) -> None:
        """Take the view of the next window; notes, map scale and policy stay."""
        if frame.window != self.window and self.is_asked:
            self._before[self.view.stage.phase] = (self.view.stage.turn, self.given)
        self.frame, self.view_before = frame, self.view
        self.window, self.view = frame.window, view
        going = onward(view, self.intent.policy)
        self._news = onward_lines(going)
        self.intent = Intent(policy=going.policy)
        self.labels.take(view)
        self.recent_notices.take(frame, view)
        self.plan, self._past, self._asked = self.intent.plan(view), [], None
        self.locked, self.unsent = False, bool(self.plan)
        self.scan = self.arcs = None
        self.evidence = NONE
        self.sight = self.sight.led(*told_squares(frame))

    @property
    def is_asked(self) -> bool:
        """Return whether the open window takes something from this side."""
        return is_asked(self.view, self._side)

    @property
    def _side(self) -> Side:
        return Side(self.view.audience)

    def waiting_lines(self) -> list[str]:
        """Return why this side gives no orders now."""
        stage = self.view.stage
        if stage.phase is Phase.OVER:
            return []
        if self._side in stage.out:
            return ["you have no piece left; the match goes on without you"]
        return [f"side {stage.slot} has the slot; you wait"]

    def carry_out(self, command: Command, screen: Display) -> list[str]:
        """Do what a command asks of the plan or of the view; an act is none of this."""
        if isinstance(command, Planned):
            return self.order(command)
        match command:
            case Preview():
                return self.preview(command, screen)
            case Weigh():
                return self.odds(command)
            case ShowMap() | ShowSurface():
                return self.show(command, screen)
            case Act():
                return []

    def order(self, asked: Planned) -> list[str]:
        """Change the plan if all may stand together; say what that means, or why it cannot be."""
        outcome = self._outcome(asked)
        if outcome.intent is None:
            return outcome.lines
        before, after = self.intent, outcome.intent
        ended = ended_lines(before.policy, after.policy)
        if not isinstance(asked, Clear):
            ended += replaced_lines(self.view, before.given, after.given)
        self._change(after)
        made = [order for order in self.given if isinstance(order, Scan)]
        self.scan = made[-1] if made else None
        return [*outcome.lines, *ended]

    def _outcome(self, asked: Planned) -> Outcome:
        """Return the intent that something planned leads to, and what is said of it."""
        if isinstance(asked, Wanted):
            return wanted_of(self.view, self.intent, asked, self._before)
        if isinstance(asked, Clear):
            intent, first = self.intent.clearing(asked, self.view.stage.phase), None
        else:
            intent, first = self.intent.giving(asked), asked.orders[0]
        rejected = check(self.view, intent.given)
        if rejected is None:
            if isinstance(asked, Clear):
                return Outcome([f"ok: {asked.remark}"], intent)
            return Outcome(given_words(self.view, asked), intent)
        if isinstance(first, Land):
            way = travelled(self.view, self.intent, Travel(first.ship, first))
            if way.intent is not None:
                return way
        problem = refusal(rejected, intent.given, self.view, self.given)
        return Outcome([problem.text], problem=problem)

    def tried(self, line: str) -> list[str]:
        """Return what an order would mean that is not given yet, or why it is not possible."""
        command = parse(line, self.view, self.given)
        if isinstance(command, Problem):
            return [command.text]
        if not isinstance(command, Planned):
            return []
        outcome = self._outcome(command)
        if outcome.intent is None or isinstance(command, Wanted):
            return outcome.foretold
        plan = outcome.intent.plan(self.view)
        if isinstance(command, Clear):
            return course_lines(self.view, command.ship, plan)
        if not set(command.orders) <= set(plan):  # the way to a landing
            return outcome.foretold
        return [row for order in command.orders for row in self._meant(order, plan)]

    def _meant(self, order: Order, plan: Plan) -> list[str]:
        """Return the chances of an order, or what it brings; of flight where it ends."""
        found = odds_lines(self.view, order) or given_lines(self.view, order)
        return found or course_lines(self.view, order.ship, plan)

    def undo(self) -> list[str]:
        """Go back to the plan before the last change."""
        if not self._past:
            return ["nothing to undo in this window"]
        self.intent = self._past.pop()
        self.plan, self.unsent = self.intent.plan(self.view), True
        return ["undone", *self.plan_lines()]

    def plan_lines(self) -> list[str]:
        """Return the orders given so far."""
        policy = policy_lines(self.view, self.intent.policy, self.plan)
        if not self.plan:
            return ["orders: none (no order is the safe default)", *policy]
        state = "sent, ready" if self.locked else "given"
        orders = [f"  {legal_text(order, self.view)}" for order in self.plan]
        return [f"orders {state}:", *orders, *policy]

    def begun_lines(self) -> list[str]:
        """Return what a window begins with: routes that ended, and the plan, if there is any."""
        plots = self.view.stage.phase is Phase.PLOT and bool(self.intent.policy.routes)
        plan = self.plan_lines() if self.plan or plots else []
        out = [order for order in self.plan if isinstance(order, Sensors)]
        return [*self._news, *plan, *([SET_UP] if out and out[0] not in self.given else [])]

    def preview(self, asked: Preview, screen: Display) -> list[str]:
        """Return what a scan would find, and its box on the map."""
        self._asked = asked.scan
        return [*preview_lines(self.view, asked.scan, self.plan), *self._map(screen, asked.scan)]

    def odds(self, asked: Weigh) -> list[str]:
        """Return the chances of an order, or what it brings."""
        self._asked = asked.order
        return odds_lines(self.view, asked.order)

    def why(self, about: str) -> list[str]:
        """Return the rule behind a notice, a piece, or the odds or preview asked for last."""
        word = about.lower()
        of_record = word in ("last", "record")
        self.evidence = newest(self.view) if of_record else self.recent_notices.evidence(about)
        self._centre(self.evidence.middle)
        if word == "answer":
            ahead = scanning(self.view, self.plan)
            return answer_lines(ahead if isinstance(self._asked, Scan) else self.view, self._asked)
        return self.recent_notices.lines(about) or why_lines(self.view, about)

    def show_map(self, asked: ShowMap, screen: Display) -> list[str]:
        """Draw the map as asked, and from now on so."""
        if screen.keeps_board and asked == ShowMap():
            self.evidence = NONE
        self._centre(asked.focus)
        if asked.zoom is not None:
            self.zoom = None if asked.zoom == FIT else asked.zoom
        switched = self._switch(asked)
        rows = self._map(screen, arcs=asked.ship)
        return [*rows, "  ".join(self.legend_lines(screen))] if rows else switched

    def _centre(self, focus: Square | None) -> None:
        """Have the map drawn around a square from now on, if there is one."""
        if focus is not None:
            self.focus = focus
            self.sight = self.sight.led(focus, centred=True)

    def look(self, about: str) -> list[str]:
        """Return what is known of a thing, and have its place come into sight."""
        found = square_of(self.view, about)
        self.sight = self.sight if found is None else self.sight.led(found)
        return thing_lines(self.view, about)

    def legend_lines(self, screen: Display) -> list[str]:
        """Return the shapes that stand on the map now, each with its meaning."""
        if screen.keeps_board:
            return screen.legend()
        chart = None if self.site is None else ground_chart(self.view, self.site)
        if chart is not None:
            return ground_rows((place for row in chart.rows for place in row), hides=False)
        return legend_of(self.view, self._wanted_map(screen), self._scale)

    def _switch(self, asked: ShowMap) -> list[str]:
        """Switch the layer that is asked for, if one is, and return a line on it."""
        others = tuple(layer for layer in self.layers if layer != asked.layer)
        is_on = asked.layer not in self.layers if asked.is_on is None else asked.is_on
        if not asked.layer:
            return []
        self.layers = (*others, asked.layer) if is_on else others
        return [f"layer {asked.layer}: {'on' if is_on else 'off'}"]

    def show(self, asked: ShowMap | ShowSurface, screen: Display) -> list[str]:
        """Return the map of space, or a surface map with what stands on it."""
        if isinstance(asked, ShowMap):
            return self.legend_lines(screen) if asked.legend else self.show_map(asked, screen)
        self.site = asked.site
        if screen.keeps_board:
            return []
        return [*draw_surface(self.view, asked.site), *draw_tokens(self.view)]

    def board_lines(self, screen: Display) -> list[str]:
        """Return own ships, contacts and map; the map only if it is not the one drawn last.

        The map is last, so that a long list does not push it out of sight. A display that keeps
        the board needs none of it.
        """
        if screen.keeps_board:
            return self._map(screen)
        before = self._drawn
        drawn = self._map(screen)
        shown = drawn if self._drawn != before else ["(the map is as before)"]
        return [*self.own_lines(), *self.contact_lines(), *shown]

    def own_lines(self) -> list[str]:
        """Return the own ships with the plan."""
        return [
            *draw_own(self.view, self.plan),
            *draw_ground(self.view, self.plan),
            *draw_standing(self.view, self.plan),
            *draw_items(self.view),
        ]

    def contact_lines(self) -> list[str]:
        """Return the contacts with the notes on them."""
        notes = [f"  note on {label}: {text}" for label, text in self.notes.items()]
        known = [*draw_contacts(self.view), *draw_tokens(self.view), *draw_alerts(self.view)]
        return [*known, *notes]

    def goal_lines(self) -> list[str]:
        """Return what gives points, the own objectives first."""
        view = self.view
        lines = ["your goals:", *(f"  {goal}" for goal in (*goals(view), *ship_goals(view)))]
        return [printable(line) for line in (*lines, f"  points so far: {view.points}")]

    def note(self, text: str) -> list[str]:
        """Keep a note on a contact, for as long as this terminal runs; show it without a text."""
        label, _, words = text.partition(" ")
        if words.strip():
            self.notes[label] = words.strip()
        return [f"note on {label}: {self.notes.get(label, 'none')}"]

    def _map(self, on: Display, scan: Scan | None = None, arcs: OwnId | None = None) -> list[str]:
        self.scan, self.arcs, self.site = scan, arcs, None
        if on.keeps_board:
            return []
        rows = draw_wish(self.view, self._wanted_map(on), self._scale)
        # What moves beyond the edges changes the map as well.
        self._drawn = [rows, draw_map(self.view, width=_ENDLESS)]
        return rows

    @property
    def _scale(self) -> int:
        return 1 if self.zoom is None else self.zoom

    def _wanted_map(self, screen: Display) -> MapWish:
        """Return the map as it was asked for last, for a screen of lines."""
        ahead = movement_ahead(self.view, self.intent.policy, self.plan)
        return MapWish(
            ascii_only=screen.ascii_only,
            width=screen.width,
            height=screen.map_height,
            focus=self.focus,
            scan=self.scan or self.evidence.scan,
            arcs=self.arcs,
            over=(*overlay(self.view, ahead, self.layers), *self.evidence.over),
        )

    @property
    def given(self) -> Plan:
        """Return the orders that the player gave in the open window."""
        return self.intent.given

    @property
    def decided(self) -> Plan:
        """Return the plan without what a set-up begins with: the sensors that go out."""
        return tuple(
            order for order in self.plan if order in self.given or not isinstance(order, Sensors)
        )

    def _change(self, intent: Intent) -> None:
        self._past.append(self.intent)
        self.intent, self.plan = intent, intent.plan(self.view)
        self.unsent = True
