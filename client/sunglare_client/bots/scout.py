"""The scout: scans where it learns most for what it gives away, and fights from the dark."""

from collections.abc import Iterable

from sunglare_client.advice import Advice
from sunglare_client.bot import BotMatch
from sunglare_client.bots.fire.ordnance import launched
from sunglare_client.bots.fleet import CHAFF_WORTH, UNKNOWN_WORTH, Fleet, is_precious
from sunglare_client.bots.movement.ambush_sites import laid, lair, lies_in_wait, watched
from sunglare_client.bots.movement.duel import fought
from sunglare_client.bots.scans.exposure import Habits
from sunglare_client.bots.scans.scan_targets import guess_of, sought
from sunglare_client.bots.scans.surveying import Survey
from sunglare_client.bots.seeker import switched_on
from sunglare_client.bots.sightings.belief import Belief
from sunglare_client.bots.sightings.foes import Foe, Foes
from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.notices import Notice
from sunglare_protocol.orders import Order, Scan
from sunglare_protocol.views import ContactView, OwnView, View
from sunglare_protocol.views.ground import TokenView
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.pieces import PieceKind
from sunglare_protocol.words.scans import Echo


class Scout(Fleet):
    """Scans where it learns most for what it gives away, fights from shadow and out of the sun."""

    name = "scout"

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self._foes = Foes()
        self._habits = Habits(Side(""))
        self._scans: dict[OwnId, Scan] = {}

    def on_start(self, match: BotMatch) -> None:
        """Note zones and classes, and whose scans show enemy habits."""
        super().on_start(match)
        self._habits = Habits(match.side)

    def on_notice(self, notice: Notice) -> None:
        """Take in signs of enemies, and with what they scan."""
        super().on_notice(notice)
        self._habits.heard(notice)

    def on_window(self, view: View, advice: Advice) -> Iterable[Order]:
        """Return a fleet's orders, with the scans and courses of a scout."""
        if view.stage.phase is Phase.PLOT:
            self._foes.see(view)
        return super().on_window(view, advice)

    def plot(self, view: View, advice: Advice, ship: OwnView, belief: Belief) -> tuple[Order, ...]:
        """Return the plan of a ship: in its lair from the start, where there is one."""
        if ship.kind is not PieceKind.STARSHIP or ship.cloak or is_precious(view, ship):
            return super().plot(view, advice, ship, belief)
        # Cloaked enemies pass by where no ship goes to look for them.
        is_first = view.stage.turn == 1 and not view.cloak_rules.cloaks
        at = lair(view) if is_first else None
        if at is not None:
            return laid(ship, at, belief.peak(at))
        foes = self._worth_it()
        if view.stage.turn > 1 and lies_in_wait(view, ship, foes):
            return watched(advice, ship, foes, self._habits, belief.peak(ship.square))
        return super().plot(view, advice, ship, belief)

    def hunt(self, view: View, advice: Advice, ship: OwnView, belief: Belief) -> tuple[Order, ...]:
        """Return the course that promises most against the foes known; without any a hunt."""
        foes = self._worth_it()
        fights = ship.kind is PieceKind.STARSHIP and ship.landed is None
        if not foes or not fights or is_precious(view, ship):
            return super().hunt(view, advice, ship, belief)
        course = fought(advice, ship, foes, self._habits)
        return (*switched_on(ship), *course, *launched(view, ship, course))

    def lookouts(self, advice: Advice) -> Iterable[OwnView]:
        """Return the ships that scan, when it is decided for all of them how."""
        ships = tuple(super().lookouts(advice))
        self._scans = {scan.ship: scan for scan in self._survey(advice, ships)}
        return tuple(ship for ship in ships if ship.id in self._scans)

    def scan(
        self,
        view: View,  # noqa: ARG002 - it was decided when the lookouts were
        advice: Advice,  # noqa: ARG002
        ship: OwnView,
        belief: Belief,  # noqa: ARG002
    ) -> tuple[Order, ...]:
        """Return the scan that was decided on for a ship."""
        return (self._scans[ship.id],)

    def _survey(self, advice: Advice, ships: tuple[OwnView, ...]) -> tuple[Scan, ...]:
        view = advice.view
        quest = sought(view, self._worth_it(), self.map.suspects())
        echoes = tuple(own.echo for own in view.own if own.kind is PieceKind.STARSHIP)
        guess = guess_of(tuple(dict.fromkeys(echoes)))
        survey = Survey(advice, quest, self.map.weights, guess)
        return survey.chosen(ships, self._missing(view), self.rng)

    def _missing(self, view: View) -> float:
        """Return the share of the foes that are not known, if each side began like this one."""
        started = sum(own.kind is PieceKind.STARSHIP for own in view.own)
        total = started * (len(view.stage.sides) - 1)
        gone = sum(contact.fate is not Fate.IN_PLAY for contact in view.contacts)
        left = max(1, total - gone)
        return max(0.0, 1 - len(self._worth_it()) / left)

    def worth(self, contact: ContactView | TokenView) -> float:
        """Return what a piece is taken to be worth: a ship of a type of theirs is no chaff."""
        is_ship = isinstance(contact, ContactView) and contact.size is not Echo.MISSILE
        if is_ship and contact.type not in self._worth:
            return UNKNOWN_WORTH
        return super().worth(contact)

    def _worth_it(self) -> tuple[Foe, ...]:
        """Return the foes that are worth a shot: no decoys."""
        return tuple(foe for foe in self._foes.now if self.worth(foe.contact) > CHAFF_WORTH)
