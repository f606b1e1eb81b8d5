"""What a tournament found, as text for a terminal and as JSON for programs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from qin.bots.tournament.ledger import Ledger
from qin.bots.tournament.pairs import Interval
from qin.bots.tournament.stats import BotStats, PairStats, Stats, stats_of
from qin.engine.words import counted

MARK = "†"
"""Stands by what is incomplete because a bot was withdrawn."""


def text(ledger: Ledger) -> str:
    """The final table and what else there is to say."""
    stats = stats_of(ledger)
    parts = [
        _title(ledger, stats),
        columns(STANDINGS_HEAD, [standings_row(rank, bot) for rank, bot in ranked(stats.bots)]),
        "",
        *_pair_parts(stats),
        *_effects(stats),
        *_notes(ledger, stats),
    ]
    return "\n".join(parts) + "\n"


def _title(ledger: Ledger, stats: Stats) -> str:
    settings = ledger.settings
    boards = ", ".join(ground.name for ground in settings.boards)
    state = "" if ledger.over else "; not over yet"
    return (
        f"{settings.format.value}, {settings.players} players, {boards}, seed {settings.seed}:"
        f" {counted(stats.games, 'game')} on {counted(stats.deals, 'deal')}{state}\n"
    )


STANDINGS_HEAD = (
    "", "bot", "games", "points", "share", "95 %", "left", "rating", "±", "ms", "slowest", "faults",
)  # fmt: skip


def ranked(bots: Sequence[BotStats]) -> Iterable[tuple[int, BotStats]]:
    return enumerate(bots, start=1)


def standings_row(rank: int, bot: BotStats) -> tuple[str, ...]:
    return (
        str(rank),
        bot.name + (f" {MARK}" if bot.withdrawn else ""),
        str(bot.games),
        number(bot.points),
        f"{bot.share:.1%}",
        f"{bot.interval.low:.1%} to {bot.interval.high:.1%}",
        f"{bot.left:.2f}",
        f"{bot.rating:.2f}",
        f"{2 * bot.deviation:.2f}",
        f"{bot.milliseconds:.2f}",
        f"{bot.slowest:.1f}",
        faults(bot),
    )


def faults(bot: BotStats) -> str:
    return ", ".join(f"{count} {reason}" for reason, count in bot.faults.items()) or "0"


PAIRS_HEAD = ("bot", "rival", "won", "tied", "lost", "score", "Elo", "95 %", "superior")


def pair_row(pair: PairStats) -> tuple[str, ...]:
    met = pair.duel
    return (
        pair.bot,
        pair.rival + (f" {MARK}" if pair.marked else ""),
        str(met.wins),
        str(met.ties),
        str(met.losses),
        f"{met.score:.1%}",
        elo(met.elo),
        elo_range(met.elo_interval()),
        f"{met.superiority:.1%}",
    )


def _pair_parts(stats: Stats) -> list[str]:
    place = {bot.name: rank for rank, bot in ranked(stats.bots)}
    once = [pair for pair in stats.pairs if place[pair.bot] < place[pair.rival]]
    parts = [columns(PAIRS_HEAD, [pair_row(pair) for pair in once]), ""]
    if len(stats.bots) > 2:
        parts = [columns(*crosstable(stats)), "", *parts]
    return parts


def crosstable(stats: Stats) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Head and rows: the score of the bot on the left against the bot above."""
    names = [bot.name for bot in stats.bots]
    rows = [(bot, *(_cell(stats, bot, rival) for rival in names)) for bot in names]
    return ("score against", *names), rows


def _cell(stats: Stats, bot: str, rival: str) -> str:
    pair = stats.pair(bot, rival)
    if pair is None:
        return "·"
    return f"{pair.duel.score:.1%}" + (MARK if pair.marked else "")


def _effects(stats: Stats) -> list[str]:
    turns = ", ".join(f"{each.place}. {each.share:.1%}" for each in stats.turns)
    seats = ", ".join(f"{each.place}. {each.share:.1%}" for each in stats.seats)
    lines = [f"points by order of moving: {turns}; by seat: {seats}"]
    for board in stats.boards:
        shares = ", ".join(f"{name} {share:.1%}" for name, share in board.shares.items())
        endings = ", ".join(f"{count} {ending}" for ending, count in board.endings.items())
        lines.append(f"{board.name}: {board.plies:.1f} plies a game; {shares}; {endings}")
    return lines


