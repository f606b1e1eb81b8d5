"""From the lobby to a table and back: what each choice leads to, as one coroutine."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import replace

from qin.client.address import Address
from qin.client.channel import new_token
from qin.client.client import Client, connect
from qin.client.errors import CallError
from qin.client.table import Table
from qin.client.tui.home import LAN, Announcements, Home, Served, Wishes
from qin.client.tui.keeping import KeptSeat, SeatKeeper
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
from qin.client.tui.stage import Stage
from qin.client.tui.table_model import Message, Phase
from qin.client.tui.table_screen import TableScreen
from qin.client.tui.tutorial import run_tutorial
from qin.engine import QinError
from qin.v1 import types_pb2 as pb

_GONE = ("NO_SUCH_TABLE", "NOT_OPEN", "NO_FREE_SEAT")
"""Why a seat that was kept is not there any more."""


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
        self._home = home
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
                self._lobby.message = str(problem)
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
                async with self._connected(stage, address) as client:
                    await stage.show(TableScreen(stage, client, client.table(address.table)))
            case Tutorial():
                await run_tutorial(stage)
            case Quit() | AskAddress():
                pass
        return None

    # ---- games of this machine -----------------------------------------------------------------

    async def _serve(self, stage: Stage, *, lan: bool) -> None:
        wishes = self.wishes
        bots = list(dict.fromkeys(wishes.opponents if not lan else self._home.opponents))
        async with AsyncExitStack() as stack:
            stage.notice = "opening the table …"
            served = await stack.enter_async_context(self._home.serve("", lan=lan, bots=bots))
            token = new_token()
            client = await stack.enter_async_context(connect(served.address, token=token))
            table = await client.create(
                board=wishes.board,
                seats=wishes.seats,
                name=wishes.name,
                settings=_settings(lan=lan),
            )
            await table.join(wishes.name)
            screen = TableScreen(stage, client, table, owner=True)
            if lan:
                screen.note = _invitation(served, table)
            else:
                for bot in wishes.opponents:
                    await table.add_bot(served.bots[bot])
                screen.starts_when_full = True
            kept = KeptSeat(
                table.table_id, token, "", served.place, owner=True, bots="\n".join(bots)
            )
            await self._play(stage, screen, kept)

    async def _go_on(self, stage: Stage, kept: KeptSeat) -> None:
        async with AsyncExitStack() as stack:
            stage.notice = "going back to the table …"
            if kept.place:
                lan, bots = kept.place == LAN, kept.bots.splitlines()
                serving = self._home.serve(kept.place, lan=lan, bots=bots)
                served = await stack.enter_async_context(serving)
                address = served.address
            else:
                served, address = None, Address.parse(kept.address)
            client = await stack.enter_async_context(
                connect(address, token=kept.token, password=self.wishes.password)
            )
            table = client.table(kept.table)
            screen = TableScreen(stage, client, table, owner=kept.owner)
            if served is not None and served.outside is not None:
                screen.note = _invitation(served, table)
            try:
                await table.join(self.wishes.name)
                await self._play(stage, screen, kept)
            except CallError as error:
                if error.reason in _GONE:
                    self._keeper.forget(kept)
                raise

    # ---- other servers -------------------------------------------------------------------------

    def _connected(
        self, stage: Stage, address: Address, token: str = ""
    ) -> AbstractAsyncContextManager[Client]:
        stage.notice = f"calling {address.target} …"
        return connect(address, token=token, password=self.wishes.password)

    async def _join(self, stage: Stage, address: Address) -> None:
        where = str(replace(address, table="", code=""))
        known = self._keeper.find(where, address.table)
        token = known.token if known else new_token()
        async with self._connected(stage, address, token) as client:
            table = client.table(address.table, address.code)
            kept = known or KeptSeat(address.table, token, where)
            screen = TableScreen(stage, client, table, owner=kept.owner)
            try:
                await table.join(self.wishes.name)
            except CallError as error:
                if error.reason not in ("NOT_OPEN", "NO_FREE_SEAT"):
                    raise
                screen.model.message = Message(f"{error}: you look on")
                await stage.show(screen)
                return
            await self._play(stage, screen, kept)

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

    async def _play(self, stage: Stage, screen: TableScreen, kept: KeptSeat) -> None:
        """Show a table to one who sits there. The seat is kept until the series is over."""
        self._keeper.keep(kept)
        try:
            await stage.show(screen)
        finally:
            state, phase = screen.model.state, screen.model.phase
            if phase is Phase.RESULT or screen.model.ended is not None:
                self._keeper.forget(kept)
            elif state is not None:
                others = [name for n, name in enumerate(state.names) if n != state.seat]
                with_whom = f"with {', '.join(others)}"
                self._keeper.keep(replace(kept, board=state.board.name, players=with_whom))
        if phase is Phase.ROOM and not kept.owner:
            await screen.table.leave()
            self._keeper.forget(kept)


def _settings(*, lan: bool) -> pb.TableSettings:
    """On the LAN a bot plays on for who stays away; alone one may take one's time."""
    if not lan:
        return pb.TableSettings()
    return pb.TableSettings(absence=pb.ABSENCE_HOUSE_BOT, absence_seconds=120)


def _invitation(served: Served, table: Table) -> str:
    where = served.outside or served.address
    return f"qin play '{replace(where, table=table.table_id)}'"
