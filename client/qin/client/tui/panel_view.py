"""The panel beside the board: players, tiles and piles; the waiting room; the result."""

from __future__ import annotations

from collections.abc import Callable

from qin.client.tui.fragments import Line, cut, on_click, padded, wrapped
from qin.client.tui.table_model import Phase, TableModel
from qin.client.tui.theme import Glyphs
from qin.engine import Seat, Tile
from qin.engine.names import NAME_LENGTH
from qin.engine.words import counted, listed, tell_outcome

Choose = Callable[[int], None]

LONGEST_NAME = NAME_LENGTH + len(" (you)")
"""With more room than that, the numbers stay near the names."""


def panel(
    model: TableModel, glyphs: Glyphs, width: int, height: int, choose: Choose, *, owner: bool
) -> list[Line]:
    """All that stands there, for the phase that the table is in."""
    match model.phase:
        case Phase.LOADING:
            return [[("class:faint", "…")]]
        case Phase.ROOM:
            return room(model, glyphs, width, owner=owner)
        case Phase.RESULT:
            return result(model, glyphs, width)
    lines = [
        *players(model, glyphs, width),
        [],
        *hand(model, glyphs, choose),
        [],
        *piles(model),
        [],
    ]
    explained = legend(glyphs, width)
    free = height - len(lines)
    told = last_moves(model, width, free)
    if free - len(told) > len(explained):
        blank: list[Line] = [[] for _ in range(free - len(told) - len(explained))]
        return [*lines, *told, *blank, *explained]
    return [*lines, *told]


def players(model: TableModel, glyphs: Glyphs, width: int) -> list[Line]:
    """A line for each seat: who, pagodas left, tiles, time, presence."""
    state, view = model.state, model.view
    if state is None:
        return []
    lines: list[Line] = []
    timed = state.clocks is not None and view is not None and view.outcome is None
    room = max(6, min(LONGEST_NAME, width - (25 if timed else 19)))
    clock = " clock" if timed else ""
    lines.append([("class:faint", f"    {padded('player', room)} left tiles{clock}")])
    for number in range(len(state.table.seats)):
        seat = Seat(number)
        moving = view is not None and view.outcome is None and view.turn == seat
        name = model.names[seat] + (" (you)" if seat == state.seat else "")
        line: Line = [
            ("class:good", f"{glyphs.turn if moving else ' '} "),
            (f"class:seat class:seat{number + 1}", str(number + 1)),
            ("class:mine" if seat == state.seat else "", f" {padded(name, room)} "),
        ]
        if view is not None:
            line.append(("class:heading", f"{glyphs.pagoda}{view.position.reserves[seat]:<3}"))
            line.append(("", f" {view.hand_sizes[seat]:<4}"))
        if timed and state.clocks is not None:
            line.append(("", f"{_clock(state.clocks.left(seat)):>6} "))
        line.append(_presence(model, seat))
        lines.append(line)
    return lines


def _presence(model: TableModel, seat: Seat) -> tuple[str, str]:
    state, view = model.state, model.view
    assert state is not None
    chair = state.table.seats[seat]
    if view is not None and seat in view.out:
        return "class:bad", "out"
    if chair.stand_in:
        return "class:faint", "bot"
    if chair.name and not chair.connected and not chair.bot:
        return "class:bad", "away"
    return "class:faint", ""


def _clock(seconds: float) -> str:
    whole = int(seconds)
    if whole >= 3600:
        return f"{whole // 3600}h{whole // 60 % 60:02}"
    return f"{whole // 60}:{whole % 60:02}"


def hand(model: TableModel, glyphs: Glyphs, choose: Choose) -> list[Line]:
    """One's own tiles with their keys; a click chooses one."""
    if model.spectator:
        return []
    if not model.hand:
        return [[("class:faint", "You have no tiles.")]]
    line: Line = []
    for number, tile in enumerate(model.hand):
        chosen = number == model.choice
        act = on_click(lambda number=number: choose(number))  # type: ignore[misc]
        style = "class:chosen" if chosen else "class:key"
        line += [
            ("class:good", glyphs.turn if chosen else " ", act),
            (style, str(number + 1), act),
            ("", " ", act),
            *((style, text, act) for style, text in _tile(tile)),
            ("", "  "),
        ]
    return [[("class:heading", "Your tiles")], line]


def _tile(tile: Tile) -> list[tuple[str, str]]:
    return [(f"class:{colour.word}", f" {colour.letter} ") for colour in (tile.first, tile.second)]


def piles(model: TableModel) -> list[Line]:
    """How many tiles lie in each pile, and which one is drawn from."""
    view = model.view
    if view is None:
        return []
    line: Line = [("class:heading", "Piles ")]
    for number, size in enumerate(view.pile_sizes, start=1):
        chosen = number == model.pile
        line += [("", " "), ("class:chosen" if chosen else "", f"{number}:{size}")]
    if not model.spectator:
        line.append(("class:faint", f"  p:{f'pile {model.pile}' if model.pile else 'fullest'}"))
    return [line]


