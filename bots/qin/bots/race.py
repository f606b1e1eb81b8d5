"""Options that are tried in the same worlds, until it is clear which is the best."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from qin.engine import LegalPlacement

_SURE: Final = 2.5
"""Standard errors behind the best from which an option cannot catch up."""
_LEAST_VARIANCE: Final = 0.001
"""Of the gap between two chances in one world: few worlds may agree by accident."""


class Runner(NamedTuple):
    """An option, and the chances that it had in each world so far."""

    placement: LegalPlacement
    chances: list[float]


class Race:
    """The options that are left, the best first; before the first world, as they were given."""

    def __init__(self, placements: Sequence[LegalPlacement]) -> None:
        self.runners = [Runner(placement, []) for placement in placements]

    @property
    def placements(self) -> list[LegalPlacement]:
        return [runner.placement for runner in self.runners]

    def note(self, chances: Sequence[float]) -> None:
        """The chances of the runners in one more world. Those that were not tried are out."""
        del self.runners[len(chances) :]
        for runner, chance in zip(self.runners, chances, strict=True):
            runner.chances.append(chance)
        self.runners.sort(key=lambda runner: -sum(runner.chances))

    def drop_half(self) -> None:
        """Leave out the worse half, but never the second best."""
        del self.runners[max(2, len(self.runners) // 2) :]

    def drop_lost(self, close: float) -> None:
        """Leave out who is behind beyond doubt, or ahead by no more than what is close."""
        best, *others = self.runners
        self.runners = [best, *(other for other in others if not _lost(best, other, close))]


def _lost(best: Runner, other: Runner, close: float) -> bool:
    gaps = [ahead - behind for ahead, behind in zip(best.chances, other.chances, strict=True)]
    mean = sum(gaps) / len(gaps)
    variance = sum([(gap - mean) ** 2 for gap in gaps]) / (len(gaps) - 1)
    return mean + close > _SURE * math.sqrt((variance + _LEAST_VARIANCE) / len(gaps))
