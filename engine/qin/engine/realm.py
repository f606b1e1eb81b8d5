"""Provinces, and the realm of a colour: all its provinces and single spaces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from qin.engine.board import Board
from qin.engine.refusal import Reason
from qin.engine.spaces import ACROSS, ALL_SPACES, DOWN, Mask, neighbours, spaces_of
from qin.engine.tiles import Seat

MAJOR_SIZE = 5
"""From this many spaces on a province is a major province."""


class Province:
    """An edge-connected group of two or more spaces of one colour, with its owner's pagodas.

    A value. It is a class with slots and not a tuple or a frozen dataclass, because the rules look
    into provinces more often than into anything else. What is said of free spaces holds for the
    moment when the province came to be as it is: later there are fewer, never more.
    """

    __slots__ = ("border", "owner", "pagodas", "reach", "size", "spaces", "villages")

    spaces: Final[Mask]
    size: Final[int]
    border: Final[Mask]
    """The free spaces around it: a tile of its colour there would touch it."""
    reach: Final[Mask]
    """First spaces of all tiles, across and down, that would touch it with some half."""
    villages: Final[Mask]
    """The village squares beside it."""
    owner: Final[Seat]
    pagodas: Final[int]
    """1, or 2 on a major province; less only where the game ended before they were placed."""

    def __init__(self, board: Board, free: Mask, spaces: Mask, owner: Seat, pagodas: int) -> None:
        around = neighbours(spaces)
        border = around & free
        self.spaces = spaces
        self.size = spaces.bit_count()
        self.border = border
        self.reach = (border | border >> ACROSS | border >> DOWN) & free
        self.villages = around & board.village_spaces
        self.owner = owner
        self.pagodas = pagodas

    @property
    def facts(self) -> tuple[Mask, Seat, int]:
        """What makes two provinces of a colour the same."""
        return self.spaces, self.owner, self.pagodas

    @property
    def major(self) -> bool:
        return self.size >= MAJOR_SIZE


Forbidden = tuple[Mask, Mask, Mask]
"""Where a colour may not be laid, because it would join provinces that may not be joined: spaces
for the half of a two-coloured tile, left and upper spaces for a tile of this colour alone."""

Allowed = tuple[Mask, Mask, Mask, Mask, Mask]
"""The first spaces, upper or left, of all tiles that keep clear of what is forbidden for a colour:
tiles with it on the first space, on the right, below, on both across, on both down."""

Pair = tuple[Province, Province, Mask, Forbidden | None]
"""Two provinces so close that one tile might touch both, the first spaces of all such tiles, and
where laying the colour would join the two against the rules."""

_EVERYWHERE: Allowed = (ALL_SPACES,) * 5


class Realm:
    """Everything of one colour on the board. A value: it never changes, derived facts are kept."""

    __slots__ = ("_allowed", "pairs", "provinces", "spaces")

    spaces: Final[Mask]
    """All spaces of the colour, single ones as well."""
    provinces: Final[Sequence[Province]]
    pairs: Final[Sequence[Pair]]

    def __init__(
        self,
        spaces: Mask,
        provinces: Sequence[Province] = (),
        pairs: Sequence[Pair] = (),
        allowed: Allowed | None = None,
    ) -> None:
        self.spaces = spaces
        self.provinces = provinces
        self.pairs = pairs
        self._allowed = allowed

    def with_single(self, space: Mask) -> Realm:
        """The realm with one more single space, which leaves what is allowed as it was."""
        return Realm(self.spaces | space, self.provinces, self.pairs, self._allowed)

    def with_province(self, province: Province, swallowed: Sequence[Province] = ()) -> Realm:
        """The realm with a new province in place of those that it swallowed."""
        provinces = [province]
        pairs = [p for p in self.pairs if p[0] not in swallowed and p[1] not in swallowed]
        reach = province.reach
        for other in self.provinces:
            if other not in swallowed:
                provinces.append(other)
                if other.reach & reach:
                    pairs.append(_pair(other, province))
        return Realm(self.spaces | province.spaces, provinces, pairs)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Realm)
            and self.spaces == other.spaces
            and {province.facts for province in self.provinces}
            == {province.facts for province in other.provinces}
        )

    def __hash__(self) -> int:
        return hash(self.spaces)

    @property
    def allowed(self) -> Allowed:
        """Where the colour may be laid, as far as joining is concerned."""
        known = self._allowed
        if known is None:
            known = self._allowed = self._find_allowed() if self.pairs else _EVERYWHERE
        return known

    def _find_allowed(self) -> Allowed:
        """Put the pairs together, and look one by one at the few spots that touch three or more."""
        half = across = down = 0
        contested = crowded = 0
        for _, _, shared, forbidden in self.pairs:
            crowded |= contested & shared  # three provinces make three pairs
            contested |= shared
            if forbidden:
                half |= forbidden[0]
                across |= forbidden[1]
                down |= forbidden[2]
        for spot in spaces_of(crowded):
            bit = 1 << spot
            half = half & ~bit | bit * self._may_not_lie(bit)
            across = across & ~bit | bit * self._may_not_lie(bit | bit << ACROSS)
            down = down & ~bit | bit * self._may_not_lie(bit | bit << DOWN)
        if not half and not across and not down:
            return _EVERYWHERE
        half ^= ALL_SPACES
        return half, half >> ACROSS, half >> DOWN, across ^ ALL_SPACES, down ^ ALL_SPACES

    def _may_not_lie(self, laid: Mask) -> bool:
        touched = [province for province in self.provinces if province.border & laid]
        return len(touched) > 1 and why_not_joined(touched) is not None


def _pair(one: Province, other: Province) -> Pair:
    shared = one.reach & other.reach
    if one.size >= MAJOR_SIZE:
        may_join = other.size < MAJOR_SIZE
    else:
        may_join = one.size != other.size or one.owner == other.owner
    if may_join:
        return one, other, shared, None
    mine, theirs = one.border, other.border
    forbidden = (
        mine & theirs,
        (mine | mine >> ACROSS) & (theirs | theirs >> ACROSS),
        (mine | mine >> DOWN) & (theirs | theirs >> DOWN),
    )
    return one, other, shared, forbidden


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
        totals[province.owner] = totals.get(province.owner, 0) + province.size
    return totals
