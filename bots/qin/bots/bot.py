"""What a bot is: something that is shown a view and its options, and chooses one of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import cached_property
from random import Random

from qin.engine import Event, LegalPlacement, Position, Seat, View


class Option:
    """A placement that is open to a bot. What it would cause is worked out when first asked for."""

    def __init__(self, placement: LegalPlacement, seat: Seat, before: Position) -> None:
        self.placement = placement
        self._seat = seat
        self._before = before

    @cached_property
    def _result(self) -> tuple[Position, list[Event]]:
        return self._before.place(self._seat, self.placement)

    @property
    def after(self) -> Position:
        """What will lie on the table."""
        return self._result[0]

    @property
    def events(self) -> list[Event]:
        """What happens, in the order of settling; the draw is not part of it."""
        return self._result[1]

    @property
    def gains(self) -> tuple[int, ...]:
        """The pagodas that each seat comes to have more on the board; negative where it loses."""
        pairs = zip(self._before.reserves, self.after.reserves, strict=True)
        return tuple(before - after for before, after in pairs)

    @property
    def gain(self) -> int:
        """The pagodas that the bot itself gains."""
        return self._before.reserves[self._seat] - self.after.reserves[self._seat]

    def __repr__(self) -> str:
        return f"<option {self.placement}>"


class Options:
    """All placements that are open to a bot, in a fixed order: sized, iterable, indexable."""

    def __init__(self, view: View) -> None:
        assert view.seat is not None, "a spectator has no options"
        self._seat = view.seat
        self._position = view.position
        self._legal = view.legal

    def __len__(self) -> int:
        return len(self._legal)

    def __iter__(self) -> Iterator[Option]:
        return (Option(each, self._seat, self._position) for each in self._legal)

    def __getitem__(self, index: int) -> Option:
        return Option(self._legal[index], self._seat, self._position)

    def __contains__(self, placement: object) -> bool:
        return placement in self._legal

    def choice(self, rng: Random) -> LegalPlacement:
        """Any placement, each as likely as any other."""
        return self._legal.choice(rng)


class Bot(ABC):
    """Write `choose`; the rest is there for bots that want more.

    A bot plays one seat of one game. Its parameters are the keyword-only arguments of its
    `__init__`, annotated as int, float, bool or str, and a spec such as `lookahead:width=12` sets
    them. All its chance comes from `rng`, so that the same seed gives the same game.
    """

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    @abstractmethod
    def choose(self, view: View, options: Options) -> LegalPlacement:
        """The placement to make, one of the options. There is always one; a forced pass is made
        without asking."""

    def game_starts(self, view: View) -> None:  # noqa: B027 - who wants it overrides it
        """A game starts; the view is that before the first turn."""

    def game_ended(self, view: View) -> None:  # noqa: B027 - likewise
        """The game is over; `view.outcome` tells how."""

    def time_left(self, seconds: float) -> None:  # noqa: B027 - likewise
        """Called before each choice where there is a clock: how long this choice may take."""
