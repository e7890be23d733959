"""Who sees what past large units on a surface map; a part of the second reading of the rules."""

from grantedground import Man, bodies_on, men_of
from sunglare_protocol.surface import Cell
from sunglare_rules.surface.sight import Standing, sees
from sunglare_server.match.ids import PieceId
from sunglare_server.match.truth import Truth


def reaches(truth: Truth, piece: PieceId, point: Cell) -> bool:
    """Return whether nothing stands between a designator and its point."""
    men = men_of(truth)
    return any(sees_point(truth, men, man, point) for man in men if man.piece == piece)


def sees_point(truth: Truth, men: list[Man], man: Man, point: Cell) -> bool:
    """Return whether a man sees a point of the ground."""
    return sees_past(truth, men, man, Standing(point, 0))


def sees_past(truth: Truth, men: list[Man], man: Man, aim: Standing) -> bool:
    """Return whether a man sees something on his map past all who stand there."""
    environs = truth.board.environs_at(man.site)
    return environs is not None and sees(environs, man.standing, aim, bodies_on(men, man.site))
