"""Why a cloaked ship of a finished match was heard or swept up, or was not.

Source: cloak of our rule book §2 to §4. From the events that the resolvers made, and from the
truth as it was before the dice fell.
"""

from collections.abc import Iterator, Sequence

from sunglare_arena.hindsight.distances import blockers
from sunglare_protocol.ids import Side
from sunglare_protocol.words.pieces import PieceKind
from sunglare_rules.cloak.cloak import detection_value, is_blind_aft
from sunglare_rules.cloak.sweeps import STRICT_FIRST, THRESHOLDS, is_jammed
from sunglare_rules.sensors.sectors import line_of_sight, standing_square
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.events.cloak import PassiveRolled, SweepDeclared, SweepRolled
from sunglare_server.match.events.space import Event
from sunglare_server.match.resolve.cloak import can_listen, hunts_now, loudest, nova_in_play
from sunglare_server.match.truth.truth import ShipTruth, Truth

LISTEN_RULE = "(cloak §2)"
SWEEP_RULE = "(cloak §4)"


def hunt_lines(
    truth: Truth, side: Side, ship: ShipTruth, events: Sequence[Event], options: MatchOptions
) -> Iterator[str]:
    """Yield what each ship of `side` made of a cloaked ship in a DETECT, with dice and values.

    `truth` is as it was when all sweeps had been declared.
    """
    if not ship.cloaked:
        return
    swept = {e.piece: e for e in events if isinstance(e, SweepRolled)}
    declared = [e.piece for e in events if isinstance(e, SweepDeclared)]
    heard = {e.piece: e for e in events if isinstance(e, PassiveRolled)}
    before: list[SweepRolled] = []
    for piece, event in swept.items():
        if truth.ships[piece].side == side:
            yield _sweep_line(truth, event, before, ship, strict=options.sweep_six == "strict")
            before.append(event)
    for own in truth.ships_of(side):
        if own.in_play and own.type.kind is PieceKind.STARSHIP and own.id not in declared:
            rolled = heard.get(own.id)
            if rolled is None:
                yield f"{own.own} did not listen: {_deaf_words(truth, own, options)} {LISTEN_RULE}"
            else:
                yield _listen_line(truth, own, rolled, ship)


def _listen_line(truth: Truth, own: ShipTruth, rolled: PassiveRolled, ship: ShipTruth) -> str:
    fastest = loudest(truth)
    value = detection_value(ship.thrust_used, own.thrust_used, fastest)
    terms = f"{ship.thrust_used} - {own.thrust_used} - {fastest} = {value}"
    words = f"{own.own} listened with a {rolled.die} against {terms}"
    if ship.id in rolled.found:
        return f"{words}: HEARD, the die is below it {LISTEN_RULE}"
    here, there = (standing_square(truth.board, either.place) for either in (own, ship))
    if rolled.die >= value:
        why = "the die is not below it"
    elif is_blind_aft(here, own.facing, there, own.thrust_spent > 0):
        why = "it lay in the 60 degrees astern of the main drive"
    elif not line_of_sight(truth.board, own.place, ship.place):
        why = f"hidden by {blockers(truth.board, own.place, ship.place)}"
    else:
        why = "a nearer one was heard"
    return f"{words}: not heard, {why} {LISTEN_RULE}"


def _deaf_words(truth: Truth, own: ShipTruth, options: MatchOptions) -> str:
    if not hunts_now(own):
        return "plant off, cloaked or landed"
    if is_jammed(truth.jam_end, truth.turn):
        return f"space was jammed up to turn {truth.jam_end}"
    if nova_in_play(truth, options):
        return "a nova or wave gun spoilt all listening"
    if not can_listen(truth, own, options):
        return "the noise of sweeps blinded it"
    return "it was told not to"


def _sweep_line(
    truth: Truth,
    event: SweepRolled,
    before: Sequence[SweepRolled],
    ship: ShipTruth,
    *,
    strict: bool,
) -> str:
    own = truth.ships[event.piece]
    dice = f"dice {' '.join(map(str, sorted(event.dice)))}" if event.dice else "no dice"
    words = f"{own.own} swept with {dice} for so many ships in sight"
    if ship.id in event.found:
        return f"{words}: FOUND {SWEEP_RULE}"
    if any(ship.id in earlier.found for earlier in before):
        return f"{words}: a sweep of yours had found it before {SWEEP_RULE}"
    if not line_of_sight(truth.board, own.place, ship.place):
        by = blockers(truth.board, own.place, ship.place)
        return f"{words}: hidden by {by} {SWEEP_RULE}"
    number = len(event.found)
    die = sorted(event.dice)[number]
    most = STRICT_FIRST if strict and number == 0 else (*THRESHOLDS, 0)[min(number, 6)]
    return (
        f"{words}: not found, the sweep ended at ship {number + 1} by distance, whose {die} is "
        f"above {most} {SWEEP_RULE}"
    )
