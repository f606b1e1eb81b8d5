"""Names of players: what may be one, and how two equal ones are told apart."""

from __future__ import annotations

from collections.abc import Iterable

NAME_LENGTH = 32


def distinct_names(names: Iterable[str]) -> tuple[str, ...]:
    """Names that can be told apart: the second of two equal ones gets `-2`."""
    taken: list[str] = []
    for name in names:
        candidate, number = name, 1
        while candidate in taken:
            number += 1
            suffix = f"-{number}"
            candidate = name[: NAME_LENGTH - len(suffix)] + suffix
        taken.append(candidate)
    return tuple(taken)


def name_problem(name: str) -> str | None:
    """What is wrong with the name of a player, or None."""
    if not 1 <= len(name) <= NAME_LENGTH:
        return f"a name has 1 to {NAME_LENGTH} characters"
    if any(character in '/"\\' for character in name):
        return 'a name has no / " or \\'
    if not name.isprintable() or name != name.strip():
        return "a name has no control characters and no blanks at its ends"
    return None
