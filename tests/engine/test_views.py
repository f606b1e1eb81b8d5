"""A view holds nothing that its viewer may not know."""

from __future__ import annotations

import gc
import pickle
from collections import Counter
from collections.abc import Iterator
from functools import partial
from random import Random
from types import BuiltinFunctionType, FunctionType, ModuleType

from engine.strategies import Pass, Setup, Step, apply, setups
from hypothesis import assume, given
from hypothesis import strategies as st
from qin.engine import Board, Deal, Drawn, Event, Game, Placed, Seat, Tile, View, redact, view_of
from qin.engine.tiles import ALL_TILES

PROGRAM = (type, ModuleType, BuiltinFunctionType)
"""What every program holds anyway: it is not followed."""


def viewers(game: Game) -> list[Seat | None]:
    return [None, *map(Seat, range(game.players))]


def reachable(start: object) -> Iterator[object]:
    """Everything that an object leads to, by whatever way: slots, items, keys, attributes."""
    seen: dict[int, object] = {}
    todo = [start]
    while todo:
        found = todo.pop()
        if id(found) in seen or isinstance(found, PROGRAM):
            continue
        seen[id(found)] = found
        yield found
        if isinstance(found, FunctionType):
            todo += [found.__closure__, found.__defaults__, found.__kwdefaults__]
        elif not isinstance(found, Tile):  # a kind of tile leads to its colours alone
            todo += gc.get_referents(found)


def hidden_from(game: Game, seat: Seat | None) -> list[tuple[Tile, ...]]:
    """The hands and piles that a viewer may not see; empty ones hide nothing."""
    hands = [hand for other, hand in enumerate(game.hands) if other != seat]
    return [tiles for tiles in (*hands, *game.piles) if tiles]


def shuffled_unseen(game: Game, seat: Seat | None, rng: Random) -> Game:
    """The same game but for the tiles that a viewer has not seen, which change places."""
    unseen = [tile for tiles in hidden_from(game, seat) for tile in tiles]
    rng.shuffle(unseen)
    rest = iter(unseen)
    hands = tuple(
        hand if other == seat else tuple(next(rest) for _ in hand)
        for other, hand in enumerate(game.hands)
    )
    piles = tuple(tuple(next(rest) for _ in pile) for pile in game.piles)
    return Game(game.position, hands, piles, game.turn, game.ply, game.out, game.outcome)


def assert_nothing_leaks(game: Game, rng: Random) -> None:
    for seat in viewers(game):
        view = view_of(game, seat)
        hidden = {id(tiles) for tiles in hidden_from(game, seat)}
        own = set(() if seat is None else game.hands[seat])
        for thing in reachable(view):
            assert id(thing) not in hidden
            assert not isinstance(thing, (Game, Deal, Random))
            assert not isinstance(thing, Tile) or thing in own
        other = view_of(shuffled_unseen(game, seat, rng), seat)
        assert other == view
        assert repr(other) == repr(view)
        assert pickle.dumps(other) == pickle.dumps(view)
        assert list(other.legal) == list(view.legal)


@given(setups())
def test_no_view_leads_to_a_hidden_tile(setup: Setup) -> None:
    rng = Random(setup.seed)
    assert_nothing_leaks(setup.start(), rng)
    for step in setup.play():
        assert_nothing_leaks(step.after, rng)


def test_the_search_would_find_a_hidden_tile() -> None:
    """The search itself works: it finds the tiles of a game wherever one is tucked away."""
    game = Game.start(Board.named("bird"), Deal.shuffled(2, Random(1)))
    view = view_of(game, None)
    assert not any(isinstance(thing, Tile) for thing in reachable(view))
    leaks: list[object] = [[{"kept": game}], lambda: game, partial(view_of, game), (game.piles[2],)]
    for leak in leaks:
        leaky = view._replace(outcome=leak)  # type: ignore[arg-type]
        assert any(thing is game.piles[2] for thing in reachable(leaky))


# ---- the whole of what a viewer was ever told ---------------------------------------------------


