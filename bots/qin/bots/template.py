"""A bot for Qin. Try it: qin bot check ./THIS_FILE.py:MyBot

To look ahead, draw a game that agrees with all you know, and play it on (qin.bots.imagine):

    game = imagine(view, self.rng)
    game, events = game.place(option.placement)
    replies = game.legal
"""

from __future__ import annotations

from random import Random

from qin.bots import Bot, Option, Options
from qin.engine import LegalPlacement, View


class MyBot(Bot):
    """Takes the most pagodas, and gives the others few."""

    # Keyword-only arguments are parameters: ./THIS_FILE.py:MyBot:caution=0.8
    def __init__(self, rng: Random, *, caution: float = 0.5) -> None:
        super().__init__(rng)
        self.caution = caution

    def choose(self, view: View, options: Options) -> LegalPlacement:
        """Return the placement of one of the options. A forced pass is made without asking.

        view.hand            your tiles
        view.position        what lies on the table: provinces, villages, view.position.reserves
        view.unseen          how many tiles of each kind you have not seen
        option.placement     where the tile would lie
        option.events        what it would cause
        option.gains         the pagodas that each seat would gain
        """
        worths = [(self.worth(view, option), option.placement) for option in options]
        best = max(worth for worth, _ in worths)
        equals = [placement for worth, placement in worths if worth == best]
        # All chance comes from self.rng: the same seed must give the same game.
        return equals[int(self.rng.random() * len(equals))]

    def worth(self, view: View, option: Option) -> float:
        """Your own pagodas count in full, those of the others against you."""
        others = sum(gain for seat, gain in enumerate(option.gains) if seat != view.seat)
        return option.gain - self.caution * others

    def game_starts(self, view: View) -> None:
        """Called before the first turn of each game; the bot is new then."""

    def game_ended(self, view: View) -> None:
        """Called at the end of each game: view.outcome tells who won."""

    def time_left(self, seconds: float) -> None:
        """Called before each choice where there is a clock."""
