"""The full screen itself: a board that stays, panels at its side, a record and the line below it.

Theory of operation. The screen holds no state of a match: a `Stage` stands between it and whatever
plays, watches or replays, and its `Scene` says what is drawn. Whatever a key or a click does goes
the same way as what is typed: it writes a command, which stands in the record and is carried out
like any other. What needs no command, since it changes nothing but what one looks at, is the
pointer, the panel in sight and how large it is.

It draws when something has happened, never by a beat; the clock alone changes each second, in a
row of its own.
"""

from collections.abc import Iterable
from functools import partial
from typing import final

from rich.style import Style
from textual import events
from textual.app import ComposeResult, SystemCommand
from textual.screen import Screen
from textual.widget import Widget

from sunglare_client.fullscreen.bars import Bar, WordChosen
from sunglare_client.fullscreen.boardmap import CellPointed, Pointed, RowPointed
from sunglare_client.fullscreen.keyrouter import KeyRouter
from sunglare_client.fullscreen.keys import KEYS_OF, LINE_KEYS
from sunglare_client.fullscreen.middle import Middle
from sunglare_client.fullscreen.palette import COLOURED, MONO, Palette
from sunglare_client.fullscreen.pane import Pane
from sunglare_client.fullscreen.pointing.pointing import (
    Pointer,
    choosing,
    first_pointer,
    in_window,
    resized,
)
from sunglare_client.fullscreen.scene import ENTER, Scene
from sunglare_client.fullscreen.showing import Later, Showing, in_loop
from sunglare_client.fullscreen.stage import Stage
from sunglare_client.fullscreen.steering import (
    Steer,
    another_way,
    farther,
    name_there,
    to_cell,
    to_foreign,
    to_idle,
    to_own,
)
from sunglare_client.fullscreen.thingcard import ThingCard
from sunglare_client.fullscreen.typedline import TypedLine
from sunglare_client.map.layers import LAYERS
from sunglare_client.text.labels import held, own_ids
from sunglare_client.verbs.table import VERBS
from sunglare_protocol.ids import WindowId
from sunglare_protocol.surface import Site
from sunglare_protocol.views import View

TICK_S = 1.0
"""How often the clock is drawn."""


