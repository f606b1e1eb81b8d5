"""The board as text: what stands where, what is marked, and which part of a large one is shown."""

from __future__ import annotations

from random import Random

import pytest
from prompt_toolkit.formatted_text import to_plain_text
from qin.client.tui.board_view import NO_MARKS, Ghost, Marks, draw_board
from qin.client.tui.scale import SCALES, Cut, Scale, cut_for, size_of
from qin.client.tui.theme import ASCII_GLYPHS, Glyphs
from qin.engine import Board, Placement, Position, parse_position, parse_space
from qin.engine.spaces import mask_of

DRAWN = """
R1 R1 .  V1 ~
R1 R1 R1 Y  .
.  B2 B2 V2 #
.  .  .  V2 .
"""


def whole(board: Board, scale: Scale = SCALES[0]) -> Cut:
    return cut_for(board, *size_of(board, scale))


def drawn(position: Position, marks: Marks = NO_MARKS, *, glyphs: Glyphs = ASCII_GLYPHS) -> str:
    lines = draw_board(position, glyphs, whole(position.board), marks)
    return "\n".join(to_plain_text(line).rstrip() for line in lines)


def spaces(text: str) -> int:
    return mask_of(map(parse_space, text.split()))


@pytest.fixture
def position() -> Position:
    return parse_position(DRAWN, players=2)


def test_a_board_tells_in_letters_alone_what_is_there(position: Position) -> None:
    assert drawn(position) == (
        "    a  b  c  d  e\n"
        " 1  R  R  . V^1~~~\n"
        " 2  R ^^1 R  Y  .\n"
        " 3  . B^2 B V^2\n"
        " 4  .  .  .  V  ."
    )


def test_usual_glyphs(position: Position) -> None:
    assert " 2  R ⌂⌂1 R  Y  ∙" in drawn(position, glyphs=Glyphs())


def test_a_tile_that_is_held_over_the_board_shows_whether_it_may_lie_there(
    position: Position,
) -> None:
    placement = Placement.parse("Yb4Bc4")
    legal = drawn(position, Marks(ghost=Ghost(placement, legal=True)))
    assert " 4  . [Y][B] V  ." in legal
    refused = drawn(position, Marks(ghost=Ghost(placement, legal=False)))
    assert " 4  . xYxxBx V  ." in refused


def test_marks_are_shapes(position: Position) -> None:
    marks = Marks(
        legal=spaces("c1 a3"), last=spaces("c2 d2"), refused=spaces("c3 b3"), lit=spaces("d4")
    )
    assert drawn(position, marks).splitlines()[1:] == [
        " 1  R  R  + V^1~~~",
        " 2  R ^^1(R)(Y) .",
        " 3  + B^2!B!V^2",
        " 4  .  .  . <V> .",
    ]


def test_the_cursor_shows_by_its_row_and_its_column(position: Position) -> None:
    lines = draw_board(
        position, ASCII_GLYPHS, whole(position.board), Marks(cursor=parse_space("c2"))
    )
    here = [text for line in lines for style, text, *_ in line if style == "class:label.here"]
    assert [text.strip() for text in here] == ["c", "2"]


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("name", ["bird", "lion"])
def test_every_line_is_as_wide_as_it_says(scale: Scale, name: str) -> None:
    board = Board.named(name)
    cut = whole(board, scale)
    lines = draw_board(Position.start(board, 2), Glyphs(), cut)
    assert [len(to_plain_text(line)) for line in lines] == [cut.width] * cut.height


def test_the_boards_fit_beside_a_panel_in_80_by_24_and_use_more_room() -> None:
    board = Board.named("bird")
    assert size_of(board, SCALES[0]) == (42, 14)
    assert cut_for(board, 44, 18).scale == SCALES[0]
    assert cut_for(board, 70, 30).scale == SCALES[1]
    assert cut_for(board, 120, 60).scale == SCALES[2]


def test_a_large_board_scrolls_with_the_cursor_and_no_more_than_it_must() -> None:
    board = Board("large", ("R" + "." * 25,) + ("." * 26,) * 25)
    first = cut_for(board, 42, 14, parse_space("a1"))
    assert (first.left, first.top, first.columns, first.rows) == (0, 0, 13, 13)
    assert cut_for(board, 42, 14, parse_space("l12"), first) == first
    moved = cut_for(board, 42, 14, parse_space("m12"), first)
    assert (moved.left, moved.top) == (1, 0)
    last = cut_for(board, 42, 14, parse_space("z26"), moved)
    assert (last.left, last.top) == (13, 13)
    lines = draw_board(Position.start(board, 2), Glyphs(), moved, Marks())
    assert to_plain_text(lines[0]).split() == ["‹b", *"cdefghijklm", "n›"]
    assert to_plain_text(lines[-1]).startswith("13v")
    assert cut_for(board, 1, 1).columns == 1


def test_a_click_finds_the_space_that_is_drawn_there() -> None:
    rng = Random(1)
    board = Board("large", ("R" + "." * 25,) + ("." * 26,) * 25)
    for _ in range(200):
        cursor = parse_space(f"{rng.choice('abcdefghijklmnopqrstuvwxyz')}{rng.randint(1, 26)}")
        cut = cut_for(board, rng.randint(10, 150), rng.randint(5, 60), cursor)
        place = cut.place_of(cursor)
        assert place is not None
        assert cut.space_under(*place) == cursor
    assert cut_for(board, 42, 14).space_under(0, 0) is None
    assert cut_for(board, 42, 14, parse_space("a1")).place_of(parse_space("z26")) is None
