"""The lobby without a terminal: what can be done, which tables there are, what is chosen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from qin.client.address import Address
from qin.client.tui.home import Wishes
from qin.client.tui.keeping import KeptSeat
from qin.engine import SEATS, Board, board_names
from qin.engine.words import listed, printable
from qin.v1 import types_pb2 as pb

STATES = {
    pb.TABLE_STATE_OPEN: "open",
    pb.TABLE_STATE_PLAYING: "playing",
    pb.TABLE_STATE_FINISHED: "finished",
}


@dataclass(frozen=True, slots=True)
class NewGame:
    """Start a game here against bots."""


@dataclass(frozen=True, slots=True)
class Host:
    """Open a game to the LAN."""


@dataclass(frozen=True, slots=True)
class Tutorial:
    """Be taught."""


@dataclass(frozen=True, slots=True)
class AskAddress:
    """Type where to go."""


@dataclass(frozen=True, slots=True)
class Quit:
    """Enough for today."""


@dataclass(frozen=True, slots=True)
class GoOn:
    """Take up a game that was left."""

    seat: KeptSeat


@dataclass(frozen=True, slots=True)
class Join:
    """Sit down at a table."""

    address: Address


@dataclass(frozen=True, slots=True)
class Watch:
    """Look on at a table."""

    address: Address


Choice = NewGame | Host | Tutorial | AskAddress | Quit | GoOn | Join | Watch


class Row(NamedTuple):
    """Something that can be chosen."""

    key: str
    """The key that chooses it at once; empty for tables."""
    name: str
    what: str
    choice: Choice


class LobbyModel:
    """Kept from one visit of the lobby to the next."""

    def __init__(self, wishes: Wishes, opponents: Sequence[str], server: Address | None) -> None:
        self.wishes = wishes
        self.server = server
        """A server that was asked for by its address."""
        self.kept: tuple[KeptSeat, ...] = ()
        self.message = ""
        self.looking = True
        """Whether there may still be servers that have not been heard of."""
        self.chosen = 0
        self._lineups = _lineups(wishes.bots, opponents)
        self._tables: dict[str, tuple[str, Address, list[pb.Table]]] = {}

    # ---- servers -------------------------------------------------------------------------------

    def hear(self, name: str, address: Address, tables: Iterable[pb.Table]) -> None:
        """A server tells of its tables."""
        row = self.row
        self._tables[address.target] = name, address, list(tables)
        self._stay_on(row)

    def lose(self, address: Address) -> None:
        row = self.row
        self._tables.pop(address.target, None)
        self._stay_on(row)

    def _stay_on(self, row: Row) -> None:
        """What comes and goes does not move the choice to something else."""
        for number, each in enumerate(self.rows):
            if each.choice == row.choice:
                self.chosen = number
                return
        self.chosen = min(self.chosen, len(self.rows) - 1)

    # ---- rows ----------------------------------------------------------------------------------

    @property
    def menu(self) -> list[Row]:
        wishes = self.wishes
        rows = [
            Row("g" if not number else "", "Go on", _tell_kept(seat), GoOn(seat))
            for number, seat in enumerate(self.kept[:3])
        ]
        with_whom = listed(wishes.opponents)
        table = f"on {wishes.board.name}, {wishes.seats} players"
        game = f"here, {table}: you and {with_whom}"
        return [
            *rows,
            Row("n", "New game", game, NewGame()),
            Row("h", "Host", f"for friends on your network, {table}", Host()),
            Row("t", "Tutorial", "learn the game in a few minutes", Tutorial()),
            Row("a", "Address", "go to a server by its address or its qin:// line", AskAddress()),
        ]

    @property
    def tables(self) -> list[Row]:
        """Tables that can be joined, then those that can be watched; each once."""
        found: dict[str, tuple[bool, Row]] = {}
        for name, address, tables in self._tables.values():
            for table in tables:
                free = table.state == pb.TABLE_STATE_OPEN and any(
                    not seat.name and not seat.awaits_bot for seat in table.seats
                )
                if table.state == pb.TABLE_STATE_FINISHED or table.table_id in found:
                    continue
                where = replace(address, table=table.table_id)
                choice: Choice = Join(where) if free else Watch(where)
                row = Row("", printable(name), _tell_table(table), choice)
                found[table.table_id] = not free, row
        return [row for _, row in sorted(found.values(), key=lambda pair: pair[0])]

    @property
    def rows(self) -> list[Row]:
        return [*self.menu, *self.tables]

    @property
    def row(self) -> Row:
        rows = self.rows
        return rows[min(self.chosen, len(rows) - 1)]

    def row_of(self, key: str) -> Row | None:
        return next((row for row in self.menu if row.key == key), None)

    # ---- what keys do --------------------------------------------------------------------------

    def move(self, ways: int) -> None:
        self.message = ""
        self.chosen = (self.chosen + ways) % len(self.rows)

    def next_board(self) -> None:
        names = board_names()
        known = self.wishes.board.name
        following = names[(names.index(known) + 1) % len(names)] if known in names else names[0]
        self._wish(board=Board.named(following))

    def next_seats(self) -> None:
        seats = self.wishes.seats + 1
        self._wish(seats=seats if seats in SEATS else SEATS[0])

    def next_opponents(self) -> None:
        place = self._lineups.index(self.wishes.bots)
        self._wish(bots=self._lineups[(place + 1) % len(self._lineups)])

    def rename(self, name: str) -> None:
        self._wish(name=name)

    def _wish(self, **changed: object) -> None:
        self.message = ""
        self.wishes = replace(self.wishes, **changed)  # type: ignore[arg-type]
        self.chosen = next(
            number for number, row in enumerate(self.rows) if isinstance(row.choice, NewGame)
        )

    def to_watch(self) -> Choice | None:
        """What `w` means: the chosen table, or the first that can be watched."""
        tables = [row.choice for row in self.tables]
        if self.row.choice in tables:
            tables = [self.row.choice]
        for choice in tables:
            if isinstance(choice, Join | Watch):
                return Watch(choice.address)
        return None


def _lineups(wished: tuple[str, ...], opponents: Sequence[str]) -> list[tuple[str, ...]]:
    """What `o` goes round: what was asked for, each bot alone, all together."""
    lineups = [wished, *((each,) for each in opponents), tuple(opponents)]
    return list(dict.fromkeys(each for each in lineups if each))


def _tell_kept(seat: KeptSeat) -> str:
    where = "here" if seat.place else f"at {Address.parse(seat.address).target}"
    what = f"{seat.board}, {seat.players}" if seat.board else "a game"
    return printable(f"{what} ({where}, table {seat.table})")


def _tell_table(table: pb.Table) -> str:
    names = ", ".join(printable(seat.name) or "free" for seat in table.seats)
    code = ", needs its code" if table.needs_code else ""
    state = STATES.get(table.state, "?")
    return (
        f"{printable(table.table_id)}  {state:<8} {printable(table.board_name):<6}  {names}{code}"
    )
