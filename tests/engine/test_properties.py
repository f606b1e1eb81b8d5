"""Random games, recounted from scratch after every step."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from engine.reference import Cell, Table, group_of
from engine.strategies import (
    TRICKY,
    Lay,
    Pass,
    Setup,
    Step,
    cells_of,
    follow,
    setups,
    table_of,
)
from hypothesis import given, settings
from qin.engine import (
    PAGODAS,
    Board,
    Connected,
    Conquered,
    Deal,
    Drawn,
    Ended,
    Ending,
    Event,
    Expanded,
    Founded,
    Game,
    Joined,
    Lost,
    Major,
    Passed,
    Placed,
    Placement,
    Position,
    Seat,
    Tile,
    Withdrew,
    format_position,
    parse_position,
)

ProvinceFacts = tuple[str, frozenset[Cell], int, int]


def provinces_in(position: Position) -> set[ProvinceFacts]:
    return {
        (colour.letter, cells_of(province.spaces), province.owner, province.pagodas)
        for colour, province in position.provinces()
    }


def holders_in(position: Position) -> dict[frozenset[Cell], Seat | None]:
    return {
        cells_of(village): holder
        for village, holder in zip(position.board.villages, position.holders, strict=True)
    }


def assert_same(table: Table, game: Game) -> None:
    """The reference's table and the game agree on everything that the rules speak of."""
    assert {(p.colour, p.cells, p.owner, p.pagodas) for p in table.provinces} == provinces_in(
        game.position
    )
    assert table.holders == holders_in(game.position)
    assert table.reserves == list(game.position.reserves)
    assert table.grass == cells_of(game.position.free)
    assert [Counter(hand) for hand in table.hands] == [
        Counter(tile.name for tile in hand) for hand in game.hands
    ]
    assert table.piles == [[tile.name for tile in pile] for pile in game.piles]
    assert table.out == game.out
    if game.outcome is None:
        assert table.ending is None
        assert table.turn == game.turn
    else:
        assert (table.ending, table.winners) == (
            game.outcome.ending.value,
            list(game.outcome.winners),
        )


def in_words(event: Event) -> tuple[object, ...] | None:
    """What a tile caused on the board, as the reference tells it."""
    match event:
        case Founded(seat, colour, spaces, pagodas):
            return "founded", seat, colour.letter, cells_of(spaces), pagodas
        case Expanded(seat, colour, spaces):
            return "expanded", seat, colour.letter, cells_of(spaces)
        case Major(seat, colour, spaces):
            return "major", seat, colour.letter, cells_of(spaces)
        case Joined(seat, colour, spaces, built, went_home):
            return "joined", seat, colour.letter, cells_of(spaces), built, went_home
        case Connected(seat, village):
            return "connected", seat, cells_of(village)
        case Conquered(seat, loser, village):
            return "conquered", seat, loser, cells_of(village)
        case _:
            return None


def ended_by_last_pagoda(game: Game) -> bool:
    return game.outcome is not None and game.outcome.ending is Ending.LAST_PAGODA


@settings(max_examples=5 * settings().max_examples)
@given(setups())
def test_every_game_goes_as_the_reference_has_it(setup: Setup) -> None:
    table = table_of(setup.start())
    assert_same(table, setup.start())
    for step in setup.play():
        if isinstance(step.act, Pass):
            assert not table.can_place(table.turn)
        follow(table, step.act)
        assert_same(table, step.after)


@given(setups())
def test_events_tell_what_the_reference_saw_happen(setup: Setup) -> None:
    table = table_of(setup.start())
    for step in setup.play():
        follow(table, step.act)
        told = [words for event in step.events if (words := in_words(event))]
        if not ended_by_last_pagoda(step.after):
            assert Counter(told) == Counter(table.happened)


@pytest.mark.parametrize("text", TRICKY)
def test_passes_and_dead_ends_are_those_of_the_reference(text: str) -> None:
    """With few kinds of tiles on a tricky board players get stuck, one of them or all."""
    passed = stuck = 0
    for seed in range(400):
        players = 2 + seed % 3
        rng = Random(seed)
        kinds = (Tile.RR, Tile.RB, Tile.RR, Tile.YB)[: 2 + seed % 3]
        # A short game ends with empty piles, and whoever passed holds tiles when others do not.
        tiles = [rng.choice(kinds) for _ in range(72 if seed % 2 else 3 * players + seed % 9)]
        setup = Setup(
            board=Board.parse(text),
            deal=Deal.of(tiles, players),
            first=Seat(0),
            reserves=(PAGODAS[players],) * players,
            seed=seed,
            eager=seed % 5 == 0,
            quitters=0.04 if seed % 4 == 3 else 0.0,
            plies=200,
        )
        table = table_of(setup.start())
        for step in setup.play():
            if isinstance(step.act, Pass):
                passed += 1
                assert not table.can_place(table.turn)
            follow(table, step.act)
            assert_same(table, step.after)
            outcome = step.after.outcome
            stuck += outcome is not None and outcome.ending is Ending.NO_PLACEMENT
    assert passed + stuck > 0


@given(setups())
def test_pagodas_are_conserved(setup: Setup) -> None:
    for step in setup.play():
        position = step.after.position
        standing = Counter(holder for holder in position.holders if holder is not None)
        for _, province in position.provinces():
            standing[province.owner] += province.pagodas
        for seat, left in enumerate(position.reserves):
            assert left >= 0
            assert left + standing[Seat(seat)] == setup.reserves[seat]


