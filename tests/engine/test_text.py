"""Every value has a text form: what is formatted parses back, and `repr` rebuilds the value."""

import pytest
from engine.drawn import drawing, drawn, lay, tiles
from qin.engine import (
    Board,
    Colour,
    ParseError,
    Placement,
    Position,
    Tile,
    draw,
    format_position,
    format_space,
    parse_position,
    parse_space,
)
from qin.engine.spaces import column_of, row_of
from qin.engine.tiles import format_tiles, parse_tiles

# ---- spaces ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "column", "row"), [("a1", 0, 0), ("c4", 2, 3), ("m13", 12, 12), ("z26", 25, 25)]
)
def test_a_space_is_a_column_letter_and_a_row_number(text: str, column: int, row: int) -> None:
    space = parse_space(text)
    assert (column_of(space), row_of(space)) == (column, row)
    assert format_space(space) == text
    assert parse_space(text.upper()) == space


def test_every_space_has_a_name_of_its_own() -> None:
    names = [f"{letter}{row}" for row in range(1, 27) for letter in "abcdefghijklmnopqrstuvwxyz"]
    assert [format_space(parse_space(name)) for name in names] == names
    assert len({parse_space(name) for name in names}) == 26 * 26


@pytest.mark.parametrize(
    "text", ["", "a", "4", "4c", "aa1", "a0", "a00", "a-1", "a100", "a1 ", "é1"]
)
def test_other_texts_are_no_space(text: str) -> None:
    with pytest.raises(ValueError, match="is not a space"):
        parse_space(text)


# ---- placements --------------------------------------------------------------------------------


def test_a_placement_is_colour_and_space_twice() -> None:
    placement = Placement.parse("Rc4Yd4")
    assert placement.first_colour is Colour.RED
    assert format_space(placement.first) == "c4"
    assert placement.second_colour is Colour.YELLOW
    assert format_space(placement.second) == "d4"
    assert placement.tile is Tile.RY


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Rc4Yd4", "Rc4Yd4"),
        ("Yd4Rc4", "Rc4Yd4"),
        ("Rc5Yc4", "Yc4Rc5"),
        ("Yc4Rc5", "Yc4Rc5"),
        ("rC4yD4", "Rc4Yd4"),
        ("Bl10Bl9", "Bl9Bl10"),
    ],
)
def test_a_placement_is_read_in_either_order_and_written_upper_or_left_first(
    text: str, written: str
) -> None:
    assert str(Placement.parse(text)) == written
    assert Placement.parse(written) == Placement.parse(text)


@pytest.mark.parametrize(
    "text", ["", "Rc4", "Rc4Yd", "c4Rd4Y", "Gc4Yd4", "Rc4 Yd4", "Rc4Yd4:1", "Rc0Yd1", "Rc4Yd400"]
)
def test_other_texts_are_no_placement(text: str) -> None:
    with pytest.raises(ParseError):
        Placement.parse(text)


def test_the_repr_of_a_placement_rebuilds_it() -> None:
    placement = Placement.parse("Rc4Yd4")
    assert repr(placement) == "Placement.parse('Rc4Yd4')"
    assert eval(repr(placement)) == placement  # noqa: S307 - that it evaluates is the point


# ---- tiles -------------------------------------------------------------------------------------


@pytest.mark.parametrize("tile", Tile)
def test_a_tile_is_two_colours_in_either_order(tile: Tile) -> None:
    assert str(tile) == tile.first.letter + tile.second.letter
    assert Tile.parse(str(tile)) is tile
    assert Tile.parse(str(tile)[::-1]) is tile
    assert Tile.parse(str(tile).lower()) is tile
    assert eval(repr(tile)) is tile  # noqa: S307 - that it evaluates is the point


@pytest.mark.parametrize("text", ["", "R", "RYB", "RG", "R Y"])
def test_other_texts_are_no_tile(text: str) -> None:
    with pytest.raises(ValueError, match="is not a tile; the tiles are RR YY BB RY YB RB"):
        Tile.parse(text)


def test_several_tiles_are_parted_by_blanks() -> None:
    assert parse_tiles("RR YR  BY") == (Tile.RR, Tile.RY, Tile.YB)
    assert format_tiles((Tile.RR, Tile.RY, Tile.YB)) == "RR RY YB"
    assert parse_tiles("") == ()