def _notes(ledger: Ledger, stats: Stats) -> list[str]:
    bots = ledger.settings.bots
    notes = [f"{bot.name} is {bot.spec}" for bot in bots if bot.spec not in ("", bot.name)]
    gone = [bot.name for bot in stats.bots if bot.withdrawn]
    if gone:
        notes.append(
            f"{MARK} withdrawn after {ledger.settings.faults} faults: {', '.join(gone)};"
            " its later games were not played"
        )
    if ledger.sprt:
        notes.append(sprt_line(ledger))
    return notes


def sprt_line(ledger: Ledger) -> str:
    test, state = ledger.settings.sprt, ledger.sprt
    assert test is not None
    assert state is not None
    found = f"{state.verdict.value} is accepted" if state.verdict else "not decided"
    return (
        f"SPRT elo0={test.elo0:g} elo1={test.elo1:g}: {found} after {counted(state.deals, 'deal')};"
        f" LLR {state.llr:.2f}, bounds {state.lower:.2f} and {state.upper:.2f}"
    )


# ---- JSON --------------------------------------------------------------------------------------


def facts(ledger: Ledger) -> dict[str, Any]:
    """The same for programs. What is infinite, such as the Elo of who won all, is null."""
    stats = stats_of(ledger)
    return {
        "games": stats.games,
        "deals": stats.deals,
        "over": ledger.over,
        "standings": [
            {
                "bot": bot.name,
                "spec": bot.spec,
                "games": bot.games,
                "points": bot.points,
                "share": bot.share,
                "share_interval": [bot.interval.low, bot.interval.high],
                "left": bot.left,
                "rating": bot.rating,
                "deviation": bot.deviation,
                "ms": bot.milliseconds,
                "slowest_ms": bot.slowest,
                "faults": bot.faults,
                "withdrawn": bot.withdrawn,
            }
            for bot in stats.bots
        ],
        "pairs": [_pair_facts(pair) for pair in stats.pairs],
        "turns": [{"place": each.place, "share": each.share} for each in stats.turns],
        "seats": [{"place": each.place, "share": each.share} for each in stats.seats],
        "boards": [
            {
                "board": board.name,
                "games": board.games,
                "plies": board.plies,
                "left": board.left,
                "shares": board.shares,
                "endings": board.endings,
            }
            for board in stats.boards
        ],
        "endings": stats.endings,
        "sprt": _sprt_facts(ledger),
    }


def _pair_facts(pair: PairStats) -> dict[str, Any]:
    met, interval = pair.duel, pair.duel.elo_interval()
    return {
        "bot": pair.bot,
        "rival": pair.rival,
        "wins": met.wins,
        "ties": met.ties,
        "losses": met.losses,
        "score": met.score,
        "elo": _finite(met.elo),
        "elo_interval": [_finite(interval.low), _finite(interval.high)],
        "superiority": met.superiority,
        "marked": pair.marked,
    }


def _sprt_facts(ledger: Ledger) -> dict[str, Any] | None:
    state = ledger.sprt
    if state is None:
        return None
    return {
        "llr": state.llr,
        "bounds": [state.lower, state.upper],
        "deals": state.deals,
        "accepted": state.verdict.value if state.verdict else None,
    }


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


# ---- words -------------------------------------------------------------------------------------


def number(value: float) -> str:
    """Without what stands behind the point where that is nothing."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def elo(value: float) -> str:
    if math.isinf(value):
        return "+∞" if value > 0 else "-∞"
    return f"{value:+.0f}"


def elo_range(interval: Interval) -> str:
    return f"{elo(interval.low)} to {elo(interval.high)}"


def columns(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Cells under each other: words to the left, numbers to the right."""
    table = [head, *rows]
    widths = [max(len(row[column]) for row in table) for column in range(len(head))]
    words = [any(row[column][:1].isalpha() for row in rows) for column in range(len(head))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if left else cell.rjust(width)
            for cell, width, left in zip(row, widths, words, strict=True)
        ).rstrip()
        for row in table
    )