def slots_of(steps: list[Step]) -> tuple[list[list[int]], list[list[int]]]:
    """Which of the dealt tiles each hand and pile holds after some steps, by number."""
    start = steps[0].before
    numbers = iter(range(len(ALL_TILES)))
    hands = [[next(numbers) for _ in hand] for hand in start.hands]
    piles = [[next(numbers) for _ in pile] for pile in start.piles]
    for step in steps:
        for event in step.events:
            if isinstance(event, Placed):
                place = step.before.hands[event.seat].index(event.placement.tile)
                del hands[event.seat][place]
            elif isinstance(event, Drawn):
                hands[event.seat].append(piles[event.pile].pop(0))
    return hands, piles


def dealt_otherwise(steps: list[Step], seat: Seat | None, rng: Random) -> Game:
    """The start of a game that has gone the same way for a viewer, as far as he can know."""
    start = steps[0].before
    tiles = [tile for part in (*start.hands, *start.piles) for tile in part]
    hands, piles = slots_of(steps)
    hidden = [n for other, hand in enumerate(hands) if other != seat for n in hand]
    hidden += [n for pile in piles for n in pile]
    mixed = rng.sample(hidden, len(hidden))
    new = dict(zip(hidden, (tiles[n] for n in mixed), strict=True))
    rest = iter([new.get(number, tile) for number, tile in enumerate(tiles)])
    return Game(
        start.position,
        tuple(tuple(next(rest) for _ in hand) for hand in start.hands),
        tuple(tuple(next(rest) for _ in pile) for pile in start.piles),
        start.turn,
    )


@given(setups(), st.integers(1, 200))
def test_a_viewer_cannot_tell_two_deals_apart(setup: Setup, length: int) -> None:
    """Other unseen tiles from the start on: every view and every event told are the same."""
    steps = list(setup.play())[:length]
    # That a seat must pass, or that nobody can place, does tell something of the hands.
    assume(not any(isinstance(step.act, Pass) for step in steps))
    rng = Random(setup.seed)
    for seat in viewers(steps[0].before):
        game = dealt_otherwise(steps, seat, rng)
        for step in steps:
            if game.must_pass:
                break
            game, events = apply(game, step.act)
            if (game.outcome is None) != (step.after.outcome is None):
                break
            assert redact(events, seat) == redact(step.events, seat)
            assert view_of(game, seat) == view_of(step.after, seat)


# ---- events -------------------------------------------------------------------------------------


def draws(events: list[Event]) -> list[Drawn]:
    return [event for event in events if isinstance(event, Drawn)]


@given(setups())
def test_redacted_events_hide_the_drawn_tile_and_nothing_else(setup: Setup) -> None:
    for step in setup.play():
        kept = list(step.events)
        for seat in viewers(step.after):
            told = redact(step.events, seat)
            assert len(told) == len(step.events)
            for event, heard in zip(step.events, told, strict=True):
                if isinstance(event, Drawn) and event.seat != seat:
                    assert heard == Drawn(event.seat, event.pile, None)
                    assert not any(isinstance(thing, Tile) for thing in reachable(heard))
                else:
                    assert heard == event
        assert step.events == kept
        for event in draws(step.events):
            assert event.tile is step.before.piles[event.pile][0]


@given(setups())
def test_a_view_tells_all_that_may_be_known(setup: Setup) -> None:
    for step in setup.play():
        game = step.after
        for seat in viewers(game):
            view: View = view_of(game, seat)
            hand = () if seat is None else game.hands[seat]
            unseen = Counter(tile for tiles in hidden_from(game, seat) for tile in tiles)
            assert view.hand == hand
            assert view.unseen == tuple(unseen[tile] for tile in Tile)
            assert view.hand_sizes == tuple(len(tiles) for tiles in game.hands)
            assert view.pile_sizes == tuple(len(tiles) for tiles in game.piles)
            assert (view.seat, view.position, view.turn) == (seat, game.position, game.turn)
            assert (view.ply, view.out, view.outcome) == (game.ply, game.out, game.outcome)
            mine = seat == game.turn and game.outcome is None
            assert list(view.legal) == (list(game.legal) if mine else [])
