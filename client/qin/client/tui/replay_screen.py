"""The replay of a recorded game: step, jump, and let it play."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyPressEvent
from prompt_toolkit.layout import ConditionalContainer, HSplit, VSplit, Window
from qin.client.tui import replay_view
from qin.client.tui.board_control import BoardControl, Picture
from qin.client.tui.fragments import Line, text_window
from qin.client.tui.replay_model import FAR, ReplayModel
from qin.client.tui.scale import scale_for, size_of
from qin.client.tui.stage import Screen, Stage
from qin.client.tui.text_screen import TextScreen

PANEL_WIDTH = 37
LEAST_WORDS = 5
FRAME = 3
"""Lines that are always there: title, progress, keys."""

KEYS = (
    ("Right", "on"),
    ("Left", "back"),
    ("p", "play"),
    ("+-", "speed"),
    ("g", "go to"),
    ("Home End", "ends"),
    ("F1", "help"),
    ("q", "quit"),
)
HELP = (
    ("Right, l, space", "one move on"),
    ("Left, h, backspace", "one move back"),
    ("Down, j / Up, k", "to the next round, or the one before"),
    ("PgDn / PgUp", f"{FAR} moves on or back"),
    ("Home / End", "to the start, to the end"),
    ("g, a number, Enter", "to that move; 0 is the start"),
    ("p, Enter", "play by itself, or pause"),
    ("+ / -", "faster, slower"),
    ("mouse", "the wheel steps; a click on the line below the board jumps"),
    ("q, Ctrl-C", "quit"),
    ("", ""),
    ("", "Brackets ( ) mark the tile that was just laid, < > villages that changed hands."),
    ("", "All hands and piles are open: the game is over."),
)


class ReplayScreen(Screen[None]):
    """One recorded game."""

    def __init__(self, stage: Stage, model: ReplayModel) -> None:
        super().__init__(stage)
        self.model = model
        self._wake = asyncio.Event()
        board = BoardControl(self.theme, self._picture, wheeled=model.step)
        self.focus = Window(
            board, width=lambda: self._board_size()[0], height=lambda: self._board_size()[1]
        )
        typing = Condition(lambda: self.line.is_open)
        theme = self.theme
        self.container = HSplit(
            [
                text_window(theme, lambda: replay_view.title(model, self._width), height=1),
                VSplit(
                    [self.focus, Window(width=1), text_window(theme, self._panel)],
                    height=lambda: self._board_size()[1],
                ),
                text_window(
                    theme,
                    lambda: replay_view.progress(model, self._width, self._jump),
                    height=1,
                ),
                text_window(theme, self._happened),
                self.line.container,
                ConditionalContainer(
                    text_window(
                        theme, lambda: replay_view.foot(model, self._width, KEYS), height=1
                    ),
                    ~typing,
                ),
            ]
        )
        self._bind()

    # ---- what is drawn -------------------------------------------------------------------------

    @property
    def _width(self) -> int:
        return self.stage.size[0]

    def _board_size(self) -> tuple[int, int]:
        """As large as leaves room for the panel and for what happened."""
        columns, rows = self.stage.size
        width, height = columns - PANEL_WIDTH - 1, rows - FRAME - LEAST_WORDS
        board = self.model.game.position.board
        whole = size_of(board, scale_for(board, width, height))
        return min(width, whole[0]), min(height, whole[1])

    def _picture(self) -> Picture:
        return Picture(self.model.game.position, self.model.marks())

    def _panel(self) -> list[Line]:
        room = self._width - self._board_size()[0] - 1
        return replay_view.panel(self.model, self.theme.glyphs, room)

    def _happened(self) -> list[Line]:
        height = self.stage.size[1] - FRAME - self._board_size()[1]
        return replay_view.happened(self.model, self._width, height)

    # ---- what goes on --------------------------------------------------------------------------

    async def work(self) -> None:
        """Play while it is to be played; a key that changes the speed is felt at once."""
        while True:
            self._wake.clear()
            if not self.model.playing:
                await self._wake.wait()
                continue
            try:
                async with asyncio.timeout(self.model.seconds):
                    await self._wake.wait()
            except TimeoutError:
                self.model.go(self.model.at + 1)
                self.stage.redraw()

    def complain(self, problem: str) -> None:
        self.model.message = problem

    # ---- what keys do --------------------------------------------------------------------------

    def _bind(self) -> None:
        model = self.model
        players = len(model.names)

        def add(*keys: str, act: Callable[[], object]) -> None:
            def handler(_: KeyPressEvent) -> None:
                act()
                self._wake.set()

            for key in keys:
                self.keys.add(key)(handler)

        add("right", "l", " ", act=lambda: model.step(1))
        add("left", "h", "backspace", act=lambda: model.step(-1))
        add("down", "j", act=lambda: model.step(players))
        add("up", "k", act=lambda: model.step(-players))
        add("pagedown", act=lambda: model.step(FAR))
        add("pageup", act=lambda: model.step(-FAR))
        add("home", "0", "^", act=lambda: self._jump(0))
        add("end", "G", "$", act=lambda: self._jump(model.last))
        add("p", "enter", act=model.toggle)
        add("+", "=", ">", act=lambda: model.faster(1))
        add("-", "<", act=lambda: model.faster(-1))
        add("g", ":", act=self._ask)
        add("f1", "?", act=lambda: self.act(self._help()))
        add("q", act=lambda: self.leave(None))

    def _jump(self, at: int) -> None:
        self.model.playing = False
        self.model.go(at)

    def _ask(self) -> None:
        self.line.open(f"go to move (0 to {self.model.last}): ", self.model.jump)

    async def _help(self) -> None:
        await self.stage.show(TextScreen(self.stage, "Qin: the replay", HELP))
