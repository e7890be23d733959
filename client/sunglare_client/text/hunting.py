"""A plan in a hunt for cloaked ships, in words: how loud it is, what it can hear."""

from collections.abc import Iterator

from sunglare_protocol.messages.answers import ListenOdds
from sunglare_protocol.orders import Listen, Order
from sunglare_protocol.views import OwnView, TrackersView, TrackerView, View
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_rules.advice.odds.after import after
from sunglare_rules.advice.odds.fire import listen_odds
from sunglare_rules.advice.odds.hearing import HeardOdds, heard_odds
from sunglare_rules.cloak.trackers import (
    MULTI,
    SINGLE,
    Tracker,
    Trackers,
    solution,
    stepped,
    turns_missing,
)

LOUD = (2, 4, 6)
"""The thrust of a cloaked ship for which the chances of a listener are shown."""


def hunt_lines(view: View, ship: OwnView, plan: tuple[Order, ...]) -> list[str]:
    """Return what a plan of the PLOT means for a ship that is hunted, or that can listen.

    There is nothing to say in other windows, nor where no class of the scenario has a cloak.
    """
    if not view.cloak_rules.cloaks or view.stage.phase is not Phase.PLOT:
        return []
    heard = heard_odds(view, ship, plan)
    if heard is not None:
        # A ship that cloaks again is a new one to those who hunted it.
        hunts = ship.hunted if ship.cloaked else ()
        return [*_heard(heard), *(f"  {_needs(hunt.trackers)}" for hunt in hunts)]
    odds = listen_odds(after(view, plan), Listen(ship=ship.id))
    return [*_hears(odds), *_hunts(view)] if isinstance(odds, ListenOdds) else []


def _heard(odds: HeardOdds) -> Iterator[str]:
    now = odds.hundredths[odds.used]
    yield f"  it uses {odds.used} thrust: a silent listener hears it by {now} % at most"
    silent = max(used for used, chance in enumerate(odds.hundredths) if not chance)
    louder = enumerate(odds.hundredths[silent + 1 :], silent + 1)
    chances = "  ".join(f"{used}: {chance} %" for used, chance in louder)
    if chances:
        yield f"  by thrust used  0 to {silent}: 0 %  {chances}"


def _hears(odds: ListenOdds) -> Iterator[str]:
    chances = "  ".join(f"{used}: {odds.hundredths[used - 1]} %" for used in LOUD)
    yield f"  it can hear a cloaked ship by its thrust, at most  {chances}"


def _hunts(view: View) -> Iterator[str]:
    for contact in view.contacts:
        if contact.trackers is not None and contact.fate is Fate.IN_PLAY:
            yield f"  {contact.label}: {_needs(contact.trackers)}"


def _needs(trackers: TrackersView) -> str:
    """Return what a hunt needs for a solution, with both pairs of dice."""
    kept = Trackers(multi=_kept(trackers.multi), single=_kept(trackers.single))
    pair = turns_missing(MULTI, kept.multi, trackers.mode)
    alone = turns_missing(SINGLE, kept.single, trackers.mode)
    needs = f"two ships hear it {_turns(pair)}, or one {_turns(alone)}"
    if solution(stepped(kept, 1, swept=False), 1, swept=False, mode=trackers.mode):
        needs = "a ship hears it this turn"
    dice = f"{_dice(trackers.multi)}, {_dice(trackers.single)}"
    return f"a solution if {needs} (COUNT/TURNS {dice})"


def _kept(tracker: TrackerView) -> Tracker:
    return Tracker(hits=tracker.hits, count=tracker.count, turns=tracker.turns)


def _turns(missing: int) -> str:
    return "this turn" if missing == 1 else f"{missing} turns running"


def _dice(tracker: TrackerView) -> str:
    return f"{tracker.count}/{tracker.turns}"
