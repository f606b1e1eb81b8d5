"""What is told while a tournament runs: a line that is kept up to date, plain lines, or JSON."""

from __future__ import annotations

import json
import shutil
import sys
from abc import ABC, abstractmethod
from time import monotonic
from typing import Any

import click
from qin.bots.tournament import summary
from qin.bots.tournament.ledger import Ledger
from qin.bots.tournament.runner import Progress
from qin.bots.tournament.schedule import Extent
from qin.bots.tournament.settings import Settings
from qin.engine.words import printable

_BAR = 20
_LIVE_SECONDS, _PLAIN_SECONDS = 0.2, 10.0


class Display(ABC):
    """Takes what there is to tell, and tells as much as is wanted."""

    every = _PLAIN_SECONDS

    def __init__(self) -> None:
        self._began = self._last = monotonic()
        self._planned = 0

    def begins(self, settings: Settings, planned: Extent) -> None:
        self._began = self._last = monotonic()
        self._planned = planned.games
        self.announce(settings, planned)

    def tell(self, progress: Progress) -> None:
        now = monotonic()
        if now - self._last >= self.every:
            self._last = now
            self.update(progress)

    def speed(self, progress: Progress) -> float:
        """Games a second since this run began."""
        return progress.played / max(monotonic() - self._began, 1e-6)

    def left(self, progress: Progress) -> float | None:
        """Seconds until the end, if it goes on like this; None before the first game."""
        missing = max(0, self._planned - progress.ledger.games_decided)
        return missing / self.speed(progress) if progress.played else None

    @abstractmethod
    def announce(self, settings: Settings, planned: Extent) -> None:
        """Tell what will be played."""

    @abstractmethod
    def update(self, progress: Progress) -> None:
        """Tell how it stands."""

    def ends(self) -> None:  # noqa: B027 - who has drawn something clears it away
        """Nothing more is played."""

    @abstractmethod
    def result(self, ledger: Ledger) -> None:
        """Tell what was found."""


class Lines(Display):
    """For people, where the output is no terminal."""

    def announce(self, settings: Settings, planned: Extent) -> None:
        if planned.games != settings.games:
            click.echo(f"{settings.games} games become {planned.games}: {planned.note}", err=True)
        else:
            click.echo(f"{planned.games} games: {planned.note}", err=True)

    def update(self, progress: Progress) -> None:
        click.echo(self.line(progress), err=True)

    def result(self, ledger: Ledger) -> None:
        click.echo(summary.text(ledger), nl=False)

    def line(self, progress: Progress) -> str:
        done = progress.ledger.games_decided
        return (
            f"{done} of {self._planned} games, {self.speed(progress):.1f} a second,"
            f" {duration(self.left(progress))} left; {standings(progress.ledger)}"
        )


class Bar(Lines):
    """For people at a terminal: one line that stays up to date."""

    every = _LIVE_SECONDS

    def update(self, progress: Progress) -> None:
        part = progress.ledger.games_decided / max(1, self._planned)
        filled = min(_BAR, round(_BAR * part))
        bar = "█" * filled + "·" * (_BAR - filled)
        width = shutil.get_terminal_size().columns - 1
        click.echo(f"\r\x1b[K{f'{bar} {self.line(progress)}'[:width]}", err=True, nl=False)

    def ends(self) -> None:
        click.echo("\r\x1b[K", err=True, nl=False)


class Json(Display):
    """For programs: an object a line, the last of which is the result."""

    every = 1.0

    def announce(self, settings: Settings, planned: Extent) -> None:
        self._say(
            "begins",
            games=planned.games,
            deals=planned.deals,
            seed=settings.seed,
            note=planned.note,
        )

    def update(self, progress: Progress) -> None:
        ledger = progress.ledger
        self._say(
            "progress",
            games=ledger.games_decided,
            of=self._planned,
            games_per_second=self.speed(progress),
            seconds_left=self.left(progress),
            points={
                name: ledger.standings[bot].points for bot, name in enumerate(ledger.settings.names)
            },
        )

    def result(self, ledger: Ledger) -> None:
        self._say("result", **summary.facts(ledger))

    @staticmethod
    def _say(event: str, **facts: Any) -> None:
        click.echo(json.dumps({"event": event, **facts}))


def display_for(*, as_json: bool) -> Display:
    if as_json:
        return Json()
    return Bar() if sys.stderr.isatty() else Lines()


def duration(seconds: float | None) -> str:
    """`1:05`, or `2:00:00`."""
    if seconds is None:
        return "?"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def standings(ledger: Ledger) -> str:
    """Everybody's points, the best first."""
    table = sorted(
        ((ledger.standings[bot], name) for bot, name in enumerate(ledger.settings.names)),
        key=lambda entry: -entry[0].share,
    )
    return " · ".join(
        f"{printable(name)} {summary.number(standing.points)}/{standing.games}"
        for standing, name in table
    )
