"""The statements about tickets: a seat has its newest ones, and the one that is in use."""

DROP_TICKETS = "DELETE FROM ticket WHERE match = ?"
GIVE_TICKET = """
    INSERT INTO ticket (hash, match, side, session, expires_ms)
    SELECT ?1, ?2, ?3, 1 + ifnull(max(session), 0), ?4 FROM ticket WHERE match = ?2 AND side = ?3
"""
TICKET = "SELECT hash, match, side, session, expires_ms FROM ticket WHERE hash = ?"
TICKETS_OF = """
    SELECT hash, match, side, session, expires_ms FROM ticket
    WHERE match = ? AND side = ? ORDER BY session
"""
NEXT_TICKET = """
    INSERT INTO ticket (hash, match, side, session, expires_ms)
    SELECT ?, match, side, (
        SELECT 1 + max(session) FROM ticket AS seat
        WHERE seat.match = used.match AND seat.side = used.side
    ), expires_ms
    FROM ticket AS used WHERE hash = ?
"""
# A ticket that was used before is the oldest of its seat: its first use has ended all others.
END_OTHERS = """
    DELETE FROM ticket WHERE hash IN (
        SELECT other.hash FROM ticket AS used JOIN ticket AS other
        ON other.match = used.match AND other.side = used.side
        WHERE used.hash = ?1 AND other.hash NOT IN (?1, ?2) AND used.session > (
            SELECT min(session) FROM ticket AS seat
            WHERE seat.match = used.match AND seat.side = used.side
        )
    )
"""
# The oldest is the one in use.
END_SPARE = """
    DELETE FROM ticket WHERE hash IN (
        SELECT spare.hash FROM ticket AS newest JOIN ticket AS spare
        ON spare.match = newest.match AND spare.side = newest.side
        WHERE newest.hash = ?1 AND spare.session <= newest.session - ?2 AND spare.session > (
            SELECT min(session) FROM ticket AS seat
            WHERE seat.match = newest.match AND seat.side = newest.side
        )
    )
"""
EXPIRE = "UPDATE ticket SET expires_ms = ? WHERE match = ?"
DROP_SEAT = "DELETE FROM ticket WHERE match = ? AND side = ?"
DROP_EXPIRED = """
    DELETE FROM ticket WHERE expires_ms <= ? AND (
        match IN (SELECT match FROM finished) OR match NOT IN (SELECT match FROM room)
    )
"""
