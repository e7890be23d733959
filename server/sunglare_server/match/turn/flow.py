"""The flow of events through a step: each is applied and learned before the next run begins.

Theory of operation. A resolver is a function of the truth: it yields events and changes nothing.
A `Flow` holds the truth and the intel of all audiences while they grow through one step, and
takes resolvers' events run by run:

1. Each event of a run is applied (`apply`), one after the other, and so is whatever follows from
   it at once: points, and what goes down with a ship.
2. Of each event `learns` says who learns what, with the truth before and after that event alone:
   who saw a shot does not depend on what the next one does.
3. Every grant is held against its row of the ledger. One without a row stops the match here,
   before anything is stored or shown.
4. When the run is over, all audiences learn what they were granted, in an order that is made of
   what they see (`absorb/perceived`), not of the order in which the server keeps its pieces.

A run is therefore the unit of simultaneity: its resolvers saw the truth before it, and its grants
come as one. What happens together must be one run, and what depends on another's effects must be a
later one; `turn/sequence` decides that. Hushed events are applied at once and learned at the end
of the window, as one run, so that their order gives away no secret.

At the end `finished` copies each side's own pieces from the truth into its intel. That is the
only other way for truth to get there, and it takes the pieces and nothing else (`own`).
"""

from collections.abc import Iterable
from typing import final

import msgspec

from sunglare_protocol.ids import audience_of
from sunglare_server.match.absorb.perceived import perceived
from sunglare_server.match.apply.space import apply
from sunglare_server.match.dice import Dice, Roll
from sunglare_server.match.events.space import Event
from sunglare_server.match.facts.space import Grant
from sunglare_server.match.learn.learns import learns
from sunglare_server.match.ledger.ledger import checked
from sunglare_server.match.own.ground import with_ground
from sunglare_server.match.own.ships import renewed
from sunglare_server.match.resolve.scoring import follows
from sunglare_server.match.resolve.sharing import Engagement
from sunglare_server.match.state import MatchState


@final
class Flow:
    """The truth and intel of one step as they grow.

    `events` are all that happened, `rolls` all dice that were looked up.
    """

    def __init__(self, state: MatchState) -> None:
        """Begin at `state`, with the notices of the last window put away."""
        self.state = state
        self.rolls: list[Roll] = []
        self.dice = Dice(seed=state.seed, noted=self.rolls)
        self.truth = state.truth
        self.intel = {
            audience: msgspec.structs.replace(intel, told=()) if intel.told else intel
            for audience, intel in state.intel.items()
        }
        self.events: list[Event] = []
        self._untold: list[Grant] = []
        self._engagement = Engagement(state.standing.initiative, state.truth, self.events)

    def run(
        self, events: Iterable[Event], hushed: tuple[type[Event], ...] = ()
    ) -> tuple[Event, ...]:
        """Apply a run of events and let every audience learn of it; return the run.

        The run must not depend on its own effects: resolvers see the truth before it. What is to
        be learned of the `hushed` kinds waits for the end of the window.
        """
        run = tuple(events)
        if not run:
            return run
        grants: list[Grant] = []
        happened: list[Event] = []
        for event in run:
            follow = follows(self.truth, self.state.scenario, event, self._engagement)
            for done in (event, *follow):
                before, self.truth = self.truth, apply(self.truth, done)
                learned = learns(done, before, self.truth, self.state.options)
                told = self._untold if type(done) in hushed else grants
                told += _checked(done, learned)
                happened.append(done)
        if grants:
            self.intel = perceived(self.intel, grants, self.dice)
        self.events += happened
        return tuple(happened)

    def tell(self) -> None:
        """Let every audience learn what was hushed, as if it had been one run.

        So the order in which things were done in secret does not reveal who did them.
        """
        self.intel = perceived(self.intel, self._untold, self.dice)
        self._untold = []

    def finished(self) -> MatchState:
        """Return the state with the truth and intel reached, the own pieces copied in."""
        intel = dict(self.intel)
        for side in self.truth.sides:
            audience = audience_of(side)
            known = with_ground(intel[audience], self.state.truth, self.truth, side)
            intel[audience] = known
            own = renewed(known.own, self.state.truth, self.truth, side)
            if own is not known.own:
                intel[audience] = msgspec.structs.replace(known, own=own)
        return msgspec.structs.replace(self.state, truth=self.truth, intel=intel)


def _checked(event: Event, learned: Iterable[Grant]) -> list[Grant]:
    """Return the grants of an event, held against the ledger; raise `LedgerError` as it does."""
    told = list(learned)
    last: Grant | None = None
    for grant in told:
        # What all learn is one fact, which is looked up once.
        if last is None or grant.fact is not last.fact or grant.role != last.role:
            checked(event, grant)
        last = grant
    return told
