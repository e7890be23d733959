"""The operator's requests as tables: each has what meets it, and the workers that it concerns."""

from typing import get_args

import pytest

from sunglare_protocol.ids import Side
from sunglare_server.app import App
from sunglare_server.ops.control.operator import Operator
from sunglare_server.ops.control.requests import (
    Adjourn,
    ArchiveRecords,
    Backup,
    Ban,
    BansAsked,
    BarName,
    DeedsAsked,
    Drain,
    DropMatch,
    DumpMatch,
    ExportMatch,
    FoldRatings,
    ForgetPerson,
    GrantCaster,
    ImportMatch,
    Kick,
    MatchesAsked,
    Mute,
    Pause,
    PersonAsked,
    Prune,
    Reload,
    Rename,
    RenewSeals,
    ReportsAsked,
    Request,
    Restore,
    RevokeCaster,
    Say,
    Scope,
    StatusAsked,
    Whois,
    scope_of,
)

SCOPES: dict[Scope, tuple[Request, ...]] = {
    Scope.EACH: (
        StatusAsked(),
        MatchesAsked(),
        Say(text="back at nine"),
        Kick(name="anna"),
        Ban(name="anna"),
        Drain(in_ms=1),
        Reload(),
        RenewSeals(wish="w"),
        FoldRatings(),
    ),
    Scope.OWNER: (
        Say(text="back at nine", match="m"),
        Kick(match="m", side=Side("A")),
        GrantCaster(match="m", name="anna"),
        RevokeCaster(match="m", name="anna"),
        Pause(match="m"),
        Adjourn(match="m"),
        DropMatch(match="m"),
        ExportMatch(match="m", path="/m.db"),
        ReportsAsked(done="m"),
        ReportsAsked(drop="m"),
    ),
    Scope.ANY: (
        ReportsAsked(),
        Ban(name="anna", on=False),
        Mute(name="anna"),
        Rename(name="anna"),
        BarName(name="anna"),
        PersonAsked(name="anna"),
        ForgetPerson(name="anna"),
        Whois(mark="x"),
        BansAsked(),
        DeedsAsked(),
        Restore(what="bans"),
        Backup(path="/x.db"),
        Prune(days=1),
        ArchiveRecords(path="/x"),
        DumpMatch(match="m", path="/m"),
        ImportMatch(path="/m"),
    ),
}
"""The workers of a cluster that each request concerns."""


def test_every_request_has_something_that_meets_it(app: App) -> None:
    assert set(Operator(app.operator.site).handlers) == set(get_args(Request))


def test_the_table_of_scopes_has_every_request() -> None:
    known = {type(request) for requests in SCOPES.values() for request in requests}
    assert known == set(get_args(Request))


@pytest.mark.parametrize(
    ("request_", "scope"),
    [
        pytest.param(request, scope, id=f"{type(request).__name__} {scope.value} {number}")
        for scope, requests in SCOPES.items()
        for number, request in enumerate(requests)
    ],
)
def test_a_request_concerns_each_worker_any_of_them_or_the_owner_of_its_match(
    request_: Request, scope: Scope
) -> None:
    assert scope_of(request_) is scope
