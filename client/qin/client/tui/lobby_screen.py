"""The lobby: one key to a game."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from contextlib import aclosing

from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyPressEvent
from prompt_toolkit.layout import ConditionalContainer, HSplit
from qin.client.address import Address
from qin.client.client import connect
from qin.client.discover import Found
from qin.client.errors import ClientError
from qin.client.tui.fragments import Line, cut, keys_line, on_click, padded, text_window, wrapped
from qin.client.tui.help_pages import LOBBY_HELP
from qin.client.tui.home import Announcements
from qin.client.tui.lobby_model import (
    AskAddress,
    Choice,
    Join,
    LobbyModel,
    NewGame,
    Quit,
    Row,
    Watch,
)
from qin.client.tui.stage import Screen, Stage
from qin.client.tui.text_screen import TextScreen
from qin.engine import QinError, name_problem
from qin.engine.words import printable

HERE = Address("127.0.0.1")
LOOK_SECONDS = 4.0
"""After so long everybody on the LAN has been heard of, as a rule."""

_TAGLINE = "Found provinces, win villages, and be the first to place your last pagoda."


class LobbyScreen(Screen[Choice]):
    """Left with what was chosen."""

    def __init__(self, stage: Stage, model: LobbyModel, announcements: Announcements) -> None:
        super().__init__(stage)
        self.model = model
        self._announcements = announcements
        self.focus = text_window(self.theme, self._page, focusable=True)
        typing = Condition(lambda: self.line.is_open)
        self.container = HSplit(
            [
                text_window(self.theme, self._title, height=1),
                self.focus,
                text_window(self.theme, self._message, height=2),
                self.line.container,
                ConditionalContainer(text_window(self.theme, self._keys, height=1), ~typing),
            ]
        )
        self._bind()

    # ---- what goes on --------------------------------------------------------------------------

    async def work(self) -> None:
        """Look for servers while the lobby is shown; nothing waits for it."""
        self.model.looking = True
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._listen("here", HERE))
            if self.model.server:
                tasks.create_task(self._listen(self.model.server.target, self.model.server))
            tasks.create_task(self._stop_looking())
            known: set[str] = set()
            with contextlib.suppress(OSError):  # no network, so nobody is on it
                async with aclosing(self._announcements()) as heard:
                    async for found in heard:
                        if found.address.target not in known:
                            known.add(found.address.target)
                            tasks.create_task(self._listen(_name(found), found.address))

    async def _stop_looking(self) -> None:
        await asyncio.sleep(LOOK_SECONDS)
        self.model.looking = False
        self.stage.redraw()

    async def _listen(self, name: str, address: Address) -> None:
        """Keep the tables of one server up to date. One that does not answer is left out."""
        password = self.model.wishes.password
        try:
            async with (
                connect(address, password=password) as client,
                aclosing(client.watch_tables()) as lists,
            ):
                async for tables in lists:
                    self.model.hear(name, address, tables)
                    self.stage.redraw()
        except (ClientError, OSError) as problem:
            if address == self.model.server:
                self.complain(str(problem))
        finally:
            self.model.lose(address)

    def complain(self, problem: str) -> None:
        self.model.message = problem
        self.stage.redraw()

    # ---- what keys do --------------------------------------------------------------------------

    def _bind(self) -> None:
        model = self.model

        def add(keys: tuple[str, ...], act: Callable[[], None]) -> None:
            def handler(_: KeyPressEvent) -> None:
                act()

            for key in keys:
                self.keys.add(key)(handler)

        bound: list[tuple[tuple[str, ...], Callable[[], None]]] = [
            (("down", "j", "tab"), lambda: model.move(1)),
            (("up", "k", "s-tab"), lambda: model.move(-1)),
            (("enter",), lambda: self.choose(model.row)),
            (("b",), model.next_board),
            (("s",), model.next_seats),
            (("o",), model.next_opponents),
            (("m",), self._ask_name),
            (("w",), self._watch),
            (("?", "f1"), lambda: self.act(self._help())),
            (("q",), lambda: self.leave(Quit())),
            (("g",), lambda: self._press("g")),
            (("n",), lambda: self._press("n")),
            (("h",), lambda: self._press("h")),
            (("t",), lambda: self._press("t")),
            (("a",), lambda: self._press("a")),
        ]
        for keys, act in bound:
            add(keys, act)

    def choose(self, row: Row) -> None:
        if isinstance(row.choice, AskAddress):
            self.line.open("address: ", self._address_typed)
        else:
            self.leave(row.choice)

    def _press(self, key: str) -> None:
        row = self.model.row_of(key)
        if row is None:
            self.complain("there is no game that you left")
        else:
            self.choose(row)

    def _watch(self) -> None:
        choice = self.model.to_watch()
        if choice is None:
            self.complain("there is no table to watch")
        else:
            self.leave(choice)

    def _address_typed(self, text: str) -> None:
        try:
            address = Address.parse(text)
        except QinError as problem:
            self.complain(str(problem))
            return
        self.leave(Join(address))

    def _ask_name(self) -> None:
        self.line.open("your name: ", self._name_typed, self.model.wishes.name)

    def _name_typed(self, text: str) -> None:
        if problem := name_problem(text.strip()):
            self.complain(problem)
        else:
            self.model.rename(text.strip())

    async def _help(self) -> None:
        await self.stage.show(TextScreen(self.stage, "Qin: the lobby", LOBBY_HELP))

    # ---- what is drawn -------------------------------------------------------------------------

    def _title(self) -> list[Line]:
        width = self.stage.size[0]
        right = f"you are {printable(self.model.wishes.name)} "
        return [
            [
                ("class:title class:title.strong", padded(" Qin", width - len(right))),
                ("class:title", right),
            ]
        ]

    def _page(self) -> list[Line]:
        width = self.stage.size[0]
        lines: list[Line] = [[], [("", f"  {cut(_TAGLINE, width - 4)}")]]
        if not self.model.kept:
            lines.append([("class:faint", "  New here? Press t to be taught, or n to just play.")])
        lines.append([])
        for row in self.model.menu:
            lines.append(self._row(row, width, 10))
            if isinstance(row.choice, NewGame):
                choices = [("b", "board"), ("s", "seats"), ("o", "opponents"), ("m", "your name")]
                lines.append([("", " " * 17), *keys_line(choices)])
        tables = self.model.tables
        lines += [[], [("class:heading", "  Tables on this machine and your network")]]
        room = min(24, max((len(row.name) for row in tables), default=0) + 1)
        lines += [self._row(row, width, room) for row in tables]
        if not tables:
            told = "looking …" if self.model.looking else "none now; Host opens one for others"
            lines.append([("class:faint", f"      {told}")])
        return lines

    def _row(self, row: Row, width: int, room: int) -> Line:
        chosen = row.choice == self.model.row.choice
        mark = self.theme.glyphs.turn if chosen else " "
        act = on_click(lambda: self.choose(row))
        key = row.key or " "
        what = row.what
        if chosen and isinstance(row.choice, Join | Watch):
            what += f"   (Enter {'joins' if isinstance(row.choice, Join) else 'watches'})"
        return [
            ("class:good", f"  {mark} ", act),
            ("class:key" if row.key else "", key, act),
            ("class:chosen" if chosen else "class:heading", f" {padded(row.name, room)}", act),
            ("", f"  {cut(what, width - room - 9)}", act),
        ]

    def _message(self) -> list[Line]:
        told = wrapped(self.model.message, self.stage.size[0] - 2)
        return [[("class:bad", f" {line}")] for line in told[:2]]

    def _keys(self) -> list[Line]:
        pairs = [("Enter", "choose"), ("arrows", "move"), ("w", "watch"), ("?", "help")]
        return [keys_line([*pairs, ("q", "quit")])]


def _name(found: Found) -> str:
    return printable(found.name)
