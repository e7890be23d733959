"""The operator: the table of requests with what meets each, and the words of what was done."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, final

from sunglare_server.base.storage_errors import MediumError
from sunglare_server.ops.backup.backup import back_up, prune
from sunglare_server.ops.backup.match_transfer import bring_in, dump
from sunglare_server.ops.backup.record_archive import archive
from sunglare_server.ops.control import requests as asked
from sunglare_server.ops.control.answers import Answer
from sunglare_server.ops.control.audit import AuditRecorder
from sunglare_server.ops.control.draining import Draining
from sunglare_server.ops.control.match_actions import MatchActions
from sunglare_server.ops.control.overview import Installation, rows, status
from sunglare_server.ops.control.request_handler import reloaded
from sunglare_server.ops.control.requests import AnyRequest, ForeignError, Request, RequestError
from sunglare_server.ops.moderation.account_lookup import counted, owner_of
from sunglare_server.ops.moderation.names import Naming
from sunglare_server.ops.moderation.reports import Complaints
from sunglare_server.ops.moderation.sanctions import Sanctioning
from sunglare_server.ops.privacy.personal_data import PersonalData
from sunglare_server.ops.repair.quarantine_requests import Quarantining
from sunglare_server.ops.repair.table_restore import Restoring
from sunglare_server.ports.lease import ElsewhereError

_Kind = TypeVar("_Kind", bound=AnyRequest)

Handler = Callable[[Any], Awaitable[Answer | str]]
"""Meets requests of one kind: an answer, or what was done in words; raises `RequestError`."""


def _on(
    kind: type[_Kind], handler: Callable[[_Kind], Awaitable[Answer | str]]
) -> tuple[type[AnyRequest], Handler]:
    """Return a row of the table: a kind of request, and what meets it."""
    return kind, handler


@final
class Operator:
    """Does what the operator asks of one server; `drained` is set when the server shall end."""

    def __init__(self, site: Installation) -> None:
        """Work on the parts of `site`."""
        self.site = site
        self._lobby = site.lobby
        self._draining = Draining(site)
        self.drained = self._draining.ended
        self._audit = AuditRecorder(site.audit_log, site.clock)
        self._quarantining = Quarantining(site)
        self._matches = MatchActions(site.lobby, self._quarantining)
        self._sanctioning = Sanctioning(site.lobby)
        self._people = PersonalData(site)
        self._copying = asyncio.Lock()
        self._archiving = asyncio.Lock()
        self.handlers = self._table()

    def _table(self) -> dict[type[AnyRequest], Handler]:
        """Return what meets each kind of request."""
        site, matches, quarantining = self.site, self._matches, self._quarantining
        naming, restoring = Naming(site.lobby), Restoring(site, self._sanctioning)
        return dict(
            (
                _on(asked.StatusAsked, self._status),
                _on(asked.MatchesAsked, self._rows),
                _on(asked.Say, matches.say),
                _on(asked.Kick, matches.kick),
                _on(asked.GrantCaster, matches.grant),
                _on(asked.RevokeCaster, matches.grant),
                _on(asked.Pause, matches.pause),
                _on(asked.Adjourn, matches.adjourn),
                _on(asked.Drain, self._draining.order),
                _on(asked.Reload, lambda _: reloaded(site.reload)),
                _on(asked.RenewSeals, self._renew_seals),
                _on(asked.Backup, self._back_up),
                _on(
                    asked.Prune, lambda it: prune(site, it.days, dry=it.dry, archived=it.archived)
                ),
                _on(asked.ArchiveRecords, self._archive),
                _on(asked.DumpMatch, self._dump),
                _on(asked.ImportMatch, lambda it: bring_in(site, it.path)),
                _on(asked.ReportsAsked, self._reports),
                _on(asked.FoldRatings, self._fold_ratings),
                _on(asked.Mute, self._sanctioning.perform),
                _on(asked.Ban, self._sanctioning.perform),
                _on(asked.Rename, naming.perform),
                _on(asked.BarName, naming.perform),
                _on(asked.PersonAsked, self._person),
                _on(asked.ForgetPerson, lambda it: self._people.forget(it.name)),
                _on(asked.DropMatch, lambda it: quarantining.drop(it.match)),
                _on(asked.ExportMatch, lambda it: quarantining.export(it.match, it.path)),
                _on(asked.Whois, self._whois),
                _on(asked.BansAsked, self._bans),
                _on(asked.DeedsAsked, self._log),
                _on(asked.Restore, restoring.perform),
            )
        )

    async def perform(self, request: Request) -> Answer:
        """Do what is asked, and note who asked it; raise `RequestError` if that can't be."""
        return await self._audit.noted(request, self._tried)

    async def _tried(self, request: Request) -> Answer:
        try:
            met = await self.handlers[type(request)](request)
        except ElsewhereError as error:
            raise ForeignError(error.match) from error
        except MediumError as error:
            medium = self.site.medium if self.site.database is None else "the database"
            raise RequestError(f"{medium} refused: {error}") from error
        return Answer(done=met) if isinstance(met, str) else met

    async def close(self) -> None:
        """Wait for no match any more."""
        self._draining.close()

    async def _status(self, _: asked.StatusAsked) -> Answer:
        return Answer(standing=await status(self.site))

    async def _rows(self, request: asked.MatchesAsked) -> Answer:
        found = await rows(self.site, over=request.over)
        return Answer(
            matches=await self._quarantining.rows(found) if request.quarantined else found
        )

    async def _bans(self, _: asked.BansAsked) -> Answer:
        found = await self._sanctioning.rows()
        return Answer(bans=found, set_aside=self.site.aside_of("bans"))

    async def _log(self, request: asked.DeedsAsked) -> Answer:
        entries = await self._audit.rows(request)
        return Answer(deeds=entries, set_aside=self.site.aside_of("log"))

    async def _whois(self, request: asked.Whois) -> Answer:
        return Answer(owner=await owner_of(self._lobby, request.mark))

    async def _person(self, request: asked.PersonAsked) -> Answer:
        return Answer(person=await self._people.person(request.name))

    async def _dump(self, request: asked.DumpMatch) -> str:
        return await dump(self.site, await self._matches.room(request.match), request.path)

    async def _fold_ratings(self, _: asked.FoldRatings) -> str:
        count = await self._lobby.ladder.ratings.rebuild()
        return f"folded {counted(count, 'result')} of rated matches"

    async def _renew_seals(self, request: asked.RenewSeals) -> str:
        if self.site.rpc_server is None:
            raise RequestError("this server has no gateways, so no line of one is sealed")
        await self.site.rpc_server.replace_key(request.wish)
        return "lines are sealed with another key; the one before is good until the next time"

    async def _back_up(self, request: asked.Backup) -> str:
        if self._copying.locked():
            raise RequestError("another backup is being made; come again when it is done")
        async with self._copying:
            return await back_up(self.site, request.path)

    async def _archive(self, request: asked.ArchiveRecords) -> Answer:
        if self._archiving.locked():
            raise RequestError("another archive is being made; come again when it is done")
        async with self._archiving:
            done = await archive(self.site, request.path)
        words = f"{request.path}: {counted(done.made, 'file')} made"
        # Where nothing can be made another request would make no more.
        left = done.left if done.made else 0
        words += f", {counted(left, 'match', 'matches')} left" if left else ""
        return Answer(done=words, left=left, missing=done.failed)

    async def _reports(self, request: asked.ReportsAsked) -> Answer | str:
        complaints = Complaints(self._lobby, self.site.journal)
        match (request.done, request.drop):
            case (None, None):
                now_ms = self.site.clock.now_ms()
                found = await complaints.rows(now_ms, done=request.all)
                return Answer(reports=found, set_aside=self.site.aside_of("reports"))
            case (str(match), None):
                return await complaints.done(await self._matches.room(match))
            case (None, str(match)):
                room = await self._matches.room(match)
            case _:
                raise RequestError("reports takes either --done or --drop")
        await self._lobby.reports.drop(room)
        return f"{room.match}: its reports are deleted"
