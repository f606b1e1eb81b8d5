"""The same public play with other tiles where nobody looks.

A story is a deal and what was played with it. For one viewer and one moment of the story some
tiles have been seen: all that were laid, and the viewer's own. All others can be exchanged, and as
long as what everybody could watch stays the same, the viewer must not be able to tell.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from qin.engine import Board, Deal, Drawn, Event, Game, Placement, Refused, Seat, Tile
from qin.engine.tiles import format_tiles
from qin.v1 import lobby_pb2

BOARD = "bird"
Slot = tuple[str, int, int]
"""Where a tile was dealt to: "hand" and seat, or "pile" and number; and which one there."""


class Act(NamedTuple):
    """What a seat does: it lays a tile, or gives up."""

    seat: Seat
    placement: str
    """Empty to give up."""
    pile: int
    """From 1; 0 leaves it to the server."""


class Story(NamedTuple):
    """A whole game."""

    deal: Deal
    acts: tuple[Act, ...]

    @property
    def players(self) -> int:
        return len(self.deal.hands)


def story(players: int, seed: int) -> Story:
    """A game of players who like pagodas; with more than two, somebody gives up on the way."""
    rng = Random(seed)
    deal = Deal.shuffled(players, rng)
    game = Game.start(Board.named(BOARD), deal)
    acts: list[Act] = []
    while not game.outcome:
        if players > 2 and len(acts) == 20:
            act = Act(Seat((game.turn + 1) % players), "", 0)
        else:
            act = Act(game.turn, _liked(game, rng), rng.choice([0, *_full_piles(game)]))
        acts.append(act)
        game, _ = step(game, act)
    return Story(deal, tuple(acts))


def _liked(game: Game, rng: Random) -> str:
    options = list(game.legal)
    some = [options[int(rng.random() * len(options))] for _ in range(8)]
    return str(
        min(some, key=lambda one: game.position.place(game.turn, one)[0].reserves[game.turn])
    )


def _full_piles(game: Game) -> list[int]:
    return [number + 1 for number, tiles in enumerate(game.piles) if tiles]


def step(game: Game, act: Act) -> tuple[Game, list[Event]]:
    """What a server does with an act: the act, and all passes that must follow."""
    if act.placement:
        pile = act.pile - 1 if act.pile else None
        legal = game.check(act.seat, Placement.parse(act.placement), pile)
        game, events = game.place(legal, pile)
    else:
        game, events = game.withdraw(act.seat)
    while game.must_pass:
        game, passed = game.pass_turn()
        events = [*events, *passed]
    return game, events


def games(told: Story) -> list[Game]:
    """The game before the first act, and after each."""
    found = [Game.start(Board.named(BOARD), told.deal)]
    for act in told.acts:
        found.append(step(found[-1], act)[0])
    return found


def _public(told: Story, cut: int) -> list[object] | None:
    """What everybody can watch of the first acts; None where one of them cannot be done."""
    game = Game.start(Board.named(BOARD), told.deal)
    seen: list[object] = []
    for act in told.acts[:cut]:
        if game.outcome or (act.placement and act.seat != game.turn):
            return None
        try:
            game, events = step(game, act)
        except Refused:
            return None
        seen += [(each.seat, each.pile) if isinstance(each, Drawn) else each for each in events]
        seen.append((game.turn, game.outcome))
    return seen


def _tiles(deal: Deal) -> dict[Slot, Tile]:
    return {
        (place, number, index): tile
        for place, parts in (("hand", deal.hands), ("pile", deal.piles))
        for number, tiles in enumerate(parts)
        for index, tile in enumerate(tiles)
    }


def _deal(tiles: dict[Slot, Tile], like: Deal) -> Deal:
    def part(place: str, sizes: Iterator[int]) -> tuple[tuple[Tile, ...], ...]:
        return tuple(
            tuple(tiles[place, number, index] for index in range(size))
            for number, size in enumerate(sizes)
        )

    return Deal(part("hand", map(len, like.hands)), part("pile", map(len, like.piles)))


def hidden(told: Story, viewer: Seat | None, cut: int) -> tuple[set[Slot], set[Slot]]:
    """What the viewer has not seen after so many acts; and which of it others hold by then."""
    tiles = _tiles(told.deal)
    hands = [[("hand", seat, n) for n in range(3)] for seat in range(told.players)]
    drawn = [0] * len(told.deal.piles)
    seen: set[Slot] = set() if viewer is None else set(hands[viewer])
    game = Game.start(Board.named(BOARD), told.deal)
    for act in told.acts[:cut]:
        game, events = step(game, act)
        if act.placement:
            tile = Placement.parse(act.placement).tile
            laid = next(slot for slot in hands[act.seat] if tiles[slot] is tile)
            hands[act.seat].remove(laid)
            seen.add(laid)
        for event in events:
            if isinstance(event, Drawn):
                slot = ("pile", event.pile, drawn[event.pile])
                drawn[event.pile] += 1
                hands[event.seat].append(slot)
                if event.seat == viewer:
                    seen.add(slot)
    unseen = set(tiles) - seen
    return unseen, unseen & {slot for hand in hands for slot in hand}


def retold(told: Story, viewer: Seat | None, cut: int) -> Deal:
    """Another deal that the viewer cannot tell from the first after so many acts."""
    rng = Random(cut)
    tiles = _tiles(told.deal)
    unseen, held = hidden(told, viewer, cut)
    public = _public(told, cut)
    slots = sorted(unseen)
    for _ in range(2000):
        kinds = [tiles[slot] for slot in slots]
        rng.shuffle(kinds)
        other = tiles | dict(zip(slots, kinds, strict=True))
        changed = {slot for slot in slots if other[slot] is not tiles[slot]}
        deal = _deal(other, told.deal)
        # Tiles in hands and tiles in piles must both be others, or the test would say little.
        if changed & held and changed - held and _public(Story(deal, told.acts), cut) == public:
            return deal
    raise AssertionError("nothing can be exchanged here; take another seed")


def given(deal: Deal) -> lobby_pb2.GivenDeal:
    """A deal as the wire takes it."""
    return lobby_pb2.GivenDeal(
        hands="/".join(map(format_tiles, deal.hands)),
        piles="/".join(map(format_tiles, deal.piles)),
        first=1,
    )
