"""The listed placements against a naive look at every pair of squares."""

from __future__ import annotations

from itertools import combinations_with_replacement
from random import Random

import pytest
from engine.reference import Cell, Half, around
from engine.strategies import Setup, halves_of, placement_of, setups, table_of
from hypothesis import given
from qin.engine import LegalPlacement, Placements, Position, Reason, Refused, Seat, Tile

TILES = ["".join(pair) for pair in combinations_with_replacement("RYB", 2)]


def verdict(position: Position, halves: list[Half]) -> str | None:
    try:
        position.check(placement_of(halves))
    except Refused as refused:
        return refused.reason.value
    return None


@given(setups())
def test_the_list_is_what_every_pair_of_squares_allows(setup: Setup) -> None:
    for step in setup.play():
        game = step.after
        listed = list(game.legal)
        naive: set[frozenset[Half]] = set()
        if not game.outcome:
            table = table_of(game)
            for tile in set(table.hands[table.turn]):
                naive |= table.placements(tile)
        assert {frozenset(halves_of(placement)) for placement in listed} == naive
        assert len(listed) == len(naive)
        assert game.must_pass == (not naive and not game.outcome)


def assert_a_sequence(placements: Placements, others: list[LegalPlacement]) -> None:
    listed = list(placements)
    assert len(placements) == len(listed) == len(set(listed))
    assert bool(placements) == bool(listed)
    assert [placements[n] for n in range(len(listed))] == listed
    assert [placements[n - len(listed)] for n in range(len(listed))] == listed
    assert all(placement in placements for placement in listed)
    assert all((other in placements) == (other in listed) for other in others)
    for beyond in (len(listed), -len(listed) - 1):
        with pytest.raises(IndexError):
            placements[beyond]
    if listed:
        assert placements.choice(Random(len(listed))) in listed


@given(setups())
def test_size_order_index_and_membership_agree(setup: Setup) -> None:
    for step in setup.play():
        # What was legal before may be so no more; what others could place is mostly not listed.
        others = [*step.before.legal, *step.after.position.placements(tuple(Tile))][::3]
        assert_a_sequence(step.after.legal, others)


def sample_of_pairs(position: Position, rng: Random) -> list[tuple[Cell, Cell]]:
    """Squares on the board and just beyond: any two, and many that are adjacent."""
    squares = [
        (column, row)
        for column in range(min(position.board.width + 1, 26))
        for row in range(position.board.height + 1)
    ]
    pairs = [(rng.choice(squares), rng.choice(squares)) for _ in range(8)]
    near = [(here, there) for here in squares for there in around(here) if there in set(squares)]
    return pairs + rng.sample(near, min(len(near), 24))


@given(setups())
def test_check_gives_the_reason_of_the_reference(setup: Setup) -> None:
    rng = Random(setup.seed)
    for step in setup.play():
        position, table = step.after.position, table_of(step.after)
        if step.after.outcome:
            continue
        for here, there in sample_of_pairs(position, rng):
            tile = rng.choice(TILES)
            halves = [(tile[0], here), (tile[1], there)]
            assert verdict(position, halves) == table.refusal(halves)


@given(setups())
def test_check_refuses_the_joins_that_the_reference_forbids(setup: Setup) -> None:
    """Every free pair of the last position before the end: most ties and majors stand there."""
    steps = list(setup.play())
    position, table = steps[-1].before.position, table_of(steps[-1].before)
    for here, there in table.pairs():
        for tile in TILES:
            halves = [(tile[0], here), (tile[1], there)]
            assert verdict(position, halves) == table.refusal(halves)


@given(setups())
def test_a_listed_placement_is_checked_by_the_game(setup: Setup) -> None:
    for step in setup.play():
        game = step.after
        if game.outcome or not game.legal:
            continue
        placement = game.legal[0]
        assert game.check(game.turn, placement) == placement
        with pytest.raises(Refused) as refused:
            game.check(Seat((game.turn + 1) % game.players), placement)
        assert refused.value.reason is Reason.NOT_YOUR_TURN
        foreign = [tile for tile in Tile if tile not in game.hands[game.turn]]
        for other in game.position.placements(foreign[:1]):
            with pytest.raises(Refused) as refused:
                game.check(game.turn, other)
            assert refused.value.reason is Reason.NOT_IN_HAND
            break
