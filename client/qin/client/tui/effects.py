"""What a tile would do, told in a few words before it is laid.

`founds red, takes the village at c4: 2 pagodas; gives ann a village: 1 pagoda`
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from qin.engine import (
    Connected,
    Conquered,
    Event,
    Expanded,
    Founded,
    Joined,
    LegalPlacement,
    Major,
    Mask,
    Position,
    Seat,
    spaces_of,
)
from qin.engine.spaces import format_spaces
from qin.engine.words import Names, counted, listed


class Effect(NamedTuple):
    """What a placement would cause."""

    placement: LegalPlacement
    events: list[Event]
    gains: tuple[int, ...]
    """The pagodas that each seat would have more on the board; negative where they go home."""
    ends: bool
    """Whether somebody's last pagoda would be placed."""

    def score(self, seat: Seat) -> int:
        """Pagodas gained, less pagodas given."""
        return 2 * self.gains[seat] - sum(self.gains)


def effect_of(position: Position, seat: Seat, placement: LegalPlacement) -> Effect:
    after, events = position.place(seat, placement)
    pairs = zip(position.reserves, after.reserves, strict=True)
    gains = tuple(before - left for before, left in pairs)
    return Effect(placement, events, gains, after.finisher is not None)


def best_first(
    position: Position, seat: Seat, placements: Iterable[LegalPlacement]
) -> list[Effect]:
    """All effects, those with the most pagodas gained less pagodas given first."""
    effects = [effect_of(position, seat, placement) for placement in placements]
    return sorted(effects, key=lambda effect: effect.score(seat), reverse=True)


def tell_effect(effect: Effect, seat: Seat, names: Names) -> str:
    """One line: first what it does for the seat, then what it does for the others."""
    parts = [_tell_own(_deeds(effect.events, seat, mine=True), effect.gains[seat])]
    for number, gain in enumerate(effect.gains):
        other = Seat(number)
        if other != seat:
            parts.append(_tell_other(_deeds(effect.events, other, mine=False), gain, names[other]))
    told = "; ".join(filter(None, parts)) or "nothing happens"
    return f"{told}; a last pagoda: the game ends" if effect.ends else told


def _tell_own(deeds: Sequence[str], gain: int) -> str:
    told = ", ".join(deeds)
    if gain < 0:
        home = f"{counted(-gain, 'pagoda')} {'goes' if gain == -1 else 'go'} home"
        return f"{told}: {home}" if told else f"your {home}"
    return f"{told}: {counted(gain, 'pagoda')}" if gain else told


def _tell_other(deeds: Sequence[str], gain: int, name: str) -> str:
    if deeds:
        told = f"gives {name} {listed(deeds)}"
        return f"{told}: {counted(gain, 'pagoda')}" if gain > 0 else told
    return f"{name} takes {counted(-gain, 'pagoda')} home" if gain < 0 else ""


def _deeds(events: Iterable[Event], seat: Seat, *, mine: bool) -> list[str]:
    """What happens for a seat: as verbs for one's own, as gifts for somebody else."""
    deeds: list[str] = []
    for event in events:
        match event:
            case Founded(owner, colour, _, _) if owner == seat:
                deeds.append(f"founds {colour.word}")
            case Expanded(owner, colour, spaces) if owner == seat:
                size = counted(spaces.bit_count(), "space")
                deeds.append(
                    f"expands your {colour.word} to {size}" if mine else f"{size} of {colour.word}"
                )
            case Major(owner, colour, _) if owner == seat:
                deeds[-1:] = [f"makes {colour.word} major" if mine else f"a major {colour.word}"]
            case Joined(owner, colour, _, _, _) if owner == seat:
                deeds.append(f"joins {colour.word}" if mine else f"a joined {colour.word}")
            case Connected(owner, village) if owner == seat:
                deeds.append(_village(village, mine=mine))
            case Conquered(owner, _, village) if owner == seat:
                deeds.append(_village(village, mine=mine))
    return deeds


def _village(village: Mask, *, mine: bool) -> str:
    where = format_spaces(spaces_of(village))
    return f"takes the village at {where}" if mine else f"the village at {where}"
