"""Positions drawn as text, played on: what the rule tests are written with.

Seats are counted from 1 here, as in the drawings: `.` is grassland, `V` a village, `~` water, `#`
no space, `R` a single red space, `R2` a red province space of seat 2, `V2` a village of seat 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest
from qin.engine import (
    Event,
    Game,
    Mask,
    Outcome,
    Placement,
    Position,
    Reason,
    Refused,
    Seat,
    Tile,
    format_position,
    format_space,
    parse_position,
    parse_space,
)

ONE, TWO, THREE, FOUR = (Seat(seat) for seat in range(4))


def drawing(text: str) -> str:
    """A drawing without its indentation and the width of its columns."""
    return "\n".join(" ".join(line.split()) for line in text.strip().splitlines())


def drawn(text: str, *, players: int = 2, reserves: Sequence[int] | None = None) -> Position:
    """The position of a drawing."""
    return parse_position(text, players=players, reserves=reserves)


def spaces(text: str) -> Mask:
    """The spaces that a text such as `c4 d4` names."""
    return sum(1 << parse_space(word) for word in text.split())


def tiles(text: str) -> tuple[Tile, ...]:
    """The tiles that a text such as `RR YB` names."""
    return tuple(Tile.parse(word) for word in text.split())


class Played(NamedTuple):
    """A tile that has been placed in a drawn position."""

    before: Position
    position: Position
    events: list[Event]

    @property
    def drawing(self) -> str:
        return drawing(format_position(self.position))

    @property
    def reserves(self) -> tuple[int, ...]:
        return self.position.reserves

    @property
    def caused(self) -> list[Event]:
        """The events but the first, which tells that the tile was placed."""
        return self.events[1:]

    def pagodas_at(self, space: str) -> int:
        """The pagodas on the province that a space belongs to."""
        (pagodas,) = (
            province.pagodas
            for _, province in self.position.provinces()
            if province.spaces & spaces(space)
        )
        return pagodas

    def shows(self, text: str) -> bool:
        """Whether the position is the drawn one.

        Every province then carries the pagodas that it should, and what is not on the board has
        come from the reserves or gone back to them. A mere difference in the drawing is shown by
        the assertion in here.
        """
        assert self.drawing == drawing(text)
        board, players = self.before.board, self.before.players
        as_drawn = parse_position(text, players=players, board=board)
        before = parse_position(format_position(self.before), players=players, board=board)
        expected = tuple(
            left + then - earlier
            for left, then, earlier in zip(
                self.before.reserves, as_drawn.reserves, before.reserves, strict=True
            )
        )
        assert self.reserves == expected
        return self.position == parse_position(
            text, players=players, board=board, reserves=expected
        )


def after(
    text: str,
    *,
    placement: str,
    seat: int = 1,
    players: int = 2,
    reserves: Sequence[int] | None = None,
) -> Played:
    """Place a tile in a drawn position. The lists of legal placements must know it, too."""
    before = drawn(text, players=players, reserves=reserves)
    return lay(before, placement, seat=seat)


def lay(before: Position, placement: str, *, seat: int = 1) -> Played:
    """Place a tile in a position."""
    legal = before.check(Placement.parse(placement))
    assert legal in before.placements([legal.tile])
    return Played(before, *before.place(Seat(seat - 1), legal))


def refused(text: str, *, placement: str, players: int = 2) -> Refused:
    """Try to place a tile that a drawn position forbids, and tell how it was refused."""
    position = drawn(text, players=players)
    wanted = Placement.parse(placement)
    assert wanted not in position.placements([wanted.tile])
    with pytest.raises(Refused) as caught:
        position.check(wanted)
    return caught.value


def why(refusal: Refused) -> tuple[Reason, str]:
    """The reason of a refusal and the spaces that it names."""
    return refusal.reason, " ".join(format_space(space) for space in refusal.spaces)


def game(
    text: str,
    *,
    hands: Sequence[str],
    piles: Sequence[str] = ("", "", "", ""),
    turn: int = 1,
    reserves: Sequence[int] | None = None,
    out: Sequence[int] = (),
) -> Game:
    """A game in a drawn position."""
    return Game(
        drawn(text, players=len(hands), reserves=reserves),
        tuple(tiles(hand) for hand in hands),
        tuple(tiles(pile) for pile in piles),
        Seat(turn - 1),
        out=frozenset(Seat(seat - 1) for seat in out),
    )


def play(before: Game, placement: str, pile: int | None = None) -> tuple[Game, list[Event]]:
    """The seat to move places a tile and draws; piles are counted from 1 here."""
    index = None if pile is None else pile - 1
    return before.place(before.check(before.turn, Placement.parse(placement), index), index)


class State(NamedTuple):
    """All that a game is, to be compared."""

    position: Position
    drawing: str
    hands: tuple[tuple[Tile, ...], ...]
    piles: tuple[tuple[Tile, ...], ...]
    turn: Seat
    ply: int
    out: frozenset[Seat]
    outcome: Outcome | None


def state(of: Game) -> State:
    """All that a game is at this moment."""
    return State(
        of.position,
        format_position(of.position),
        of.hands,
        of.piles,
        of.turn,
        of.ply,
        of.out,
        of.outcome,
    )
