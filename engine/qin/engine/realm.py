"""Provinces, and the realm of a colour: all its provinces and single spaces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from qin.engine.board import Board
from qin.engine.errors import Reason
from qin.engine.spaces import STRIDE, Mask, neighbours, spaces_of
from qin.engine.tiles import Seat

MAJOR_SIZE = 5
"""From this many spaces on a province is a major province."""


class Province:
    """An edge-connected group of two or more spaces of one colour, with its owner's pagodas.

    A value. It is a class with slots and not a tuple or a frozen dataclass, because the rules look
    into provinces more often than into anything else.
    """

    __slots__ = ("border", "owner", "pagodas", "reach", "spaces", "villages")

    spaces: Final[Mask]
    border: Final[Mask]
    """The printed grassland around it: a tile of its colour there would touch it."""
    reach: Final[Mask]
    """First spaces of all tiles, across and down, that would touch it with some half, as far as
    they were free when the province came to be as it is."""
    villages: Final[Mask]
    """The village squares beside it."""
    owner: Final[Seat]
    pagodas: Final[int]
    """1, or 2 on a major province; less only where the game ended before they were placed."""

    def __init__(self, board: Board, free: Mask, spaces: Mask, owner: Seat, pagodas: int) -> None:
        around = neighbours(spaces) & ~spaces
        border = around & board.grass
        self.spaces = spaces
        self.border = border
        self.reach = (border | border >> 1 | border >> STRIDE) & free
        self.villages = around & board.village_spaces
        self.owner = owner
        self.pagodas = pagodas

    @property
    def facts(self) -> tuple[Mask, Seat, int]:
        """What makes two provinces of a colour the same."""
        return self.spaces, self.owner, self.pagodas

    @property
    def size(self) -> int:
        return self.spaces.bit_count()

    @property
    def major(self) -> bool:
        return self.spaces.bit_count() >= MAJOR_SIZE


class Forbidden(NamedTuple):
    """Where a colour may not be laid, because it would join provinces that may not be joined."""

    alone: Mask
    """Spaces for the half of a two-coloured tile."""
    across: Mask
    """Left spaces of a tile of this colour alone."""
    down: Mask
    """Upper spaces of a tile of this colour alone."""


_NOTHING_FORBIDDEN = Forbidden(0, 0, 0)


Pair = tuple[Province, Province]


class Realm:
    """Everything of one colour on the board. A value: it never changes, derived facts are kept."""

    __slots__ = ("_forbidden", "pairs", "provinces", "spaces")

    spaces: Final[Mask]
    """All spaces of the colour, single ones as well."""
    provinces: Final[tuple[Province, ...]]
    pairs: Final[tuple[Pair, ...]]
    """Provinces so close to each other that one tile might touch both."""

    def __init__(
        self,
        spaces: Mask,
        provinces: tuple[Province, ...] = (),
        pairs: tuple[Pair, ...] = (),
        forbidden: Forbidden | None = None,
    ) -> None:
        self.spaces = spaces
        self.provinces = provinces
        self.pairs = pairs
        self._forbidden = forbidden

    def with_single(self, space: Mask) -> Realm:
        """The realm with one more single space, which leaves what is forbidden as it was."""
        return Realm(self.spaces | space, self.provinces, self.pairs, self._forbidden)

    def with_province(self, province: Province, swallowed: Sequence[Province] = ()) -> Realm:
        """The realm with a new province in place of those that it swallowed."""
        others, pairs = self.provinces, self.pairs
        if swallowed:
            others = tuple([other for other in others if other not in swallowed])
            pairs = tuple(
                [pair for pair in pairs if pair[0] not in swallowed and pair[1] not in swallowed]
            )
        reach = province.reach
        close = [(other, province) for other in others if other.reach & reach]
        if close:
            pairs = (*pairs, *close)
        return Realm(self.spaces | province.spaces, (*others, province), pairs)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Realm)
            and self.spaces == other.spaces
            and {province.facts for province in self.provinces}
            == {province.facts for province in other.provinces}
        )

    def __hash__(self) -> int:
        return hash(self.spaces)

    def forbidden(self, free: Mask) -> Forbidden:
        """Where the colour may not be laid, given the free spaces.

        Free spaces only ever get fewer while a realm stays as it is, so what was worked out once
        holds as long as the realm does.
        """
        known = self._forbidden
        if known is None:
            known = self._forbidden = _forbidden(self, free)
        return known


def why_not_joined(provinces: Sequence[Province]) -> Reason | None:
    """Why these provinces may not become one, or None if they may."""
    majors = sum(province.major for province in provinces)
    if majors > 1:
        return Reason.JOINS_MAJORS
    if majors == 0 and len(provinces) > 1:
        totals = sorted(_totals(provinces).values())
        if len(totals) > 1 and totals[-1] == totals[-2]:
            return Reason.TIED_JOIN
    return None


def owner_of_joined(provinces: Sequence[Province]) -> Seat:
    """Who owns the major province that these become, given that they may be joined."""
    for province in provinces:
        if province.major:
            return province.owner  # R2: a major province is safe
    totals = _totals(provinces)
    return max(totals, key=totals.__getitem__)


def _totals(provinces: Iterable[Province]) -> dict[Seat, int]:
    totals: dict[Seat, int] = {}
    for province in provinces:
        totals[province.owner] = totals.get(province.owner, 0) + province.spaces.bit_count()
    return totals


def _forbidden(realm: Realm, free: Mask) -> Forbidden:
    """Look at pairs of provinces, and one by one at the few spots that touch three or more."""
    if not realm.pairs:
        return _NOTHING_FORBIDDEN
    alone = across = down = 0
    contested = crowded = 0
    for one, other in realm.pairs:
        shared = one.reach & other.reach & free
        crowded |= contested & shared  # three provinces make three pairs
        contested |= shared
        if shared and one.pagodas == other.pagodas and (one.pagodas == 2 or _tied(one, other)):
            border, foreign = one.border, other.border
            alone |= border & foreign
            across |= (border | border >> 1) & (foreign | foreign >> 1)
            down |= (border | border >> STRIDE) & (foreign | foreign >> STRIDE)
    if crowded:
        alone &= ~crowded
        across &= ~crowded
        down &= ~crowded
        for spot in spaces_of(crowded):
            bit = 1 << spot
            alone |= bit * _may_not_lie(realm, bit)
            across |= bit * _may_not_lie(realm, bit | bit << 1)
            down |= bit * _may_not_lie(realm, bit | bit << STRIDE)
    return Forbidden(alone, across, down)


def _tied(one: Province, other: Province) -> bool:
    return one.owner != other.owner and one.spaces.bit_count() == other.spaces.bit_count()


def _may_not_lie(realm: Realm, laid: Mask) -> bool:
    touched = [province for province in realm.provinces if province.border & laid]
    return len(touched) > 1 and why_not_joined(touched) is not None
