"""Tournaments whose next round depends on the last one: Swiss and knockout."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

from qin.bots.tournament.schedule import (
    Extent,
    Group,
    Pairing,
    Past,
    Standing,
    games_a_deal,
    groups,
    single_extent,
    single_round,
)
from qin.bots.tournament.settings import Format, Settings
from qin.engine.words import counted

_SEARCH = 20_000
"""So many pairings are tried before a Swiss round puts up with bots that have met before."""


def next_round(settings: Settings, past: Past) -> list[Group] | None:
    """The next round of a tournament; None when there is none."""
    if settings.format is Format.SWISS:
        tables = swiss_tables(settings, past)
    elif settings.format is Format.KNOCKOUT:
        tables = knockout_tables(settings, past)
    else:
        return None if past.rounds else single_round(settings)
    if tables is None:
        return None
    deals = _deals_a_table(settings)
    last = past.rounds[-1][-1] if past.rounds else None
    boards = settings.boards
    seats = [
        (number // len(boards) + place, (table, boards[number % len(boards)]))
        for number in range(deals)
        for place, table in enumerate(tables)
    ]
    deal, game = (last.deal + 1, last.games[-1] + 1) if last else (1, 1)
    return list(groups(settings, len(past.rounds) + 1, seats, deal, game))


def extent(settings: Settings) -> Extent:
    """How large a tournament becomes if nobody is withdrawn."""
    if settings.format not in (Format.SWISS, Format.KNOCKOUT):
        return single_extent(settings)
    sizes = _table_sizes(settings)
    deals = _deals_a_table(settings)
    games = sum(deals * games_a_deal(settings, size) for size in sizes)
    tables, rounds = counted(len(sizes), "table"), counted(_count_rounds(settings), "round")
    note = f"{counted(deals, 'deal')} at each of {tables} in {rounds}"
    return Extent(games, deals * len(sizes), note)


def _deals_a_table(settings: Settings) -> int:
    """As many as it takes for the games that were asked for, the same at every table."""
    sizes = _table_sizes(settings)
    each = sum(games_a_deal(settings, size) for size in sizes)
    return max(1, -(-settings.games // each))


def _table_sizes(settings: Settings) -> list[int]:
    """How many sit at each table of the whole tournament."""
    bots, players = len(settings.bots), settings.players
    if settings.format is Format.SWISS:
        return [players] * (bots // players * swiss_rounds(settings))
    sizes: list[int] = []
    while bots > 1:
        tables = _split(bots, players)
        sizes += [size for size in tables if size > 1]
        bots = len(tables)
    return sizes


def _count_rounds(settings: Settings) -> int:
    if settings.format is Format.SWISS:
        return swiss_rounds(settings)
    bots, number = len(settings.bots), 0
    while bots > 1:
        bots, number = len(_split(bots, settings.players)), number + 1
    return number


# ---- Swiss -------------------------------------------------------------------------------------


def swiss_rounds(settings: Settings) -> int:
    """As many as it takes for one bot to be the only one that has won every round."""
    needed = math.ceil(math.log(len(settings.bots), settings.players) - 1e-9)
    return settings.rounds or max(1, needed)


def swiss_tables(settings: Settings, past: Past) -> list[Pairing] | None:
    """Those who stand alike meet, if they have not met before. Whoever is left over looks on."""
    if len(past.rounds) >= swiss_rounds(settings):
        return None
    ranked = ranking(settings, past)
    looked_on = dict.fromkeys(ranked, 0)
    for played in past.rounds:
        seated = {bot for group in played for bot in group.pairing}
        for bot in ranked:
            looked_on[bot] += bot not in seated
    leftover = len(ranked) % settings.players
    if len(ranked) < settings.players:
        return None
    # Those look on who have done so least; among equals the last ones.
    resting = sorted(ranked, key=lambda bot: (looked_on[bot], -ranked.index(bot)))[:leftover]
    playing = [bot for bot in ranked if bot not in resting]
    met = {group.pairing for played in past.rounds for group in played}
    return _unmet(playing, settings.players, met)


def _unmet(playing: Sequence[int], size: int, met: set[Pairing]) -> list[Pairing]:
    """Tables from the top down that have not been before, as far as a short search finds them."""
    steps = 0

    def seat(left: tuple[int, ...]) -> list[Pairing] | None:
        nonlocal steps
        if not left:
            return []
        for rivals in combinations(left[1:], size - 1):  # those who stand nearest come first
            steps += 1
            if steps > _SEARCH:
                return None
            table = tuple(sorted((left[0], *rivals)))
            if table in met:
                continue
            rest = seat(tuple(bot for bot in left[1:] if bot not in rivals))
            if rest is not None:
                return [table, *rest]
        return None

    found = seat(tuple(playing))
    if found is not None:
        return found
    return [tuple(sorted(playing[start : start + size])) for start in range(0, len(playing), size)]


def ranking(settings: Settings, past: Past) -> list[int]:
    """Who is still there, best first: points a game, then pagodas left, then as named."""
    there = [bot for bot in range(len(settings.bots)) if bot not in past.withdrawn]
    return sorted(there, key=lambda bot: _order(past.standings.get(bot, Standing()), bot))


def _order(standing: Standing, bot: int) -> tuple[float, float, int]:
    return -standing.share, standing.mean_left, bot


# ---- knockout ----------------------------------------------------------------------------------


def knockout_tables(settings: Settings, past: Past) -> list[Pairing] | None:
    """The best of each table goes on. Named early is seeded high: the first ones rest first."""
    left = survivors(settings, past)
    if len(left) < 2:
        return None
    sizes = _split(len(left), settings.players)
    # The strongest are dealt to tables one by one, and back again, so that they meet late.
    tables: list[list[int]] = [[] for _ in sizes]
    order = sorted(range(len(sizes)), key=lambda number: sizes[number])
    forward = True
    waiting = list(left)
    while waiting:
        for number in order if forward else reversed(order):
            if waiting and len(tables[number]) < sizes[number]:
                tables[number].append(waiting.pop(0))
        forward = not forward
    return [tuple(sorted(table)) for table in tables if len(table) > 1]


def survivors(settings: Settings, past: Past) -> list[int]:
    """Who has not lost a table yet, in the order of their seeds."""
    left = set(range(len(settings.bots)))
    for played, standings in zip(past.rounds, past.by_round, strict=True):
        for table in {group.pairing for group in played}:
            # Who was withdrawn later had won this table all the same: nobody comes back for it.
            last = played[-1].deal
            present = [bot for bot in table if past.withdrawn.get(bot, last + 1) > last]
            present = present or list(table)
            best = min(present, key=lambda bot: _order(standings.get(bot, Standing()), bot))
            left -= set(table) - {best}
    return sorted(left - set(past.withdrawn)) or sorted(left)


def rounds_survived(settings: Settings, past: Past) -> dict[int, int]:
    """How far everybody came in a knockout, by the rounds that are complete."""
    survived = dict.fromkeys(range(len(settings.bots)), 0)
    for number in range(1, len(past.rounds) + 1):
        so_far = Past(past.rounds[:number], past.standings, past.by_round[:number], past.withdrawn)
        for bot in survivors(settings, so_far):
            survived[bot] = number
    return survived


def _split(bots: int, size: int) -> list[int]:
    """How many sit at each table: as many as may, shared out evenly; a table of one rests."""
    tables = -(-bots // size)
    fewest, more = divmod(bots, tables)
    return [fewest + (number < more) for number in range(tables)]
