"""The rules, chapter "The boards": the two that come with the game, and boards from files."""

import pytest
from engine.drawn import drawing
from qin.engine import Board, BoardError, Colour, ParseError, Position, board_names, spaces_of
from qin.engine.spaces import column_of, format_spaces, row_of

SHIPPED = [Board.named(name) for name in board_names()]

LEGEND = "use . grassland, V village, ~ water, # no space, and R Y B start spaces"


def problem(text: str) -> str:
    """How a text is refused that is not a board."""
    with pytest.raises(BoardError) as caught:
        Board.parse(text)
    return str(caught.value)


# ---- the boards that come with the game --------------------------------------------------------


def test_bird_and_lion_come_with_the_game() -> None:
    assert board_names() == ("bird", "lion")
    assert [board.name for board in SHIPPED] == ["bird", "lion"]


def test_a_board_of_another_name_does_not() -> None:
    with pytest.raises(BoardError, match=r"there is no board 'fish'; there are bird, lion"):
        Board.named("fish")


@pytest.mark.parametrize("board", SHIPPED, ids=lambda board: board.name)
def test_a_shipped_board_is_13_by_13(board: Board) -> None:
    assert (board.width, board.height) == (13, 13)
    assert {len(row) for row in board.rows} == {13}


@pytest.mark.parametrize("board", SHIPPED, ids=lambda board: board.name)
def test_a_shipped_board_has_one_start_space_of_each_colour_near_the_middle(board: Board) -> None:
    assert [start.bit_count() for start in board.starts] == [1, 1, 1]
    for start in board.starts:
        (space,) = spaces_of(start)
        assert abs(column_of(space) - 6) <= 2
        assert abs(row_of(space) - 6) <= 2


@pytest.mark.parametrize("board", SHIPPED, ids=lambda board: board.name)
def test_the_villages_of_a_shipped_board_cover_one_or_two_squares(board: Board) -> None:
    assert {village.bit_count() for village in board.villages} == {1, 2}


def test_bird_has_no_water_and_lion_has() -> None:
    bird, lion = SHIPPED
    assert "~" not in bird.map
    assert "~" in lion.map


def test_lion_has_more_villages_than_bird() -> None:
    bird, lion = SHIPPED
    assert len(lion.villages) > len(bird.villages) > 0


# ---- boards from files -------------------------------------------------------------------------


def test_the_characters_of_a_board() -> None:
    board = Board.parse(". V ~ #\nR . . Y\n. V V B\n")
    assert board.rows == (".V~#", "R..Y", ".VVB")
    assert format_spaces(spaces_of(board.grass)) == "a1 b2 c2 a3"
    assert [format_spaces(spaces_of(board.starts[colour])) for colour in Colour] == [
        "a2",
        "d2",
        "d3",
    ]
    assert [format_spaces(spaces_of(village)) for village in board.villages] == ["b1", "b3 c3"]


@pytest.mark.parametrize(
    "text",
    [
        "R..\n.V~\n",
        "R..\n.V~",
        "R . .\n. V ~\n",
        "  R  . . \n.V ~\t\n",
        "R . .  \n. V ~  \n",
        "R..\r\n.V~\r\n",
        "R . .\r\n. V ~\r\n\r\n",
        "R..\n.V~\n\n\n",
        "R..\n.V~\n   \n\t\n",
    ],
)
def test_blanks_crlf_and_empty_last_lines_are_ignored(text: str) -> None:
    assert Board.parse(text).rows == ("R..", ".V~")


def test_a_board_on_one_line_has_its_rows_parted_by_slashes() -> None:
    board = Board.parse("R../.V~/...")
    assert board.rows == ("R..", ".V~", "...")
    assert board.map == "R../.V~/..."
    assert board == Board.parse("R..\n.V~\n...\n")


def test_a_board_may_have_one_row_or_one_column() -> None:
    assert Board.parse("R..\n").rows == ("R..",)
    assert Board.parse("R\n.\n.\n").rows == ("R", ".", ".")


def test_a_board_may_have_26_columns_and_26_rows() -> None:
    board = Board.parse("\n".join(["." * 25 + "R"] + ["." * 26] * 25))
    assert (board.width, board.height) == (26, 26)


def test_a_board_may_do_with_start_spaces_of_one_colour() -> None:
    board = Board.parse("B . . B")
    assert [start.bit_count() for start in board.starts] == [0, 0, 2]


def test_start_spaces_of_two_colours_may_touch() -> None:
    assert Board.parse("R Y . .").rows == ("RY..",)