@final
class Board(KeyRouter):
    """The full screen. `ready` of its stage's scene is drawn whenever the stage says so."""

    CSS_PATH = "board.tcss"

    def __init__(self, stage: Stage, *, mono: bool = False, later: Later = in_loop) -> None:
        """Show a stage; `later` makes the calls that wait for their time."""
        # Without colours the terminal's own are left as they are.
        super().__init__(stage, ansi_color=mono)
        self._mono = mono
        self._palette: Palette = MONO if mono else COLOURED
        self._pointer: Pointer | None = None
        self._window: WindowId | None = None
        self._thing = ThingCard()
        self._scene: Scene | None = None
        self._layer = 0
        self._asked = 0
        self._will_draw = False
        self._showing = Showing(later, self._draw_step)

    def compose(self) -> ComposeResult:
        """Return the widgets, from the top."""
        palette, ascii_only = self._palette, self._stage.ascii_only
        yield Bar(Style(reverse=True), ascii_only=ascii_only, id="top")
        yield Middle(palette, self.redraw, ascii_only=ascii_only, id="middle")
        yield Bar(palette.trace, ascii_only=ascii_only, id="words")
        yield TypedLine(self._complete, self.say, id="line")
        yield Bar(palette.faint, ascii_only=ascii_only, id="keys")

    def on_mount(self) -> None:
        """Begin to show."""
        self.screen.set_class(self._mono, "-mono")
        self._stage.open(self.tell, self.redraw)
        self.give_keys(self.line)
        self._stage.give_map = partial(self.give_keys, self.board)
        self._stage.turn_to = self._turn_to
        self._stage.rank = self.middle.results.put_first
        self._stage.drawn_legend = self.board.legend
        self.set_interval(TICK_S, self._tick)
        self.redraw()

    def on_unmount(self) -> None:
        """Show nothing more."""
        self._stage.close()

    @property
    def middle(self) -> Middle:
        """Return what stands between the top row and the line."""
        return self.query_one("#middle", Middle)

    @property
    def record(self) -> Pane:
        """Return the record."""
        return self.middle.record

    @property
    def pointer(self) -> Pointer | None:
        """Return where one points, if anywhere."""
        return self._pointer

    def redraw(self) -> None:
        """Draw what has changed in the scene."""
        if (scene := self._drawn) is None:
            return
        if scene is not self._scene:
            self._turn_page(scene)
        self._showing.follow(None if self._stage.still else scene.passage())
        view = scene.view()
        if isinstance(view, View):
            self._name_pieces(view)
            self._begin_to_point()
        self.middle.take_lists(scene.panels())
        self._tick()
        self._draw_pointed()

    def give_keys(self, widget: Widget) -> None:
        """Give the keys to a widget; the map has a pointer from its first key on."""
        super().give_keys(widget)
        self._begin_to_point()

    def _begin_to_point(self) -> None:
        view = self._view
        if view is not None and self.is_pointing:
            self._pointer = in_window(view, self._pointer, self._window)
            self._window = view.stage.window

    def _turn_page(self, scene: Scene) -> None:
        """Begin with another scene: after one that was over nothing is pointed at."""
        if self._scene is not None:
            self._pointer = None
            self.give_keys(self.line)
        self._scene = scene

    def _draw_soon(self) -> None:
        """Draw what depends on the pointer, once for all keys that were pressed meanwhile."""
        if not self._will_draw:
            self._will_draw = True
            self.call_later(self._draw_pointed)

    def _draw_pointed(self) -> None:
        """Draw what depends on the pointer: the map, what is known there, what Enter does."""
        self._will_draw = False
        if (scene := self._drawn) is None:
            return
        look = scene.look(self._meant)
        if look.sight.asked != self._asked and look.sight.centred and self._pointer is not None:
            self._pointer = self._pointer._replace(square=look.sight.squares[0])
            look = scene.look(self._meant)
        self._asked = look.sight.asked
        view, look = self._showing.shown(scene, self._meant)
        whole = self._thing.panel(self._view, self._site, self._pointer)
        card = whole or scene.card(self._pointer)
        self.middle.draw(view, look, self._pointer, card, is_pointing=self.is_pointing)
        self._show_words()

    @property
    def _meant(self) -> Pointer | None:
        """Return where acting is drawn: where one points, while the map has the keys."""
        return self._pointer if self.is_pointing else None

    def _draw_step(self) -> None:
        """Draw the next step of what happened between two windows, or what stands now."""
        if (scene := self._drawn) is not None:
            self.board.amend(*self._showing.shown(scene, self._meant), self._pointer)
            self.middle.frame.refresh()

    async def on_event(self, event: events.Event) -> None:
        """Let any key, click or paste end what is shown of the window before."""
        if isinstance(event, events.Key | events.MouseDown | events.Paste):
            self._showing.end()
        await super().on_event(event)

    @property
    def _drawn(self) -> Scene | None:
        """Return what is drawn; a screen that closes loses its rows before its timer."""
        return self._stage.scene if self.is_running else None

    def _tick(self) -> None:
        scene = self._drawn
        if scene is not None:
            self.query_one("#top", Bar).show((scene.heading(),), scene.clock())

    def _name_pieces(self, view: View) -> None:
        styles = {str(own): self._palette.own for own in own_ids(view)}
        styles |= {piece.label: self._palette.held for piece in held(view)}
        for pane in self.query(Pane):
            pane.tint = styles.get

    def _show_words(self) -> None:
        if not self.is_running:
            return
        scene, words = self._stage.scene, self.query_one("#words", Bar)
        if scene is not None and self.is_pointing:
            self.query_one("#keys", Bar).show(KEYS_OF[scene.occasion])
            words.show((scene.hint(self._pointer, words.size.width),))
        else:
            self.query_one("#keys", Bar).show(LINE_KEYS)
            words.show(tuple(self._complete(self.line.value)))

    def _complete(self, line: str) -> list[str]:
        scene = self._stage.scene
        return [] if scene is None else scene.complete(line)

    def tell(self, lines: list[str]) -> None:
        """Show lines in the record."""
        if self.is_running:
            scene = self._stage.scene
            self.middle.tell(lines, 0 if scene is None else scene.page)
            self._draw_soon()

    def echo(self, lines: list[str]) -> None:
        """Show commands in the record as they are given; results have been read by then."""
        super().echo(lines)
        self.middle.results.close()

    def _turn_to(self, lines: list[str]) -> None:
        """Show a text on a large record from its first line on, until something else is said."""
        if self.is_running:
            self.middle.read(lines)
            self._draw_soon()

    def say(self, line: str) -> None:
        """Give a command, and fold a record that was large for a text."""
        self.middle.end_reading()
        super().say(line)

    def on_input_changed(self) -> None:
        """Show what the word that is being typed may become."""
        self._show_words()

    def on_word_chosen(self, message: WordChosen) -> None:
        """Add a word that was clicked to the line."""
        if message.word.startswith(ENTER):
            self.action_act()
        elif message.word in self._complete(self.line.value):
            begun = self.line.value.rpartition(" ")
            self.line.put(f"{begun[0]}{begun[1]}{message.word} ")
            self.give_keys(self.line)

    def on_pointed(self, message: Pointed) -> None:
        """Point where it was clicked; a second click there does what Enter does."""
        view = self._view
        if view is None:
            self._pointer = Pointer(message.square)
            self._draw_soon()
            return
        before = self._pointer
        self.give_keys(self.board)
        self._pointer = (before or first_pointer(view))._replace(square=message.square)
        if before is not None and before.square == message.square:
            self.action_act()
        self._pointer = choosing(view, self._pointer)
        self._draw_soon()

    def on_cell_pointed(self, message: CellPointed) -> None:
        """Point at a cell that was clicked; a second click there does what Enter does."""
        before = None if self._pointer is None else self._pointer.ground
        self.give_keys(self.board)
        self._steer(to_cell(message.cell))
        if before is not None and (before.site, before.cell) == (self._site, message.cell):
            self.action_act()

    def on_row_pointed(self, message: RowPointed) -> None:
        """Give the command that a click on a row means."""
        scene = self._stage.scene
        line = "" if scene is None else scene.line_of_row(message.row)
        if line:
            self.say(line)

    def on_descendant_focus(self) -> None:
        """Show the keys of what has them now; focus events outlive a screen that closes."""
        if not self.is_running:
            return
        self.redraw()

    @property
    def _view(self) -> View | None:
        """Return the view on which one points to act, if there is one."""
        scene = self._stage.scene
        view = None if scene is None or not scene.points else scene.view()
        return view if isinstance(view, View) else None

    def action_map(self) -> None:
        """Give the keys to the map, or back to the line; over a thing first show its card."""
        self.middle.results.close()
        pointer = self._pointer if self.is_pointing else None
        if pointer is not None and self._thing.ask(self._view, self._site, pointer):
            self._draw_soon()
        else:
            super().action_map()

    def action_lists(self) -> None:
        """Show the next list."""
        self.middle.turn_list()
        self.give_keys(self.line)
        self.redraw()

    def action_record(self) -> None:
        """Give the record most of the screen, or take it back."""
        self.middle.grow_record()
        self.redraw()

    def action_scroll(self, way: int) -> None:
        """Go through what does not fit: the record, or while one points the card."""
        self.middle.scroll_rows(way, is_pointing=self.is_pointing)

    def _steer(self, steer: Steer) -> None:
        """Move the pointer, on the map or on the surface that is shown instead."""
        view = self._view
        if view is not None:
            self._pointer = steer(view, self._site, self._pointer or first_pointer(view))
            self.middle.results.close()
            self._draw_soon()

    @property
    def _site(self) -> Site | None:
        """Return the surface whose map is shown, if one is."""
        scene = self._stage.scene
        return None if scene is None else scene.look(self._pointer).site

    def action_point(self, dx: int, dy: int) -> None:
        """Move the pointer."""
        self._steer(farther(dx, dy))

    def action_ship(self, step: int) -> None:
        """Point at the next own ship, or on a surface at the next own unit."""
        self._steer(to_own(step))

    def action_idle(self) -> None:
        """Point at the next own ship or unit that has no order yet."""
        if (scene := self._stage.scene) is not None:
            self._steer(to_idle(scene.plan()))

    def action_contact(self, step: int) -> None:
        """Point at the next contact."""
        self._steer(to_foreign(step))

    def action_way(self, step: int) -> None:
        """Choose the next way to act."""
        if (scene := self._stage.scene) is not None:
            self._steer(another_way(scene.given(), step))

    def action_size(self, step: int) -> None:
        """Choose the next size of a scan."""
        if self._pointer is not None:
            self._pointer = resized(self._pointer, step)
            self._draw_soon()

    def action_act(self) -> None:
        """Give the command that pointing there means."""
        scene = self._stage.scene
        line = "" if scene is None or self._pointer is None else scene.line_at(self._pointer)
        if line:
            self.say(line)

    def action_zoom(self) -> None:
        """Show the whole board by boxes, or the map again."""
        self.say("zoom fit" if self.board.shows_boxes else "zoom 0")

    def action_layer(self) -> None:
        """Switch the next layer."""
        self.say(f"layer {LAYERS[self._layer % len(LAYERS)]}")
        self._layer += 1

    def action_about(self, verb: str) -> None:
        """Ask about the piece that is pointed at."""
        view = self._view
        if view is not None and self._pointer is not None:
            name = name_there(view, self._site, self._pointer)
            self.say(f"{verb} {name}" if name else f"{verb} last" if verb == "why" else "map")

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Return all commands for the palette; one that needs more words begins the line."""
        del screen
        for verb in VERBS:
            usage = f"{verb.usage}  {verb.meaning}".strip()
            yield SystemCommand(verb.name, usage, partial(self.line.put, f"{verb.name} "))
