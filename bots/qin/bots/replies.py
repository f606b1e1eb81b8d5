"""The best that a seat can do in a position with each kind of tile, worked out when first asked.

Hands that share tiles share the work, so that many sampled hands cost little more than one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from qin.bots.evaluation import Judge
from qin.bots.gains import Gains
from qin.engine import LegalPlacement, Placement, Position, Space, Tile, spaces_of
from qin.engine.spaces import neighbours


class Reply(NamedTuple):
    """A placement, and the lead that it brings its seat."""

    lead: float
    placement: LegalPlacement


class Replies:
    """The replies that are open to one seat in one position."""

    __slots__ = ("_best", "_gains", "_position")

    def __init__(self, position: Position, judge: Judge) -> None:
        self._position = position
        self._gains = Gains(position, judge)
        self._best: dict[Tile, Reply | None] = {}

    def best(self, hand: Iterable[Tile]) -> Reply | None:
        """What brings the largest lead at once; None if the hand must pass."""
        best: Reply | None = None
        for tile in hand:
            reply = self._best_of(tile)
            if reply is not None and (best is None or reply.lead > best.lead):
                best = reply
        return best

    def _best_of(self, tile: Tile) -> Reply | None:
        if tile not in self._best:
            self._best[tile] = self._find(tile)
        return self._best[tile]

    def _find(self, tile: Tile) -> Reply | None:
        best: Reply | None = None
        for placement in telling_placements(self._position, tile):
            value = self._gains.lead(placement)
            if best is None or value > best.lead:
                best = Reply(value, placement)
        return best


def telling_placements(position: Position, tile: Tile) -> Iterator[LegalPlacement]:
    """The placements of a tile that found, expand or join, and one that does nothing, if any.

    What lays single spaces alone moves no pagoda, so that one such placement stands for all.
    """
    beside = [neighbours(realm.spaces) for realm in position.realms]
    idle: LegalPlacement | None = None
    for firsts, one, other, step in position.placements((tile,)).spreads:
        telling = firsts if one is other else firsts & (beside[one] | beside[other] >> step)
        for first in spaces_of(telling):
            yield LegalPlacement(Placement(one, first, other, Space(first + step)))
        rest = firsts & ~telling
        if rest and idle is None:
            first = next(spaces_of(rest))
            idle = LegalPlacement(Placement(one, first, other, Space(first + step)))
    if idle is not None:
        yield idle
