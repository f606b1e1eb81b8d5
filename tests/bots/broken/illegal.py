"""A bot that places where it may not."""

from __future__ import annotations

from qin.bots import Bot, Options
from qin.engine import LegalPlacement, Placement, View


class IllegalBot(Bot):
    def choose(self, view: View, options: Options) -> LegalPlacement:
        del view
        first = options[0].placement
        colours = first.first_colour, first.second_colour
        return LegalPlacement(Placement(colours[0], first.first, colours[1], first.first))
