"""The best that a seat can do in a position with each kind of tile, worked out when first asked.

Hands that share tiles share the work, so that many sampled hands cost little more than one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from qin.bots.evaluation import Judge
from qin.bots.gains import Gains
from qin.engine import Colour, LegalPlacement, Placement, Position, Space, Tile
from qin.engine.spaces import neighbours


class Reply(NamedTuple):
    """A placement, and the lead that it brings its seat."""

    lead: float
    placement: LegalPlacement


class Replies:
    """The replies that are open to one seat in one position."""

    __slots__ = ("_beside", "_best", "_gains", "_position")

    def __init__(self, position: Position, judge: Judge) -> None:
        self._position = position
        self._gains = Gains(position, judge)
        self._beside = [neighbours(realm.spaces) for realm in position.realms]
        self._best: dict[Tile, Reply | None] = {}

    def best(self, hand: Iterable[Tile]) -> Reply | None:
        """What brings the largest lead at once; None if the hand must pass."""
        best: Reply | None = None
        for tile in hand:
            if tile not in self._best:
                self._best[tile] = self._find(tile)
            reply = self._best[tile]
            if reply is not None and (best is None or reply.lead > best.lead):
                best = reply
        return best

    def _find(self, tile: Tile) -> Reply | None:
        """Of those that lay single spaces alone, which move no pagoda, one stands for all."""
        lead, beside = self._gains.lead, self._beside
        best: tuple[float, Colour, Space, Colour, Space] | None = None
        idle: tuple[Colour, Space, Colour, Space] | None = None
        for firsts, one, other, step in self._position.placements((tile,)).spreads:
            telling = firsts if one is other else firsts & (beside[one] | beside[other] >> step)
            rest = firsts ^ telling
            if rest and idle is None:
                first = Space((rest & -rest).bit_length() - 1)
                idle = one, first, other, Space(first + step)
            while telling:
                first = Space((telling & -telling).bit_length() - 1)
                telling &= telling - 1
                value = lead(one, first, other, Space(first + step))
                if best is None or value > best[0]:
                    best = value, one, first, other, Space(first + step)
        if idle is not None and (best is None or best[0] < self._gains.now):
            best = self._gains.now, *idle
        return None if best is None else Reply(best[0], LegalPlacement(Placement(*best[1:])))
