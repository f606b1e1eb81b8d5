"""A bot that starts a program and forgets it."""

from __future__ import annotations

import subprocess
import sys

from qin.bots import Bot, Options
from qin.engine import LegalPlacement, View


class LitteringBot(Bot):
    def game_starts(self, view: View) -> None:
        del view
        sleep = [sys.executable, "-c", "import time; time.sleep(60)"]
        subprocess.Popen(sleep, start_new_session=True, stderr=subprocess.DEVNULL)

    def choose(self, view: View, options: Options) -> LegalPlacement:
        del view
        return options.choice(self.rng)
