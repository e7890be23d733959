"""The answers of `sunglare_rules.advice` as lines for people: previews, chances, cards."""

from msgspec.structs import replace

from sunglare_client.command import Problem
from sunglare_client.text.answers_agents import agents_lines
from sunglare_client.text.labels import held
from sunglare_client.text.lists.space import order_text
from sunglare_client.text.notices.story import blocked_words, well_words
from sunglare_client.text.printable import printable, spoken
from sunglare_protocol.ids import Handle, OwnId
from sunglare_protocol.messages import Question
from sunglare_protocol.messages.answers import (
    BombardOdds,
    Card,
    GroundOdds,
    ListenOdds,
    ScanPreview,
    SenseOdds,
    ShotOdds,
    SweepOdds,
)
from sunglare_protocol.orders import (
    Bombard,
    Fire,
    Listen,
    Order,
    Probe,
    Scan,
    Sweep,
)
from sunglare_protocol.orders.agents import Mission, Search, StepOrder
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Fate
from sunglare_rules.advice.answer import answer
from sunglare_rules.advice.cards.answers import why_answer
from sunglare_rules.advice.cards.ground import ground_odds
from sunglare_rules.advice.cards.why import look, why
from sunglare_rules.advice.check.ground import unit_named
from sunglare_rules.advice.check.probe import request_means
from sunglare_rules.advice.legal.legal import legal
from sunglare_rules.advice.odds.fire import (
    listen_odds,
    odds_of_bombardment,
    sense_odds,
    shot_odds,
    sweep_odds,
)
from sunglare_rules.advice.odds.preview import preview
from sunglare_rules.blips.dossiers import Means
from sunglare_rules.sensors.scans import gives_sender_away

EXAMPLES_MOST = 60
"""So many legal orders are listed at once."""


def preview_lines(view: View, scan: Scan) -> list[str]:
    """Return what a scan would find and what everybody would learn from it, or why it cannot be.

    The last line gives the chances of the Sense roll, if the scan asks for one.
    """
    found = preview(view, scan)
    if isinstance(found, Rejected):
        return [_refused(found)]
    lines = [f"if you commit {order_text(scan)}:", *_preview_rows(found)]
    if gives_sender_away(scan.type):
        lines.append(f"  everybody will see {scan.ship}: {scan.type.value} gives its square away")
    if scan.sense:
        lines.extend(_sense_rows(sense_odds(view, scan.ship)))
    return [printable(line) for line in lines]


def odds_lines(
    view: View, order: Fire | Bombard | Listen | Sweep | Search | Mission | StepOrder
) -> list[str]:
    """Return how a shot bears and what it does on average, or why it cannot be fired.

    Of listening and sweeping: how likely it finds cloaked ships. Of a search and a mission the
    chances, of a step who will be detected by it.
    """
    match order:
        case Fire():
            return [_shot_row(view, order)]
        case Bombard():
            return [_bombard_row(odds_of_bombardment(view, order))]
        case Listen():
            heard = listen_odds(view, order)
            return [_refused(heard) if isinstance(heard, Rejected) else _listen_row(heard)]
        case Sweep():
            swept = sweep_odds(view, order)
            return [_refused(swept) if isinstance(swept, Rejected) else _sweep_row(swept)]
        case _:
            return agents_lines(view, order)


def _shot_row(view: View, order: Fire) -> str:
    if order.point is not None:
        return "  a beam on a point in sight always succeeds, for fire within 2 inches of it"
    unit = unit_named(view, order.ship)
    if unit is not None:
        return _ground_row(ground_odds(view, unit, order), view)
    shot = shot_odds(view, order)
    return _refused(shot) if isinstance(shot, Rejected) else _odds_row(shot, view)


def probe_lines(view: View, request: Probe) -> list[str]:
    """Return by what means a request for data would be carried out, and who would notice."""
    best, worst = request_means(view, request)
    if best is worst:
        return [_MEANS[best]]
    return [_MEANS[best], f"  or, if the ground hides it,{_MEANS[worst][1:]}"]


_MEANS = {
    Means.SHORT: "  at short range: nobody notices, and ECM does not matter",
    Means.PROBE: "  by probe: its owner and all within 26 inches of you learn the bearing",
    None: "  out of reach: there will be no answer but that",
}


def legal_lines(view: View, ship: str = "") -> list[str]:
    """Return orders that the open window takes, of one ship or of all."""
    orders = [order for order in legal(view) if ship in ("", order.ship)]
    if not orders:
        whose = f"for {ship} " if ship else ""
        return [f"no order is possible {whose}in this window; say ready"]
    lines = [f"  {legal_text(order, view)}" for order in orders[:EXAMPLES_MOST]]
    if len(orders) > EXAMPLES_MOST:
        lines.append(
            f"  and {len(orders) - EXAMPLES_MOST} more; name a piece: legal {orders[0].ship}"
        )
    return [printable(line) for line in lines]


def card_lines(view: View, about: str, *, reasons: bool) -> list[str]:
    """Return the card of a thing: what is known of it, or with `reasons` by which rule."""
    name = _as_known(view, about)
    card = why(view, name) if reasons else look(view, name)
    if isinstance(card, Rejected):
        return [_refused(card)]
    return _card_rows(card)


