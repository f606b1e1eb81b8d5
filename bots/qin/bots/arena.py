"""One game between bots of this process, from the deal to the end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from time import perf_counter
from typing import NamedTuple, TypeGuard

from qin.bots.bot import Bot, Options
from qin.engine import (
    Board,
    Deal,
    Game,
    LegalPlacement,
    Placement,
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
            f"{type(bot).__name__} on seat {seat + 1} answered {_shown(answer)},"
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
    answer = bot.choose(view, options)
    seconds = perf_counter() - began
    return Choice(view, checked(answer, options, view.turn, bot), seconds)


def checked(answer: object, options: Options, seat: Seat, bot: Bot) -> LegalPlacement:
    """The answer of a bot, once it is known to be one of its options; else `IllegalAnswer`."""
    # Of a stranger's type nothing is asked: its __eq__ may do anything.
    if _is_plain(answer) and answer in options:
        return LegalPlacement(answer)
    raise IllegalAnswer(seat, bot, answer)


def _is_plain(answer: object) -> TypeGuard[Placement]:
    return type(answer) is Placement and all(isinstance(part, int) for part in answer)


def _shown(answer: object) -> str:
    if _is_plain(answer):
        with suppress(Exception):  # its spaces may lie anywhere
            return str(answer)
    return f"something of type {type(answer).__name__}"
