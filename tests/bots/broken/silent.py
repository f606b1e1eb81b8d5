"""Bots that never answer."""

from __future__ import annotations

import signal
import sys
import time
from typing import NoReturn

from qin.bots import Bot, Options
from qin.engine import LegalPlacement, View


class SilentBot(Bot):
    """Sleeps for ever, and wakes for no polite word."""

    def choose(self, view: View, options: Options) -> LegalPlacement:
        del view, options
        if sys.platform != "win32":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        return _sleep()


class BusySilentBot(Bot):
    """Thinks for ever."""

    def choose(self, view: View, options: Options) -> LegalPlacement:
        del view, options
        while True:
            pass


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
