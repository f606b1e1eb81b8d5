"""Random boards, random games on them, and the same games at the reference's table."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from engine.reference import Cell, Half, Province, Table, group_of
from hypothesis import strategies as st
from qin.engine import (
    PAGODAS,
    Board,
    BoardError,
    Conquered,
    Deal,
    Event,
    Expanded,
    Founded,
    Game,
    Joined,
    LegalPlacement,
    Mask,
    Placed,
    Placement,
    Position,
    Seat,
    Space,
    Tile,
    board_names,
    parse_position,
    spaces_of,
)
from qin.engine.spaces import column_of, row_of, space_at
from qin.engine.tiles import ALL_TILES, Colour


class Lay(NamedTuple):
    placement: LegalPlacement
    pile: int | None


class Pass(NamedTuple):
    seat: Seat


class Quit(NamedTuple):
    seat: Seat
    forfeit: bool


Act = Lay | Pass | Quit


class Step(NamedTuple):
    before: Game
    act: Act
    after: Game
    events: list[Event]


class Setup(NamedTuple):
    """Everything that decides a random game."""

    board: Board
    deal: Deal
    first: Seat
    reserves: tuple[int, ...]
    seed: int
    eager: bool
    """Whether the players look for placements that cause much."""
    quitters: float
    """How likely somebody withdraws before a move."""
    plies: int
    """After how many steps the game is left off; hypothesis shrinks this one."""

    def start(self) -> Game:
        game = Game.start(self.board, self.deal, self.first)
        start = game.position
        position = Position.of(start.board, start.realms, start.holders, self.reserves)
        return Game(position, game.hands, game.piles, game.turn)

    def play(self) -> Iterator[Step]:
        rng = Random(self.seed)
        game = self.start()
        for _ in range(self.plies):
            if game.outcome:
                return
            act = self._choose(game, rng)
            after, events = apply(game, act)
            yield Step(game, act, after, events)
            game = after

    def _choose(self, game: Game, rng: Random) -> Act:
        if rng.random() < self.quitters:
            return Quit(rng.choice(game.remaining), forfeit=rng.random() < 0.5)
        if game.must_pass:
            return Pass(game.turn)
        options = [game.legal.choice(rng) for _ in range(6 if self.eager else 1)]
        placement = max(options, key=lambda option: stir(game, option))
        return Lay(
            placement, rng.choice([n for n, pile in enumerate(game.piles) if pile] or [None])
        )


def stir(game: Game, placement: LegalPlacement) -> int:
    """How much a placement causes, roughly."""
    _, events = game.position.place(game.turn, placement)
    weight = {Joined: 5, Conquered: 4, Placed: 0, Expanded: 0, Founded: 2}
    return sum(weight.get(type(event), 1) for event in events)


def apply(game: Game, act: Act) -> tuple[Game, list[Event]]:
    match act:
        case Lay(placement, pile):
            return game.place(placement, pile)
        case Quit(seat, forfeit):
            return game.withdraw(seat, forfeit=forfeit)
        case Pass():
            return game.pass_turn()


# ---- boards and games ------------------------------------------------------------------------

_CELLS = {
    "meadow": "." * 24 + "VVRYB~",
    "crowded": "." * 10 + "VRYB",
    "broken": "." * 12 + "VVRYB~#",
}


@st.composite
def custom_boards(draw: st.DrawFn) -> Board:
    """Boards of all shapes: squares, narrow strips, the widest and the highest allowed."""
    sides = st.integers(3, 10)
    shape = st.tuples(sides, sides) | st.tuples(st.integers(1, 2), st.integers(4, 26))
    shape |= st.tuples(st.just(26), st.integers(2, 4))
    width, height = draw(shape.flatmap(st.permutations))
    cells = st.sampled_from(draw(st.sampled_from(sorted(_CELLS.values()))))
    rows = draw(
        st.lists(st.lists(cells, min_size=width, max_size=width), min_size=height, max_size=height)
    )
    for row, marks in enumerate(rows):  # start spaces of a colour stand alone
        for column, mark in enumerate(marks):
            above = rows[row - 1][column] if row else ""
            left = marks[column - 1] if column else ""
            if mark in "RYB" and mark in (above, left):
                marks[column] = "."
    text = "/".join("".join(marks) for marks in rows)
    try:
        return Board.parse(text)
    except BoardError:
        return Board.parse(f"{text}/{'R..'.ljust(width, '#')}") if _fits(text, width) else _LITTLE


_LITTLE = Board.parse("R....Y/......")


def _fits(text: str, width: int) -> bool:
    """Whether a last row with room for a tile may be added to a board without any."""
    lines = text.split("/")
    return width >= 3 and len(lines) < 26 and lines[-1][0] != "R"


TRICKY = (
    "RY......BR......YB......RY",
    "R..Y..B..R/#.##.##.##/B..R..Y..B/##.##.##.#/Y..B..R..Y",
    "......./.R...R./...V.../.Y...B./......./~R.V.Y.",
    "R....R.V.Y....Y/.V...........V./R....R...Y....Y",
)
"""Boards on which players pass, tie, and share villages more often than elsewhere."""


def boards() -> st.SearchStrategy[Board]:
    known = [Board.named(name) for name in board_names()]
    tricky = [Board.parse(text, name="tricky") for text in TRICKY]
    return st.sampled_from(known) | st.sampled_from(tricky) | custom_boards()


_ONE_IN_FOUR = st.sampled_from([True, False, False, False])


@st.composite
def setups(draw: st.DrawFn, *, whole: bool = False) -> Setup:
    """Random games; `whole` ones begin with all tiles and all pagodas, as a record wants it."""
    players = draw(st.integers(2, 4))
    tiles = list(ALL_TILES)
    if not whole and draw(_ONE_IN_FOUR):  # with few kinds of tiles somebody has to pass
        kinds = draw(st.sets(st.sampled_from(Tile), min_size=1, max_size=2))
        tiles = sorted(kinds, key=str) * (72 // len(kinds))
    seed = draw(st.integers(0, 2**32))
    Random(seed).shuffle(tiles)
    short = not whole and draw(_ONE_IN_FOUR)
    count = draw(st.integers(3 * players, 40)) if short else len(tiles)
    few = not whole and draw(_ONE_IN_FOUR)
    counts = st.integers(1, 12) if few else st.just(PAGODAS[players])
    return Setup(
        board=draw(boards()),
        deal=Deal.of(tiles[:count], players),
        first=Seat(draw(st.integers(0, players - 1))),
        reserves=tuple(draw(counts) for _ in range(players)),
        seed=seed,
        eager=draw(st.booleans()),
        quitters=draw(st.sampled_from([0.0, 0.0, 0.01, 0.05])),
        plies=draw(st.integers(1, 60)) if draw(_ONE_IN_FOUR) else 200,
    )


def _scattered(rng: Random) -> list[list[str]]:
    """Many provinces of two spaces or more, anywhere."""
    width, height = rng.randint(4, 9), rng.randint(4, 9)
    ground, colours = (
        rng.choice([".", "......V", "....RYB", "......RVV~#"]),
        rng.choice(["R", "RYB"]),
    )
    marks = [[rng.choice(ground) for _ in range(width)] for _ in range(height)]
    for _ in range(width * height // rng.randint(4, 6)):
        x, y, across = rng.randrange(width - 1), rng.randrange(height - 1), rng.randrange(2)
        marks[y][x] = marks[y + 1 - across][x + across] = rng.choice(colours)
    return marks


def _star(rng: Random) -> list[list[str]]:
    """Arms of provinces that end around two free spaces, with a village here and there."""
    ground = rng.choice([".", "....V", "...BV", "..YB"])
    marks = [[rng.choice(ground) for _ in range(12)] for _ in range(11)]
    marks[5][5] = marks[5][6] = "."
    for x, colour, outwards in ((5, "R", -1), (6, rng.choice("RY"), 1)):
        for step_x, step_y in ((outwards, 0), (0, -1), (0, 1)):
            for step in range(1, 1 + rng.choice((0, 0, 1, 2, 2, 3, 4, 5))):
                marks[5 + step * step_y][x + step * step_x] = colour
    return marks


@st.composite
def crowded_games(draw: st.DrawFn) -> Game:
    """Games in the midst of dense random positions, where every tile settles much.

    Every seat holds a tile of each kind; villages are held as the majority wants it.
    """
    players = draw(st.integers(2, 4))
    # Hypothesis itself would leave most of a board empty.
    rng = Random(draw(st.integers(0, 2**32)))
    rows = ["".join(row) for row in draw(st.sampled_from([_scattered, _star]))(rng)]
    table = Table(rows, [[]], [], 0, reserves=[1])
    owners: dict[Cell, int] = {}
    for cell, mark in table.colours.items():
        group = group_of(cell, {other for other, kind in table.colours.items() if kind == mark})
        if cell == min(group) and len(group) > 1:
            owner = rng.randrange(players)
            table.provinces.append(Province(mark, group, owner, 2 if len(group) > 4 else 1))
            owners |= dict.fromkeys(group, owner)
    for village in table.holders:
        holder = table.leader(village)
        if holder is None:
            holder = rng.choice([None, *range(players)])
        if holder is not None:
            owners |= dict.fromkeys(village, holder)
    tokens = [
        [f"{mark}{owners[x, y] + 1}" if (x, y) in owners else mark for x, mark in enumerate(row)]
        for y, row in enumerate(rows)
    ]
    position = parse_position(
        "/".join(map("".join, tokens)),
        players=players,
        reserves=[rng.randint(1, 4) for _ in range(players)],
    )
    return Game(position, (tuple(Tile),) * players, (), Seat(rng.randrange(players)))


# ---- from the engine's words to the reference's -------------------------------------------------


def cell_of(space: Space) -> Cell:
    return column_of(space), row_of(space)


def cells_of(mask: Mask) -> frozenset[Cell]:
    return frozenset(map(cell_of, spaces_of(mask)))


def halves_of(placement: Placement) -> list[Half]:
    one, first, other, second = placement
    return [(one.letter, cell_of(first)), (other.letter, cell_of(second))]


def placement_of(halves: list[Half]) -> Placement:
    (first, one), (second, other) = sorted((space_at(*cell), mark) for mark, cell in halves)
    return Placement(Colour.parse(one), first, Colour.parse(other), second)


def table_of(game: Game) -> Table:
    """A game as it stands, at the reference's table."""
    position = game.position
    table = Table(
        rows=position.board.rows,
        hands=[_names(hand) for hand in game.hands],
        piles=[_names(pile) for pile in game.piles],
        turn=game.turn,
        reserves=list(position.reserves),
    )
    table.out = set(game.out)
    for colour, realm in zip("RYB", position.realms, strict=True):
        table.colours |= dict.fromkeys(cells_of(realm.spaces), colour)
        table.provinces += [
            Province(colour, cells_of(p.spaces), p.owner, p.pagodas) for p in realm.provinces
        ]
    table.grass -= table.colours.keys()
    table.holders = {
        cells_of(village): holder
        for village, holder in zip(position.board.villages, position.holders, strict=True)
    }
    return table


def _names(tiles: tuple[Tile, ...]) -> list[str]:
    return [tile.name for tile in tiles]


def follow(table: Table, act: Act) -> None:
    """Do at the reference's table what was done in the game."""
    match act:
        case Lay(placement, pile):
            table.place(halves_of(placement), pile)
        case Quit(seat, forfeit):
            table.withdraw(seat, "forfeit" if forfeit else "resign")
        case Pass():
            table.pass_turn()
