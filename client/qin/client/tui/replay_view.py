"""What the replay screen shows around the board: all of it a function of the model."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from qin.client.tui.fragments import Line, cut, keys_line, on_click, padded, width_of, wrapped
from qin.client.tui.replay_model import SPEEDS, ReplayModel
from qin.client.tui.theme import Glyphs
from qin.engine import Tile
from qin.engine.words import listed, tell_outcome

Jump = Callable[[int], None]


def title(model: ReplayModel, width: int) -> list[Line]:
    """The top line: what was played by whom, and where in the game one is."""
    left = f" Qin   {model.board}   {listed(model.names)}   replay"
    right = f"move {model.at} of {model.last} "
    room = max(0, width - len(right))
    return [[("class:title", padded(left, room)), ("class:title class:title.strong", right)]]


def panel(model: ReplayModel, glyphs: Glyphs, width: int) -> list[Line]:
    """Who has what: pagodas left, open hands, and the piles with what is drawn next."""
    return [*_players(model, glyphs, width), [], *_piles(model, width), [], *_state(model, width)]


def _players(model: ReplayModel, glyphs: Glyphs, width: int) -> list[Line]:
    game = model.game
    room = max(6, width - 28)
    lines: list[Line] = [[("class:faint", f"    {padded('player', room)} left   hand")]]
    for seat, name in enumerate(model.names):
        moving = game.outcome is None and seat == game.turn
        won = game.outcome is not None and seat in game.outcome.winners
        mark = glyphs.turn if moving else "*" if won else " "
        line: Line = [
            ("class:good", f"{mark} "),
            (f"class:seat class:seat{seat + 1}", str(seat + 1)),
            ("class:mine" if moving or won else "", f" {padded(name, room)} "),
            ("class:heading", f"{glyphs.pagoda}{game.position.reserves[seat]:<4}"),
        ]
        for tile in game.hands[seat]:
            line += [("", " "), *_tile(tile)]
        if any(seat == out for out in game.out):
            line.append(("class:bad", " out"))
        lines.append(line)
    return lines


def _piles(model: ReplayModel, width: int) -> list[Line]:
    lines: list[Line] = [[("class:heading", "Piles"), ("class:faint", ", the next tile first")]]
    for number, pile in enumerate(model.game.piles, start=1):
        line: Line = [("", f"{number}: {len(pile):>2} ")]
        for tile in pile:
            if width_of(line) + 5 > width:
                line.append(("class:faint", "…"))
                break
            line += [("", " "), *_tile(tile)]
        lines.append(line)
    return lines


def _tile(tile: Tile) -> list[tuple[str, str]]:
    return [(f"class:{colour.word}", colour.letter) for colour in (tile.first, tile.second)]


def _state(model: ReplayModel, width: int) -> list[Line]:
    outcome = model.game.outcome
    if outcome is None:
        told = f"{model.names[model.game.turn]} is to move."
    else:
        text = tell_outcome(outcome, model.names)
        told = f"{text[0].upper()}{text[1:]}."
    return [[("class:heading", line)] for line in wrapped(told, width)]


def happened(model: ReplayModel, width: int, height: int) -> list[Line]:
    """What happened in this move, and, where there is room, in the moves before it."""
    lines = _move(model, model.at, width, "")
    for at in range(model.at - 1, 0, -1):
        if len(lines) >= height:
            break
        lines += _move(model, at, width, "class:faint")
    return lines[:height]


def _move(model: ReplayModel, at: int, width: int, style: str) -> list[Line]:
    number = f" {at:>3}  "
    told = model.told(at) or ["the start: the hands and the piles are as they were dealt"]
    lines = [line for sentence in told for line in wrapped(sentence, width - len(number) - 1, "  ")]
    shown: list[Line] = [[(style, " " * len(number) + line)] for line in lines]
    shown[0] = [("class:faint" if style else "class:heading", number), (style, lines[0])]
    return shown


def progress(model: ReplayModel, width: int, jump: Jump) -> list[Line]:
    """How far the game is; a click jumps there."""
    speed = f"{SPEEDS[model.speed]:g} a second"
    word = f" playing, {speed} " if model.playing else f" paused ({speed}) "
    room = max(1, width - len(word) - 3)
    here = (room - 1) * model.at // max(1, model.last)
    line: Line = [("", " ")]
    for place in range(room):
        at = round(place * model.last / max(1, room - 1))
        act = on_click(lambda at=at: jump(at))  # type: ignore[misc]
        if place == here:
            line.append(("class:chosen", "O", act))
        else:
            line.append(("class:rule", "=" if place < here else "-", act))
    return [[*line, ("class:heading" if model.playing else "class:faint", word)]]


def foot(model: ReplayModel, width: int, keys: Sequence[tuple[str, str]]) -> list[Line]:
    """The keys, or what there is to say."""
    if model.message:
        return [[("class:bad", cut(f" {model.message}", width))]]
    line = keys_line(keys)
    while width_of(line) > width and len(line) > 3:
        del line[-3:]
    return [line]
