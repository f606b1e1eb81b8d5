"""The lobby line by line: what can be typed there, and what it leads to."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import replace

from qin.client.address import Address
from qin.client.client import connect
from qin.client.discover import Found
from qin.client.errors import ClientError
from qin.client.plain.console import Console
from qin.client.plain.table_words import sentence
from qin.client.tui.home import Announcements
from qin.client.tui.lobby_model import (
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
from qin.engine import SEATS, Board, ParseError, QinError, board_names, name_problem
from qin.engine.words import counted, listed, printable

HERE = Address("127.0.0.1")
PATIENCE = 3.0
"""What a server may take to list its tables."""
LOOK_SECONDS = 1.0
"""How long the first list waits for somebody on the LAN."""

USAGE = (
    ("new", "a new game here against bots"),
    ("board lion, seats 3, bots greedy,lookahead", "what a new game is to be like"),
    ("name ann", "what you are called"),
    ("go on", "take up the game that you left last; go on 2 the one before"),
    ("host", "open a game for friends on your network"),
    ("create", "open a table at the server that you named"),
    ("tables", "list the tables here and on your network"),
    ("join 1", "sit down at table 1 of the list; join ADDRESS at another server"),
    ("watch 1", "look on at table 1 of the list; watch ADDRESS elsewhere"),
    ("tutorial", "learn the game in a few minutes"),
    ("help", "this list"),
    ("quit", "leave"),
)


class Create:
    """Open a table at the server that was named."""


class PlainLobby:
    """Kept from one visit of the lobby to the next."""

    def __init__(self, console: Console, model: LobbyModel, announcements: Announcements) -> None:
        self.model = model
        self._console = console
        self._announcements = announcements
        self._found: dict[str, Found] = {}
        self._heard = asyncio.Event()
        self._began = time.monotonic()
        self._rows: list[Choice] = []
        self._words: dict[str, Callable[[str], Choice | Create | None]] = {
            "new": lambda _: NewGame(),
            "host": lambda _: Host(),
            "create": self._create,
            "tutorial": lambda _: Tutorial(),
            "quit": lambda _: Quit(),
            "q": lambda _: Quit(),
            "go": self._go_on,
            "join": self._join,
            "watch": self._watch,
            "board": self._board,
            "seats": self._seats,
            "bots": self._bots,
            "name": self._name,
            "help": self._help,
        }

    async def listen(self) -> None:
        """Hear of servers on the LAN, for as long as it is let."""
        async with aclosing(self._announcements()) as heard:
            async for found in heard:
                self._found[found.address.target] = found
                self._heard.set()

    async def choose(self) -> Choice | Create:
        """What the player wants to do."""
        self._greet()
        while True:
            line = await self._console.ask()
            if line is None:
                return Quit()
            word, _, rest = line.strip().partition(" ")
            word, rest = word.lower(), rest.strip()
            try:
                if word == "tables":
                    await self._tables()
                elif word in self._words:
                    choice = self._words[word](rest)
                    if choice is not None:
                        return choice
                elif word:
                    raise ParseError(f"{word!r} is unknown; type help for what you can type")
            except QinError as problem:
                self._console.tell(sentence(str(problem)))

    def _greet(self) -> None:
        if self.model.message:
            self._console.tell(sentence(printable(self.model.message)))
            self.model.message = ""
        self._console.tell(
            f"This is the lobby of Qin, and you are {printable(self.model.wishes.name)}."
        )
        for number, row in enumerate(row for row in self.model.menu if row.name == "Go on"):
            self._console.tell(f"Type go on{f' {number + 1}' if number else ''} for {row.what}.")
        self._tell_wishes()
        self._console.tell("Type tables to see who plays, tutorial to learn it, help for the rest.")

    def _tell_wishes(self) -> None:
        wishes = self.model.wishes
        self._console.tell(
            f"Type new for a game here on {wishes.board.name}"
            f" with {counted(wishes.seats, 'seat')}: you and {listed(wishes.opponents)}."
        )

    def _help(self, _: str) -> None:
        self._console.tell_all(f"{usage}: {what}." for usage, what in USAGE)

    # ---- tables --------------------------------------------------------------------------------

    async def _tables(self) -> None:
        """Ask all servers that are known, at the same time."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LOOK_SECONDS - (time.monotonic() - self._began)):
                await self._heard.wait()
        known = {HERE.target: ("this machine", HERE)}
        for found in self._found.values():
            known[found.address.target] = printable(found.name), found.address
        if self.model.server is not None:
            known[self.model.server.target] = self.model.server.target, self.model.server
        await asyncio.gather(*(self._hear(*server) for server in known.values()))
        rows = self.model.tables
        self._rows = [row.choice for row in rows]
        for number, row in enumerate(rows, start=1):
            verb = "join" if isinstance(row.choice, Join) else "watch"
            self._console.tell(f"{number}. {row.name}: {row.what}. Type {verb} {number}.")
        if not rows:
            self._console.tell("There are no tables now. Type host to open one for others.")

    async def _hear(self, name: str, address: Address) -> None:
        bare = replace(address, table="", code="")
        try:
            async with (
                asyncio.timeout(PATIENCE),
                connect(bare, password=self.model.wishes.password) as client,
            ):
                self.model.hear(name, bare, await client.tables())
        except (ClientError, OSError, TimeoutError) as problem:
            self.model.lose(bare)
            if self.model.server is not None and address.target == self.model.server.target:
                self._console.tell(sentence(str(problem) or f"{address.target} does not answer"))

    def _join(self, text: str) -> Choice:
        choice = self._table(text, "join")
        if isinstance(choice, Watch):
            raise QinError(f"there is no free seat at table {text}; type watch {text} to look on")
        return choice

    def _watch(self, text: str) -> Choice:
        choice = self._table(text, "watch")
        return Watch(choice.address) if isinstance(choice, Join) else choice

    def _table(self, text: str, verb: str) -> Choice:
        if text.isascii() and text.isdecimal():
            if not 1 <= int(text) <= len(self._rows):
                raise ParseError(f"there is no table {text} in the list; type tables first")
            return self._rows[int(text) - 1]
        if not text:
            raise ParseError(f"{verb} which table? type tables, and then {verb} 1")
        return Join(Address.parse(text))

    def _create(self, _: str) -> Create:
        if self.model.server is None:
            raise QinError("at which server? start with: qin play --plain SERVER; or type host")
        return Create()

    def _go_on(self, text: str) -> Choice:
        number = text.removeprefix("on").strip() or "1"
        kept = self.model.kept
        if not (number.isascii() and number.isdecimal() and 1 <= int(number) <= len(kept)):
            raise QinError("there is no such game that you left")
        return GoOn(kept[int(number) - 1])

    # ---- wishes --------------------------------------------------------------------------------

    def _board(self, text: str) -> None:
        if text not in board_names():
            raise ParseError(f"there is no board {text!r}; there are {listed(board_names())}")
        self._wish(board=Board.named(text))

    def _seats(self, text: str) -> None:
        if text not in map(str, SEATS):
            raise ParseError(f"{SEATS[0]} to {SEATS[-1]} play Qin; write seats 3")
        self._wish(seats=int(text))

    def _bots(self, text: str) -> None:
        bots = tuple(filter(None, (bot.strip() for bot in text.split(","))))
        if not bots:
            raise ParseError("which bots? write bots greedy,lookahead")
        self._wish(bots=bots)

    def _name(self, text: str) -> None:
        if problem := name_problem(text):
            raise ParseError(problem)
        self._wish(name=text)
        self._console.tell(f"You are {text} now.")

    def _wish(self, **changed: object) -> None:
        self.model.wishes = replace(self.model.wishes, **changed)  # type: ignore[arg-type]
        self._tell_wishes()
