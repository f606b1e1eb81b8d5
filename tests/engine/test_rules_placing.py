"""The rules, chapter "A turn", step 1: place one tile from the hand."""

import pytest
from engine.drawn import after, drawn, game, lay, play, refused, spaces, tiles, why
from qin.engine import Placement, Reason, Tile


def test_a_tile_needs_contact_by_an_edge() -> None:
    played = after(
        """
        . . . . .
        . . R . .
        . . . . .
        """,
        placement="Yd2Be2",
    )
    assert played.shows(
        """
        . . . . .
        . . R Y B
        . . . . .
        """
    )


def test_a_tile_without_contact_is_refused() -> None:
    refusal = refused(
        """
        . . . . .
        . . R . .
        . . . . .
        """,
        placement="Ya1Ba2",
    )
    assert why(refusal) == (Reason.NO_CONTACT, "a1 a2")


@pytest.mark.parametrize("placement", ["Ya2Bb2", "Yb2Ba2", "Yc1Bd1", "Yd1Bc1", "Yb3Bc3"])
def test_it_is_enough_that_one_of_the_two_spaces_has_contact(placement: str) -> None:
    played = after(
        """
        . . . . .
        . . R . .
        . . . . .
        """,
        placement=placement,
    )
    assert played.caused == []


@pytest.mark.parametrize("placement", ["Yd3Be3", "Ya3Bb3", "Ya1Bb1", "Bd1Ye1"])
def test_corners_do_not_count(placement: str) -> None:
    refusal = refused(
        """
        . . . . .
        . . R . .
        . . . . .
        """,
        placement=placement,
    )
    assert refusal.reason is Reason.NO_CONTACT


@pytest.mark.parametrize("tile", ["RR", "YY", "BB", "RY", "YB", "RB"])
def test_contact_may_be_with_any_colour(tile: str) -> None:
    played = after(
        """
        B2 B2 . . .
        """,
        placement=f"{tile[0]}c1{tile[1]}d1",
    )
    assert played.drawing.startswith("B2 B2 ")
    assert played.position.free == spaces("e1")


def test_start_spaces_count() -> None:
    assert after(". Y .  /  . . .", placement="Rc1Bc2").drawing == ". Y R\n. . B"


def test_single_spaces_count() -> None:
    first = after("R . . . .", placement="Yb1Bc1")
    assert first.shows("R Y B . .")
    assert lay(first.position, "Rd1Re1").shows("R Y B R1 R1")


@pytest.mark.parametrize("village", ["V", "V1", "V2"])
def test_villages_do_not_count(village: str) -> None:
    refusal = refused(f"R1 R1 {village} . . / . . . . .", placement="Yd1Ye1")
    assert why(refusal) == (Reason.NO_CONTACT, "d1 e1")


def test_water_does_not_count() -> None:
    assert refused("R ~ . .", placement="Yc1Yd1").reason is Reason.NO_CONTACT


def test_gaps_and_the_edge_of_the_board_do_not_count() -> None:
    refusal = refused(
        """
        R # . .
        # # . .
        """,
        placement="Yd1Yd2",
    )
    assert why(refusal) == (Reason.NO_CONTACT, "d1 d2")


def test_the_contact_must_have_been_there_before() -> None:
    """The tile's own other half, even of the same colour, is no contact."""
    assert refused("R . . . .", placement="Rc1Rd1").reason is Reason.NO_CONTACT


@pytest.mark.parametrize("taken", ["V", "V2", "~", "#", "R", "Y"])
def test_a_tile_lies_on_grassland_alone(taken: str) -> None:
    refusal = refused(f"R . {taken} .", placement="Yb1Bc1")
    assert why(refusal) == (Reason.NOT_GRASSLAND, "c1")


def test_never_onto_a_province() -> None:
    assert why(refused("R1 R1 . .", placement="Ra1Rb1")) == (Reason.NOT_GRASSLAND, "a1 b1")


def test_never_onto_a_space_that_a_tile_covers() -> None:
    first = after("R . . . .", placement="Yb1Bc1").position
    assert Placement.parse("Rc1Rd1") not in first.placements([Tile.RR])
    assert [str(placement) for placement in first.placements([Tile.RR])] == ["Rd1Re1"]


@pytest.mark.parametrize(
    ("placement", "outside"), [("Yc2Yd2", "d2"), ("Yb2Yb3", "b3"), ("Yd1Yd2", "d1 d2")]
)
def test_never_beyond_the_board(placement: str, outside: str) -> None:
    refusal = refused(
        """
        . R .
        . . .
        """,
        placement=placement,
    )
    assert why(refusal) == (Reason.NOT_GRASSLAND, outside)


@pytest.mark.parametrize(
    ("placement", "apart"),
    [("Yb1Yd1", "b1 d1"), ("Yb1Yc2", "b1 c2"), ("Yb1Ya2", "b1 a2"), ("Yb1Bb1", "b1 b1")],
)
def test_the_two_spaces_of_a_tile_share_an_edge(placement: str, apart: str) -> None:
    refusal = refused(
        """
        R . . .
        . . . .
        """,
        placement=placement,
    )
    assert why(refusal) == (Reason.NOT_ADJACENT, apart)


def test_a_row_does_not_run_on_into_the_next() -> None:
    """The last space of a row and the first of the next one are no neighbours."""
    wide = "R" + "." * 25 + "/" + "." * 26
    assert refused(wide, placement="Yz1Ya2").reason is Reason.NOT_ADJACENT
    at_the_end = "." * 25 + "R/" + "." * 26
    assert refused(at_the_end, placement="Ya2Bb2").reason is Reason.NO_CONTACT


def test_a_tile_of_two_colours_lies_in_any_of_four_orientations() -> None:
    placements = drawn(
        """
        R .
        . .
        """
    ).placements([Tile.YB])
    assert sorted(map(str, placements)) == ["Ba2Yb2", "Bb1Yb2", "Ya2Bb2", "Yb1Bb2"]


def test_a_tile_of_one_colour_lies_in_either_of_two_orientations() -> None:
    placements = drawn(
        """
        R .
        . .
        """
    ).placements([Tile.YY])
    assert sorted(map(str, placements)) == ["Ya2Yb2", "Yb1Yb2"]


def test_the_tile_comes_from_the_hand() -> None:
    table = game("R . . .", hands=("YB RR BB", "YY"), piles=("RY", "", "", ""))
    moved, _ = play(table, "Yb1Bc1")
    assert moved.hands == (tiles("RR BB RY"), tiles("YY"))


def test_a_tile_that_founds_and_expands_nothing_is_allowed() -> None:
    played = after(
        """
        R1 R1 . . V
        """,
        placement="Yc1Bd1",
        seat=2,
    )
    assert played.shows("R1 R1 Y B V")
    assert played.caused == []
