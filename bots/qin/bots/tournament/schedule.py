"""Which games a tournament has. The games on one deal are a group: the unit of the statistics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations

from qin.bots.tournament.games import Job
from qin.bots.tournament.settings import Format, Ground, Orders, Settings, seatings
from qin.engine.words import counted

Pairing = tuple[int, ...]
"""The bots that meet, by their numbers from 0."""


@dataclass(frozen=True, slots=True)
class Group:
    """All games on one deal."""

    deal: int
    """From 1, over the whole tournament."""
    first_game: int
    """The number of its first game."""
    round: int
    ground: Ground
    orders: tuple[Pairing, ...]
    """For each game, who sits where."""

    @property
    def games(self) -> range:
        return range(self.first_game, self.first_game + len(self.orders))

    @property
    def pairing(self) -> Pairing:
        """Who meets, in the order in which they were named."""
        return tuple(sorted(self.orders[0]))


@dataclass(frozen=True, slots=True)
class Standing:
    """How a bot stands when the next round is drawn."""

    points: float = 0.0
    games: int = 0
    left: float = 0.0
    """The pagodas it had left in all games together."""

    @property
    def share(self) -> float:
        return self.points / self.games if self.games else 0.0

    @property
    def mean_left(self) -> float:
        return self.left / self.games if self.games else 0.0


@dataclass(frozen=True, slots=True)
class Past:
    """What the next round depends on."""

    rounds: tuple[tuple[Group, ...], ...]
    standings: Mapping[int, Standing]
    by_round: tuple[Mapping[int, Standing], ...]
    """The same for each round by itself."""
    withdrawn: Mapping[int, int] = field(default_factory=dict)
    """Who was withdrawn, each with the deal after which."""


@dataclass(frozen=True, slots=True)
class Extent:
    """How large a tournament becomes, and why."""

    games: int
    deals: int
    note: str
    """What was made of the number of games that was asked for."""


def round_robin(settings: Settings) -> list[Pairing]:
    return list(combinations(range(len(settings.bots)), settings.players))


def gauntlet(settings: Settings) -> list[Pairing]:
    """The first bot against all others."""
    others = range(1, len(settings.bots))
    return [(0, *rivals) for rivals in combinations(others, settings.players - 1)]


def pairings(settings: Settings) -> list[Pairing]:
    """Who meets whom in a tournament of a single round."""
    return gauntlet(settings) if settings.format is Format.GAUNTLET else round_robin(settings)


def single_round(settings: Settings) -> list[Group]:
    """All games of a tournament of a single round.

    Deal by deal all pairings take their turn, and round by round of these the boards.
    """
    meeting, boards = pairings(settings), settings.boards
    cells = [(pairing, ground) for ground in boards for pairing in meeting]
    deals = deals_for(settings.games, settings, settings.players)
    # In every cell the seats turn from one deal to the next, and from one cell to the next.
    tables = (
        (number // len(cells) + number % len(cells), cells[number % len(cells)])
        for number in range(deals)
    )
    return list(groups(settings, 1, tables, 1, 1))


def groups(
    settings: Settings,
    round_number: int,
    tables: Iterable[tuple[int, tuple[Pairing, Ground]]],
    deal: int,
    game: int,
) -> Iterator[Group]:
    """A group for each table, with the deals and games numbered on from those given.

    The number beside a table turns the seats where a deal is played only once.
    """
    for turn, (pairing, ground) in tables:
        possible = seatings(len(pairing), settings.orders)
        if not settings.duplicates:
            possible = (possible[turn % len(possible)],)
        orders = tuple(tuple(pairing[place] for place in seating) for seating in possible)
        yield Group(deal, game, round_number, ground, orders)
        deal += 1
        game += len(orders)


def games_a_deal(settings: Settings, players: int) -> int:
    return len(seatings(players, settings.orders)) if settings.duplicates else 1


def deals_for(games: int, settings: Settings, players: int) -> int:
    """So many deals are needed for so many games: as many as it takes, never fewer."""
    return -(-games // games_a_deal(settings, players))


def job(settings: Settings, group: Group, game: int) -> Job:
    """One game of a group, ready to be played."""
    return Job(
        game=game,
        deal=group.deal,
        round=group.round,
        ground=group.ground,
        seats=tuple(settings.bots[number] for number in group.orders[game - group.first_game]),
        seed=settings.seed,
        seconds=settings.seconds,
        megabytes=settings.megabytes,
        event=settings.name,
    )


def single_extent(settings: Settings) -> Extent:
    """How large a tournament of a single round becomes."""
    each = games_a_deal(settings, settings.players)
    deals = deals_for(settings.games, settings, settings.players)
    cells = len(pairings(settings)) * len(settings.boards)
    note = counted(deals, "deal")
    if each > 1 and settings.orders is Orders.ROTATIONS:
        note += f", each played {each} times with the seats rotated"
    elif each > 1:
        note += f", each in {each} orders of the seats"
    fewest, rest = divmod(deals, cells)
    spread = str(fewest) if not rest else f"{fewest} or {fewest + 1}"
    if cells > 1:
        note += f"; {spread} for each of {cells} pairings and boards"
    return Extent(deals * each, deals, note)
