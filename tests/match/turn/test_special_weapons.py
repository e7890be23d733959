"""What shots leave behind: spent packs and leeches that go on."""

from itertools import count

import pytest
from msgspec.structs import replace

from builders.specialweapons import happened, opened
from builders.truths import A1, B1, A, B, only, with_ship
from sunglare_protocol.ids import PUBLIC, OwnId, Side, audience_of
from sunglare_protocol.notices import ContactDestroyed, OwnDrained, TrackLost
from sunglare_protocol.orders import Fire
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.views import View, WeaponView
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_rules.advice.cards.own import own_facts
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.odds.fire import shot_odds
from sunglare_rules.fire.shots import Extra
from sunglare_server.match.apply.space import apply
from sunglare_server.match.events.space import (
    Event,
    LeechDrained,
    PointsScored,
    ShipDestroyed,
    ShotFired,
    SystemLost,
    TrackEnded,
    TrackMissed,
)
from sunglare_server.match.fog.view import view
from sunglare_server.match.resolve.firing import working_systems
from sunglare_server.match.state import MatchState, Staged
from sunglare_server.match.truth.truth import Leech
from sunglare_server.match.turn.flow import Flow
from sunglare_server.match.turn.sequence import next_standing, resolve_window

S1 = OwnId("S1")


def engaged(state: MatchState, *weapons: str) -> tuple[MatchState, list[Event]]:
    """Return the state after an ENGAGE in which A fires these weapons at B, and its events."""
    held = state.intel[audience_of(A)].held.get(B1)
    orders = tuple(Fire(ship=S1, weapon=weapon, at=held.handle) for weapon in weapons if held)
    ready = replace(
        state,
        standing=replace(state.standing, phase=Phase.ENGAGE),
        staged={A: Staged(1, orders, locked=True)},
    )
    flow = Flow(ready)
    resolve_window(flow)
    standing = next_standing(flow)
    return replace(flow.finished(), standing=standing, staged={}), flow.events


def leeched(*weapons: str, misses: bool = False) -> MatchState:
    """Return a match in which these leech pods of A have just hit, or just missed."""
    for seed in count():
        state, events = engaged(opened(seed), *weapons)
        if all((shot.extra is Extra.LEECHES) is not misses for shot in only(events, ShotFired)):
            return state
    raise AssertionError("count never ends")


def seen(state: MatchState, side: Side) -> View:
    return view(state.intel[audience_of(side)], state.standing, state.board)


def weapon_seen(state: MatchState, name: str) -> WeaponView:
    [ship] = seen(state, A).own
    return next(weapon for weapon in ship.weapons if weapon.id == name)


def with_host(state: MatchState, **changes: object) -> MatchState:
    return replace(state, truth=with_ship(state.truth, B1, **changes))


# Weapons of one shot.


@pytest.mark.parametrize("misses", [False, True], ids=["hit", "miss"])
def test_a_pod_that_has_fired_is_spent_whether_it_hit_or_not(misses: bool) -> None:
    state = leeched("L1", misses=misses)
    assert state.truth.ships[A1].spent == ("L1",)
    spent, left = weapon_seen(state, "L1"), weapon_seen(state, "L2")
    assert (spent.works, spent.spent) == (False, True)
    assert (left.works, left.spent) == (True, False)


def test_a_spent_pod_may_not_be_fired_again() -> None:
    state = leeched("L1")
    ready = replace(state, standing=replace(state.standing, phase=Phase.ENGAGE))
    handle = state.intel[audience_of(A)].held[B1].handle
    again, other = (Fire(ship=S1, weapon=weapon, at=handle) for weapon in ("L1", "L2"))
    refusal = check(seen(ready, A), (again,))
    assert isinstance(refusal, Rejected)
    assert refusal.choices == ("L2", "B1")
    assert check(seen(ready, A), (other,)) is None


def test_the_card_of_a_ship_says_what_is_spent() -> None:
    own = seen(leeched("L1"), A)
    lines = [line for line in own_facts(own, own.own[0]) if "leech" in line]
    assert [line.endswith("; spent.") for line in lines] == [True, False]


def test_a_battery_is_never_spent() -> None:
    state, events = engaged(opened(0), "B1")
    assert len(only(events, ShotFired)) == 1
    assert state.truth.ships[A1].spent == ()


def test_a_spent_pod_is_no_system_to_lose() -> None:
    ship = leeched("L1").truth.ships[A1]
    assert working_systems(ship) == ("L2", "B1", "drive")


def test_the_odds_of_a_leech_count_all_its_turns() -> None:
    state = opened(0)
    handle = state.intel[audience_of(A)].held[B1].handle
    odds = shot_odds(seen(state, A), Fire(ship=S1, weapon="L1", at=handle))
    assert not isinstance(odds, Rejected)
    assert odds.mean_hundredths == 300


