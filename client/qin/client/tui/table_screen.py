"""The table: the waiting room, the game and its result, played or looked on at."""

from __future__ import annotations

import asyncio
import base64
from contextlib import aclosing
from pathlib import Path

from prompt_toolkit.filters import Condition
from prompt_toolkit.layout import ConditionalContainer, HSplit, VSplit, Window
from qin.client.client import Client
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
from qin.client.tui.table_keys import bind
from qin.client.tui.table_model import Message, Phase, TableModel
from qin.client.tui.text_screen import TextScreen
from qin.engine import ParseError, Placement, QinError, Refused, Seat, Space

PANEL_WIDTH = 37
LEAST_LOG = 4
CLOCK_SECONDS = 1.0


class TableScreen(Screen[None]):
    """One table. Leaving the screen keeps the seat."""

    def __init__(
        self, stage: Stage, client: Client, table: Table, *, owner: bool = False, note: str = ""
    ) -> None:
        super().__init__(stage)
        self.client = client
        self.table = table
        self.owner = owner
        self.note = note
        """A line to be kept in sight in the waiting room."""
        self.model = TableModel()
        self.bots: tuple[str, ...] = ()
        """The house bots of the server, once it has told."""
        self.starts_when_full = False
        """Whether the series starts by itself when all seats are taken."""
        self._placing = False
        board = BoardControl(self.theme, self._picture, clicked=self.click, wheeled=self.model.turn)
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
                text_window(theme, lambda: table_view.status(model, self._width), height=2),
                text_window(theme, self._log),
                self.line.container,
                ConditionalContainer(
                    text_window(
                        theme,
                        lambda: table_view.keys(model, self._width, owner=self.owner),
                        height=1,
                    ),
                    ~typing,
                ),
            ]
        )
        bind(self)

    # ---- what is drawn -------------------------------------------------------------------------

    @property
    def _width(self) -> int:
        return self.stage.size[0]

    def _board_size(self) -> tuple[int, int]:
        """As large as leaves room for the panel and some lines of the log."""
        columns, rows = self.stage.size
        taken = 4 + int(bool(self.model.lost) or self.model.ended is not None)
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

    def _log(self) -> list[Line]:
        taken = 4 + int(bool(self.model.lost) or self.model.ended is not None)
        height = self.stage.size[1] - taken - self._board_size()[1]
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
                    self.model.take(update)
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
            self.start()

    async def _tick(self) -> None:
        """Clocks run on while nothing else happens."""
        while True:
            await asyncio.sleep(CLOCK_SECONDS)
            if self.model.state is not None and self.model.state.clocks is not None:
                self.stage.redraw()

    def complain(self, problem: str) -> None:
        self.model.message = Message(problem, bad=True)

    # ---- what keys and the mouse do ------------------------------------------------------------

    def click(self, space: Space) -> None:
        """Hold the tile there; where it is held already, place it."""
        if self.model.covers(space):
            self.place()
        else:
            self.model.put(space)

    def place(self) -> None:
        """Place the held tile, or say why it may not lie there."""
        model = self.model
        preview, held = model.preview(), model.held
        if preview is None or held is None or not model.my_turn:
            if model.phase is Phase.GAME and not model.spectator:
                model.message = Message("it is not your turn", bad=True)
            return
        if not preview.legal:
            model.message = Message("it may not lie there", bad=True)
            return
        if not self._placing:
            self.act(self._place(held.placement, model.pile))

    async def _place(self, placement: Placement, pile: int) -> None:
        view = self.model.view
        if view is not None and pile and not view.pile_sizes[pile - 1]:
            pile = self.model.pile = 0
        self._placing = True
        try:
            await self.table.place(placement, pile=pile)
        finally:
            self._placing = False
        self.model.placed()
        self.model.see(self.table.state)

    def next_pile(self) -> None:
        """Draw from the next pile that is not empty; after the last, from the fullest."""
        view = self.model.view
        if view is None:
            return
        later = [
            number
            for number, size in enumerate(view.pile_sizes, start=1)
            if size and number > self.model.pile
        ]
        self.model.pile = later[0] if later else 0

    def ask_command(self) -> None:
        self.line.open(":", self._entered)

    def ask_chat(self) -> None:
        self.line.open("say: ", lambda text: self.act(self.table.say(text.strip())))

    def _entered(self, text: str) -> None:
        try:
            self._do(parse_command(text))
        except ParseError as problem:
            self.complain(str(problem))

    def _do(self, command: Command) -> None:
        match command:
            case Place(placement, pile):
                self._place_typed(placement, pile or self.model.pile)
            case Say(text):
                self.act(self.table.say(text))
            case ChoosePile(pile):
                self.model.pile = pile
            case Resign():
                self.act(self._resign())
            case Leave():
                self.leave(None)
            case Help():
                self.help()
            case Hint():
                self.model.hint()
            case Save(path):
                self.act(self.save(path))
            case Rematch():
                self.act(self.table.rematch())

    def _place_typed(self, placement: Placement, pile: int) -> None:
        """As typed. The rules are asked here first, so that the spaces can be shown."""
        view = self.model.view
        if view is not None and self.model.my_turn:
            try:
                view.position.check(placement)
            except Refused as refused:
                self.model.refuse(refused)
                return
        self.act(self._place(placement, pile))

    async def _resign(self) -> None:
        await self.table.resign()
        self.model.see(self.table.state)

    async def save(self, path: str = "") -> None:
        """Write the record of the last game into a file."""
        record_id = self.model.record_id or await self._last_record()
        if not record_id:
            raise QinError("there is no finished game to save")
        text = await self.client.record(record_id)
        game = self.model.state.game if self.model.state else 1
        name = path or f"qin-{self.table.table_id}-{game}.qin"
        _write(name, text)
        self.model.message = Message(f"saved as {name}; look at it with: qin replay {name}")

    async def _last_record(self) -> str:
        async with aclosing(self.client.records(self.table.table_id)) as records:
            async for info in records:
                return info.record_id
        return ""

    def help(self) -> None:
        self.act(self._help())

    async def _help(self) -> None:
        await self.stage.show(TextScreen(self.stage, "Qin: the table", TABLE_HELP))

    # ---- the waiting room ----------------------------------------------------------------------

    def add_bot(self) -> None:
        self.act(self._add_bot())

    async def _add_bot(self) -> None:
        if not self.bots:
            self.bots = tuple((await self.client.info()).house_bots)
        if not self.bots:
            raise QinError("this server has no house bots; friends may bring theirs: qin bot run")
        state = self.model.state
        assert state is not None
        chosen = state.table.seats[self.model.seat_cursor]
        number = chosen.seat if not chosen.name and not chosen.awaits_bot else 0
        taken = sum(chair.bot or chair.awaits_bot for chair in state.table.seats)
        await self.table.add_bot(self.bots[taken % len(self.bots)], seat=number)

    def free_seat(self) -> None:
        state = self.model.state
        if state is None or self.model.seat_cursor == state.seat:
            self.complain("that is your own seat; q leaves the table")
            return
        self.act(self.table.free(Seat(self.model.seat_cursor)))

    def start(self) -> None:
        self.act(self.table.start())


def _write(name: str, text: str) -> None:
    Path(name).expanduser().write_text(text, encoding="utf-8")
