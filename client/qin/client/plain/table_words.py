"""A table in sentences: who sits there, what one holds, what a placement would do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qin.client.tui.effects import Effect, tell_effect
from qin.client.tui.table_model import Phase, TableModel
from qin.engine import Colour, Seat, Space, Tile, View
from qin.engine.spaces import format_space
from qin.engine.words import Names, counted, listed, tell_outcome
from qin.v1 import types_pb2 as pb


def sentence(text: str) -> str:
    """A text with its full stop."""
    return text if text.endswith((".", "!", "?", "…", ":")) else f"{text}."


def tile_in_words(tile: Tile) -> str:
    """`RY, red and yellow`."""
    one, other = tile.first.word, tile.second.word
    return f"{tile}, {f'{one} twice' if one == other else f'{one} and {other}'}"


def hand_in_words(hand: Sequence[Tile]) -> str:
    if not hand:
        return "You hold no tiles."
    return f"You hold {'; '.join(map(tile_in_words, hand))}."


def players_in_words(model: TableModel) -> Iterator[str]:
    """A sentence for each seat."""
    state, view = model.state, model.view
    if state is None:
        return
    for number, chair in enumerate(state.table.seats):
        parts = []
        if view is not None:
            parts = [
                f"{counted(view.position.reserves[number], 'pagoda')} left",
                counted(view.hand_sizes[number], "tile"),
            ]
        if state.clocks is not None and view is not None and view.outcome is None:
            parts.append(f"{counted(int(state.clocks.left(Seat(number))), 'second')} on the clock")
        parts += _presence(model, number, chair)
        me = ", you" if number == state.seat else ""
        name = model.names[number] if chair.name else "free"
        yield f"Seat {number + 1}{me}: {', '.join([name, *parts])}."


def _presence(model: TableModel, number: int, chair: pb.Seat) -> list[str]:
    view, state = model.view, model.state
    assert state is not None
    if not chair.name:
        return ["a bot is coming"] if chair.awaits_bot else []
    words = ["a bot"] if chair.bot else []
    if view is not None and number in view.out:
        words.append("out of the game")
    if chair.stand_in:
        words.append("a bot stands in")
    elif not chair.connected and not chair.bot and number != state.seat:
        words.append("away")
    if chair.rematch:
        words.append("wants a rematch")
    if view is not None and view.outcome is None and view.turn == number:
        words.append("is to move")
    return words


def piles_in_words(view: View, pile: int) -> str:
    sizes = ", ".join(f"pile {number} {size}" for number, size in enumerate(view.pile_sizes, 1))
    drawn = f"pile {pile}" if pile else "the fullest"
    return f"Tiles in the piles: {sizes}. You draw from {drawn}."


def effect_in_words(effect: Effect, seat: Seat, names: Names) -> str:
    """`Rc4Yd4, red on c4 and yellow on d4: founds red: 1 pagoda`."""
    one, first, other, second = effect.placement
    where = f"{_half(one, first)} and {_half(other, second)}"
    return f"{effect.placement}, {where}: {tell_effect(effect, seat, names)}."


def _half(colour: Colour, space: Space) -> str:
    return f"{colour.word} on {format_space(space)}"


def now_in_words(model: TableModel) -> str:
    """What the table waits for."""
    view = model.view
    if model.phase is Phase.ROOM:
        free = sum(not seat.name for seat in model.state.table.seats) if model.state else 0
        return f"The game has not started; {counted(free, 'seat is', 'seats are')} free."
    if view is None:
        return "There is no game yet."
    if view.outcome is not None:
        return f"The game is over, {tell_outcome(view.outcome, model.names)}."
    if model.my_turn:
        return f"It is your turn. {hand_in_words(model.hand)}"
    return f"{model.names[view.turn]} is to move."


def result_in_words(model: TableModel) -> Iterator[str]:
    """The end of a series: pagodas left, totals, and what can be done."""
    state, view = model.state, model.view
    if state is None or view is None or view.outcome is None:
        return
    if state.seat is not None:
        yield "You win!" if state.seat in view.outcome.winners else "You lose this one."
    left = [f"{name} {view.position.reserves[seat]}" for seat, name in enumerate(model.names)]
    yield f"Pagodas left: {listed(left)}."
    if state.table.settings.games > 1:
        totals = state.table.totals
        told = [f"{name} {total}" for name, total in zip(model.names, totals, strict=False)]
        yield f"In the whole series: {listed(told)}."
    yield "Type rematch to play again, save to keep the record, or quit for the lobby."