def test_start_spaces_of_a_colour_may_meet_at_a_corner() -> None:
    assert Board.parse("R . . / . R .").starts[Colour.RED].bit_count() == 2


def test_boards_are_equal_when_they_print_the_same() -> None:
    one, other = Board.parse("R..", name="one"), Board.parse("R . .", name="other")
    assert one == other
    assert hash(one) == hash(other)
    assert one != Board.parse("Y..", name="one")


def test_a_shipped_board_reads_back_as_it_prints() -> None:
    for board in SHIPPED:
        assert Board.parse(str(board)) == board == Board.parse(board.map)
        assert Board.parse(str(board)).rows == board.rows
        assert drawing(str(Board.parse(board.map))) == str(board)


def test_a_custom_board_can_be_played_on() -> None:
    assert Position.start(Board.parse("R . . V"), 4).reserves == (15, 15, 15, 15)


# ---- what is refused, with the line and the reason ---------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "cell", "column"),
    [
        ("R..\n..x\n", 2, "x", 3),
        ("r..\n...\n", 1, "r", 1),
        ("R..\n...\n.1.\n", 3, "1", 2),
        ("R . .\n. / .\n", 2, "/", 2),
        ("R . .\n. R1 .\n", 2, "1", 3),
        ("R../.?.", 2, "?", 2),
    ],
)
def test_other_characters_are_refused(text: str, line: int, cell: str, column: int) -> None:
    assert problem(text) == f"line {line}: {cell!r} at column {column}; {LEGEND}"


@pytest.mark.parametrize(
    ("text", "line", "here", "first"),
    [
        ("R...\n...\n....\n", 2, 3, 4),
        ("R..\n...\n....\n", 3, 4, 3),
    ],
)
def test_ragged_rows_are_refused(text: str, line: int, here: int, first: int) -> None:
    assert problem(text) == f"line {line}: the row has {here} spaces, the first row has {first}"


def test_an_empty_line_before_the_last_row_is_refused() -> None:
    expected = "line 2: an empty line before the last row of the board"
    assert problem("R..\n\n...\n") == expected


def test_a_board_file_with_old_line_ends_is_read() -> None:
    assert Board.parse("R..\r...\r").rows == ("R..", "...")


def test_a_board_without_a_start_space_is_refused() -> None:
    assert problem("...\n.V.\n...\n") == (
        "line 3: the board ends without a start space; put an R, Y or B on it"
    )


@pytest.mark.parametrize(
    ("text", "line", "colour", "touching"),
    [
        ("RR.\n...\n", 1, "red", "a1 b1"),
        ("...\n.Y.\n.Y.\n", 2, "yellow", "b2 b3"),
        ("R..\n..B\n..B\n.BB\n", 2, "blue", "c2 c3 b4 c4"),
    ],
)
def test_touching_start_spaces_of_a_colour_are_refused(
    text: str, line: int, colour: str, touching: str
) -> None:
    assert problem(text) == (
        f"line {line}: the {colour} start spaces {touching} touch;"
        " start spaces of a colour stand alone"
    )


@pytest.mark.parametrize(
    ("text", "line", "space"),
    [
        ("~~~\nR.~\n~~.\n", 2, "a2"),
        ("R#.\n##.\n", 1, "a1"),
        ("V~~\n~~~\n~R~\n", 3, "b3"),
        ("RV../#V..", 1, "a1"),
        ("R.\n", 1, "a1"),
    ],
)
def test_a_board_with_no_room_to_place_a_tile_is_refused(text: str, line: int, space: str) -> None:
    assert problem(text) == (
        f"line {line}: no room to place a tile; two adjacent grassland spaces must lie beside"
        f" a start space, such as {space}"
    )


def test_room_beside_any_of_the_start_spaces_will_do() -> None:
    assert Board.parse("R#Y..").width == 5


def test_more_than_26_columns_are_refused() -> None:
    assert problem("R" + "." * 26) == "line 1: a board has at most 26 columns, here are 27"
    assert problem("R" + "." * 25 + "\n" + "." * 30 + "\n") == (
        "line 2: a board has at most 26 columns, here are 30"
    )


def test_more_than_26_rows_are_refused() -> None:
    assert problem("R..\n" + "...\n" * 26) == "line 27: a board has at most 26 rows, here are 27"


@pytest.mark.parametrize("text", ["", "\n", "  \n\t\n", "\r\n"])
def test_an_empty_file_is_refused(text: str) -> None:
    assert problem(text) == f"line 1: the board is empty; {LEGEND}"


def test_a_board_that_is_refused_is_a_text_that_cannot_be_read() -> None:
    with pytest.raises(ParseError):
        Board.parse("?")
