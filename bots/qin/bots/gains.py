"""What placements bring a seat, read off the position without laying the tile.

A search looks at thousands of placements, and most of them found or expand a province, and maybe
take a village. What these bring follows from the provinces and villages that they touch. The engine
lays the few others: those that join provinces, those whose halves stir the same village, and those
that might place a last pagoda.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from qin.bots.evaluation import Judge, beside_villages
from qin.engine import LegalPlacement, Mask, Placement, Position, Province, Seat, Space
from qin.engine.realm import MAJOR_SIZE
from qin.engine.spaces import AROUND, neighbours
from qin.engine.tiles import Colour


class Effect(NamedTuple):
    """What laying one colour causes."""

    gain: float
    """By how much the lead of the seat grows."""
    placed: int
    """The pagodas that are placed, whosever they are."""
    stirred: Mask
    """The villages beside which pagodas are placed or come to stand."""


_NOTHING: Final = Effect(0.0, 0, 0)


class Gains:
    """What the placements of one seat bring it in one position."""

    __slots__ = ("_beside", "_effects", "_fewest", "_halves", "_judge", "_position", "now")

    def __init__(self, position: Position, judge: Judge) -> None:
        self._position = position
        self._judge = judge
        self.now = judge.lead(position)
        """The lead before any placement, and after one that only lays single spaces."""
        self._fewest = min(position.reserves)
        self._beside = beside_villages(position)
        self._halves: tuple[dict[Space, Effect | None], ...] = ({}, {}, {})
        self._effects: dict[tuple[Colour, int, Mask, Mask], Effect | None] = {}

    def lead(self, one: Colour, first: Space, other: Colour, second: Space) -> float:
        """The lead of the seat after a legal placement, as its judge tells it."""
        if one is other:
            whole = self._effect(one, 2, AROUND[first] | AROUND[second])
            if whole is not None and whole.placed < self._fewest:
                return self.now + whole.gain
        else:
            left, right = self._half(one, first), self._half(other, second)
            if (
                left is not None
                and right is not None
                and left.placed + right.placed < self._fewest
                and not left.stirred & right.stirred
            ):
                return self.now + left.gain + right.gain
        placement = LegalPlacement(Placement(one, first, other, second))
        return self._judge.lead(self._position.place(self._judge.seat, placement)[0])

    def _half(self, colour: Colour, space: Space) -> Effect | None:
        known = self._halves[colour]
        if space not in known:
            known[space] = self._effect(colour, 1, AROUND[space])
        return known[space]

    def _effect(self, colour: Colour, laid: int, around: Mask) -> Effect | None:
        """What laying one or two spaces of a colour causes by itself; None if it joins provinces.

        It depends on nothing but what of the colour they touch, and which villages they lie beside.
        """
        touched = around & self._position.realms[colour].spaces
        if not touched and laid == 1:
            return _NOTHING
        beside = around & self._position.board.village_spaces
        key = colour, laid, touched, beside
        if key not in self._effects:
            self._effects[key] = self._work_out(*key)
        return self._effects[key]

    def _work_out(self, colour: Colour, laid: int, touched: Mask, beside: Mask) -> Effect | None:
        realm = self._position.realms[colour]
        provinces = [province for province in realm.provinces if province.spaces & touched]
        if not provinces:
            return self._founding(laid + touched.bit_count(), beside | self._villages(touched))
        if len(provinces) > 1:
            return None
        swallowed = touched & ~provinces[0].spaces
        added = laid + swallowed.bit_count()
        return self._expansion(provinces[0], added, beside | self._villages(swallowed))

    def _villages(self, spaces: Mask) -> Mask:
        return neighbours(spaces) & self._position.board.village_spaces

    def _founding(self, size: int, villages: Mask) -> Effect:
        pagodas = 2 if size >= MAJOR_SIZE else 1
        return self._settled(self._judge.seat, pagodas, villages, 0, pagodas)

    def _expansion(self, old: Province, added: int, villages: Mask) -> Effect:
        if old.pagodas == 1 and old.size + added >= MAJOR_SIZE:
            return self._settled(old.owner, 1, villages | old.villages, old.villages, 2)
        return self._settled(old.owner, 0, villages & ~old.villages, old.villages, old.pagodas)

    def _settled(
        self, owner: Seat, placed: int, around: Mask, before: Mask, pagodas: int
    ) -> Effect:
        """The owner places pagodas on a province, and takes the villages where he leads then.

        It has so many pagodas then, and lay beside the villages `before` already. Nobody else can
        come to lead anywhere: whoever does holds the village.
        """
        position, share = self._position, self._judge.share
        gain, built, stirred = share[owner] * placed, placed, 0
        while around:
            number = position.board.village_number[Space(around.bit_length() - 1)]
            village = position.board.villages[number]
            around &= ~village
            more = built if village & before else pagodas
            if not more:
                continue
            stirred |= village
            holder, beside = position.holders[number], self._beside[number]
            if holder != owner and beside[owner] + more > _most_of_others(beside, owner):
                gain += share[owner] - (share[holder] if holder is not None else 0.0)
                placed += 1
        return Effect(gain, placed, stirred)


def _most_of_others(beside: list[int], owner: Seat) -> int:
    return max(count for seat, count in enumerate(beside) if seat != owner)
