"""What a seat can do in a position with each kind of tile, worked out when first asked.

Hands that share tiles share the work, so that many sampled hands cost little more than one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import nlargest
from operator import itemgetter
from typing import Final, NamedTuple

from qin.bots.evaluation import Judge
from qin.bots.gains import Gains
from qin.engine import Colour, LegalPlacement, Placement, Position, Space, Tile
from qin.engine.spaces import neighbours

_CONSIDERED: Final = 8
"""The replies with a tile that are looked at more closely, of those that bring most."""
_GIVEN_UP: Final = 1.0
"""The pagodas that a reply may bring less than the best one, for what else it is good for."""

_Candidate = tuple[float, Colour, Space, Colour, Space]
"""The lead that a placement brings, and the placement."""


class Reply(NamedTuple):
    """A placement, and what it is worth to its seat in pagodas."""

    worth: float
    placement: LegalPlacement


class Replies:
    """The replies that are open to one seat in one position."""

    __slots__ = ("_beside", "_choices", "_gains", "_judge", "_most", "_position")

    def __init__(self, position: Position, judge: Judge) -> None:
        self._position = position
        self._judge = judge
        self._gains = Gains(position, judge)
        self._beside = [neighbours(realm.spaces) for realm in position.realms]
        self._most: dict[Tile, list[_Candidate]] = {}
        """Those that bring most, best first."""
        self._choices: dict[Tile, Reply | None] = {}

    def most(self, hand: Iterable[Tile]) -> Reply | None:
        """What brings the largest lead at once, worth that lead; None if the hand must pass."""
        most: _Candidate | None = None
        for tile in hand:
            found = self._found(tile)
            if found and (most is None or found[0][0] > most[0]):
                most = found[0]
        return None if most is None else Reply(most[0], _placement(most))

    def choice(self, hand: Iterable[Tile]) -> Reply | None:
        """What a good player would rather do: of all that brings much, what looks best then."""
        choice: Reply | None = None
        for tile in hand:
            if tile not in self._choices:
                self._choices[tile] = self._choose(tile)
            reply = self._choices[tile]
            if reply is not None and (choice is None or reply.worth > choice.worth):
                choice = reply
        return choice

    def _choose(self, tile: Tile) -> Reply | None:
        found = self._found(tile)
        replies: list[Reply] = []
        for candidate in found:
            if candidate[0] < found[0][0] - _GIVEN_UP:
                break
            placement = _placement(candidate)
            after, _ = self._position.place(self._judge.seat, placement)
            replies.append(Reply(self._judge.evaluate(after), placement))
        return max(replies, key=itemgetter(0), default=None)

    def _found(self, tile: Tile) -> list[_Candidate]:
        if tile not in self._most:
            self._most[tile] = nlargest(_CONSIDERED, self._candidates(tile), key=itemgetter(0))
        return self._most[tile]

    def _candidates(self, tile: Tile) -> Iterator[_Candidate]:
        """Of those that lay single spaces alone, which move no pagoda, one stands for all."""
        lead, beside = self._gains.lead, self._beside
        idle: _Candidate | None = None
        for firsts, one, other, step in self._position.placements((tile,)).spreads:
            telling = firsts if one is other else firsts & (beside[one] | beside[other] >> step)
            rest = firsts ^ telling
            if rest and idle is None:
                first = Space((rest & -rest).bit_length() - 1)
                idle = self._gains.now, one, first, other, Space(first + step)
            while telling:
                first = Space((telling & -telling).bit_length() - 1)
                telling &= telling - 1
                second = Space(first + step)
                yield lead(one, first, other, second), one, first, other, second
        if idle is not None:
            yield idle


def _placement(candidate: _Candidate) -> LegalPlacement:
    return LegalPlacement(Placement(*candidate[1:]))
