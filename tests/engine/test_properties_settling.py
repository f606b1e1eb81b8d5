"""Dense random positions, such as no random game comes to: joins of many provinces, ties, majors,
villages that change hands, last pagodas everywhere."""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random

from engine.strategies import Lay, crowded_games, follow, halves_of, stir, table_of
from engine.test_properties import assert_same, ended_by_last_pagoda, in_words, pagodas_moved
from engine.test_properties_legal import TILES, verdict
from hypothesis import given, settings
from hypothesis import strategies as st
from qin.engine import Game, Seat, Tile, parse_position

MANY = settings(max_examples=3 * settings().max_examples)


@MANY
@given(crowded_games())
def test_crowded_positions_list_what_the_reference_allows(game: Game) -> None:
    table = table_of(game)
    for tile in Tile:
        listed = [frozenset(halves_of(placement)) for placement in game.position.placements([tile])]
        assert len(listed) == len(set(listed))
        assert set(listed) == table.placements(tile.name)


@given(crowded_games())
def test_crowded_positions_refuse_for_the_reason_of_the_reference(game: Game) -> None:
    table = table_of(game)
    for (here, there), tile in product(table.pairs(), TILES):
        halves = [(tile[0], here), (tile[1], there)]
        assert verdict(game.position, halves) == table.refusal(halves)


@MANY
@given(crowded_games(), st.integers(0, 2**16))
def test_crowded_positions_are_settled_as_by_the_reference(game: Game, seed: int) -> None:
    rng = Random(seed)
    start = table_of(game)
    listed = sorted(game.legal, key=lambda placement: stir(game, placement))
    for placement in [*listed[-6:], *rng.sample(listed, min(2, len(listed)))]:
        after, events = game.place(placement)
        table = start.copy()
        follow(table, Lay(placement, None))
        assert_same(table, after)
        if ended_by_last_pagoda(after):
            continue
        assert Counter(filter(None, map(in_words, events))) == Counter(table.happened)
        moved = [pagodas_moved(event, game.players) for event in events]
        for seat, left in enumerate(after.position.reserves):
            assert left == game.position.reserves[seat] + sum(change[seat] for change in moved)


def test_joined_majors_are_named_before_a_tie_of_the_other_colour() -> None:
    """Red on c3 would be a tie, yellow on d3 would join two majors."""
    position = parse_position(
        """
        .  .  R2 .  .  .  .  .
        .  .  R2 .  .  .  .  .
        R1 R1 .  .  Y1 Y1 Y1 Y1
        .  .  .  Y2 .  .  .  Y1
        .  .  .  Y2 .  .  .  .
        .  .  .  Y2 .  .  .  .
        .  .  .  Y2 .  .  .  .
        .  .  .  Y2 .  .  .  .
        """,
        players=2,
    )
    table = table_of(Game(position, ((Tile.RY,), ()), (), Seat(0)))
    for halves, reason in (
        ([("R", (2, 2)), ("Y", (3, 2))], "joins-majors"),
        ([("R", (2, 2)), ("B", (3, 2))], "tied-join"),
    ):
        assert verdict(position, halves) == table.refusal(halves) == reason