def last_moves(model: TableModel, width: int, room: int) -> list[Line]:
    """What the others did since one's own last move, the latest in full."""
    lines: list[Line] = []
    for move in reversed(model.journal.last):
        number: tuple[str, str] = (f"class:seat class:seat{move.seat + 1}", str(move.seat + 1))
        told = wrapped(move.text, width - 2)
        lines.append([number, ("", f" {told[0]}")])
        lines += [[("", f"  {rest}")] for rest in told[1:]]
    if len(lines) > room > 0:
        del lines[room:]
        style, text = lines[-1][-1][:2]
        lines[-1][-1] = style, cut(f"{text} …", width - 2)  # the log has the rest
    return lines[: max(0, room)]


def legend(glyphs: Glyphs, width: int) -> list[Line]:
    roof = glyphs.pagoda
    texts = (
        f"R Y B province  V village  {roof}1 pagoda",
        f"{roof}{roof} double  {''.join(glyphs.last)} just laid  {glyphs.legal} legal spot",
    )
    return [[("class:faint", cut(text, width))] for text in texts]


def result(model: TableModel, glyphs: Glyphs, width: int) -> list[Line]:
    """How the last game ended: each player's pagodas, the series, and who wants to go on."""
    state, view = model.state, model.view
    if state is None or view is None or view.outcome is None:
        return []
    lines: list[Line] = [[("class:heading", line)] for line in _outcome_lines(model, width)]
    lines.append([])
    several = state.table.settings.games > 1
    room = max(6, min(LONGEST_NAME, width - 24))
    head = f"    {padded('player', room)} left" + ("  series" if several else "")
    lines.append([("class:faint", head)])
    for number, chair in enumerate(state.table.seats):
        seat = Seat(number)
        won = seat in view.outcome.winners
        line: Line = [
            ("class:good", f"{'*' if won else ' '} "),
            (f"class:seat class:seat{number + 1}", str(number + 1)),
            ("class:mine" if won else "", f" {padded(model.names[seat], room)} "),
            ("class:heading", f"{glyphs.pagoda}{view.position.reserves[seat]:<3}"),
        ]
        if several and number < len(state.table.totals):
            line.append(("", f"  {state.table.totals[number]:>5}"))
        if chair.rematch:
            line.append(("class:good", "  again!"))
        lines.append(line)
    wishing = [model.names[n] for n, chair in enumerate(state.table.seats) if chair.rematch]
    lines.append([])
    if wishing:
        verb = "wants" if len(wishing) == 1 else "want"
        told = f"{listed(wishing)} {verb} a rematch; it starts when all do."
    elif model.spectator:
        told = "s saves the record of the game."
    else:
        told = "r asks for a rematch, s saves the record of the game, q goes back to the lobby."
    lines += [[("", line)] for line in wrapped(told, width)]
    return lines


def _outcome_lines(model: TableModel, width: int) -> list[str]:
    assert model.view is not None
    assert model.view.outcome is not None
    outcome = model.view.outcome
    mine = model.state.seat if model.state else None
    told = tell_outcome(outcome, model.names)
    lines = wrapped(f"{told[0].upper()}{told[1:]}.", width)
    if mine is None:
        return lines
    return ["You win!" if mine in outcome.winners else "You lose this one.", *lines]


def room(model: TableModel, glyphs: Glyphs, width: int, *, owner: bool) -> list[Line]:
    """The waiting room: who sits, and what is still missing."""
    state = model.state
    if state is None:
        return [[("class:faint", "…")]]
    lines: list[Line] = [[("class:heading", "At the table")]]
    free = 0
    for number, chair in enumerate(state.table.seats):
        if chair.name:
            what = model.names[number]
            note = "you" if number == state.seat else "bot" if chair.bot else ""
            if not (chair.connected or chair.bot or number == state.seat):
                note = "away"
        else:
            free += 1
            what = "a bot is coming …" if chair.awaits_bot else "free"
            note = ""
        chosen = owner and number == model.seat_cursor
        lines.append(
            [
                ("class:good", f"{glyphs.turn if chosen else ' '} "),
                (f"class:seat class:seat{number + 1}", str(number + 1)),
                ("" if chair.name else "class:faint", f" {cut(what, width - 12)}"),
                ("class:faint", f"  {note}" if note else ""),
            ]
        )
    lines.append([])
    if free:
        told = f"{counted(free, 'seat is', 'seats are')} free."
        told += " b seats a bot there." if owner else ""
    else:
        told = "All seats are taken. s starts." if owner else "The owner of the table starts."
    lines += [[("", line)] for line in wrapped(told, width)]
    return lines
