"""A bot that answers with something else each time, none of which is a placement."""

from __future__ import annotations

from typing import Any

from qin.bots import Bot, Options
from qin.engine import Placement, View


class _Agreeable:
    """Is equal to everything, and says so."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        raise RuntimeError("nobody shall look me up")

    def __str__(self) -> str:
        raise RuntimeError("nor read me")


class GarbageBot(Bot):
    def choose(self, view: View, options: Options) -> Any:
        del view, options
        nonsense: Any = "nonsense"
        answers: list[object] = [
            None,
            "Rc4Yd4",
            7,
            [],
            _Agreeable(),
            Placement(nonsense, nonsense, nonsense, nonsense),
            b"\x00",
        ]
        return answers[int(self.rng.random() * len(answers))]
