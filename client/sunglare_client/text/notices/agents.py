"""What happened to agents and in searches, in sentences."""

from typing import assert_never

from sunglare_client.text.places import place_words
from sunglare_client.text.printable import spoken
from sunglare_protocol import notices
from sunglare_protocol.words.search import Cause, FightOutcome

_CAUSES: dict[Cause, str] = {
    Cause.TRACKED: "its ship is tracked",
    Cause.MISSION: "an event of the mission",
    Cause.TROOPS: "he stands with troops",
    Cause.SHUTTLE: "he landed by shuttle",
    Cause.COMPANY: "a friend nearby is detected",
    Cause.RETURN: "it came back",
}
"""Why somebody is detected, in words."""

_OUTCOMES: dict[FightOutcome, str] = {
    FightOutcome.BROKEN_OFF: "they broke off",
    FightOutcome.ATTACKERS_GONE: "the attackers are gone",
    FightOutcome.DEFENDERS_GONE: "the defenders are gone",
    FightOutcome.BOTH_GONE: "nobody is left",
    FightOutcome.TIME: "neither side gave in",
}
"""How a fight ended, in words."""


def agents_sentence(notice: notices.AgentNotice) -> str:
    """Return a notice of agents or searches as a sentence."""
    if isinstance(notice, notices.AgentsSought):
        return _sought(notice)
    if isinstance(notice, notices.AgentsHunted):
        return _hunted(notice)
    if isinstance(notice, notices.AgentsDeed):
        return _deed(notice)
    return _of_truth(notice)


def _sought(notice: notices.AgentsSought) -> str:
    match notice:
        case notices.AlertSeen():
            word = "no more ALERT: no agents" if notice.over else "ALERT: agents"
            return f"{word} of {notice.side} near {place_words(notice.planet, notice.environs)}"
        case notices.ShipAlertSeen():
            word = "no more agents" if notice.over else "ALERT: agents"
            return f"{word} near {notice.label}"
        case notices.SearchResult():
            answer = "FOUND" if notice.found else "not found"
            why = " (an event called for it)" if notice.event else ""
            what = f"your search for agents of {notice.side} at {notice.site.name}"
            return f"{what}, value {notice.value}{why}: {answer}"
        case notices.StrikeResult():
            return _strike(notice)
        case notices.SpyResult():
            return f"your spies know {notice.units} units at {notice.site.name}"
        case _:
            assert_never(notice)


def _strike(notice: notices.StrikeResult) -> str:
    sent = _attackers(notice, f"your {', '.join(notice.sent)}", notice.own_fallen)
    fight = f"fight at {notice.site.name}: {sent}; {_OUTCOMES[notice.outcome]}"
    return f"{fight}{_list('killed:', notice.fallen)}{_list('escaped:', notice.escaped)}"


def _hunted(notice: notices.AgentsHunted) -> str:
    match notice:
        case notices.OwnDetected():
            return f"your {notice.ship} is DETECTED: {_CAUSES[notice.cause]}"
        case notices.OwnShaken():
            return f"your {notice.ship} has shaken its detection off at {notice.planet}"
        case notices.OwnSearched():
            found = f"FOUND {', '.join(notice.found)}" if notice.found else "found nobody"
            why = " after your mission" if notice.event else ""
            return f"{notice.side} searched {notice.site.name}{why} and {found}"
        case notices.OwnStruck():
            return _struck(notice)
        case notices.OwnKilled():
            return f"your {notice.ship} is DEAD"
        case _:
            assert_never(notice)


def _struck(notice: notices.OwnStruck) -> str:
    by = _attackers(notice, f"{', '.join(notice.by)} of {notice.side}", notice.beaten)
    fight = f"fight at {notice.site.name} against {by}; {_OUTCOMES[notice.outcome]}"
    return f"{fight}{_list('you lost', notice.fallen)}{_list('away:', notice.escaped)}"


def _deed(notice: notices.AgentsDeed) -> str:
    match notice:
        case notices.OwnStepFailed():
            return f"your {notice.ship} could not: {spoken(notice.why.value)}"
        case notices.OwnStranded():
            return f"the troops around your {notice.ship} are gone; he stands alone"
        case notices.MissionResult():
            answer = "SUCCEEDED" if notice.success else "failed"
            return f"the {notice.kind.value} mission of {notice.ship} {answer}"
        case notices.OwnSabotaged():
            effect = "its weapons are silent" if notice.silent else f"{notice.damage} damage"
            return f"your {notice.ship} was sabotaged: {effect}"
        case notices.OwnFreed():
            return f"your {notice.ship} is free"
        case notices.ItemMoved():
            return _item(notice)
        case _:
            assert_never(notice)


def _item(notice: notices.ItemMoved) -> str:
    if notice.carrier is not None:
        return f"{notice.carrier} has the {notice.name}"
    if notice.delivered:
        return f"{notice.name} is DELIVERED"
    return f"the {notice.name} lies {'somewhere' if notice.site is None else notice.site.name}"


def _of_truth(notice: notices.TruthAgents) -> str:
    piece = "" if notice.piece is None else f".{notice.piece}"
    return f"{notice.side}{piece}: {notice.what}"


def _attackers(
    notice: notices.StrikeResult | notices.OwnStruck, agents: str, fallen: tuple[str, ...]
) -> str:
    """Return who attacked and what it cost them: a patrol, or these agents."""
    if notice.soldier is not None:
        return f"a patrol of {notice.soldiers} {notice.soldier.value} soldiers, {notice.lost} lost"
    return f"{agents}, {', '.join(fallen)} fell" if fallen else agents


def _list(what: str, names: tuple[str, ...]) -> str:
    return f"; {what} {', '.join(names)}" if names else ""
