"""A bot that plays well enough, but takes its chance from elsewhere than its seed."""

from __future__ import annotations

import secrets

from qin.bots import Bot, Options
from qin.engine import LegalPlacement, View


class FickleBot(Bot):
    def choose(self, view: View, options: Options) -> LegalPlacement:
        del view
        return options[secrets.randbelow(len(options))].placement
