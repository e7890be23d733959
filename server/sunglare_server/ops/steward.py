"""The steward: whatever the operator asks to keep order, given to whoever does it."""

from typing import assert_never, final

from sunglare_server.ops.naming import Naming
from sunglare_server.ops.noting import Noting
from sunglare_server.ops.orderly import (
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
from sunglare_server.ops.overview import Installation
from sunglare_server.ops.people import owner_of
from sunglare_server.ops.personaldata import PersonalData
from sunglare_server.ops.quarantining import Quarantining
from sunglare_server.ops.requests import Answer
from sunglare_server.ops.restoring import Restoring
from sunglare_server.ops.sanctioning import Sanctioning


@final
class Steward:
    """Keeps order in one server."""

    def __init__(self, site: Installation, noting: Noting, quarantining: Quarantining) -> None:
        """Work on the parts of `site`; `noting` has the operators' log."""
        self._site = site
        self._lobby = site.lobby
        self._noting = noting
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
                deeds = await self._noting.rows(request)
                return Answer(deeds=deeds, set_aside=self._site.aside_of("log"))
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
