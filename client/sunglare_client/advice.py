"""Advice to a bot about the view it was given: legal orders, previews, odds and checks."""

from collections.abc import Collection, Iterable, Iterator

import msgspec

from sunglare_client.abilities import Ability, taken_by
from sunglare_protocol.ids import Handle, OwnId
from sunglare_protocol.messages.answers import (
    AnswerBody,
    Card,
    ListenOdds,
    Review,
    ScanPreview,
    ShotOdds,
    SweepOdds,
)
from sunglare_protocol.notices import Notice
from sunglare_protocol.orders import Bombard, Fire, Hold, Listen, Order, Probe, Scan, Sweep
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.views import OwnView, View
from sunglare_rules.advice.cards.answers import why_answer
from sunglare_rules.advice.cards.told import why_told
from sunglare_rules.advice.cards.why import why
from sunglare_rules.advice.check import check as checking
from sunglare_rules.advice.check.standing import Standing
from sunglare_rules.advice.legal import legal
from sunglare_rules.advice.legal.plans import Course, courses
from sunglare_rules.advice.legal.shots import LegalShot, aimed_shots
from sunglare_rules.advice.odds import fire as odds
from sunglare_rules.advice.odds import preview
from sunglare_rules.advice.odds.after import after
from sunglare_rules.advice.odds.hearing import HeardOdds, heard_odds
from sunglare_rules.advice.odds.whereabouts import Whereabouts, scans_heard
from sunglare_rules.advice.plans.again import beside, scans_again
from sunglare_rules.advice.plans.fire import fire_all
from sunglare_rules.advice.plans.policy import holds_of_free, sensors_out
from sunglare_rules.advice.plans.routes import Goal, Route, gone_on, route
from sunglare_rules.advice.review.review import review
from sunglare_rules.advice.seen.lookup import remotes_in_play, ships_in_play
from sunglare_rules.advice.seen.plotting import after_plot
from sunglare_rules.turn.movement import Flight


