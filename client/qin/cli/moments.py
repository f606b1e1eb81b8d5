"""Moments of a recorded game: what stood on the table after a ply, and what was possible."""

from __future__ import annotations

from typing import NamedTuple

from qin.cli.table import drawn, seats_and_piles
from qin.engine import Event, Game, Record, format_position
from qin.engine.tiles import format_tiles
from qin.engine.words import counted, listed, printable, tell, tell_outcome


class Moment(NamedTuple):
    """A recorded game after a ply, with what happened in it."""

    record: Record
    plies: int
    """How many there are in the whole game."""
    game: Game
    events: list[Event]
    """Of this ply, and resignations up to the next."""

    def text(self) -> str:
        game, names = self.game, self.record.seats
        told = [f"  {tell(event, names)}" for event in self.events]
        state = (
            f"{names[game.turn]} is to move"
            if game.outcome is None
            else tell_outcome(game.outcome, names)
        )
        return "\n".join(
            [
                f"{listed(names)} on {printable(self.record.board.name)}",
                f"After {game.ply} of {counted(self.plies, 'ply', 'plies')}: {state}.",
                "",
                drawn(game.position),
                "",
                seats_and_piles(game, names),
                *(["", "What has just happened:", *told] if told else []),
            ]
        )

    def facts(self) -> dict[str, object]:
        game, outcome = self.game, self.game.outcome
        return {
            "board": self.record.board.name,
            "seats": self.record.seats,
            "ply": game.ply,
            "plies": self.plies,
            "turn": None if outcome else game.turn + 1,
            "position": format_position(game.position, separator="/"),
            "reserves": game.position.reserves,
            "hands": [format_tiles(hand) for hand in game.hands],
            "piles": [format_tiles(pile) for pile in game.piles],
            "out": [seat + 1 for seat in sorted(game.out)],
            "events": [tell(event, self.record.seats) for event in self.events],
            "ending": outcome and outcome.ending.value,
            "winners": outcome and [seat + 1 for seat in outcome.winners],
        }


def moments_of(record: Record) -> list[Moment]:
    """The start and the game after each ply, once the whole record has been found right."""
    games: list[Game] = []
    events: list[list[Event]] = []
    for game, step in record.replay():
        if game.ply == len(games):
            games.append(game)
            events.append(step)
        else:
            # A withdrawal is no ply of its own.
            games[-1] = game
            events[-1] = [*events[-1], *step]
    plies = len(games) - 1
    return [Moment(record, plies, *moment) for moment in zip(games, events, strict=True)]


def legal_counts(record: Record) -> list[int]:
    """How many placements were open at each ply; none where the seat had to pass."""
    counts: list[int] = []
    before: Game | None = None
    for game, _ in record.replay():
        if before is not None and game.ply > before.ply:
            counts.append(len(before.legal))
        before = game
    return counts
