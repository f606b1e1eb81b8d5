"""The table, key by key, on a terminal and against a real server."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest
from client.tui.tables import Sitting, random_player, sitting
from client.tui.terminals import performing
from prompt_toolkit.output import ColorDepth
from qin.client import connect
from qin.client.tui.journal import Kind
from qin.client.tui.scale import cut_for
from qin.client.tui.stage import Stage
from qin.client.tui.table_model import Message, Phase, Preview
from qin.client.tui.table_screen import TableScreen
from qin.client.tui.theme import ASCII_GLYPHS, Theme
from qin.engine import Board, Seat, Space, parse_record
from qin.server.options import Options
from qin.server.server import running
from qin.v1 import types_pb2
from server.players import until


def space_drawn_at(column: int, row: int) -> Space:
    """On a small board, below the title."""
    space = cut_for(Board.named("bird"), 42, 14).space_under(column, row - 1)
    assert space is not None
    return space


async def started(sit: Sitting) -> None:
    sit.terminal.press("s")
    await sit.terminal.until("YOUR TURN")


async def test_a_whole_game_by_keys_alone() -> None:
    async with sitting() as sit:
        terminal = sit.terminal
        await terminal.until("All seats are taken. s starts.")
        terminal.press("s")
        while True:
            await terminal.until(lambda: "YOUR TURN" in terminal.text or "is over" in terminal.text)
            if "is over" in terminal.text:
                break
            ply = sit.screen.model.view
            terminal.press("?")
            await terminal.until("hint 1 of", " ok: ")
            terminal.press("enter")
            await terminal.until(lambda before=ply: sit.screen.model.view is not before)  # type: ignore[misc]
        await terminal.until("rematch", "save record", "pagoda", "left")
        assert "You " in terminal.text


async def test_the_tile_is_chosen_moved_turned_and_placed() -> None:
    async with sitting() as sit:
        await started(sit)
        terminal, model = sit.terminal, sit.screen.model
        before = model.held
        assert before is not None
        terminal.press("right", "down", "l", "j")
        there = before.moved(Board.named("bird"), 2, 2)
        await terminal.until(lambda: model.held == there)
        terminal.press("left", "up", "h", "k", "r")
        await terminal.until(lambda: model.held is not None and model.held.facing == 1)
        terminal.press(" ", " ", " ", "3")
        await terminal.until(lambda: model.choice == 2)
        assert model.held is not None
        assert (model.held.at, model.held.facing) == (before.at, before.facing)
        assert model.held.tile is model.hand[2]
        terminal.press("tab")
        await terminal.until(lambda: model.held is not None and model.held.at != before.at)
        placement = model.held.placement
        await terminal.until(f" {placement} ok: ")
        terminal.press("enter")
        await terminal.until(f"ann places {placement}")
        await terminal.until("bob places")


async def test_a_refused_placement_says_why_and_shows_the_spaces() -> None:
    async with sitting() as sit:
        await started(sit)
        terminal, model = sit.terminal, sit.screen.model
        terminal.press(*["up"] * 13, *["left"] * 13)
        await terminal.until("no: a tile must share an edge")
        terminal.press("enter")
        await terminal.until("it may not lie there")
        assert model.my_turn
        column, row = terminal.find(" 1 x")
        assert (column, row) == (0, 2)
        terminal.press(":")
        terminal.type("Ra1Rb9")
        await terminal.until("the two spaces of a tile must share an edge (a1 b9)")
        assert model.marks().refused.bit_count() > 0
        assert "!V!" in terminal.text
        terminal.press(":")
        terminal.type("frobnicate")
        await terminal.until("'frobnicate' is unknown; write Rc4Yd4")


async def test_the_mouse_holds_turns_chooses_and_places() -> None:
    async with sitting() as sit:
        await started(sit)
        terminal, model = sit.terminal, sit.screen.model
        column, row = terminal.find(" +")
        terminal.click(column + 1, row)
        clicked = space_drawn_at(column + 1, row)
        await terminal.until(lambda: model.held is not None and model.held.at == clicked)
        held = model.held
        assert held is not None
        assert terminal.screen.display[row][column + 1] == held.tile.first.letter
        terminal.wheel(column + 1, row)
        await terminal.until(lambda: model.held is not None and model.held.facing == 1)
        tiles = terminal.find("Your tiles")
        terminal.click(terminal.screen.display[tiles[1] + 1].index("2"), tiles[1] + 1)
        await terminal.until(lambda: model.choice == 1)
        held = model.held
        terminal.press("tab")
        await terminal.until(" ok: ", lambda: model.held != held)
        assert model.held is not None
        column, row = terminal.find("[")
        placement = model.held.placement
        terminal.click(column + 1, row)
        await terminal.until(f"ann places {placement}")


async def test_chat_commands_and_help() -> None:
    async with sitting() as sit:
        terminal, model = sit.terminal, sit.screen.model
        terminal.press("'")
        terminal.type("good luck")
        await terminal.until("ann: good luck")
        await started(sit)
        terminal.press(":")
        terminal.type("say have fun")
        await terminal.until("ann: have fun")
        terminal.press(":")
        terminal.type("pile 2")
        await terminal.until("p:pile 2")
        terminal.press("p")
        await terminal.until("p:pile 3")
        terminal.press("f1")
        await terminal.until("Qin: the table", "Shift-Tab")
        terminal.press("escape")
        await terminal.until("Your tiles")
        assert model.view is not None
        placement = model.view.legal[0]
        terminal.press(":")
        terminal.type(f"{str(placement).lower()} 4")
        await terminal.until(f"ann places {placement}")
        told = [entry.text for entry in model.journal.entries if entry.kind is Kind.MINE]
        assert told[-1].endswith("from pile 4")
        terminal.press(":")
        await terminal.until(lambda: sit.screen.line.is_open)
        terminal.press("x", "escape")
        await terminal.until(lambda: not sit.screen.line.is_open)
        terminal.press(":")
        terminal.type("resign")
        await terminal.until("ann resigns", "You lose this one.")


async def test_rematch_and_saving_the_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with sitting() as sit:
        await started(sit)
        terminal = sit.terminal
        terminal.press(":")
        terminal.type("resign")
        await terminal.until("You lose this one.")
        terminal.press("s")
        await terminal.until("saved as qin-")
        saved = tmp_path / f"qin-{sit.table.table_id}-1.qin"
        assert parse_record(saved.read_text()).seats == ("ann", "bob")
        first = saved.read_bytes()
        sit.screen.model.message = None
        terminal.press("s")
        await terminal.until("saved as qin-")
        assert not (tmp_path / f"qin-{sit.table.table_id}-1-2.qin").exists()
        terminal.press("r")
        await terminal.until("Your tiles", lambda: sit.screen.model.phase is Phase.GAME)
        terminal.press(":")
        terminal.type("resign")
        await terminal.until("You lose this one.")
        terminal.press("s")
        await terminal.until(f"saved as qin-{sit.table.table_id}-1-2.qin")
        assert saved.read_bytes() == first
        terminal.press(":")
        terminal.type(f"save {saved.name}")
        await terminal.until(f"{saved.name} is there already; name another file")
        terminal.press(":")
        terminal.type("save nowhere/x.qin")
        await terminal.until("nowhere/x.qin: no such file or directory")
        assert saved.read_bytes() == first


async def test_a_series_shows_its_totals() -> None:
    settings = types_pb2.TableSettings(games=2)
    async with sitting(settings=settings) as sit:
        terminal = sit.terminal
        terminal.press("s")
        for number in (1, 2):
            await terminal.until(f"game {number} of 2", "Your tiles")
            terminal.press(":")
            terminal.type("resign")
        await terminal.until("series", "ann", "48")


async def test_clocks_and_presence_are_shown() -> None:
    settings = types_pb2.TableSettings(clock=types_pb2.ClockSettings(total_seconds=36_000))
    async with sitting(settings=settings, seats=3, opponents=1) as sit:
        leaving = asyncio.create_task(random_player(sit.where, sit.table.table_id, "cho"))
        await sit.terminal.until("All seats are taken.")
        sit.terminal.press("s")
        await sit.terminal.until("Your tiles")
        leaving.cancel()
        await sit.terminal.until("cho is away", " away")
        lines = [line for line in sit.terminal.lines if " cho " in line and "⌂" in line]
        assert re.search(r"⌂\d+ +3 +(10h00|9h59) away", lines[0])


async def test_the_opponents_moves_stay_marked_until_ones_own() -> None:
    async with sitting(opponents=2, seats=3) as sit:
        await started(sit)
        terminal, model = sit.terminal, sit.screen.model
        terminal.press("tab", "enter")
        await terminal.until(lambda: len(model.journal.last) == 2, "YOUR TURN")
        marked = model.marks().last
        assert marked.bit_count() == 4
        for move in model.journal.last:
            assert sit.table.state.names[move.seat] in move.text
        assert "bob places" in terminal.text
        assert "cho places" in terminal.text


async def test_looking_on() -> None:
    async with sitting() as sit:
        await started(sit)
        stage = sit.terminal.stage
        other = sit.client.with_token("f" * 64)
        watching = TableScreen(stage, other, other.table(sit.table.table_id))
        shown = asyncio.create_task(stage.show(watching))
        await sit.terminal.until("looking on", "ann is to move")
        assert "Your tiles" not in sit.terminal.text
        sit.terminal.press("enter", "tab", "1", "?")
        view = sit.screen.model.view
        assert view is not None
        await sit.table.place(view.legal[0])
        await sit.terminal.until("bob places")
        sit.terminal.press("q")
        await shown
        await sit.terminal.until("Your tiles")


async def test_a_lost_server_is_told_and_come_back_to(tmp_path: Path) -> None:
    database = str(tmp_path / "qin.db")
    context = running(Options(port=0, database=database))
    server = await context.__aenter__()
    async with connect(f"127.0.0.1:{server.port}") as client:
        table = await client.create(board="bird")
        await table.join("ann")

        async def play(stage: Stage) -> None:
            await stage.show(TableScreen(stage, client, table, owner=True))

        async with performing(play) as terminal:
            await terminal.until("At the table")
            await context.__aexit__(None, None, None)
            await terminal.until("The connection is lost, trying again …")
            assert terminal.lines[1].strip() == "The connection is lost, trying again …"
            async with running(Options(port=server.port, database=database)):
                await terminal.until("the server is back", gone="The connection is lost")


async def test_a_message_that_was_overtaken_does_not_stay() -> None:
    async with sitting(opponents=0) as sit:
        terminal = sit.terminal
        terminal.press("s")
        await terminal.until("seat 2 is still free; b seats a bot there")
        async with connect(sit.where) as friend:
            await friend.table(sit.table.table_id).join("bob")
            await terminal.until("bob", gone="still free")
            sit.screen.model.message = Message("of the waiting room")
            terminal.press("s")
            await terminal.until("Your tiles", gone="of the waiting room")


@pytest.mark.parametrize("columns", [64, 80, 120])
async def test_help_and_the_way_out_are_always_among_the_keys(columns: int) -> None:
    async with sitting(columns=columns) as sit:
        await started(sit)
        assert sit.terminal.lines[-1].startswith(" Enter place  1-3 tile")
        assert sit.terminal.lines[-1].endswith("F1 help  q lobby")


async def test_a_hint_never_hides_what_the_tile_would_do() -> None:
    async with sitting() as sit:
        await started(sit)
        terminal, model = sit.terminal, sit.screen.model
        terminal.press(*["up"] * 13, *["left"] * 13)
        preview = model.preview
        told = "; ".join(f"takes the village number {number}" for number in range(1, 6))
        model.preview = lambda: Preview(legal=True, text=told)  # type: ignore[method-assign]
        terminal.press("?")
        await terminal.until("hint 1 of", "number 1", "number 5")
        assert "F1 help" in terminal.lines[-1]
        told = "; ".join(f"takes the village number {number}" for number in range(1, 40))
        terminal.press("?")
        await terminal.until("number 1;", " …")
        model.preview = preview  # type: ignore[method-assign]
        terminal.press("?")
        await terminal.until("hint 1 of", gone="number 1;")


async def test_a_seat_that_is_freed_is_told() -> None:
    async with sitting(opponents=0) as sit:
        await sit.table.free(Seat(0))
        await sit.terminal.until("the seat was freed; q leaves")


@pytest.mark.parametrize(
    ("columns", "rows", "depth"),
    [
        (80, 24, ColorDepth.DEPTH_24_BIT),
        (80, 24, ColorDepth.DEPTH_1_BIT),
        (120, 40, ColorDepth.DEPTH_8_BIT),
        (120, 40, ColorDepth.DEPTH_4_BIT),
    ],
)
async def test_everything_is_on_the_screen(columns: int, rows: int, depth: ColorDepth) -> None:
    async with sitting(board="lion", columns=columns, rows=rows, theme=Theme(depth=depth)) as sit:
        await started(sit)
        terminal = sit.terminal
        lines = terminal.lines
        assert lines[0].startswith(" Qin   lion   table ")
        assert lines[0].endswith("YOUR TURN")
        assert lines[1].split()[:13] == list("abcdefghijklm")
        for row in range(1, 14):
            assert any(line.startswith(f"{row:>2} ") for line in lines), row
        for told in ("player", "left", "ann (you)", "bob", "⌂24", "Your tiles", "Piles", "ok: "):
            assert told in terminal.text
        assert lines[-1].lstrip().startswith("Enter place  1-3 tile  arrows move")
        colours = {
            (cell.fg, cell.bg) for row in terminal.screen.buffer.values() for cell in row.values()
        }
        if depth is ColorDepth.DEPTH_1_BIT:
            assert colours == {("default", "default")}
        else:
            assert len(colours) > 8
        assert max(map(len, lines)) <= columns


async def test_ascii_only_means_it() -> None:
    theme = Theme(depth=ColorDepth.DEPTH_1_BIT, glyphs=ASCII_GLYPHS)
    async with sitting(theme=theme) as sit:
        await started(sit)
        await sit.table.say("“ünï”")
        await sit.terminal.until('ann: "?n?"')
        assert sit.terminal.text.isascii()


async def test_a_large_board_scrolls_with_the_cursor() -> None:
    large = Board.parse("\n".join(["R" + "." * 25, *["." * 26] * 25]), name="large")
    async with sitting(board=large) as sit:
        await started(sit)
        terminal = sit.terminal
        terminal.press(*["left"] * 25, *["up"] * 25)
        await terminal.until(lambda: terminal.lines[1].split()[0] == "a")
        terminal.press(*["right"] * 25, *["down"] * 25)
        await terminal.until(lambda: terminal.lines[1].split()[12] == "z")
        assert any(line.startswith("26 ") for line in terminal.lines)


async def test_resizing_and_tiny_windows() -> None:
    async with sitting() as sit:
        await started(sit)
        terminal = sit.terminal
        terminal.resize(40, 10)
        await terminal.until("This window has 40 x 10 characters.", "please make it larger")
        terminal.resize(120, 40)
        await terminal.until("Your tiles", "F1 help  q lobby")
        assert any(line.startswith("13 ") for line in terminal.lines[26:])


async def test_ctrl_c_leaves_the_terminal_as_it_was() -> None:
    async with sitting() as sit:
        await started(sit)
        sit.terminal.press("c-c")
        await until(lambda: not sit.terminal.stage.app.is_running)
        told = "".join(sit.terminal.raw)
        assert told.rindex("\x1b[?1049l") > told.rindex("\x1b[?1049h")
        assert told.rindex("\x1b[?1000l") > told.rindex("\x1b[?1000h")
        assert told.rindex("\x1b[?25h") > told.rindex("\x1b[?25l")