@pytest.mark.parametrize("colour", Colour)
def test_a_colour_is_a_letter(colour: Colour) -> None:
    assert Colour.parse(colour.letter) is colour
    assert Colour.parse(colour.letter.lower()) is colour
    assert colour.word.upper()[0] == colour.letter


@pytest.mark.parametrize("text", ["", "G", "RY", "red"])
def test_other_texts_are_no_colour(text: str) -> None:
    with pytest.raises(ValueError, match="is not a colour"):
        Colour.parse(text)


# ---- boards ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["bird", "lion"])
def test_the_repr_of_a_board_rebuilds_it(name: str) -> None:
    board = Board.named(name)
    rebuilt = eval(repr(board))  # noqa: S307 - that it evaluates is the point
    assert rebuilt == board
    assert rebuilt.name == name


# ---- positions ---------------------------------------------------------------------------------

PICTURE = """
R1 R1 .  Y  .
V1 V1 ~  .  #
B2 B2 B2 B2 B2
V  .  R  V2 .
"""


def test_a_drawn_position_is_drawn_again() -> None:
    assert format_position(drawn(PICTURE)) == PICTURE.strip()


def test_a_drawn_position_has_its_provinces_villages_and_pagodas() -> None:
    position = drawn(PICTURE)
    assert [
        (colour.letter, province.size, province.owner + 1, province.pagodas, province.major)
        for colour, province in position.provinces()
    ] == [("R", 2, 1, 1, False), ("B", 5, 2, 2, True)]
    assert position.holders == (0, None, 1)
    assert position.reserves == (22, 21)
    assert drawn(PICTURE, players=3).reserves == (17, 16, 19)
    assert drawn(PICTURE, reserves=(1, 2)).reserves == (1, 2)


def test_rows_of_a_position_may_be_parted_by_slashes_and_blanks_left_out() -> None:
    assert drawn("R1R1./V1~#/..Y") == drawn("R1 R1 .\nV1 ~ #\n. . Y\n")
    assert format_position(drawn("R1R1./V1~#/..Y"), separator="/") == "R1 R1 ./V1 ~  #/.  .  Y"


def test_positions_differ_by_everything_that_lies_on_the_table() -> None:
    position = drawn("R1 R1 . V1")
    assert position == drawn("R1 R1 . V1")
    assert hash(position) == hash(drawn("R1 R1 . V1"))
    for other in ("R2 R2 . V1", "R1 R1 . V2", "Y1 Y1 . V1", "R1 R1 R1 V1", "R1 R1 ~ V1"):
        assert position != drawn(other, reserves=position.reserves)
    assert position != drawn("R1 R1 . V1", reserves=(1, 1))


def test_a_position_is_drawn_with_coordinates_for_people() -> None:
    assert draw(drawn("R1 R1 . / V ~ Y")) == ("    a  b  c\n 1  R1 R1 .\n 2  V  ~  Y")


@pytest.mark.parametrize("name", ["bird", "lion"])
def test_the_repr_of_a_position_rebuilds_it(name: str) -> None:
    position = Position.start(Board.named(name), 3)
    assert eval(repr(position)) == position  # noqa: S307 - that it evaluates is the point
    for seat, tile in enumerate(tiles("RR YY RY BB RB YB YY"), start=1):
        placement = position.placements([tile])[0]
        position = lay(position, str(placement), seat=(seat - 1) % 3 + 1).position
        rebuilt = eval(repr(position))  # noqa: S307 - that it evaluates is the point
        assert rebuilt == position
        assert rebuilt.board.name == name
        assert drawing(format_position(rebuilt)) == drawing(format_position(position))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("R1 R2 .", "the province a1 b1 has more than one owner"),
        ("R1 R .", "the province a1 b1 has more than one owner"),
        ("R R .", "the province a1 b1 has no owner"),
        ("R1 . .", "the province a1 is a single space and has an owner"),
        ("R V1 V2", "the village b1 c1 has more than one owner"),
        ("R3 R3 .", "a1: there is no seat 3"),
        ("R . .\n. x .", "row 2 is not a row of a position: '. x .'"),
        ("R5 R5 .", "row 1 is not a row of a position: 'R5 R5 .'"),
    ],
)
def test_what_is_not_a_position_is_refused(text: str, problem: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse_position(text, players=2)
    assert str(caught.value) == problem