def own_ids(view: View) -> tuple[OwnId, ...]:
    """Return the ids of the own pieces in play: ships, then ground units, then characters."""
    ships = (each.id for each in view.own if each.fate is Fate.IN_PLAY)
    units = (each.id for each in view.ground if each.fate is Fate.IN_PLAY)
    agents = (each.id for each in view.agents if each.fate is Fate.IN_PLAY)
    return (*ships, *units, *agents)


def is_known(view: View, about: str) -> bool:
    """Return whether there is a card on a thing."""
    return not isinstance(look(view, _as_known(view, about)), Rejected)


def answer_lines(view: View, order: Order | None) -> list[str]:
    """Return the rules behind the preview and the odds of an order; None: nothing was asked."""
    if order is None:
        return ["you asked for no odds and no preview in this window yet"]
    kinds = [Question.PREVIEW] if isinstance(order, Scan | StepOrder) else [Question.ODDS]
    if isinstance(order, Scan) and order.sense:
        kinds.append(Question.ODDS)
    lines = []
    for kind in kinds:
        found = answer(view, kind, order)
        if isinstance(found, Rejected):
            return [_refused(found)]
        lines.extend(_card_rows(why_answer(view, found)))
    return lines


def legal_text(order: Order, view: View) -> str:
    """Return an order as a command; targets by the label that the lists show."""
    if isinstance(order, Probe | Fire | Mission) and order.at is not None:
        order = replace(order, at=Handle(_label(view, order.at)))
    return order_text(order)


def _preview_rows(found: ScanPreview) -> list[str]:
    start, glare, well, blocked = found.candidates
    answers = found.answers
    public = (
        f"  glare? {'yes' if answers.glare else 'no'}"
        f" | from or touching a well? {well_words(answers)}"
        f" | blocked: {blocked_words(answers)}"
    )
    finds = f"finds signatures of {found.finds_from:+d} and more"
    return [
        f"  strength {found.strength:+d}, effective {found.effective:+d}: {finds}",
        "  EVERYBODY WILL LEARN: the scan, its strength, and these answers",
        public,
        f"  squares you may stand on: {start} -> {glare} -> {well} -> {blocked}",
    ]


def _sense_rows(odds: SenseOdds | Rejected) -> list[str]:
    if isinstance(odds, Rejected):
        return []
    chances = "  ".join(f"{signal}: {each} %" for signal, each in enumerate(odds.hundredths))
    return [f"  chance to track a contact by its signal  {chances}"]


def _odds_row(odds: ShotOdds, view: View) -> str:
    mean = odds.mean_hundredths / 100
    if odds.at is None:
        return f"{odds.ship}.{odds.weapon}: mean damage {mean:.2f} to all that is held in its way"
    return printable(
        f"{odds.ship}.{odds.weapon} at {_label(view, odds.at)}: range band {odds.band}, "
        f"target {odds.relation.value}, mean damage {mean:.2f} (its screens are not known)"
    )


def _ground_row(odds: GroundOdds | Rejected, view: View) -> str:
    if isinstance(odds, Rejected):
        return _refused(odds)
    shot = f"{odds.ship}.{odds.weapon} at {_label(view, odds.at)}"
    return printable(f"{shot}: needs {odds.needed}, {odds.hundredths} %, damage {odds.damage}")


def _bombard_row(odds: BombardOdds | Rejected) -> str:
    if isinstance(odds, Rejected):
        return _refused(odds)
    shot = f"{odds.ship}.{odds.weapon} at {odds.at.body} {odds.at.environs} {odds.cell.name}"
    lands = f"; lands in turn {odds.lands}" if odds.lands is not None else ""
    chance = f"{odds.hundredths} % ({odds.guided_hundredths} % with a beam on it)"
    return printable(f"{shot}: needs {odds.needed}, {chance}, damage {odds.damage}{lands}")


def _listen_row(odds: ListenOdds) -> str:
    chances = "  ".join(f"{n}: {each} %" for n, each in enumerate(odds.hundredths, 1))
    used = f"it used {odds.own}, your loudest ship {odds.loudest}"
    return f"  chance at best to hear a cloaked ship by its thrust ({used})  {chances}"


def _sweep_row(odds: SweepOdds) -> str:
    means = "  ".join(f"{n}: {each / 100:.2f}" for n, each in enumerate(odds.mean_hundredths, 1))
    return f"  everybody will see {odds.ship}; it finds on average, of so many in sight  {means}"


def _card_rows(card: Card) -> list[str]:
    return [printable(card.title), *(printable(f"  {spoken(line)}") for line in card.lines)]


def _refused(rejected: Rejected) -> str:
    right = f"Choices: {', '.join(rejected.choices)}." if rejected.choices else ""
    return printable(Problem("E-ORDER", f"{rejected.text} ({rejected.code.value})", right).text)


def _label(view: View, handle: str) -> str:
    labels = {each.handle: each.label for each in held(view)}
    return labels.get(Handle(handle), handle)


def _as_known(view: View, about: str) -> str:
    """Return a name as the view spells it, whatever case it was typed in."""
    names: list[str] = [ship.id for ship in view.own]
    names += [unit.id for unit in view.ground]
    names += [agent.id for agent in view.agents]
    names += [each.label for each in held(view)]
    names += [each.handle for each in held(view) if each.handle is not None]
    return next((name for name in names if name.lower() == about.lower()), about)
