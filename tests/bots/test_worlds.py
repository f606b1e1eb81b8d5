"""The forward model: imagined games agree with the view, and with nothing else."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from bots.tables import BIRD, LION, TRICKY_BOARDS, midgame, permuted
from engine.strategies import Setup, setups
from hypothesis import given, settings
from qin.bots import Options, Spec, imagine
from qin.engine import Board, Game, Seat, Tile, view_of

SEARCHING = ("lookahead:width=3,samples=2",)


def tiles_in(game: Game) -> Counter[Tile]:
    return Counter(tile for part in (*game.hands, *game.piles) for tile in part)


@given(setups())
@settings(max_examples=50)
def test_an_imagined_game_agrees_with_the_view(setup: Setup) -> None:
    """Hands, piles and those who withdrew: who looks at it sees what he saw before."""
    for step in setup.play():
        for seat in range(step.after.players):
            view = view_of(step.after, Seat(seat))
            imagined = imagine(view, Random(setup.seed))
            assert view_of(imagined, Seat(seat)) == view
            assert tiles_in(imagined) == tiles_in(step.after)


@given(setups())
@settings(max_examples=50)
def test_an_imagined_game_can_be_played_on(setup: Setup) -> None:
    rng = Random(setup.seed)
    for step in list(setup.play())[::7]:
        game = step.after
        if game.outcome or game.must_pass:
            continue
        imagined = imagine(view_of(game, game.turn), rng)
        assert list(imagined.legal) == list(game.legal)
        while imagined.outcome is None:
            imagined, _ = (
                imagined.pass_turn()
                if imagined.must_pass
                else imagined.place(imagined.legal.choice(rng))
            )
        assert tiles_in(imagined) <= tiles_in(game)


def test_a_spectator_can_imagine_too() -> None:
    view = view_of(midgame(BIRD, players=3, plies=20), None)
    assert view_of(imagine(view, Random(1)), None) == view


def test_chance_comes_from_the_seed_alone() -> None:
    view = view_of(midgame(BIRD, players=2, plies=10), Seat(0))
    assert imagine(view, Random("7")) == imagine(view, Random("7"))
    assert len({imagine(view, Random(seed)).hands for seed in range(20)}) > 1


def test_every_hidden_tile_is_as_likely_in_a_hand_as_the_pool_makes_it() -> None:
    view = view_of(midgame(LION, players=2, plies=30), Seat(0))
    rng, drawn = Random(1), Counter[Tile]()
    for _ in range(2000):
        drawn.update(imagine(view, rng).hands[1])
    pool = sum(view.unseen)
    for tile in Tile:
        assert drawn[tile] / drawn.total() == pytest.approx(
            view.unseen[tile.number] / pool, abs=0.03
        )


@pytest.mark.parametrize("board", [BIRD, LION, *TRICKY_BOARDS], ids=lambda board: board.name)
@pytest.mark.parametrize("players", [2, 4])
def test_what_is_hidden_changes_neither_the_imagined_game_nor_the_choice(
    board: Board, players: int
) -> None:
    for plies in (3, 12, 21):
        game = midgame(board, players=players, plies=plies)
        if game.outcome:
            continue
        seat = game.turn
        other = permuted(game, seat, Random(plies))
        one_view, other_view = view_of(game, seat), view_of(other, seat)
        assert one_view == other_view
        assert imagine(one_view, Random(1)) == imagine(other_view, Random(1))
        for spec in ("random", "greedy", *SEARCHING):
            bots = [Spec.parse(spec).load_python()("1") for _ in range(2)]
            assert bots[0].choose(one_view, Options(one_view)) == bots[1].choose(
                other_view, Options(other_view)
            )