class Advice:
    """The rule book's advice on one view; nothing here knows more than the view does.

    Where a side does `without` some abilities, the advice is as if the rules refused them to it.
    """

    def __init__(self, view: View, without: Collection[Ability] = ()) -> None:
        self.view = view
        self._without = tuple(without)
        # They are looked through several times in a window, and each has to be checked.
        self._shots: tuple[Fire, ...] | None = None
        self._aimed: dict[tuple[OwnId, str, Handle | None], LegalShot] = {}

    def may(self, ability: Ability) -> bool:
        """Return whether the side may use an ability: any but those that it does without."""
        return ability not in self._without

    def after(self, orders: Iterable[Order]) -> View:
        """Return the view with own pieces as they will be after these orders, foreign ones as now.

        After a PLOT it is that of the own SCAN slot: `Advice` of it previews scans from there.
        Nothing that dice or enemies decide is foreseen, and what is launched is not in it yet.
        Of orders that cannot stand together the legal part counts.
        """
        return after(self.view, self.legal_part(orders))

    def flight(self, ship: OwnView, orders: Iterable[Order] = ()) -> Flight:
        """Return square, vector and facing of a ship after its plan; without one it drifts."""
        return after_plot(self.view, ship, tuple(orders))

    def scans_heard(self) -> tuple[Whereabouts, ...]:
        """Return of each foreign scan of this turn the squares from which it can have come."""
        return scans_heard(self.view)

    def ships(self) -> tuple[OwnView, ...]:
        """Return the own ships that are in play."""
        return ships_in_play(self.view)

    def remotes(self) -> tuple[OwnView, ...]:
        """Return the own remote sensors that are in play, which take no orders."""
        return remotes_in_play(self.view)

    def plots(self, ship: OwnView) -> Iterator[tuple[Order, ...]]:
        """Yield plans for the movement of a ship; an empty one is to drift."""
        plans = legal.plots(self.view, ship)
        return (plan for plan in plans if all(map(self._is_allowed, plan)))

    def courses(self, ship: OwnView) -> Iterator[Course]:
        """Yield the plans of turns and thrust alone, each with the flight that it leads to."""
        return courses(self.view, ship)

    def ordnance(self, ship: OwnView) -> Iterator[Order]:
        """Yield launches of a ship, and aims of a volley, at what is known and straight ahead."""
        return filter(self._is_allowed, legal.ordnance(self.view, ship))

    def scans(self, ship: OwnView) -> Iterator[Scan]:
        """Yield every scan that the ship may make now, asking for the Sense roll."""
        senses = self.may(Ability.SENSE)
        for scan in legal.scans(self.view, ship):
            order = scan if senses else msgspec.structs.replace(scan, sense=False)
            if self._is_allowed(order):
                yield order

    def shots(self) -> Iterator[Fire]:
        """Yield every shot that any ship may fire now."""
        if self._shots is None:
            found = tuple(aimed_shots(self.view))
            self._aimed = {_target_of(aimed.order): aimed for aimed in found}
            of_units = filter(self._is_allowed, legal.attacks(self.view))
            self._shots = (*(aimed.order for aimed in found), *of_units)
        return iter(self._shots)

    def probes(self) -> Iterator[Probe]:
        """Yield every request for data that is in reach of some ship or ground unit."""
        return filter(self._is_allowed, legal.probes(self.view))

    def bombardments(self) -> Iterator[Bombard]:
        """Yield fire at points of surface maps: at every token held, or at a map's middle."""
        return filter(self._is_allowed, legal.bombardments(self.view))

    def holds(self) -> Iterator[Hold]:
        """Yield every weapon that a ship may hold for a cloaked ship that fires."""
        return legal.holds(self.view)

    def listen_odds(self, ship: OwnId) -> ListenOdds | None:
        """Return how well the ship hears cloaked ships at best, or None if it cannot listen."""
        found = odds.listen_odds(self.view, Listen(ship=ship))
        return None if isinstance(found, Rejected) else found

    def heard_odds(self, ship: OwnView, orders: Iterable[Order] = ()) -> HeardOdds | None:
        """Return how likely listeners are to hear a ship after its plan; None if not cloaked."""
        return heard_odds(self.view, ship, self.legal_part(orders))

    def sweep_odds(self, ship: OwnId) -> SweepOdds | None:
        """Return what a sweep of the ship would find, or None if it cannot sweep."""
        found = odds.sweep_odds(self.view, Sweep(ship=ship))
        return found if isinstance(found, SweepOdds) and self.may(Ability.SWEEPS) else None

    def preview(self, scan: Scan) -> ScanPreview | None:
        """Return what a scan would find and disclose, or None if it cannot be made."""
        found = preview.preview(self.view, scan)
        return None if isinstance(found, Rejected) else found

    def odds(self, shot: Fire) -> ShotOdds | None:
        """Return how a shot bears and its mean damage, or None if it cannot be fired."""
        aimed = self._aimed.get(_target_of(shot))
        if aimed is not None and aimed.bearing is not None and aimed.order == shot:
            return odds.odds_so(aimed.ship, aimed.weapon, aimed.target, aimed.bearing)
        found = odds.shot_odds(self.view, shot)
        return None if isinstance(found, Rejected) else found

    def review(self, orders: Iterable[Order]) -> Review:
        """Return which pieces these orders would lose, and what they leave undone.

        They are all orders of the window; of those that cannot stand together the legal part
        counts.
        """
        return review(self.view, self.legal_part(orders))

    def why(self, about: str | None = None) -> Card | None:
        """Return by which rules a thing is known, as `why` has it, or None if it is not."""
        found = why(self.view, about)
        return None if isinstance(found, Rejected) else found

    def why_told(self, notice: Notice) -> Card:
        """Return the rule behind a notice, with its dice as far as the seat may see them."""
        return why_told(self.view, notice)

    def why_answer(self, body: AnswerBody) -> Card:
        """Return the rule behind the numbers of an answer, such as odds or a preview."""
        return why_answer(self.view, body)

    def check(self, orders: Iterable[Order]) -> Rejected | None:
        """Return why the orders cannot stand together, or None if they can."""
        given = tuple(orders)
        for number, order in enumerate(given):
            if not self._is_allowed(order):
                return Rejected(code=Code.ORDER_PIECE, at=f"$.orders[{number}]")
        return checking.check(self.view, given)

    def fire_all(self, orders: Iterable[Order] = ()) -> tuple[Order, ...]:
        """Return the best shot of every weapon that these orders leave free."""
        return fire_all(self.view, tuple(orders))

    def scans_again(self, orders: Iterable[Order] = ()) -> tuple[Order, ...]:
        """Return the scans of last turn that go with these orders: the same type, size, place."""
        return tuple(filter(self._is_allowed, scans_again(self.view, tuple(orders))))

    def again(self, before: Iterable[Order], orders: Iterable[Order] = ()) -> tuple[Order, ...]:
        """Return those orders of an earlier window that go with these."""
        return beside(self.view, tuple(orders), before)

    def holds_of_free(self, orders: Iterable[Order] = ()) -> tuple[Order, ...]:
        """Return a hold of every dumb weapon that these orders leave free, in ENGAGE."""
        return holds_of_free(self.view, tuple(orders))

    def sensors_out(self, orders: Iterable[Order] = ()) -> tuple[Order, ...]:
        """Return the orders by which hull sensors go out at set-up, as far as these orders allow.

        Not those of ships of which the orders say otherwise, that cloak, land or have no power.
        """
        return sensors_out(self.view, tuple(orders))

    def route(self, ship: OwnId, goal: Goal, orders: Iterable[Order] = ()) -> Route | None:
        """Return the way of a ship to a `Waypoint` or to the landing of a `Land`, or None.

        It has a leg for each turn, with its orders and the flight that they lead to.
        """
        found = route(self.view, ship, goal, tuple(orders))
        return None if isinstance(found, Rejected) else found

    def gone_on(self, gone: Route) -> Route | None:
        """Return what is left of a route in this PLOT, another way if it was left, or None."""
        found = gone_on(self.view, gone)
        return None if isinstance(found, Rejected) else found

    def legal_part(self, orders: Iterable[Order]) -> tuple[Order, ...]:
        """Return the orders that can stand together when each is kept that fits those before."""
        standing = Standing(self.view)
        for order in filter(self._is_allowed, orders):
            standing.add(order)
        return standing.orders

    def _is_allowed(self, order: Order) -> bool:
        return all(map(self.may, taken_by(order)))


def _target_of(shot: Fire) -> tuple[OwnId, str, Handle | None]:
    return shot.ship, shot.weapon, shot.at
