"""What happens in a game, told in the rulebook's words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from qin.engine.events import (
    Connected,
    Conquered,
    Drawn,
    Ended,
    Ending,
    Event,
    Expanded,
    Founded,
    Joined,
    Lost,
    Major,
    Passed,
    Placed,
    Settled,
    Withdrew,
)
from qin.engine.game import Outcome
from qin.engine.spaces import Mask, format_spaces, spaces_of

Names = Sequence[str]

ENDINGS = {
    Ending.LAST_PAGODA: "a last pagoda is placed",
    Ending.OUT_OF_TILES: "nobody has tiles left",
    Ending.BOARD_FULL: "the board is full",
    Ending.NO_PLACEMENT: "nobody can place a tile",
    Ending.RESIGNED: "all others have resigned",
    Ending.FORFEIT: "all others are out",
}


def tell(event: Event, names: Names) -> str:
    """One event as a sentence without its full stop."""
    return " ".join(_subject_and_rest(event, names))


def tell_all(events: Iterable[Event], names: Names) -> str:
    """The events of a move in one line; who is named once need not be named again."""
    return "; ".join(_shortened(events, names))


def _shortened(events: Iterable[Event], names: Names) -> Iterator[str]:
    told = ""
    for event in events:
        subject, rest = _subject_and_rest(event, names)
        yield rest if subject == told else f"{subject} {rest}"
        told = subject


def tell_outcome(outcome: Outcome, names: Names) -> str:
    """`a last pagoda is placed: ann wins`."""
    winners = listed([names[seat] for seat in outcome.winners])
    shared = len(outcome.winners) > 1
    return f"{ENDINGS[outcome.ending]}: {winners} {'share the victory' if shared else 'wins'}"


def printable(text: str) -> str:
    """Somebody else's text, unable to break the line or to steer a terminal."""
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in text
    )


def listed(words: Sequence[str]) -> str:
    """`ann`, `ann and bob`, `ann, bob and cho`."""
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def counted(count: int, one: str, many: str = "") -> str:
    """`1 pagoda`, `2 pagodas`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def _subject_and_rest(event: Event, names: Names) -> tuple[str, str]:
    match event:
        case Placed(seat, placement):
            return names[seat], f"places {placement}"
        case Drawn(seat, pile, tile):
            return names[seat], f"draws {tile or 'a tile'} from pile {pile + 1}"
        case Passed(seat):
            return names[seat], "passes: none of the tiles can be placed"
        case Withdrew(seat, forfeit):
            return names[seat], "forfeits" if forfeit else "resigns"
        case Ended(ending, winners):
            return "the game", f"is over, {tell_outcome(Outcome(ending, winners), names)}"
        case _:
            return _caused(event, names)


def _caused(event: Settled, names: Names) -> tuple[str, str]:
    """What a tile caused on the board. A province expands whoever placed the tile."""
    match event:
        case Founded(seat, colour, spaces, count):
            founded = f"founds a {colour.word} province at {_spaces(spaces)}"
            return names[seat], f"{founded}: {counted(count, 'pagoda')}"
        case Expanded(seat, colour, spaces):
            return f"the {colour.word} province of {names[seat]}", f"expands to {_spaces(spaces)}"
        case Major(seat, colour, _):
            province = f"the {colour.word} province of {names[seat]}"
            return province, "becomes a major province: 1 pagoda more"
        case Joined(seat, colour, spaces, built, went_home):
            whole = f"join into a major province of {names[seat]} at {_spaces(spaces)}"
            return f"{colour.word} provinces", whole + _after_joining(names, built, went_home)
        case Connected(seat, village):
            return names[seat], f"connects the village at {_spaces(village)}: 1 pagoda"
        case Conquered(seat, loser, village):
            taken = f"conquers the village at {_spaces(village)}: 1 pagoda"
            return names[seat], f"{taken}, and that of {names[loser]} goes home"
        case Lost(loser, village):
            lost = f"loses the village at {_spaces(village)} as the game ends: 1 pagoda goes home"
            return names[loser], lost
    assert_never(event)


def _after_joining(names: Names, built: int, went_home: tuple[int, ...]) -> str:
    parts = [f"{counted(built, 'pagoda')} more"] if built else []
    home = [f"{count} of {names[seat]}" for seat, count in enumerate(went_home) if count]
    if home:
        parts.append(f"{listed(home)} {'goes' if sum(went_home) == 1 else 'go'} home")
    return f": {', '.join(parts)}" if parts else ""


def _spaces(mask: Mask) -> str:
    return format_spaces(spaces_of(mask))
