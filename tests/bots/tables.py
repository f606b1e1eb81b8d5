"""Games to put bots at: in the middle, near the end, on boards of every kind."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engine.strategies import TRICKY
from qin.bots import Bot, Options, Spec
from qin.bots.arena import Played, play
from qin.engine import Board, Deal, Game, Position, Seat, Tile, view_of
from qin.engine.tiles import ALL_TILES

BIRD, LION = Board.named("bird"), Board.named("lion")
TRICKY_BOARDS = [Board.parse(text, name=f"tricky {n}") for n, text in enumerate(TRICKY)]


def bots(*specs: str, seed: str = "1") -> list[Bot]:
    """Fresh bots, one a seat, each with a seed of its own."""
    return [Spec.parse(spec).load_python()(f"{seed}/{seat}") for seat, spec in enumerate(specs)]


def chosen(game: Game, spec: str, seed: str = "1") -> str:
    """What a bot on the seat to move places."""
    view = view_of(game, game.turn)
    return str(bots(spec, seed=seed)[0].choose(view, Options(view)))


def played(board: Board, *specs: str, seed: str = "1") -> Played:
    """A whole game between bots."""
    deal = Deal.shuffled(len(specs), Random(seed))
    return play(board, deal, bots(*specs, seed=seed), first=Seat(0))


def midgame(board: Board, *, players: int, plies: int, seed: str = "1") -> Game:
    """A game after some random moves, or as long before its end as it went."""
    rng = Random(seed)
    game = Game.start(board, Deal.shuffled(players, rng))
    for _ in range(plies):
        after, _ = game.pass_turn() if game.must_pass else game.place(game.legal.choice(rng))
        if after.outcome:
            break
        game = after
    while game.must_pass:
        game, _ = game.pass_turn()
    return game


def endgame(position: Position, *hands: Sequence[Tile], turn: int = 0) -> Game:
    """A game with empty piles."""
    return Game(position, tuple(map(tuple, hands)), ((),) * 4, Seat(turn))


def permuted(game: Game, seat: Seat, rng: Random) -> Game:
    """The same game but for the tiles that the seat cannot see."""
    hidden = [tile for other, hand in enumerate(game.hands) if other != seat for tile in hand]
    hidden += [tile for pile in game.piles for tile in pile]
    mixed = iter(sorted(hidden, key=lambda _: rng.random()))
    hands = tuple(
        hand if other == seat else tuple(next(mixed) for _ in hand)
        for other, hand in enumerate(game.hands)
    )
    piles = tuple(tuple(next(mixed) for _ in pile) for pile in game.piles)
    return Game(game.position, hands, piles, game.turn, game.ply, game.out, game.outcome)


def few_tiles(count: int, players: int, seed: str) -> Deal:
    """A deal of a part of the tiles, for games that end early."""
    rng = Random(seed)
    return Deal.of(sorted(ALL_TILES, key=lambda _: rng.random())[:count], players)
