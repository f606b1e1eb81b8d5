"""A table line by line: what happens is told as it happens, what is typed is done."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import aclosing

from qin.client.plain.console import Console
from qin.client.plain.looking import Looking
from qin.client.plain.table_words import now_in_words, players_in_words, result_in_words, sentence
from qin.client.table_words import tell_problem
from qin.client.tui.commands import (
    ChoosePile,
    Help,
    Leave,
    Place,
    Rematch,
    Resign,
    Save,
    Say,
    parse_command,
)
from qin.client.tui.keeping import Keeping, SeatKeeper
from qin.client.tui.saving import save_record
from qin.client.tui.seating import Seated
from qin.client.tui.table_model import Phase, TableModel
from qin.engine import ParseError, Placement, QinError, Seat

Doing = Callable[[str], Awaitable[None]]

_ACTS = (
    ("Rc4Yd4", "place a tile: red on c4, yellow on d4"),
    ("Rc4Yd4 2", "the same, and draw from pile 2"),
    ("place 1", "the first placement that hint or legal told of"),
    ("pile 2", "draw from pile 2 from now on; pile 0 is the fullest"),
    ("say hello", "chat"),
    ("resign", "give up the game"),
)
_AFTER = (
    ("rematch", "play again, when a series is over"),
    ("save FILE", "save the record of the last game"),
    ("quit", "back to the lobby; your seat is kept"),
)
_ROOM = (
    ("bot greedy", "seat a house bot; bot alone takes any"),
    ("bots", "which house bots there are"),
    ("free 2", "free seat 2"),
    ("start", "start the game, when all seats are taken"),
    ("invite", "the line to pass on to friends"),
)

_NO_TURN = (0, -1)
"""Of no game, at no ply."""


class PlainTable:
    """One table. Leaving it keeps the seat."""

    def __init__(self, console: Console, seated: Seated, keeper: SeatKeeper) -> None:
        self.model = TableModel()
        self._console = console
        self._seated = seated
        self._table = seated.table
        self._keeping = Keeping(keeper, seated.kept) if seated.kept is not None else None
        self._looking = Looking(self.model)
        self._starts_when_full = seated.starts_when_full
        self._told_turn = _NO_TURN
        self._told_result = False
        self._leaving = False
        self._acts: dict[str, Doing] = {
            "place": self._place_listed,
            "bot": self._add_bot,
            "bots": self._tell_bots,
            "free": self._free,
            "start": self._start,
            "invite": self._invite,
        }

    async def run(self) -> None:
        """Until the player leaves, or the table is gone. The seat is kept until it is over."""
        keeping = self._keeping
        watching = asyncio.create_task(self._watch())
        try:
            await self._listen(watching)
        finally:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)
            over = self.model.phase is Phase.RESULT or self.model.ended is not None
            if keeping is not None and over:
                keeping.forget()
        if keeping is not None and not self._seated.owner and self.model.phase is Phase.ROOM:
            await self._table.leave()
            keeping.forget()

    async def _listen(self, watching: asyncio.Task[None]) -> None:
        while not self._leaving:
            asking = asyncio.create_task(self._console.ask())
            try:
                await asyncio.wait({asking, watching}, return_when=asyncio.FIRST_COMPLETED)
                if not asking.done():
                    watching.result()
                    return
                line = asking.result()
            finally:
                asking.cancel()
            if line is None:
                return
            await self._entered(line.strip())

    # ---- what happens --------------------------------------------------------------------------

    async def _watch(self) -> None:
        async with aclosing(self._table.watch()) as updates:
            async for update in updates:
                first = self.model.state is None
                if first:
                    self.model.recall(await self._table.past(), update.state)
                before = self.model.journal.version
                wished = self._wishing()
                self.model.take(update)
                if self._keeping is not None:
                    self._keeping.see(update.state)
                if first:
                    self._greet()
                    for move in self.model.journal.last:
                        self._console.tell(sentence(move.text))
                new = self.model.journal.version - before
                entries = list(self.model.journal.entries)
                for entry in entries[len(entries) - new :]:
                    self._console.tell(sentence(entry.text))
                for name in self._wishing() - wished:
                    self._console.tell(f"{name} wants a rematch; type rematch if you do.")
                self._tell_phase()
                await self._start_when_full()

    def _wishing(self) -> set[str]:
        """The others who want a rematch."""
        state = self.model.state
        chairs = state.table.seats if state else ()
        mine = state.seat if state else None
        wishing = {number for number, chair in enumerate(chairs) if chair.rematch} - {mine}
        return {self.model.names[number] for number in wishing}

    def _greet(self) -> None:
        state = self.model.state
        assert state is not None
        self._console.tell(
            f"You are at table {state.table.table_id}, on the board {state.board.name}."
        )
        self._console.tell_all(players_in_words(self.model))
        self._console.tell("Type help for what you can type here.")
        if self._seated.invitation and self.model.phase is Phase.ROOM:
            self._console.tell("Pass this line on to your friends:", self._seated.invitation)

    def _tell_phase(self) -> None:
        """Whose turn it is, and the end of it all: each told once."""
        view, state = self.model.view, self.model.state
        assert state is not None
        if self.model.phase is Phase.RESULT:
            if not self._told_result:
                self._console.tell_all(result_in_words(self.model))
            self._told_result = True
            self._told_turn = _NO_TURN
            return
        self._told_result = False
        if self.model.my_turn and view is not None and self._told_turn != (state.game, view.ply):
            self._told_turn = state.game, view.ply
            self._console.tell(now_in_words(self.model))

    async def _start_when_full(self) -> None:
        state = self.model.state
        assert state is not None
        if self._starts_when_full and all(chair.name for chair in state.table.seats):
            self._starts_when_full = False
            if self.model.phase is Phase.ROOM:
                await self._table.start()

    # ---- what is typed -------------------------------------------------------------------------

    async def _entered(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        word, rest = word.lower(), rest.strip()
        try:
            if not word:
                self._console.tell(now_in_words(self.model))
            elif word in self._looking.commands:
                self._console.tell_all(list(self._looking.commands[word][0](rest)))
            elif word in self._acts:
                await self._acts[word](rest)
            else:
                await self._do(line)
        except (QinError, OSError) as problem:
            self._console.tell(sentence(tell_problem(problem)))

    async def _do(self, line: str) -> None:
        match _parsed(line):
            case Place(placement, pile):
                await self._place(placement, pile or self.model.pile)
            case Say(text):
                await self._table.say(text)
            case ChoosePile(pile):
                self.model.pile = pile
                self._console.tell(f"You draw from {f'pile {pile}' if pile else 'the fullest'}.")
            case Resign():
                await self._table.resign()
                self.model.see(self._table.state)
            case Leave():
                self._leaving = True
            case Help():
                self._help()
            case Save(path):
                await self._save(path)
            case Rematch():
                await self._table.rematch()
                self._console.tell("You want a rematch; it starts when all do.")

    async def _place(self, placement: Placement, pile: int) -> None:
        view = self.model.view
        if view is not None and self.model.my_turn:
            view.position.check(placement)  # so that the answer names the spaces
        if view is not None and pile and not view.pile_sizes[pile - 1]:
            self._console.tell(f"Pile {pile} is empty; you draw from the fullest.")
            pile = self.model.pile = 0
        await self._table.place(placement, pile=pile)
        self.model.see(self._table.state)

    async def _place_listed(self, text: str) -> None:
        number, _, pile = text.partition(" ")
        if number[:1].isalpha():
            await self._do(text)
            return
        wanted = int(pile) if pile.isdecimal() and int(pile) in range(5) else self.model.pile
        await self._place(self._looking.placement(number), wanted)

    async def _save(self, path: str) -> None:
        game = self.model.state.game if self.model.state else 1
        name = await save_record(
            self._seated.client,
            self._table,
            record_id=self.model.record_id,
            game=game,
            path=path,
        )
        self._console.tell(f"Saved as {name}; look at it with: qin replay {name}")

    def _help(self) -> None:
        pairs: list[tuple[str, str]] = []
        if self.model.phase is Phase.ROOM and self._seated.owner:
            pairs += _ROOM
        elif not self.model.spectator:
            pairs += _ACTS
        looking = self._looking.commands.items()
        pairs += [(f"{word} {more}".strip(), what) for word, (_, more, what) in looking]
        self._console.tell_all(f"{usage}: {what}." for usage, what in (*pairs, *_AFTER))

    # ---- the waiting room ----------------------------------------------------------------------

    async def _add_bot(self, text: str) -> None:
        bots = await self._bots()
        if not bots:
            raise QinError("this server has no house bots; friends may bring theirs: qin bot run")
        await self._table.add_bot(text or bots[0])

    async def _bots(self) -> list[str]:
        return list((await self._seated.client.info()).house_bots)

    async def _tell_bots(self, _: str) -> None:
        self._console.tell(f"House bots: {', '.join(await self._bots()) or 'none'}.")

    async def _free(self, text: str) -> None:
        seats = len(self.model.names)
        if not (text.isascii() and text.isdecimal() and 1 <= int(text) <= seats):
            raise ParseError(f"which seat? write free 1 to free {seats}")
        await self._table.free(Seat(int(text) - 1))

    async def _start(self, _: str) -> None:
        await self._table.start()

    async def _invite(self, _: str) -> None:
        self._console.tell(self._seated.invitation or "Nobody else can come to this table.")


def _parsed(line: str) -> object:
    try:
        return parse_command(line)
    except ParseError as problem:
        if "is unknown" in str(problem):
            word = line.split(maxsplit=1)[0]
            raise ParseError(f"{word!r} is unknown; type help for what you can type") from None
        raise
