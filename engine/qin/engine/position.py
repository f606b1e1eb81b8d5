"""What lies on the table: board, provinces, villages, pagodas. No hands, no turns."""

from __future__ import annotations

from collections.abc import Sequence

from qin.engine.board import GRASSLAND, VILLAGE, Board
from qin.engine.events import Event, Placed
from qin.engine.legal import Placements, Spread
from qin.engine.placement import LegalPlacement, Placement
from qin.engine.realm import Province, Realm, why_not_joined
from qin.engine.refusal import Reason, Refused
from qin.engine.settle import Settlement
from qin.engine.spaces import ACROSS, AROUND, DOWN, STRIDE, Mask, neighbours, space_at, spaces_of
from qin.engine.tiles import PAGODAS, Colour, Seat, Tile


class Position:
    """A value: it never changes, and whatever it leads to is a new one."""

    __slots__ = ("_pairs", "board", "contact", "free", "holders", "realms", "reserves")

    board: Board
    free: Mask
    """Grassland that no tile covers."""
    contact: Mask
    """Spaces that share an edge with a province space or a single space."""
    realms: tuple[Realm, ...]
    """What lies there of each colour."""
    holders: tuple[Seat | None, ...]
    """Who holds each village of the board."""
    reserves: tuple[int, ...]
    """The pagodas that each seat has left."""

    def __init__(
        self,
        board: Board,
        free: Mask,
        contact: Mask,
        realms: tuple[Realm, ...],
        holders: tuple[Seat | None, ...],
        reserves: tuple[int, ...],
    ) -> None:
        self.board = board
        self.free = free
        self.contact = contact
        self.realms = realms
        self.holders = holders
        self.reserves = reserves
        self._pairs: tuple[Mask, Mask] | None = None

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Position)
            and self.board == other.board
            and self.realms == other.realms
            and self.holders == other.holders
            and self.reserves == other.reserves
        )

    def __hash__(self) -> int:
        return hash((self.free, self.holders, self.reserves))

    @classmethod
    def start(cls, board: Board, players: int) -> Position:
        """The empty board before the first tile."""
        return cls.of(
            board,
            tuple(Realm(start) for start in board.starts),
            (None,) * len(board.villages),
            (PAGODAS[players],) * players,
        )

    @classmethod
    def of(
        cls,
        board: Board,
        realms: tuple[Realm, ...],
        holders: tuple[Seat | None, ...],
        reserves: tuple[int, ...],
    ) -> Position:
        """A position from its parts; free spaces and contact follow from them."""
        covered = realms[0].spaces | realms[1].spaces | realms[2].spaces
        free = board.grass & ~covered
        return cls(board, free, neighbours(covered), realms, holders, reserves)

    def __repr__(self) -> str:
        rows = "/".join("".join(row) for row in self.tokens())
        return (
            f"parse_position({rows!r}, players={self.players},"
            f" reserves={self.reserves}, board={self.board!r})"
        )

    # ---- asking --------------------------------------------------------------------------------

    @property
    def players(self) -> int:
        return len(self.reserves)

    @property
    def finisher(self) -> Seat | None:
        """The seat whose last pagoda has been placed, if any."""
        return Seat(self.reserves.index(0)) if 0 in self.reserves else None

    @property
    def pairs(self) -> tuple[Mask, Mask]:
        """First spaces of all pairs of free spaces with contact, across and down."""
        known = self._pairs
        if known is None:
            free, contact = self.free, self.contact
            across = free & free >> 1 & (contact | contact >> 1)
            down = free & free >> STRIDE & (contact | contact >> STRIDE)
            known = self._pairs = (across, down)
        return known

    @property
    def full(self) -> bool:
        """Whether no two adjacent free spaces beside a province space are left (R9)."""
        across, down = self.pairs
        return not across and not down

    def placements(self, hand: Sequence[Tile]) -> Placements:
        """Every legal placement of the tiles of a hand, equal tiles once.

        Of all pairs of free spaces with contact each colour of a tile loses the few where it would
        join what may not be joined.
        """
        across, down = self.pairs
        allowed = [realm.allowed for realm in self.realms]
        spreads: list[Spread] = []
        seen: list[Tile] = []
        for tile in hand:
            if tile in seen:
                continue
            seen.append(tile)
            one, other = tile.first, tile.second
            one_first, one_right, one_below, both_across, both_down = allowed[one]
            if one is other:
                spreads += (
                    (across & both_across, one, one, ACROSS),
                    (down & both_down, one, one, DOWN),
                )
            else:
                other_first, other_right, other_below, _, _ = allowed[other]
                spreads += (
                    (across & one_first & other_right, one, other, ACROSS),
                    (down & one_first & other_below, one, other, DOWN),
                    (across & other_first & one_right, other, one, ACROSS),
                    (down & other_first & one_below, other, one, DOWN),
                )
        return Placements(spreads)

    def provinces(self) -> list[tuple[Colour, Province]]:
        """All provinces with their colours, by their first space in reading order."""
        return sorted(
            ((colour, province) for colour in Colour for province in self.realms[colour].provinces),
            key=lambda pair: pair[1].spaces & -pair[1].spaces,
        )

    def tokens(self) -> list[list[str]]:
        """One token a space, row by row, as `drawing` explains them."""
        board = self.board
        tokens = {
            space_at(column, row): GRASSLAND if cell in "RYB" else cell
            for row, cells in enumerate(board.rows)
            for column, cell in enumerate(cells)
        }
        for colour in Colour:
            tokens.update(dict.fromkeys(spaces_of(self.realms[colour].spaces), colour.letter))
        for colour, province in self.provinces():
            token = f"{colour.letter}{province.owner + 1}"
            tokens.update(dict.fromkeys(spaces_of(province.spaces), token))
        for village, holder in zip(board.villages, self.holders, strict=True):
            if holder is not None:
                tokens.update(dict.fromkeys(spaces_of(village), f"{VILLAGE}{holder + 1}"))
        return [
            [tokens[space_at(column, row)] for column in range(board.width)]
            for row in range(board.height)
        ]

    def check(self, placement: Placement) -> LegalPlacement:
        """The same placement, known to be legal here; or `Refused` with the first reason."""
        first, second = placement.first, placement.second
        if not placement.adjacent:
            raise Refused(
                Reason.NOT_ADJACENT,
                "the two spaces of a tile must share an edge",
                (first, second),
            )
        laid = 1 << first | 1 << second
        if blocked := laid & ~self.free:
            raise Refused(
                Reason.NOT_GRASSLAND,
                "a tile lies on two free grassland spaces",
                spaces_of(blocked),
            )
        if not laid & self.contact:
            raise Refused(
                Reason.NO_CONTACT,
                "a tile must share an edge with a province space or a start space",
                (first, second),
            )
        self._check_joins(placement)
        return LegalPlacement(placement)

    def _check_joins(self, placement: Placement) -> None:
        touched = [
            [province for province in self.realms[colour].provinces if province.border & laid]
            for colour, laid in _laid_by_colour(placement)
        ]
        reasons = [why_not_joined(provinces) for provinces in touched]
        for reason, text in (
            (Reason.JOINS_MAJORS, "two major provinces may never be joined"),
            (Reason.TIED_JOIN, "nobody would own the joined province: a tie for the most spaces"),
        ):
            if reason in reasons:
                joined = 0
                for province in touched[reasons.index(reason)]:
                    joined |= province.spaces
                raise Refused(reason, text, spaces_of(joined))

    # ---- acting --------------------------------------------------------------------------------

    def place(self, seat: Seat, placement: LegalPlacement) -> tuple[Position, list[Event]]:
        """Lay a tile and settle what it triggers. Cannot fail."""
        one, first, other, second = placement
        laid_first, laid_second = 1 << first, 1 << second
        beside_first, beside_second = AROUND[first], AROUND[second]
        laid, beside = laid_first | laid_second, beside_first | beside_second
        free = self.free ^ laid
        settlement = Settlement(
            self.board, free, self.realms, self.reserves, seat, [Placed(seat, placement)]
        )
        if one is other:
            settlement.lay(one, laid, beside)
        else:
            settlement.lay(one, laid_first, beside_first)
            settlement.lay(other, laid_second, beside_second)
        settlement.settle_provinces()
        holders = self.holders
        if settlement.stirred and not settlement.over:
            holders = settlement.settle_villages(holders)
        after = Position(
            self.board,
            free,
            self.contact | beside,
            tuple(settlement.realms),
            holders,
            tuple(settlement.reserves),
        )
        return after, settlement.events


def _laid_by_colour(placement: Placement) -> list[tuple[Colour, Mask]]:
    one, first, other, second = placement
    if one is other:
        return [(one, 1 << first | 1 << second)]
    return [(one, 1 << first), (other, 1 << second)]
