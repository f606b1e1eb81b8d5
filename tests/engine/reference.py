"""The rules of Qin once more: slow, plain, and written from the rules alone.

Nothing here is shared with the engine, so that one can catch the other's mistakes. A space is a
(column, row) cell, a colour a letter, a tile two letters, a seat a number from 0, a refusal and an
ending a word. R1 to R13 are the rulings of docs/rules.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field

Cell = tuple[int, int]
Half = tuple[str, Cell]
"""A colour on a cell; a placement is two halves."""
Village = frozenset[Cell]

PAGODAS = {2: 24, 3: 19, 4: 15}


def around(cell: Cell) -> list[Cell]:
    """The four cells that share an edge with one."""
    column, row = cell
    return [(column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)]


def group_of(cell: Cell, cells: Iterable[Cell]) -> frozenset[Cell]:
    """The cells that are edge-connected with one: flood fill."""
    left, group, edge = set(cells) - {cell}, {cell}, [cell]
    while edge:
        for neighbour in around(edge.pop()):
            if neighbour in left:
                left.remove(neighbour)
                group.add(neighbour)
                edge.append(neighbour)
    return frozenset(group)


def touches(cells: Iterable[Cell], others: Iterable[Cell]) -> bool:
    """Whether two sets of cells share an edge."""
    targets = set(others)
    return any(neighbour in targets for cell in cells for neighbour in around(cell))


@dataclass(eq=False)
class Province:
    colour: str
    cells: frozenset[Cell]
    owner: int
    pagodas: int

    @property
    def major(self) -> bool:
        return len(self.cells) >= 5


@dataclass(eq=False)
class Table:
    """A whole game: what lies on the board, the hands, the piles, the turn and the end."""

    rows: Sequence[str]
    hands: list[list[str]]
    piles: list[list[str]]
    turn: int
    grass: set[Cell] = field(default_factory=set)
    """Grassland on which no tile lies yet."""
    colours: dict[Cell, str] = field(default_factory=dict)
    """The province spaces: start spaces and the halves of tiles."""
    provinces: list[Province] = field(default_factory=list)
    holders: dict[Village, int | None] = field(default_factory=dict)
    reserves: list[int] = field(default_factory=list)
    out: set[int] = field(default_factory=set)
    """Seats that resigned or forfeited."""
    ending: str | None = None
    winners: list[int] = field(default_factory=list)
    happened: list[tuple[object, ...]] = field(default_factory=list)
    """What the last tile caused: a word, the seat, and the rest."""

    def __post_init__(self) -> None:
        printed = {
            (column, row): mark
            for row, marks in enumerate(self.rows)
            for column, mark in enumerate(marks)
        }
        self.grass = {cell for cell, mark in printed.items() if mark == "."}
        self.colours = {cell: mark for cell, mark in printed.items() if mark in "RYB"}
        squares = {cell for cell, mark in printed.items() if mark == "V"}
        self.holders = {group_of(square, squares): None for square in squares}  # R3
        self.reserves = self.reserves or [PAGODAS[len(self.hands)]] * len(self.hands)

    def copy(self) -> Table:
        return deepcopy(self)

    # What may be placed

    def groups(self, halves: Sequence[Half]) -> Iterator[tuple[str, frozenset[Cell]]]:
        """For each colour on the tile, the group that its new space, or both, would belong to."""
        after = self.colours | {cell: colour for colour, cell in halves}
        for colour, cell in dict(halves).items():
            yield colour, group_of(cell, {c for c, mark in after.items() if mark == colour})

    def inside(self, colour: str, group: frozenset[Cell]) -> list[Province]:
        return [p for p in self.provinces if p.colour == colour and p.cells <= group]

    @staticmethod
    def ruler(provinces: Sequence[Province]) -> int | None:
        """Who owns these provinces once they are joined; None for a tie."""
        for province in provinces:
            if province.major:  # R2
                return province.owner
        spaces: Counter[int] = Counter()
        for province in provinces:
            spaces[province.owner] += len(province.cells)
        most = [seat for seat in spaces if spaces[seat] == max(spaces.values())]
        return most[0] if len(most) == 1 else None  # R1

    def refusal(self, halves: Sequence[Half]) -> str | None:
        """Why the board forbids a placement, whoever holds the tile; None when it does not."""
        here, there = (cell for _, cell in halves)
        if there not in around(here):
            return "not-adjacent"
        if not {here, there} <= self.grass:
            return "not-grassland"
        if not touches([here, there], self.colours):
            return "no-contact"
        joins = [self.inside(*group) for group in self.groups(halves)]
        if any(sum(province.major for province in join) >= 2 for join in joins):
            return "joins-majors"
        if any(join and self.ruler(join) is None for join in joins):
            return "tied-join"
        return None

    def pairs(self) -> Iterator[tuple[Cell, Cell]]:
        """Every two adjacent grassland spaces that are left, in both orders."""
        return (
            (here, there) for here in self.grass for there in around(here) if there in self.grass
        )

    def placements(self, tile: str) -> set[frozenset[Half]]:
        """Every way in which a tile may lie."""
        ways = ([(tile[0], here), (tile[1], there)] for here, there in self.pairs())
        return {frozenset(way) for way in ways if self.refusal(way) is None}

    def can_place(self, seat: int) -> bool:
        return any(
            self.refusal([(tile[0], here), (tile[1], there)]) is None
            for tile in set(self.hands[seat])
            for here, there in self.pairs()
        )

    # A turn

    def place(self, halves: Sequence[Half], pile: int | None) -> None:
        """The seat whose turn it is places a tile and draws from a pile, if it draws."""
        one, other = (colour for colour, _ in halves)
        hand = self.hands[self.turn]
        hand.remove(one + other if one + other in hand else other + one)
        self.happened = []
        self.settle_provinces(halves)
        if not self.ending:  # R5
            self.settle_villages()
        if self.ending:
            return
        if pile is not None:
            hand.append(self.piles[pile].pop(0))
        self.go_on()

    def settle_provinces(self, halves: Sequence[Half]) -> None:
        wanted: list[tuple[int, Province | Village]] = []
        for colour, cells in list(self.groups(halves)):
            joined = self.inside(colour, cells)
            if len(cells) == 1:
                continue
            owner = self.ruler(joined) if joined else self.turn
            assert owner is not None
            # R6: first all pagodas that go home go home.
            went_home = [0] * len(self.hands)
            need, kept = 2 if len(cells) >= 5 else 1, 0
            for province in joined:
                stays = min(province.pagodas, need - kept) if province.owner == owner else 0
                kept += stays
                went_home[province.owner] += province.pagodas - stays
            self.reserves = [r + home for r, home in zip(self.reserves, went_home, strict=True)]
            new = Province(colour, cells, owner, kept)
            self.provinces = [p for p in self.provinces if p not in joined] + [new]
            wanted += [(owner, new)] * (need - kept)
            if not joined:
                self.happened.append(("founded", owner, colour, cells, need))
            elif len(joined) == 1:
                self.happened.append(("expanded", owner, colour, cells))
                if need > kept:
                    self.happened.append(("major", owner, colour, cells))
            else:
                self.happened.append(
                    ("joined", owner, colour, cells, need - kept, tuple(went_home))
                )
        self.colours.update({cell: colour for colour, cell in halves})
        self.grass -= {cell for _, cell in halves}
        self.build(wanted)

    def leader(self, village: Village) -> int | None:
        """Who has more pagodas beside a village than every other player."""
        count: Counter[int] = Counter()
        for province in self.provinces:
            if touches(province.cells, village):
                count[province.owner] += province.pagodas
        most = [seat for seat in count if count[seat] == max(count.values())]
        return most[0] if len(most) == 1 else None  # R4

    def settle_villages(self) -> None:
        wanted: list[tuple[int, Province | Village]] = []
        for village, holder in self.holders.items():
            leader = self.leader(village)
            if leader is None or leader == holder:
                continue
            if holder is None:
                self.happened.append(("connected", leader, village))
            else:  # R6
                self.happened.append(("conquered", leader, holder, village))
                self.holders[village] = None
                self.reserves[holder] += 1
            wanted.append((leader, village))
        self.build(wanted)

    def build(self, wanted: list[tuple[int, Province | Village]]) -> None:
        """Place pagodas, the active player's first, then clockwise, up to a last one (R7, R8)."""
        for seat, spot in sorted(wanted, key=lambda want: (want[0] - self.turn) % len(self.hands)):
            self.reserves[seat] -= 1
            if isinstance(spot, Province):
                spot.pagodas += 1
            else:
                self.holders[spot] = seat
            if self.reserves[seat] == 0:
                self.end("last-pagoda", [seat] if seat not in self.out else self.best())
                return

    def pass_turn(self) -> None:
        """R10: a player who holds tiles but can place none."""
        self.happened = []
        self.go_on()

    def withdraw(self, seat: int, word: str) -> None:
        """R13: a player resigns or forfeits, in or out of turn."""
        self.happened = []
        self.out.add(seat)
        left = self.left_in()
        if len(left) == 1:
            self.end("resigned" if word == "resign" else word, left)
        elif not self.ended_without_a_winner() and seat == self.turn:
            self.turn = self.next_seat()

    def go_on(self) -> None:
        if not self.ended_without_a_winner():
            self.turn = self.next_seat()

    # Who is next, and the end

    def left_in(self) -> list[int]:
        return [seat for seat in range(len(self.hands)) if seat not in self.out]

    def next_seat(self) -> int:
        """The next player clockwise who is in and holds tiles (R11)."""
        seats = [(self.turn + step) % len(self.hands) for step in range(1, len(self.hands) + 1)]
        return next(seat for seat in seats if seat not in self.out and self.hands[seat])

    def ended_without_a_winner(self) -> bool:
        """The other endings, in their order."""
        if not any(self.hands[seat] for seat in self.left_in()):
            self.end("out-of-tiles", self.best())
        elif not any(touches(pair, self.colours) for pair in self.pairs()):
            self.end("board-full", self.best())
        elif not any(self.can_place(seat) for seat in self.left_in()):
            self.end("no-placement", self.best())
        return self.ending is not None

    def best(self) -> list[int]:
        """The players still in who have placed the most pagodas."""
        fewest = min(self.reserves[seat] for seat in self.left_in())
        return [seat for seat in self.left_in() if self.reserves[seat] == fewest]

    def end(self, ending: str, winners: list[int]) -> None:
        self.ending, self.winners = ending, winners
