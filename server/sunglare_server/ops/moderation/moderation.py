"""The steward: whatever the operator asks to keep order, given to whoever does it."""

from typing import assert_never, final

from sunglare_server.ops.control.audit import AuditRecorder
from sunglare_server.ops.control.overview import Installation
from sunglare_server.ops.control.requests import Answer
from sunglare_server.ops.moderation.account_lookup import owner_of
from sunglare_server.ops.moderation.moderation_requests import (
    Ban,
    BansAsked,
    BarName,
    DeedsAsked,
    DropMatch,
    ExportMatch,
    ForgetPerson,
    Mute,
    Orderly,
    PersonAsked,
    Rename,
    Restore,
    Whois,
)
from sunglare_server.ops.moderation.names import Naming
from sunglare_server.ops.moderation.sanctions import Sanctioning
from sunglare_server.ops.privacy.personal_data import PersonalData
from sunglare_server.ops.repair.quarantine_requests import Quarantining
from sunglare_server.ops.repair.table_restore import Restoring


@final
class Steward:
    """Keeps order in one server."""

    def __init__(
        self, site: Installation, noting: AuditRecorder, quarantining: Quarantining
    ) -> None:
        """Work on the parts of `site`; `noting` has the operators' log."""
        self._site = site
        self._lobby = site.lobby
        self._audit = noting
        self._quarantining = quarantining
        self._sanctioning = Sanctioning(site.lobby)
        self._naming = Naming(site.lobby)
        self._restoring = Restoring(site, self._sanctioning)
        self._people = PersonalData(site)

    async def perform(self, request: Orderly) -> Answer:
        """Do what is asked; raise `RequestError` if that can't be."""
        match request:
            case BansAsked():
                rows = await self._sanctioning.rows()
                return Answer(bans=rows, set_aside=self._site.aside_of("bans"))
            case DeedsAsked():
                entries = await self._audit.rows(request)
                return Answer(deeds=entries, set_aside=self._site.aside_of("log"))
            case Restore():
                return await self._restoring.perform(request)
            case Whois(mark=mark):
                return Answer(owner=await owner_of(self._lobby, mark))
            case PersonAsked(name=name):
                return Answer(person=await self._people.person(name))
            case _:
                return Answer(done=await self._ordered(request))

    async def _ordered(
        self,
        request: Ban | Mute | Rename | BarName | DropMatch | ExportMatch | ForgetPerson,
    ) -> str:
        match request:
            case Ban() | Mute():
                return await self._sanctioning.perform(request)
            case Rename() | BarName():
                return await self._naming.perform(request)
            case DropMatch(match=match):
                return await self._quarantining.drop(match)
            case ExportMatch(match=match, path=path):
                return await self._quarantining.export(match, path)
            case ForgetPerson(name=name):
                return await self._people.forget(name)
            case _:
                assert_never(request)
