"""Bots that never answer."""

from __future__ import annotations

import signal
import time
from contextlib import suppress
from random import Random
from typing import NoReturn

from qin.bots import Bot, Options
from qin.engine import LegalPlacement, View


class SilentBot(Bot):
    """Sleeps for ever, and wakes for no polite word."""

    def choose(self, view: View, options: Options) -> LegalPlacement:
        del view, options
        with suppress(ValueError):  # only where it thinks in the main thread
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        return _sleep()


class BusySilentBot(Bot):
    """Thinks for ever."""

    def choose(self, view: View, options: Options) -> LegalPlacement:
        del view, options
        while True:
            pass


class SilentAtFirstBot(Bot):
    """Does not come to exist."""

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        _sleep()

    def choose(self, view: View, options: Options) -> LegalPlacement:
        raise NotImplementedError


class SilentAtTheEndBot(Bot):
    """Answers all but the last call."""

    def choose(self, view: View, options: Options) -> LegalPlacement:
        del view
        return options.choice(self.rng)

    def game_ended(self, view: View) -> None:
        del view
        _sleep()


def _sleep() -> NoReturn:
    while True:
        time.sleep(3600)
