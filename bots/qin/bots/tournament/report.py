"""The page about a tournament: one file with tables and plots; and the tables as CSV."""

from __future__ import annotations

import csv
import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from statistics import fmean

from qin.bots.tournament import charts, summary
from qin.bots.tournament.ledger import Ledger
from qin.bots.tournament.stats import PairStats, Stats, stats_of
from qin.engine.words import counted

_STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2 { line-height: 1.2; } h2 { margin-top: 2.5rem; }
.wide { overflow-x: auto; } .wide + .wide { margin-top: 1.5rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .55rem; text-align: right; border-bottom: 1px solid #8884; }
th, td { white-space: nowrap; }
th { font-weight: 600; } .word { text-align: left; }
figure { margin: 1.5rem 0; } figcaption { font-weight: 600; margin-bottom: .3rem; }
svg { width: 100%; height: auto; font: 13px system-ui, sans-serif; fill: currentColor; }
.note { color: #777; }
"""
_MOST_ELO = 1200.0
"""Where a plot ends whose bar would go on for ever."""

Head = Sequence[str]
Rows = Sequence[Sequence[str]]


def write_report(folder: Path, ledger: Ledger) -> list[Path]:
    """Write the page and the tables beside the results; tells which files these are."""
    stats = stats_of(ledger)
    page = folder / "report.html"
    page.write_text(html(ledger, stats), encoding="utf-8")
    return [page, *_write_tables(folder, stats)]


def html(ledger: Ledger, stats: Stats) -> str:
    """The page. It asks for nothing from anywhere."""
    settings = ledger.settings
    title = f"Qin: {settings.name}"
    boards = ", ".join(ground.name for ground in settings.boards)
    about = (
        f"{settings.format.value}, {settings.players} players, {boards}, seed {settings.seed}:"
        f" {counted(stats.games, 'game')} on {counted(stats.deals, 'deal')}"
    )
    state = [] if ledger.over else [_note("The tournament is not over yet.")]
    parts = [
        f"<h1>{escape(title)}</h1>",
        f"<p>{escape(about)}</p>",
        *state,
        *_standings(ledger, stats),
        *_against(stats),
        *_effects(stats),
        *_faults(ledger),
        "<h2>Bots</h2>",
        _table(("bot", "spec"), [(bot.name, bot.spec or "remote") for bot in stats.bots]),
    ]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>\n"
        f"<body>\n{chr(10).join(parts)}\n</body></html>\n"
    )


# ---- the parts of the page ---------------------------------------------------------------------


def _standings(ledger: Ledger, stats: Stats) -> list[str]:
    rows = [summary.standings_row(rank, bot) for rank, bot in summary.ranked(stats.bots)]
    shares = [
        charts.Bar(
            bot.name,
            bot.share,
            bot.interval.low,
            bot.interval.high,
            f"{bot.share:.1%} of points",
            place,
        )
        for place, bot in enumerate(stats.bots)
    ]
    ratings = [
        charts.Bar(
            bot.name,
            bot.rating,
            bot.rating - 2 * bot.deviation,
            bot.rating + 2 * bot.deviation,
            f"{bot.rating:.2f} ± {2 * bot.deviation:.2f}",
            place,
        )
        for place, bot in enumerate(stats.bots)
    ]
    parts = [
        "<h2>Standings</h2>",
        _table(summary.STANDINGS_HEAD, rows),
        _note(
            "A win is a point, a shared one is split. 95 %: the interval of the share, over deals."
            " left: pagodas left, on average. rating ±: Plackett-Luce, twice its deviation."
            " ms, slowest: milliseconds for a decision."
        ),
        charts.bars(
            "Points a game", shares, middle=1 / ledger.settings.players if stats.games else None
        ),
        charts.bars("Rating", ratings),
        charts.lines("Points a game, in the course of it", _course(ledger, stats), foot="deals"),
    ]
    if ledger.sprt:
        parts.append(f"<p>{escape(summary.sprt_line(ledger))}</p>")
    return parts


def _course(ledger: Ledger, stats: Stats) -> list[charts.Line]:
    """In the order of the standings, so that every bot has the colour that it has above."""
    points: dict[str, list[tuple[float, float]]] = defaultdict(list)
    sums: dict[str, tuple[float, int]] = defaultdict(lambda: (0.0, 0))
    for number, played in enumerate(ledger.accepted, start=1):
        for result in played.results:
            for seat, name in enumerate(result.seats):
                total, games = sums[name]
                sums[name] = total + result.points(seat), games + 1
        for name in {name for result in played.results for name in result.seats}:
            total, games = sums[name]
            points[name].append((number, total / games))
    return [charts.Line(bot.name, points[bot.name]) for bot in stats.bots if points[bot.name]]


def _against(stats: Stats) -> list[str]:
    parts = ["<h2>One against another</h2>"]
    if len(stats.bots) > 2:
        parts.append(_table(*summary.crosstable(stats)))
    place = {bot.name: rank for rank, bot in summary.ranked(stats.bots)}
    once = [pair for pair in stats.pairs if place[pair.bot] < place[pair.rival]]
    marked = [_note(f"{summary.MARK} one of them was withdrawn, and games are missing.")]
    bars = [_elo_bar(pair, place[pair.bot] - 1) for pair in once]
    cut = [_note(f"What lies beyond {_MOST_ELO:g} is drawn there.")]
    return [
        *parts,
        _table(summary.PAIRS_HEAD, [summary.pair_row(pair) for pair in once]),
        *(marked if any(pair.marked for pair in once) else []),
        charts.bars("Difference in Elo", bars, middle=0.0),
        *(cut if any(_MOST_ELO in (-bar.low, bar.high) for bar in bars) else []),
    ]


def _elo_bar(pair: PairStats, colour: int) -> charts.Bar:
    interval = pair.duel.elo_interval()
    return charts.Bar(
        f"{pair.bot} – {pair.rival}",
        _bounded(pair.duel.elo),
        _bounded(interval.low),
        _bounded(interval.high),
        f"{summary.elo(pair.duel.elo)}, {summary.elo_range(interval)}",
        colour,
    )


def _bounded(elo: float) -> float:
    return math.copysign(min(abs(elo), _MOST_ELO), elo)


def _effects(stats: Stats) -> list[str]:
    endings = list(stats.endings)
    return [
        "<h2>Seats, boards, endings</h2>",
        _table(
            ("", *(f"{each.place}." for each in stats.turns)),
            [
                ("by order of moving", *(f"{each.share:.1%}" for each in stats.turns)),
                ("by seat", *(f"{each.share:.1%}" for each in stats.seats)),
            ],
        ),
        _table(
            ("board", "games", "plies", "left", *(bot.name for bot in stats.bots)),
            [
                (
                    board.name,
                    str(board.games),
                    f"{board.plies:.1f}",
                    f"{board.left:.2f}",
                    *(
                        f"{board.shares[bot.name]:.1%}" if bot.name in board.shares else "·"
                        for bot in stats.bots
                    ),
                )
                for board in stats.boards
            ],
        ),
        _table(
            ("board", *endings),
            [
                (board.name, *(str(board.endings.get(ending, 0)) for ending in endings))
                for board in stats.boards
            ],
        ),
    ]


def _faults(ledger: Ledger) -> list[str]:
    rows = [
        (result.seats[fault.seat - 1], str(result.game), str(fault.ply), fault.reason, fault.detail)
        for result in ledger.results
        for fault in result.faults
    ]
    if not rows:
        return []
    shown = rows[:200]
    more = [_note(f"… and {len(rows) - len(shown)} more")] if len(rows) > len(shown) else []
    head = ("bot", "game", "ply", "reason", "detail")
    return ["<h2>Faults</h2>", _table(head, shown), *more]


def _note(text: str) -> str:
    return f'<p class="note">{escape(text)}</p>'


def _table(head: Head, rows: Rows) -> str:
    words = [any(row[column][:1].isalpha() for row in rows) for column in range(len(head))]

    def line(tag: str, cells: Iterable[str]) -> str:
        return "".join(
            f"<{tag}{' class=word' if word else ''}>{escape(cell)}</{tag}>"
            for cell, word in zip(cells, words, strict=True)
        )

    body = "".join(f"<tr>{line('td', row)}</tr>" for row in rows)
    return (
        f'<div class="wide"><table><thead><tr>{line("th", head)}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


# ---- CSV ---------------------------------------------------------------------------------------


def _write_tables(folder: Path, stats: Stats) -> list[Path]:
    standings = [
        (
            bot.name, bot.spec, bot.games, bot.points, bot.share, bot.interval.low,
            bot.interval.high, bot.left, bot.rating, bot.deviation, bot.milliseconds, bot.slowest,
            sum(bot.faults.values()), int(bot.withdrawn),
        )
        for bot in stats.bots
    ]  # fmt: skip
    pairs = [
        (
            pair.bot, pair.rival, pair.duel.wins, pair.duel.ties, pair.duel.losses, fmean(
                pair.duel.scores), pair.duel.elo, pair.duel.elo_interval().low,
            pair.duel.elo_interval().high, pair.duel.superiority, int(pair.marked),
        )
        for pair in stats.pairs
    ]  # fmt: skip
    return [
        _write_table(
            folder / "standings.csv",
            ("bot", "spec", "games", "points", "share", "share_low", "share_high", "left",
             "rating", "deviation", "ms", "slowest_ms", "faults", "withdrawn"),
            standings,
        ),
        _write_table(
            folder / "pairs.csv",
            ("bot", "rival", "wins", "ties", "losses", "score", "elo", "elo_low", "elo_high",
             "superiority", "marked"),
            pairs,
        ),
    ]  # fmt: skip


def _write_table(path: Path, head: Head, rows: Iterable[Sequence[object]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(head)
        writer.writerows(rows)
    return path
