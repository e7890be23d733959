"""Answers about a ladder: names, and never a rating without its interval."""

from sunglare_protocol.messages.commands import AskLadder
from sunglare_protocol.messages.replies import Ladder, LadderLine, Refused
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.accounts.accounts import Caller
from sunglare_server.api.refusals import refused
from sunglare_server.lobby.lobby import Lobby
from sunglare_server.ports.rating_model import account_of, bot_of, player_of
from sunglare_server.ports.rating_store import RankedPlayer


async def ladder_of(lobby: Lobby, asked: AskLadder, caller: Caller) -> Ladder | Refused:
    """Return the part of a ladder that is asked for, as a caller sees it.

    A forgotten account keeps its place, and is called "someone".
    """
    ratings = lobby.ladder.ratings
    families = await ratings.families()
    if asked.family is not None and asked.family not in families:
        return refused(
            asked.id, Rejected(code=Code.LADDER_FAMILY, at="$.family", choices=families)
        )
    if not families:
        return Ladder(id=asked.id)
    family = families[0] if asked.family is None else asked.family
    # One more, to see if there is one.
    found = await ratings.ladder(family, asked.after, asked.most + 1)
    player = player_of(caller.account, None, is_bot=caller.is_bot)
    ranked, mine = found[: asked.most], await ratings.place(family, player)
    known = (*[account_of(one.player) for one in ranked], caller.account)
    names = await lobby.accounts.shown_names(tuple([one for one in known if one is not None]))
    return Ladder(
        id=asked.id,
        family=family,
        families=families,
        lines=tuple([_line(one, names) for one in ranked]),
        mine=None if mine is None else _line(mine, names),
        more=len(found) > asked.most,
    )


def _line(ranked: RankedPlayer, names: dict[str, str]) -> LadderLine:
    account, strength = account_of(ranked.player), ranked.strength
    low, high = strength.interval
    return LadderLine(
        rank=ranked.rank,
        name=bot_of(ranked.player) or names[account or ""],
        rating=strength.points,
        low=low,
        high=high,
        matches=strength.matches,
        bot=account != ranked.player,
    )
