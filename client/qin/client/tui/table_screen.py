"""The table: the waiting room, the game and its result, played or looked on at."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable
from contextlib import aclosing

from prompt_toolkit.filters import Condition
from prompt_toolkit.layout import ConditionalContainer, HSplit, VSplit, Window
from qin.client.client import Client
from qin.client.state import TableState
from qin.client.table import Table
from qin.client.tui import table_view
from qin.client.tui.board_control import BoardControl, Picture
from qin.client.tui.commands import (
    ChoosePile,
    Command,
    Help,
    Hint,
    Leave,
    Place,
    Rematch,
    Resign,
    Save,
    Say,
    parse_command,
)
from qin.client.tui.fragments import Line, text_window, wrapped
from qin.client.tui.help_pages import TABLE_HELP
from qin.client.tui.panel_view import panel
from qin.client.tui.scale import scale_for, size_of
from qin.client.tui.stage import Screen, Stage
from qin.client.tui.table_acts import TableActs
from qin.client.tui.table_keys import bind
from qin.client.tui.table_model import Message, Phase, TableModel
from qin.client.tui.text_screen import TextScreen
from qin.engine import ParseError

PANEL_WIDTH = 37
LEAST_LOG = 4
CLOCK_SECONDS = 1.0


class TableScreen(Screen[None]):
    """One table. Leaving the screen keeps the seat."""

    def __init__(
        self, stage: Stage, client: Client, table: Table, *, owner: bool = False, note: str = ""
    ) -> None:
        super().__init__(stage)
        self.table = table
        self.owner = owner
        self.note = note
        """A line to be kept in sight in the waiting room."""
        self.model = TableModel()
        self.way_out = "lobby"
        """Where `q` leads to."""
        self.starts_when_full = False
        """Whether the series starts by itself when all seats are taken."""
        self.seen: Callable[[TableState], None] = lambda _: None
        """Is told of the table as it is, whenever something has changed."""
        self.acts = self.make_acts(client, table)
        board = BoardControl(
            self.theme, self._picture, clicked=self.acts.click, wheeled=self.model.turn
        )
        self.focus = Window(
            board, width=lambda: self._board_size()[0], height=lambda: self._board_size()[1]
        )
        typing = Condition(lambda: self.line.is_open)
        lost = Condition(lambda: bool(self.model.lost) or self.model.ended is not None)
        model, theme = self.model, self.theme
        self.container = HSplit(
            [
                text_window(theme, lambda: table_view.title(model, self._width), height=1),
                ConditionalContainer(
                    text_window(theme, lambda: table_view.banner(model, self._width), height=1),
                    lost,
                ),
                VSplit(
                    [self.focus, Window(width=1), text_window(theme, self._panel)],
                    height=lambda: self._board_size()[1],
                ),
                text_window(theme, self._status, height=self._status_height),
                text_window(theme, self._log),
                self.line.container,
                ConditionalContainer(
                    text_window(
                        theme,
                        lambda: table_view.keys(
                            model, self._width, owner=self.owner, way_out=self.way_out
                        ),
                        height=1,
                    ),
                    ~typing,
                ),
            ]
        )
        bind(self)

    def make_acts(self, client: Client, table: Table) -> TableActs:
        """What keys and the mouse do; the tutorial does it without a server."""
        return TableActs(client, table, self.model, self.act)

    # ---- what is drawn -------------------------------------------------------------------------

    @property
    def _width(self) -> int:
        return self.stage.size[0]

    def _board_size(self) -> tuple[int, int]:
        """As large as leaves room for the panel and some lines of the log."""
        columns, rows = self.stage.size
        taken = 2 + int(bool(self.model.lost) or self.model.ended is not None)
        taken += table_view.LEAST_STATUS
        width, height = columns - PANEL_WIDTH - 1, rows - taken - LEAST_LOG
        if self.model.state is None:
            return width, height
        board = self.model.state.board
        whole = size_of(board, scale_for(board, width, height))
        return min(width, whole[0]), min(height, whole[1])

    def _picture(self) -> Picture | None:
        position = self.model.position
        return Picture(position, self.model.marks()) if position is not None else None

    def _panel(self) -> list[Line]:
        width, height = self._board_size()
        room = self._width - width - 1
        return panel(
            self.model, self.theme.glyphs, room, height, self.model.choose, owner=self.owner
        )

    def _status(self) -> list[Line]:
        return table_view.status(self.model, self._width)

    def _status_height(self) -> int:
        return max(table_view.LEAST_STATUS, len(self._status()))

    def _log(self) -> list[Line]:
        taken = 2 + int(bool(self.model.lost) or self.model.ended is not None)
        height = self.stage.size[1] - taken - self._board_size()[1] - self._status_height()
        lines = table_view.log(self.model, self._width, height)
        if self.note and self.model.phase is Phase.ROOM:
            told: list[Line] = [[("class:heading", " Pass this on to your friends; y copies it:")]]
            told += [[("", f" {line}")] for line in wrapped(self.note, self._width - 2)]
            return [*told, *lines[-max(1, height - len(told)) :]]
        return lines

    def copy_note(self) -> None:
        """Into the clipboard, by way of the terminal."""
        if self.note:
            coded = base64.b64encode(self.note.encode()).decode()
            self.stage.app.output.write_raw(f"\x1b]52;c;{coded}\x07")
            self.stage.app.output.flush()
            self.model.message = Message("copied, if your terminal allows it")

    # ---- what goes on --------------------------------------------------------------------------

    async def work(self) -> None:
        ticking = asyncio.create_task(self._tick())
        try:
            async with aclosing(self.table.watch()) as updates:
                async for update in updates:
                    if self.model.state is None:
                        self.model.recall(await self.table.past(), update.state)
                    self.model.take(update)
                    self.seen(update.state)
                    self._start_when_full()
                    self.stage.redraw()
        finally:
            ticking.cancel()

    def _start_when_full(self) -> None:
        state = self.model.state
        if not self.starts_when_full or state is None or self.model.phase is not Phase.ROOM:
            return
        if all(chair.name for chair in state.table.seats):
            self.starts_when_full = False
            self.acts.start()

    async def _tick(self) -> None:
        """Clocks run on while nothing else happens."""
        while True:
            await asyncio.sleep(CLOCK_SECONDS)
            if self.model.state is not None and self.model.state.clocks is not None:
                self.stage.redraw()

    def complain(self, problem: str) -> None:
        self.model.message = Message(problem, bad=True)

    # ---- what keys do --------------------------------------------------------------------------

    def ask_command(self) -> None:
        self.line.open(":", self._entered)

    def ask_chat(self) -> None:
        self.line.open("say: ", self.acts.say)

    def _entered(self, text: str) -> None:
        try:
            self._do(parse_command(text))
        except ParseError as problem:
            self.complain(str(problem))

    def _do(self, command: Command) -> None:
        match command:
            case Place(placement, pile):
                self.acts.place_typed(placement, pile)
            case Say(text):
                self.acts.say(text)
            case ChoosePile(pile):
                self.model.pile = pile
            case Resign():
                self.acts.resign()
            case Leave():
                self.leave(None)
            case Help():
                self.help()
            case Hint():
                self.model.hint()
            case Save(path):
                self.acts.save(path)
            case Rematch():
                self.acts.rematch()

    def help(self) -> None:
        self.act(self._help())

    async def _help(self) -> None:
        await self.stage.show(TextScreen(self.stage, "Qin: the table", TABLE_HELP))
