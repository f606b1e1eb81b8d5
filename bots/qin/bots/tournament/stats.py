"""What the results of a tournament say."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from openskill.models import PlackettLuce, PlackettLuceRating
from qin.bots.tournament.games import Result
from qin.bots.tournament.ledger import Ledger
from qin.bots.tournament.pairs import Duel, Interval, duel, share_interval


@dataclass(frozen=True, slots=True)
class BotStats:
    """How one bot did."""

    name: str
    spec: str
    games: int
    points: float
    share: float
    """Points a game."""
    interval: Interval
    """Of the share, over deals."""
    left: float
    """Pagodas left, on average."""
    rating: float
    """Plackett-Luce, beginning at 25."""
    deviation: float
    """Of the rating: with 95 % the true one lies within twice this."""
    milliseconds: float
    """For a decision, on average."""
    slowest: float
    """The longest decision, in milliseconds."""
    faults: dict[str, int]
    """By their reasons."""
    withdrawn: bool


@dataclass(frozen=True, slots=True)
class PairStats:
    """How one bot did against another."""

    bot: str
    rival: str
    duel: Duel
    marked: bool
    """Whether games are missing because one of the two was withdrawn."""


@dataclass(frozen=True, slots=True)
class PlaceStats:
    """What a place is worth, whoever has it."""

    place: int
    """From 1."""
    games: int
    share: float


@dataclass(frozen=True, slots=True)
class BoardStats:
    """What a board does."""

    name: str
    games: int
    plies: float
    left: float
    shares: dict[str, float]
    """Points a game of each bot that played there."""
    endings: dict[str, int]


@dataclass(frozen=True, slots=True)
class Stats:
    """All of it."""

    bots: tuple[BotStats, ...]
    """Best first."""
    pairs: tuple[PairStats, ...]
    """Each pair once for each side of it, in the order of the bots."""
    turns: tuple[PlaceStats, ...]
    """By the order of moving: who starts is first."""
    seats: tuple[PlaceStats, ...]
    boards: tuple[BoardStats, ...]
    endings: dict[str, int]
    games: int
    deals: int

    def pair(self, bot: str, rival: str) -> PairStats | None:
        return next((pair for pair in self.pairs if (pair.bot, pair.rival) == (bot, rival)), None)


def stats_of(ledger: Ledger) -> Stats:
    """The statistics of all that counts so far."""
    results = list(ledger.results)
    came = {ledger.settings.names[bot]: rounds for bot, rounds in ledger.survived().items()}
    bots = sorted(
        _bots(ledger, results),
        key=lambda bot: (bot.withdrawn, -came.get(bot.name, 0), -bot.share, bot.left, bot.name),
    )
    return Stats(
        bots=tuple(bots),
        pairs=tuple(_pairs(ledger, [bot.name for bot in bots])),
        turns=tuple(_places(results, by_turn=True)),
        seats=tuple(_places(results, by_turn=False)),
        boards=tuple(_boards(ledger, results)),
        endings=_counted(result.ending for result in results),
        games=len(results),
        deals=len(ledger.accepted),
    )


def _bots(ledger: Ledger, results: Sequence[Result]) -> Iterable[BotStats]:
    settings = ledger.settings
    ratings = rated(results, settings.names)
    seats: dict[str, list[tuple[Result, int]]] = defaultdict(list)
    for result in results:
        for seat, name in enumerate(result.seats):
            seats[name].append((result, seat))
    for number, entrant in enumerate(settings.bots):
        taken = seats[entrant.name]
        times = [result.times[seat] for result, seat in taken]
        decisions = sum(each.decisions for each in times)
        reasons = _counted(
            fault.reason
            for result, seat in taken
            for fault in result.faults
            if fault.seat == seat + 1
        )
        by_deal: dict[int, list[float]] = defaultdict(list)
        for result, seat in taken:
            by_deal[result.deal].append(result.points(seat))
        points = sum(result.points(seat) for result, seat in taken)
        rating = ratings[entrant.name]
        yield BotStats(
            name=entrant.name,
            spec=entrant.spec,
            games=len(taken),
            points=points,
            share=points / len(taken) if taken else 0.0,
            interval=share_interval(tuple(fmean(on_deal) for on_deal in by_deal.values())),
            left=fmean([result.reserves[seat] for result, seat in taken]) if taken else 0.0,
            rating=rating.mu,
            deviation=rating.sigma,
            milliseconds=1000 * sum(each.seconds for each in times) / max(1, decisions),
            slowest=1000 * max((each.slowest for each in times), default=0.0),
            faults=reasons,
            withdrawn=number in ledger.withdrawn,
        )


def rated(results: Iterable[Result], names: Sequence[str]) -> dict[str, PlackettLuceRating]:
    """The ratings after all games, taken in their order."""
    model = PlackettLuce()
    ratings = {name: model.rating(name=name) for name in names}
    for result in results:
        teams = [[ratings[name]] for name in result.seats]
        rerated = model.rate(teams, ranks=[float(rank) for rank in result.ranks()])
        for name, team in zip(result.seats, rerated, strict=True):
            ratings[name] = team[0]
    return ratings


def _pairs(ledger: Ledger, names: Sequence[str]) -> Iterable[PairStats]:
    number = {name: number for number, name in enumerate(ledger.settings.names)}
    for bot in names:
        for rival in names:
            if bot == rival:
                continue
            met = duel(ledger.accepted, number[bot], number[rival])
            if met.games:
                marked = bool({number[bot], number[rival]} & set(ledger.withdrawn))
                yield PairStats(bot, rival, met, marked)


def _places(results: Iterable[Result], *, by_turn: bool) -> Iterable[PlaceStats]:
    points: dict[int, list[float]] = defaultdict(list)
    for result in results:
        for seat in range(len(result.seats)):
            place = (seat + 1 - result.first) % len(result.seats) if by_turn else seat
            points[place + 1].append(result.points(seat))
    for place, scored in sorted(points.items()):
        yield PlaceStats(place, len(scored), fmean(scored))


def _boards(ledger: Ledger, results: Sequence[Result]) -> Iterable[BoardStats]:
    for ground in ledger.settings.boards:
        here = [result for result in results if result.board == ground.name]
        if not here:
            continue
        points: dict[str, list[float]] = defaultdict(list)
        for result in here:
            for seat, name in enumerate(result.seats):
                points[name].append(result.points(seat))
        yield BoardStats(
            name=ground.name,
            games=len(here),
            plies=fmean([result.plies for result in here]),
            left=fmean([left for result in here for left in result.reserves]),
            shares={name: fmean(points[name]) for name in ledger.settings.names if name in points},
            endings=_counted(result.ending for result in here),
        )


def _counted(words: Iterable[str]) -> dict[str, int]:
    """How often each stands there, the most frequent first."""
    return dict(sorted(Counter(words).items(), key=lambda item: (-item[1], item[0])))
