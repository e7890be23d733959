"""Mutants of the ledger's table: a row dropped, a field dropped, an audience widened."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from sunglare_server.match.ledger.row import Row

WIDER = ("others", "public", "all", "omni")
"""Roles that name more than one part in an event, or somebody who plays none."""


def of_rows(rows: Sequence[Row]) -> Iterator[tuple[str, tuple[Row, ...]]]:
    """Yield every mutant of the table: what is wrong with it, and the table."""
    for index, row in enumerate(rows):
        before, after = rows[:index], rows[index + 1 :]
        name = f"{row.event} {row.role} {row.fact} {row.fields}"
        yield f"{name}: dropped", (*before, *after)
        for field in row.fields:
            left = tuple(other for other in row.fields if other != field)
            yield f"{name}: without {field}", (*before, replace(row, fields=left), *after)
        for role in WIDER:
            wider = replace(row, role=role)
            if not any(_allows_the_same(wider, known) for known in rows):
                yield f"{name}: for {role} too", (*rows, wider)


def _allows_the_same(one: Row, other: Row) -> bool:
    return (one.event, one.role, one.fact, one.fields) == (
        other.event,
        other.role,
        other.fact,
        other.fields,
    )
