"""What a lesson is, when it is solved, and what is said about an attempt that does not solve it.

Nothing here knows a terminal: the full screen and the lines of text teach the same course.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from qin.client.state import TableState
from qin.client.tui.effects import Effect, effect_of, tell_effect
from qin.engine import (
    Connected,
    Conquered,
    Event,
    Expanded,
    Founded,
    Game,
    Joined,
    LegalPlacement,
    Major,
    Mask,
    Placement,
    Position,
    Reason,
    Refused,
    Seat,
    parse_position,
    view_of,
)
from qin.engine.spaces import mask_of
from qin.engine.tiles import Tile, parse_tiles
from qin.v1 import types_pb2 as pb

ME, RIVAL = Seat(0), Seat(1)
NAMES = ("you", "rival")

Deed = type[Founded | Expanded | Major | Joined | Connected | Conquered]


@dataclass(frozen=True, slots=True)
class Goal:
    """What an attempt has to do; whatever else it does is welcome."""

    deeds: tuple[Deed, ...] = ()
    """What has to happen for the learner."""
    gives_nothing: bool = False
    """Whether nothing at all may happen for the rival."""
    ends: bool = False
    """Whether the learner's last pagoda is to be placed."""
    refused: Reason | None = None
    """The refusal that the learner is to see; then nothing is laid."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A step of the course: a board, some tiles, and something to be done with them."""

    title: str
    text: str
    """What there is to know, and what to do."""
    drawn: str
    hand: tuple[Tile, ...]
    goal: Goal
    hint: str
    """What to do instead, for an attempt that is allowed but not the point."""
    done: str
    """What has been learned."""
    keys: str = ""
    """How to do it, on the full screen."""
    reserves: tuple[int, int] | None = None

    @property
    def position(self) -> Position:
        return parse_position(self.drawn, players=len(NAMES), reserves=self.reserves)

    def game(self, *, after: Attempt | None = None) -> Game:
        """The game as the learner finds it, or as it stands after the attempt."""
        pile = parse_tiles("RY YB RB BB RR YY")
        hand = list(self.hand)
        if after and after.effect:
            hand.remove(after.placement.tile)
        hands = (tuple(hand), parse_tiles("RY YB RB"))
        position = (after and after.after) or self.position
        return Game(position, hands, (pile,) * 4, RIVAL if after else ME)


def lesson(
    title: str,
    text: str,
    drawn: str,
    hand: str,
    goal: Goal,
    *,
    hint: str,
    done: str,
    **more: object,
) -> Lesson:
    """A lesson, with its hand as text."""
    return Lesson(title, text, drawn, parse_tiles(hand), goal, hint, done, **more)  # type: ignore[arg-type]


class Attempt(NamedTuple):
    """A placement that was tried, and what it did or why it was refused."""

    placement: Placement
    effect: Effect | None = None
    refused: Refused | None = None
    after: Position | None = None

    @property
    def spaces(self) -> Mask:
        """What is in the way of it."""
        return mask_of(self.refused.spaces) if self.refused else 0


def attempt(lesson: Lesson, placement: Placement) -> Attempt:
    """Try a placement; nothing is laid for good."""
    game = lesson.game()
    try:
        legal: LegalPlacement = game.check(ME, placement)
    except Refused as refused:
        return Attempt(placement, refused=refused)
    after, _ = game.position.place(ME, legal)
    return Attempt(placement, effect_of(game.position, ME, legal), after=after)


def solves(goal: Goal, tried: Attempt) -> bool:
    if tried.refused is not None or goal.refused is not None:
        return tried.refused is not None and tried.refused.reason is goal.refused
    effect = tried.effect
    assert effect is not None
    missing = Counter(goal.deeds) - Counter(map(type, _for(ME, effect.events)))
    given = goal.gives_nothing and _for(RIVAL, effect.events)
    return not missing and not given and (effect.ends or not goal.ends)


def _for(seat: Seat, events: Sequence[Event]) -> list[Event]:
    return [event for event in events if getattr(event, "seat", None) == seat]


def tell_attempt(tried: Attempt) -> str:
    """What a placement does, or why it may not be, as a sentence."""
    if tried.refused is not None:
        reason, _, text = str(tried.refused).partition(": ")
        return f"This is refused ({reason}): {text}."
    assert tried.effect is not None
    told = tell_effect(tried.effect, ME, NAMES)
    return f"{told[0].upper()}{told[1:]}."


def explain(lesson: Lesson, tried: Attempt) -> str:
    """What is wrong with an attempt, and what to do instead."""
    if tried.refused is None and lesson.goal.refused is not None:
        return f"That is allowed. {lesson.hint}"
    return f"{tell_attempt(tried)} {lesson.hint}"


def state_of(lesson: Lesson, number: int, *, after: Attempt | None = None) -> TableState:
    """The lesson as a table knows it: before the attempt, or after the one that solved it."""
    game = lesson.game(after=after)
    table = pb.Table(
        table_id="tutorial",
        state=pb.TABLE_STATE_PLAYING,
        seats=[
            pb.Seat(seat=seat, name=name, connected=True)
            for seat, name in enumerate(NAMES, start=1)
        ],
    )
    board = game.position.board
    return TableState(table, board, ME, sequence=number, view=view_of(game, ME), game=1)
