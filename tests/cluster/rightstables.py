"""What a gateway must be refused: subjects, each with what it would give to who has stolen one.

A pattern to subscribe comes with a subject that it holds, on which a worker then tells something.
"""

LISTENING: dict[str, tuple[str, str]] = {
    ">": ("view.m1.A", "everything at once"),
    "*.>": ("view.m1.A", "everything of two words or more"),
    "*.*.*": ("view.m1.A", "everything of three words, frames of sides among it"),
    "mlog.>": ("mlog.9.m1", "the records of all matches: every order before its window closes"),
    "mlog.9.m1": ("mlog.9.m1", "the records of one match"),
    "mlog.*.m1": ("mlog.9.m1", "the records of one match, whatever its shard"),
    "$KV.>": ("$KV.other.k", "all buckets"),
    "$KV.rooms.>": ("$KV.rooms.k", "rooms: codes of private matches, seeds"),
    "$KV.accounts.>": ("$KV.accounts.k", "names and the hashes of their tokens"),
    "$KV.tickets.>": ("$KV.tickets.k", "hashes of the tickets of seats"),
    "$KV.lease.>": ("$KV.lease.k", "who owns which match"),
    "$O.>": ("$O.replays.C.k", "what is archived"),
    "$JS.>": ("$JS.ACK.x", "everything that is asked of storage"),
    "$JS.API.>": ("$JS.API.x", "what workers ask of storage, keys of rooms and matches among it"),
    "$JS.EVENT.>": (
        "$JS.EVENT.x",
        "what happens to streams, which tells when records are written",
    ),
    "$JS.ACK.>": ("$JS.ACK.x", "how far a log is read"),
    "$SYS.>": ("$SYS.x", "what happens in the engine"),
    "ctl.>": ("ctl.w1", "what the operator says to workers"),
    "_INBOX.>": ("_INBOX.x", "answers to whoever has chosen no inbox"),
    "_INBOX_w1.>": ("_INBOX_w1.x", "what storage answers a worker: whole records"),
    "_INBOX_operator.>": ("_INBOX_operator.x", "what the operator is answered"),
    "*.x": ("_INBOX_w1.x", "answers, in whosever inbox"),
}
"""What no gateway may subscribe."""

LISTENING_OF_SPECTATORS: dict[str, tuple[str, str]] = {
    "view.>": ("view.m1.A", "all frames of all sides"),
    "view.*.*": ("view.m1.A", "the same in another form"),
    "view.m1.*": ("view.m1.A", "all feeds of a match"),
    "view.m1.>": ("view.m1.A", "the same in another form"),
    "view.*.A": ("view.m1.A", "the frames of a side"),
    "view.m1.B": ("view.m1.B", "the frames of the other side"),
    "view.*.caster": ("view.m1.caster", "the truth without delay"),
    "*.*.public": ("mlog.9.public", "what ends as a public feed does"),
    "view.*.public.>": ("view.m1.public.A", "what would lie below a public feed"),
    "req.>": ("req.m1.talk", "what players say and ask, their orders among it"),
    "look.>": ("look.m1.talk", "what spectators of other gateways ask, and their codes"),
    "line.>": ("line.g1", "what single players are told"),
    "line.*": ("line.g1", "the same in another form"),
    "line.g1": ("line.g1", "what single players of one gateway are told"),
    "line.s2": ("line.s2", "what the spectators of another gateway are told"),
    "_INBOX_g1.>": ("_INBOX_g1.x", "what players are answered"),
    "_INBOX_s2.>": ("_INBOX_s2.x", "what the spectators of another gateway are answered"),
}
"""What a spectators' gateway may not subscribe besides."""

LISTENING_OF_PLAYERS: dict[str, tuple[str, str]] = {
    "req.>": ("req.m1.talk", "what players of other gateways say and ask"),
    "look.>": ("look.m1.talk", "what spectators ask"),
    "line.*": ("line.g2", "what is told to players of other gateways"),
    "line.g2": ("line.g2", "what is told to players of one other gateway"),
    "_INBOX_g2.>": ("_INBOX_g2.x", "what players of another gateway are answered"),
}
"""What a players' gateway may not subscribe besides."""

