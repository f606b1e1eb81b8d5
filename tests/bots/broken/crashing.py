"""Bots that end badly, each in its own way."""

from __future__ import annotations

import os
import sys
from random import Random

from qin.bots import Bot, Options
from qin.engine import LegalPlacement, View


class CrashingBot(Bot):
    """Plays until its third decision, and raises."""

    def __init__(self, rng: Random, *, after: int = 2) -> None:
        super().__init__(rng)
        self.left = after

    def choose(self, view: View, options: Options) -> LegalPlacement:
        del view
        if self.left == 0:
            self.crash()
        self.left -= 1
        return options.choice(self.rng)

    def crash(self) -> None:
        raise ZeroDivisionError("a fault of mine")


class ExitingBot(CrashingBot):
    """Leaves the program, as it thinks."""

    def crash(self) -> None:
        sys.exit(3)


class DyingBot(CrashingBot):
    """Takes the whole process along."""

    def crash(self) -> None:
        os._exit(3)


class LateCrashingBot(Bot):
    """Plays well enough, and raises when the game is over."""

    def choose(self, view: View, options: Options) -> LegalPlacement:
        del view
        return options.choice(self.rng)

    def game_ended(self, view: View) -> None:
        raise RuntimeError(f"I cannot bear it: {view.ply}")


class EarlyCrashingBot(Bot):
    """Does not even start."""

    def choose(self, view: View, options: Options) -> LegalPlacement:
        raise NotImplementedError

    def game_starts(self, view: View) -> None:
        raise RuntimeError(f"not today: {view.ply}")