@given(setups())
def test_provinces_are_what_a_flood_fill_finds(setup: Setup) -> None:
    for step in setup.play():
        position = step.after.position
        found = set()
        for letter, realm in zip("RYB", position.realms, strict=True):
            spaces = cells_of(realm.spaces)
            found |= {(letter, group_of(cell, spaces)) for cell in spaces}
        kept = provinces_in(position)
        assert {(letter, cells) for letter, cells, _, _ in kept} == {
            (letter, cells) for letter, cells in found if len(cells) > 1
        }
        if not ended_by_last_pagoda(step.after):
            assert all(pagodas == (2 if len(cells) >= 5 else 1) for _, cells, _, pagodas in kept)


@given(setups())
def test_villages_obey_the_majority(setup: Setup) -> None:
    for step in setup.play():
        if ended_by_last_pagoda(step.after):
            continue
        table = table_of(step.after)
        before = holders_in(step.before.position)
        for village, holder in holders_in(step.after.position).items():
            leader = table.leader(village)
            assert holder == (before[village] if leader is None else leader)


@given(setups())
def test_a_rebuilt_position_is_the_same(setup: Setup) -> None:
    """What is kept up to date move by move equals what is worked out from the drawing alone."""
    for step in setup.play():
        if ended_by_last_pagoda(step.after):
            continue  # provinces may lack pagodas then, which a drawing does not show
        position = step.after.position
        rebuilt = parse_position(
            format_position(position),
            players=position.players,
            reserves=position.reserves,
            board=position.board,
        )
        assert rebuilt == position
        assert hash(rebuilt) == hash(position)
        assert (rebuilt.free, rebuilt.full) == (position.free, position.full)
        for tile in Tile:
            assert list(rebuilt.placements((tile,))) == list(position.placements((tile,)))


def picture(game: Game) -> tuple[object, ...]:
    """Everything a game holds, as text and copies."""
    position = game.position
    return (
        repr(position),
        sorted(map(repr, provinces_in(position))),
        [repr(province.facts) for _, province in position.provinces()],
        (position.free, position.contact, position.pairs, hash(position)),
        (repr(game.hands), repr(game.piles), game.turn, game.ply, repr(game.out)),
        repr(game.outcome),
        list(game.legal),
    )


@given(setups())
def test_acting_leaves_the_game_before_as_it_was(setup: Setup) -> None:
    game, before = setup.start(), picture(setup.start())
    pictures = [(game, before)]
    for step in setup.play():
        assert picture(step.before) == pictures[-1][1]
        pictures.append((step.after, picture(step.after)))
    for kept, then in pictures:
        assert picture(kept) == then


@given(setups())
def test_the_same_acts_give_equal_positions(setup: Setup) -> None:
    for one, other in zip(setup.play(), setup.play(), strict=True):
        assert one.after.position == other.after.position
        assert one.after == other.after
        assert hash(one.after) == hash(other.after)
        assert one.after != one.before
        assert one.events == other.events
        if isinstance(one.act, Lay):
            assert one.after.position != one.before.position


def pagodas_moved(event: Event, players: int) -> list[int]:
    """How an event changes the reserves."""
    moved = [0] * players
    match event:
        case Founded(seat, _, _, pagodas):
            moved[seat] -= pagodas
        case Joined(seat, _, _, built, went_home):
            moved = list(went_home)
            moved[seat] -= built
        case Major(seat) | Connected(seat):
            moved[seat] -= 1
        case Conquered(seat, loser):
            moved[seat] -= 1
            moved[loser] += 1
        case Lost(loser):
            moved[loser] += 1
        case _:
            pass
    return moved


def assert_in_order(step: Step) -> None:
    """Events come in the order of a turn."""
    stages: list[tuple[type[Event], ...]] = [
        (Placed, Passed, Withdrew),
        (Founded, Expanded, Major, Joined),
        (Connected, Conquered, Lost),
        (Drawn,),
        (Ended,),
    ]
    order = [next(n for n, kinds in enumerate(stages) if isinstance(e, kinds)) for e in step.events]
    assert order == sorted(order)
    assert order.count(0) == 1
    assert order.count(3) <= 1
    assert order.count(4) == (step.after.outcome is not None)


@given(setups())
def test_the_reserves_follow_from_the_events(setup: Setup) -> None:
    reserves = list(setup.reserves)
    for step in setup.play():
        assert_in_order(step)
        for event in step.events:
            moved = pagodas_moved(event, len(reserves))
            reserves = [left + change for left, change in zip(reserves, moved, strict=True)]
        assert reserves == list(step.after.position.reserves)


def test_a_pagoda_that_goes_home_as_the_game_ends_is_told() -> None:
    """Seat 1 wins at a1; seat 3 has left d1 by then (R6), and seat 2 comes too late to take it."""
    before = parse_position(
        """
        V  .  .  V3 Y3
        #  R1 Y2 #  Y3
        #  R1 Y2 #  #
        #  #  Y2 #  #
        #  #  Y2 #  #
        """,
        players=3,
        reserves=(1, 9, 9),
    )
    after, events = before.place(Seat(0), before.check(Placement.parse("Rb1Yc1")))
    assert after.reserves == (0, 8, 10)
    moved = [pagodas_moved(event, 3) for event in events]
    assert [sum(change) for change in zip(*moved, strict=True)] == [-1, -1, +1]


@given(setups())
def test_without_a_pile_the_fullest_is_drawn_from(setup: Setup) -> None:
    for step in setup.play():
        if not isinstance(step.act, Lay):
            continue
        _, events = step.before.place(step.act.placement)
        sizes = [len(pile) for pile in step.before.piles]
        drawn = [event.pile for event in events if isinstance(event, Drawn)]
        if any(sizes) and not ended_by_last_pagoda(step.after):
            assert drawn == [sizes.index(max(sizes))]
        else:
            assert drawn == []