# Leeches.


@pytest.mark.parametrize(
    ("pods", "course"),
    [(("L1",), [2, 4, 6, 6, 6]), (("L1", "L2"), [4, 8, 12, 12, 12])],
    ids=["one", "two"],
)
def test_a_leech_does_two_points_now_and_in_each_of_two_more_turns(
    pods: tuple[str, ...], course: list[int]
) -> None:
    state = leeched(*pods)
    taken = [state.truth.ships[B1].damage]
    for _ in range(4):
        state, _ = engaged(state)
        taken.append(state.truth.ships[B1].damage)
    assert taken == course
    assert state.truth.ships[B1].leeches == ()


def test_a_pod_that_missed_leaves_nothing() -> None:
    state = leeched("L1", misses=True)
    after, events = engaged(state)
    assert only(events, LeechDrained) == []
    assert after.truth.ships[B1].damage == 0


def test_a_leech_of_this_turn_does_not_lose_a_turn_to_older_ones() -> None:
    state = leeched("L1")
    state = with_host(state, leeches=(Leech(side=A, turns=1), Leech(side=A, turns=2)))
    event = LeechDrained(piece=B1, damage=4)
    assert apply(state.truth, event).ships[B1].leeches == (Leech(side=A, turns=1),)
    hit = ShotFired(
        piece=A1,
        weapon="L2",
        kind=WeaponKind.LEECH,
        target=B1,
        arc=None,
        dice=(4,),
        damage=2,
        extra=Extra.LEECHES,
    )
    both = apply(apply(state.truth, event), hit).ships[B1]
    assert both.leeches == (Leech(side=A, turns=1), Leech(side=A, turns=2))


def test_the_owner_alone_is_told_of_leeches_at_work() -> None:
    state, _ = engaged(leeched("L1"))
    notice = OwnDrained(ship=S1, damage=2)
    told = [audience for audience, intel in state.intel.items() if notice in intel.told]
    assert told == [audience_of(B)]


def test_all_damage_to_a_ship_comes_from_shots_and_leeches() -> None:
    state, before, done = leeched("L1", "L2"), 4, 0
    for _ in range(3):
        state, events = engaged(state, "B1")
        done += sum(shot.damage for shot in only(events, ShotFired))
        done += sum(event.damage for event in only(events, LeechDrained))
    assert state.truth.ships[B1].damage == before + done


def test_leeches_leave_a_ship_that_is_out_of_play_alone() -> None:
    state = with_host(leeched("L1"), fate=Fate.ESCAPED)
    assert only(engaged(state)[1], LeechDrained) == []


def test_damage_by_leeches_may_cross_the_end_of_a_row() -> None:
    losses = 0
    for seed in range(8):
        weak = with_host(opened(seed), damage=29, leeches=(Leech(side=A, turns=1),))
        _, events = engaged(weak)
        losses += sum(isinstance(event, SystemLost) and event.needed == 4 for event in events)
    assert losses


def kill(state: MatchState) -> tuple[ShipDestroyed, list[PointsScored], MatchState]:
    after, events = engaged(with_host(state, damage=38, leeches=(Leech(side=A, turns=2),)))
    [gone] = only(events, ShipDestroyed)
    return gone, only(events, PointsScored), after


def test_a_side_that_still_holds_the_ship_is_told_that_its_leech_killed_it() -> None:
    gone, scored, after = kill(opened(0))
    assert (gone.killers, gone.unaware) == ((A,), ())
    assert [(event.side, event.points, event.is_known) for event in scored] == [(A, 8, True)]
    assert seen(after, A).points == 8


def test_a_side_that_holds_the_ship_no_more_scores_without_knowing() -> None:
    state = happened(opened(0), TrackEnded(piece=B1, side=A))
    gone, scored, after = kill(state)
    assert (gone.killers, gone.unaware) == ((), (A,))
    assert [(event.side, event.points, event.is_known) for event in scored] == [(A, 8, False)]
    assert seen(after, A).points == 0
    # It is told what the public feed is told, and nothing else.
    assert after.intel[audience_of(A)].told == after.intel[PUBLIC].told


def test_who_only_coasts_on_the_ship_is_not_told_that_its_leeches_killed_it() -> None:
    state = leeched("L1")
    for misses in (1, 2):
        state = happened(state, TrackMissed(piece=B1, side=A, misses=misses))
    gone, scored, after = kill(state)
    assert (gone.killers, gone.unaware) == ((), (A,))
    assert [(event.side, event.is_known) for event in scored] == [(A, False)]
    # The track is lost in its own time, as one that was only missed.
    told = after.intel[audience_of(A)].told
    assert not only(told, ContactDestroyed)
    assert only(told, TrackLost)
