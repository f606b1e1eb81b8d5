"""What the table screen says above and below the board: all of it a function of the model."""

from __future__ import annotations

from qin.client.tui.fragments import Line, at_most, cut, keys_that_fit, padded, wrapped
from qin.client.tui.table_model import Phase, TableModel

LEAST_STATUS, MOST_STATUS = 2, 4
"""So many lines below the board are for what the held tile would do; the log has the rest."""


def title(model: TableModel, width: int) -> list[Line]:
    """The top line: what is played, and whose turn it is."""
    state = model.state
    if state is None:
        return [[("class:title", padded(" Qin", width))]]
    table = state.table
    left = f" Qin   {state.board.name}   table {table.table_id}"
    if table.settings.games > 1 and state.game:
        left += f"   game {state.game} of {table.settings.games}"
    if model.spectator:
        left += "   looking on"
    right = f"{_now(model)} "
    room = max(0, width - len(right))
    return [[("class:title", padded(left, room)), ("class:title class:title.strong", right)]]


def _now(model: TableModel) -> str:
    view = model.view
    if model.phase is Phase.ROOM:
        return "waiting for players"
    if model.phase is Phase.RESULT:
        return "the game is over"
    if view is None or view.outcome is not None:
        return "the next game starts soon"
    if model.my_turn:
        return "YOUR TURN"
    return f"{cut(model.names[view.turn], 20)} is to move"


def banner(model: TableModel, width: int) -> list[Line]:
    """A line that is there only while the server is not heard, or is gone for good."""
    if model.ended is not None:
        return [[("class:banner", padded(f" {model.ended.value}; q leaves", width))]]
    return [[("class:banner", padded(" The connection is lost, trying again …", width))]]


# ---- below the board ---------------------------------------------------------------------------


def status(model: TableModel, width: int) -> list[Line]:
    """What the held tile would do, or what there is to say."""
    lines: list[Line] = []
    if model.message is not None:
        style = "class:bad" if model.message.bad else "class:heading"
        lines += [[(style, f" {line}")] for line in wrapped(model.message.text, width - 2)]
    preview = model.preview()
    if preview is not None and model.held is not None:
        word, style = ("ok", "class:good") if preview.legal else ("no", "class:bad")
        head = f" {model.held.placement} {word}: "
        told = wrapped(preview.text, width - len(head) - 1)
        lines.append([(style, head), ("", told[0])])
        lines += [[("", " " * len(head) + line)] for line in told[1:]]
    elif model.message is None:
        lines.append([("class:faint", f" {_waiting(model)}")])
    return at_most(lines, MOST_STATUS, width)


def _waiting(model: TableModel) -> str:
    view = model.view
    if model.phase is not Phase.GAME or view is None or view.outcome is not None:
        return ""
    if model.spectator or model.my_turn:
        return ""
    return f"Waiting for {model.names[view.turn]}. You may hold a tile over the board meanwhile."


def log(model: TableModel, width: int, height: int) -> list[Line]:
    """The last lines of the log, wrapped; scrolled back as far as the model says."""
    wanted = height + model.log_back
    lines: list[Line] = []
    for entry in reversed(model.journal.entries):
        told = wrapped(entry.text, width - 2, "  ")
        style = f"class:{entry.kind.value}"
        lines[:0] = [[(style, f" {line}")] for line in told]
        if len(lines) >= wanted:
            break
    model.log_back = max(0, min(model.log_back, len(lines) - height))
    end = len(lines) - model.log_back
    return lines[max(0, end - height) : end]


# ---- the line of keys --------------------------------------------------------------------------


def keys(model: TableModel, width: int, *, owner: bool, way_out: str) -> list[Line]:
    """What can be pressed now, as much as fits; help and the way out always stay."""
    return [keys_that_fit(_keys(model, owner=owner), [("F1", "help"), ("q", way_out)], width)]


def _keys(model: TableModel, *, owner: bool) -> list[tuple[str, str]]:
    common = [(":", "command")] if model.spectator else [(":", "command"), ("'", "chat")]
    match model.phase:
        case Phase.ROOM if owner:
            return [("s", "start"), ("b", "bot"), ("x", "free seat"), *common]
        case Phase.RESULT if not model.spectator:
            return [("r", "rematch"), ("s", "save record"), *common]
        case Phase.RESULT:
            return [("s", "save record"), *common]
        case Phase.GAME if model.my_turn:
            return [
                ("Enter", "place"),
                ("1-3", "tile"),
                ("arrows", "move"),
                ("r", "turn"),
                ("Tab", "spots"),
                ("?", "hint"),
                (":", "cmd"),
            ]
        case _:
            return common
