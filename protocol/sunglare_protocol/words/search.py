"""The words of agents, searches, patrols and missions that both ends use."""

from sunglare_protocol.word import Word


class Soldier(Word):
    """What the soldiers of a patrol are."""

    CONSCRIPT = "conscript"
    LINE = "line"
    STORMTROOPER = "stormtrooper"
    MARINE = "marine"
    MILITIA = "militia"
    REGULAR = "regular"
    ELITE = "elite"


class Strike(Word):
    """Whom a searching side sends against agents it finds."""

    PATROL = "patrol"
    AGENTS = "agents"
    NONE = "none"


class FightPolicy(Word):
    """What a group does when it is found: a standing order."""

    FLEE = "flee"
    SCREEN = "screen"
    FIGHT = "fight"


class MissionKind(Word):
    """What a mission group sets out to do."""

    SPY = "spy"
    SABOTAGE = "sabotage"
    STEAL = "steal"
    DELIVER = "deliver"
    FREE = "free"


class Cause(Word):
    """Why an agent or an agent spaceship is detected."""

    TRACKED = "tracked"
    MISSION = "mission"
    TROOPS = "troops"
    SHUTTLE = "shuttle"
    COMPANY = "company"
    RETURN = "return"


class StepFault(Word):
    """Why an agent did not make a step, or a group not its mission, as ordered."""

    NOT_ON_GROUND = "not_on_ground"
    NOT_ADJACENT = "not_adjacent"
    STACKED = "stacked"
    NOT_STACKED = "not_stacked"
    NO_TROOPS = "no_troops"
    NO_SUCH_VESSEL = "no_such_vessel"
    NOT_THERE = "not_there"
    NOT_ABOARD = "not_aboard"
    NO_SHUTTLE = "no_shuttle"
    CLOAKED = "cloaked"
    NO_SUCH_ENVIRONS = "no_such_environs"
    NOBODY = "nobody"
    APART = "apart"
    IN_OTHER_GROUP = "in_other_group"


class FightOutcome(Word):
    """How a fight after a search ended."""

    BROKEN_OFF = "broken_off"
    ATTACKERS_GONE = "attackers_gone"
    DEFENDERS_GONE = "defenders_gone"
    BOTH_GONE = "both_gone"
    TIME = "time"
