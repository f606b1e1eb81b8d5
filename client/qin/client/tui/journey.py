"""From the lobby to a table and back: what each choice leads to, as one coroutine."""

from __future__ import annotations

from dataclasses import replace

from qin.client.address import Address
from qin.client.client import connect
from qin.client.errors import CallError
from qin.client.table_words import tell_problem
from qin.client.tui.home import Announcements, Home, Wishes
from qin.client.tui.keeping import Keeping, KeptSeat, SeatKeeper
from qin.client.tui.lobby_model import (
    AskAddress,
    Choice,
    GoOn,
    Host,
    Join,
    LobbyModel,
    NewGame,
    Quit,
    Tutorial,
    Watch,
)
from qin.client.tui.lobby_screen import LobbyScreen
from qin.client.tui.seating import Seated, Seating
from qin.client.tui.stage import Stage
from qin.client.tui.table_model import Message, Phase
from qin.client.tui.table_screen import TableScreen
from qin.client.tui.tutorial import run_tutorial
from qin.engine import QinError
from qin.v1 import types_pb2 as pb


class Journey:
    """All that happens between starting to play and quitting."""

    def __init__(
        self,
        home: Home,
        keeper: SeatKeeper,
        announcements: Announcements,
        wishes: Wishes,
        server: Address | None = None,
    ) -> None:
        self._seating = Seating(home, keeper)
        self._keeper = keeper
        self._announcements = announcements
        self._lobby = LobbyModel(wishes, home.opponents, server)

    @property
    def wishes(self) -> Wishes:
        return self._lobby.wishes

    async def run(self, stage: Stage) -> None:
        """Until somebody has had enough. A server that was asked for with a table is gone to."""
        server = self._lobby.server
        choice: Choice | None = Join(server) if server and server.table else None
        while True:
            if choice is None:
                self._lobby.kept = tuple(self._keeper.seats())
                screen = LobbyScreen(stage, self._lobby, self._announcements)
                choice = await stage.show(screen)
            if isinstance(choice, Quit):
                return
            self._lobby.message = ""
            try:
                choice = await self._follow(stage, choice)
            except (QinError, OSError) as problem:
                self._lobby.message = tell_problem(problem)
                choice = None

    async def _follow(self, stage: Stage, choice: Choice) -> Choice | None:
        match choice:
            case NewGame():
                await self._serve(stage, lan=False)
            case Host():
                await self._serve(stage, lan=True)
            case GoOn(seat):
                await self._go_on(stage, seat)
            case Join(address) if not address.table:
                return await self._at(address)
            case Join(address):
                await self._join(stage, address)
            case Watch(address):
                await self._look_on(stage, address)
            case Tutorial():
                await run_tutorial(stage)
            case Quit() | AskAddress():
                pass
        return None

    # ---- to a table ----------------------------------------------------------------------------

    async def _serve(self, stage: Stage, *, lan: bool) -> None:
        stage.notice = "opening the table …"
        async with self._seating.here(self.wishes, lan=lan) as seated:
            await self._play(stage, seated)

    async def _go_on(self, stage: Stage, kept: KeptSeat) -> None:
        stage.notice = "going back to the table …"
        async with self._seating.back(self.wishes, kept) as seated:
            await self._play(stage, seated)

    async def _join(self, stage: Stage, address: Address) -> None:
        """Sit down; where that is not possible any more, look on."""
        stage.notice = f"calling {address.target} …"
        try:
            async with self._seating.joined(self.wishes, address) as seated:
                await self._play(stage, seated)
        except CallError as error:
            if error.reason not in ("NOT_OPEN", "NO_FREE_SEAT"):
                raise
            await self._look_on(stage, address, f"{error}: you look on")

    async def _look_on(self, stage: Stage, address: Address, why: str = "") -> None:
        stage.notice = f"calling {address.target} …"
        async with self._seating.looking_on(self.wishes, address) as seated:
            screen = TableScreen(stage, seated.client, seated.table)
            if why:
                screen.model.message = Message(why)
            await stage.show(screen)

    async def _at(self, address: Address) -> Choice | None:
        """A server without a table: its only open table, or else the lobby with all of them."""
        self._lobby.server = address
        async with connect(address, password=self.wishes.password) as client:
            tables = await client.tables(pb.TABLE_STATE_OPEN)
        free = [table for table in tables if any(not seat.name for seat in table.seats)]
        if len(free) == 1:
            return Join(replace(address, table=free[0].table_id))
        if not tables:
            self._lobby.message = f"no table is open at {address.target}"
        return None

    # ---- at a table ----------------------------------------------------------------------------

    async def _play(self, stage: Stage, seated: Seated) -> None:
        """Show a table to one who sits there. The seat is kept until the series is over."""
        assert seated.kept is not None
        keeping = Keeping(self._keeper, seated.kept)
        screen = TableScreen(stage, seated.client, seated.table, owner=seated.owner)
        screen.note = seated.invitation
        screen.starts_when_full = seated.starts_when_full
        screen.seen = keeping.see
        try:
            await stage.show(screen)
        finally:
            phase = screen.model.phase
            if phase is Phase.RESULT or screen.model.ended is not None:
                keeping.forget()
        if phase is Phase.ROOM and not seated.owner:
            await screen.table.leave()
            keeping.forget()
