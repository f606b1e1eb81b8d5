"""One game between bots of this process, from the deal to the end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from time import perf_counter
from typing import NamedTuple

from qin.bots.bot import Bot, Options
from qin.engine import (
    Board,
    Deal,
    Game,
    LegalPlacement,
    QinError,
    Record,
    Recorder,
    Seat,
    View,
    view_of,
)


class IllegalAnswer(QinError):
    """A bot answered with something that is not among its options."""

    def __init__(self, seat: Seat, bot: Bot, answer: object) -> None:
        super().__init__(
            f"{type(bot).__name__} on seat {seat + 1} answered {answer},"
            " which is none of its options"
        )
        self.seat = seat


class Choice(NamedTuple):
    """A decision that a bot has taken."""

    view: View
    """What the bot was shown."""
    placement: LegalPlacement
    seconds: float
    """How long it took."""

    @property
    def seat(self) -> Seat:
        return self.view.turn


class Played(NamedTuple):
    """A game that is over."""

    game: Game
    record: Record


def play(
    board: Board,
    deal: Deal,
    bots: Sequence[Bot],
    *,
    first: Seat,
    names: Iterable[str] | None = None,
    noticed: Callable[[Choice], None] | None = None,
) -> Played:
    """Play a game to its end; one bot a seat, each of which sees its own view alone.

    Forced passes are made without asking, and drawn is from the fullest pile. `noticed` is told of
    each choice; names are those of the record, by default the bots' classes.
    """
    if len(bots) != len(deal.hands):
        raise ValueError(f"{len(deal.hands)} hands are dealt, here are {len(bots)} bots")
    game = Game.start(board, deal, first)
    recorder = Recorder(game, names or [type(bot).__name__ for bot in bots])
    for seat, bot in enumerate(bots):
        bot.game_starts(view_of(game, Seat(seat)))
    while game.outcome is None:
        turn = game.turn
        if game.must_pass:
            game, events = game.pass_turn()
        else:
            choice = ask(bots[turn], view_of(game, turn))
            if noticed:
                noticed(choice)
            game, events = game.place(choice.placement)
        recorder.note(turn, events)
    for seat, bot in enumerate(bots):
        bot.game_ended(view_of(game, Seat(seat)))
    return Played(game, recorder.record(game))


def ask(bot: Bot, view: View) -> Choice:
    """What a bot chooses on its turn; `IllegalAnswer` if it is not one of its options."""
    options = Options(view)
    began = perf_counter()
    placement = bot.choose(view, options)
    seconds = perf_counter() - began
    if placement not in options:
        raise IllegalAnswer(view.turn, bot, placement)
    return Choice(view, placement, seconds)