TELLING: dict[str, str] = {
    "mlog.0.m1": "adds to the record of a match, which then folds no more",
    "mlog.7.m1": "the same where no stream listens",
    "view.m1.A": "tells a side something as its match",
    "view.m1.public": "tells spectators something as a match",
    "line.g9": "tells single players something as a worker",
    "took.m1": "says that a match has another owner",
    "here.w1": "says that a worker lives, or pretends to be one",
    "here.g9": "says that another gateway lives",
    "ctl.w1": "gives a worker an operator's command",
    "ctl.all": "gives all workers an operator's command",
    "_INBOX_w1.x": "answers a worker in the place of storage",
    "_INBOX_operator.x": "answers the operator in the place of a worker",
    "$KV.rooms.m1": "changes a room",
    "$KV.accounts.a": "changes an account",
    "$KV.tickets.t": "makes a ticket for a seat",
    "$KV.lease.m1": "takes a match from its owner",
    "$O.replays.C.x": "changes what is archived",
    "$JS.API.INFO": "asks how much is stored",
    "$JS.API.STREAM.CREATE.X": "makes a stream that copies whatever it likes",
    "$JS.API.STREAM.UPDATE.MLOG_0": "has a log forget, or copy itself elsewhere",
    "$JS.API.STREAM.NAMES": "lists what is stored",
    "$JS.API.STREAM.LIST": "lists what is stored, with sizes",
    "$JS.API.STREAM.INFO.MLOG_0": "tells how many records a match has",
    "$JS.API.STREAM.DELETE.MLOG_0": "deletes all records",
    "$JS.API.STREAM.PURGE.MLOG_0": "empties a log",
    "$JS.API.STREAM.PURGE.KV_rooms": "deletes all rooms",
    "$JS.API.STREAM.MSG.DELETE.MLOG_0": "deletes a record",
    "$JS.API.STREAM.MSG.GET.MLOG_0": "reads a record",
    "$JS.API.STREAM.MSG.GET.KV_rooms": "reads a room",
    "$JS.API.DIRECT.GET.MLOG_0": "reads a record from any replica",
    "$JS.API.DIRECT.GET.MLOG_0.mlog.0.m1": "reads the newest record of a match",
    "$JS.API.DIRECT.GET.KV_rooms.$KV.rooms.m1": "reads a room by its key",
    "$JS.API.STREAM.SNAPSHOT.MLOG_0": "copies a log",
    "$JS.API.STREAM.RESTORE.MLOG_0": "brings another log in its place",
    "$JS.API.STREAM.PEER.REMOVE.MLOG_0": "takes a replica away",
    "$JS.API.STREAM.LEADER.STEPDOWN.MLOG_0": "makes a log stall",
    "$JS.API.META.LEADER.STEPDOWN": "makes the cluster stall",
    "$JS.API.SERVER.REMOVE": "takes an engine away",
    "$JS.API.ACCOUNT.PURGE.PLAY": "deletes everything",
    "$JS.API.CONSUMER.CREATE.MLOG_0": "has a log sent to a place of one's own",
    "$JS.API.CONSUMER.CREATE.MLOG_0.c": "the same under a name",
    "$JS.API.CONSUMER.CREATE.MLOG_0.c.mlog.0.m1": "the same for one match",
    "$JS.API.CONSUMER.DURABLE.CREATE.MLOG_0.c": "the same, to stay",
    "$JS.API.CONSUMER.MSG.NEXT.MLOG_0.c": "reads the next record",
    "$JS.API.CONSUMER.NAMES.MLOG_0": "lists who reads a log",
    "$JS.API.CONSUMER.LIST.MLOG_0": "lists who reads a log, and how far",
    "$JS.API.CONSUMER.INFO.MLOG_0.c": "tells how far a log is read",
    "$JS.API.CONSUMER.DELETE.MLOG_0.c": "ends somebody's reading",
    "$JS.API.CONSUMER.PAUSE.MLOG_0.c": "halts somebody's reading",
    "$JS.ACK.MLOG_0.c.1.1.1.1.0": "says in another's name that a record was read",
    "$JS.FC.MLOG_0.c.x": "slows somebody's reading",
    "$SYS.REQ.SERVER.PING": "asks all engines who they are",
    "$SYS.REQ.SERVER.PING.VARZ": "asks all engines how they are set up",
    "$SYS.REQ.ACCOUNT.PLAY.CONNZ": "asks who is connected, from where",
    "$SYS.REQ.ACCOUNT.PING.CONNZ": "asks who is connected to one's own account",
    "$SYS.REQ.USER.INFO": "asks for one's own rights",
}
"""On what no gateway may publish."""

TELLING_OF_SPECTATORS: dict[str, str] = {
    "req.m1.talk": "speaks for a player",
    "req.any.talk": "takes a seat, or speaks to any worker as a players' gateway does",
    "req.worker.w1.talk": "speaks to one worker as a players' gateway does",
    "_INBOX_g1.x": "answers a player in the place of a worker",
    "here.g1": "says that a players' gateway lives",
    "line.g1": "tells single players something as a worker",
    "line.s1": "tells one's own spectators something as a worker",
}
"""On what a spectators' gateway may not publish besides."""

TELLING_OF_PLAYERS: dict[str, str] = {
    "look.m1.talk": "speaks for spectators of another gateway",
    "_INBOX_g2.x": "answers players of another gateway in the place of a worker",
    "here.g2": "says that another gateway lives",
    "line.g2": "tells players of another gateway something as a worker",
}
"""On what a players' gateway may not publish besides."""
