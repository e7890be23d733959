"""What advice finds the short way in whole matches, held against the long way of `check`."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import ClassVar

import pytest
from msgspec.structs import replace

from builders.groundadvice import CARRIER, ground_view
from sunglare_arena.entrants import games
from sunglare_arena.playing import play
from sunglare_arena.series import Series, scenario_called
from sunglare_client.advice import Advice
from sunglare_client.bots import RandomLegal
from sunglare_protocol.geometry import Compass, Vector
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Fire, Order, Power, Thrust, Turn
from sunglare_protocol.orders.agents import GoAboard, Mission, StepOut, Walk
from sunglare_protocol.orders.ground import Move, Station
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.views import ContactView, OwnView, View
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.search import MissionKind
from sunglare_rules.advice.check import standing
from sunglare_rules.advice.check.check import Beside, check, problem_beside
from sunglare_rules.advice.check.fire import fire_problem
from sunglare_rules.advice.check.standing import Standing, matters_to
from sunglare_rules.advice.legal.ground import ground_examples
from sunglare_rules.advice.legal.legal import shots
from sunglare_rules.advice.legal.plans import courses, plots
from sunglare_rules.advice.odds.broadside import Broadside
from sunglare_rules.advice.odds.fire import shot_odds
from sunglare_rules.advice.seen.lookup import ships_in_play, targets
from sunglare_rules.advice.seen.plotting import after_plot

FIELDS = [("shadow-of-ceres", 7), ("redondo", 5), ("orlog", 6), ("picket-line", 5)]
"""Scenarios and how many of their turns are played."""


def judged(view: View, orders: Iterable[Order]) -> tuple[Order, ...]:
    """Return those of the orders that fit together if each is judged with all before it."""
    kept: tuple[Order, ...] = ()
    for order in orders:
        if check(view, (*kept, order)) is None:
            kept = (*kept, order)
    return kept


def shots_one_by_one(view: View) -> Iterator[Fire]:
    for ship in ships_in_play(view):
        for weapon in ship.weapons:
            for at in (None, *(target.handle for target in targets(view))):
                order = Fire(ship=ship.id, weapon=weapon.id, at=at)
                if check(view, (order,)) is None:
                    yield order


class Watched(RandomLegal):
    """Plays at random and holds each short way against the long one."""

    seen: ClassVar[Counter[str]] = Counter()

    def on_window(self, view: View, advice: Advice) -> Iterable[Order]:
        """Return what the bot orders, all of it checked in both ways."""
        wished: list[Order] = []

        class Noting(Advice):
            def legal_part(self, orders: Iterable[Order]) -> tuple[Order, ...]:
                wished.extend(orders)
                return super().legal_part(wished)

        given = tuple(super().on_window(view, Noting(view)))
        assert given == judged(view, wished)
        self.rng.shuffle(wished)
        self._grown(view, [*wished, *wished[:5]])
        self._aimed(view, advice)
        for ship in ships_in_play(view)[:3]:
            if view.stage.phase is Phase.PLOT:
                self._moved(view, ship)
            else:
                assert not any(courses(view, ship))
        return given

    def _grown(self, view: View, wished: list[Order]) -> None:
        standing = Standing(view)
        added = [order for order in wished if standing.add(order)]
        assert standing.orders == tuple(added) == judged(view, wished)
        self.seen["refused"] += len(wished) - len(added)
        self.seen["added"] += len(added)

    def _aimed(self, view: View, advice: Advice) -> None:
        of_ships = {ship.id for ship in ships_in_play(view)}
        found = [shot for shot in shots(view) if shot.ship in of_ships]
        assert found == list(shots_one_by_one(view))
        assert [shot for shot in advice.shots() if shot.ship in of_ships] == found
        for shot in found:
            assert advice.odds(shot) == shot_odds(view, shot)
        self._fired(view, found)
        self.seen["shots"] += len(found)

    def _fired(self, view: View, found: list[Fire]) -> None:
        for ship in ships_in_play(view) if found else ():
            for target in targets(view):
                odds = [shot_odds(view, shot) for shot in found if shot.at == target.handle]
                mine = [one for one in odds if not isinstance(one, Rejected)]
                total = sum(one.mean_hundredths for one in mine if one.ship == ship.id)
                broadside = Broadside(view, ship, target)
                assert broadside.hundredths(ship.square, ship.facing, target.square) == total
                self._fired_elsewhere(view, broadside, ship, target)

    def _fired_elsewhere(
        self, view: View, broadside: Broadside, ship: OwnView, target: ContactView
    ) -> None:
        """Hold it against the odds of each shot with both somewhere else."""
        for _ in range(4):
            steps = [Vector(self.rng.randint(-6, 6), self.rng.randint(-6, 6)) for _ in range(2)]
            moved = replace(
                ship,
                square=target.square.moved(steps[0]),
                facing=self.rng.choice(list(Compass)),
            )
            other = replace(target, square=target.square.moved(steps[1]))
            there = replace(
                view,
                own=tuple([moved if own is ship else own for own in view.own]),
                contacts=tuple([other if one is target else one for one in view.contacts]),
            )
            shots = [Fire(ship=ship.id, weapon=gun.id, at=target.handle) for gun in ship.weapons]
            odds = [
                shot_odds(there, shot)
                for shot, gun in zip(shots, ship.weapons, strict=True)
                if gun.kind is not WeaponKind.NOVA and fire_problem(there, moved, shot) is None
            ]
            total = sum(one.mean_hundredths for one in odds if not isinstance(one, Rejected))
            assert broadside.hundredths(moved.square, moved.facing, other.square) == total
            self.seen["elsewhere"] += total > 0

    def _moved(self, view: View, ship: OwnView) -> None:
        plain = [
            plan
            for plan in dict.fromkeys(plots(view, ship))
            if all(isinstance(order, Turn | Thrust) for order in plan)
        ]
        found = list(courses(view, ship))
        assert [course.orders for course in found] == plain
        for course in found:
            assert check(view, course.orders) is None
            assert course.flight == after_plot(view, ship, course.orders)
        self.seen["courses"] += len(found)


FAR = ("orlog", "picket-line")


@pytest.mark.parametrize(("name", "turns"), FIELDS, ids=[name for name, _ in FIELDS])
def test_the_short_ways_of_advice_come_to_what_the_long_ones_do(name: str, turns: int) -> None:
    scenario = scenario_called(name)
    short = Series(scenario=scenario, bots=(), matches=1, turns=turns).played
    Watched.seen.clear()
    for game in games(scenario.sides, 1, 2, 7, swap=False):
        assert play(short, game, (Watched,)).faults == ()
    # In so few turns nobody gets to shoot where one has far to go.
    words: tuple[str, ...] = (
        ("added", "refused", "courses") if name in FAR else tuple(Watched.seen)
    )
    assert min(Watched.seen[word] for word in words) > 0


OTHER = Thrust(ship=OwnId("S9"), to=())
SAME = OwnId("S1")
AT = Site("Ceres", 1)


@pytest.mark.parametrize(
    "kept",
    [
        Walk(ship=SAME, environs=2),
        GoAboard(ship=SAME, into=OwnId("S2")),
        StepOut(ship=SAME),
        Mission(ship=SAME, kind=MissionKind.SPY),
        Move(ship=SAME, path=(Cell(1, 1),)),
        Station(ship=SAME, at=AT),
    ],
    ids=lambda kept: type(kept).__name__,
)
def test_what_looks_farther_than_its_own_piece_is_judged_anew_whatever_is_added(
    kept: Order,
) -> None:
    assert matters_to(OTHER, kept)


def test_another_order_is_judged_anew_beside_those_of_its_own_piece_alone() -> None:
    thrust = Thrust(ship=SAME, to=())
    assert matters_to(Turn(ship=SAME, steps=1), thrust)
    assert not matters_to(OTHER, thrust)


def test_an_order_that_looks_farther_is_judged_again_with_each_that_is_added(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    judged_at: list[tuple[int, int]] = []

    def noting(view: View, order: Order, beside: Beside) -> Rejected | None:
        judged_at.append((len(beside.orders), beside.position))
        return problem_beside(view, order, beside)

    monkeypatch.setattr(standing, "problem_beside", noting)
    seen = ground_view(Phase.PLOT, own=(CARRIER,))
    move = next(order for order in ground_examples(seen) if isinstance(order, Move))
    switch = Power(ship=CARRIER.id, on=not CARRIER.powered)
    grown = Standing(seen)
    assert [grown.add(order) for order in (move, switch)] == [True, True]
    assert judged_at == [(1, 0), (2, 1), (2, 0)]
    judged_at.clear()
    other_way = Standing(seen)
    assert [other_way.add(order) for order in (switch, move)] == [True, True]
    assert judged_at == [(1, 0), (2, 1)]
