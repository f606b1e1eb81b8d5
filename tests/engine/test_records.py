"""Records: what is written is read, replays, and is written the same again."""

from __future__ import annotations

from random import Random

import pytest
from engine.golden.counting import FOLDER, Plan
from engine.strategies import Setup, setups
from hypothesis import assume, given
from hypothesis import strategies as st
from qin.engine import (
    Board,
    Deal,
    Game,
    QinError,
    Record,
    Recorder,
    RecordError,
    Seat,
    format_position,
    name_problem,
    parse_record,
)

NAMES = ("ann", "bob", "cho", "dan")
GOLDEN = [file.read_text("utf-8") for file in sorted(FOLDER.glob("*.qin"))]


def record_of(setup: Setup, **tags: str) -> tuple[Record, Game] | None:
    """A game taken down; None when it was left off before its end."""
    game = setup.start()
    recorder = Recorder(game, NAMES[: game.players], tags)
    for step in setup.play():
        recorder.note(step.before.turn, step.events)
        game = step.after
    return (recorder.record(game), game) if game.outcome else None


@given(setups(whole=True))
def test_a_record_replays_to_the_same_end(setup: Setup) -> None:
    taken = record_of(setup)
    assume(taken is not None)
    assert taken is not None
    record, game = taken
    text = str(record)
    read = parse_record(text)
    assert read == record
    assert str(read) == text
    end = read.check()
    assert end.position == game.position
    assert (end.outcome, end.hands, end.piles) == (game.outcome, game.hands, game.piles)
    assert (end.out, end.ply) == (game.out, game.ply)


@given(setups(whole=True))
def test_a_replay_passes_through_every_game_on_the_way(setup: Setup) -> None:
    taken = record_of(setup)
    assume(taken is not None)
    assert taken is not None
    replayed = list(parse_record(str(taken[0])).replay())
    steps = list(setup.play())
    assert replayed[0][1] == []
    assert len(replayed) == len(steps) + 1
    for (game, events), step in zip(replayed[1:], steps, strict=True):
        assert events == step.events
        assert format_position(game.position) == format_position(step.after.position)
        assert (game.turn, game.ply) == (step.after.turn, step.after.ply)


def test_further_tags_follow_and_are_kept() -> None:
    text = GOLDEN[0].replace("\n\n", '\n[Date "2026-01-01"]\n[Whatever "x y / z"]\n\n', 1)
    record = parse_record(text)
    assert record.tags == {"Date": "2026-01-01", "Whatever": "x y / z"}
    record.check()
    assert str(record) == text


def test_a_recorder_writes_further_tags() -> None:
    setup = Setup(
        Board.named("lion"), Deal.shuffled(2, Random(4)), Seat(1), (24, 24), 4, False, 0.0, 200
    )
    taken = record_of(setup, Event="a test", Date="today")
    assert taken is not None
    assert '[Event "a test"]\n[Date "today"]\n\n1 ' in str(taken[0])
    assert parse_record(str(taken[0])).tags == {"Event": "a test", "Date": "today"}


@pytest.mark.parametrize("change", ["\n", "\r\n", "  \n", "\n\n"])
def test_line_ends_blanks_and_empty_lines_do_not_matter(change: str) -> None:
    text = GOLDEN[0]
    assert str(parse_record(text.replace("\n", change))) == text


def test_a_recorder_tells_equal_names_apart() -> None:
    game = Game.start(Board.named("bird"), Deal.shuffled(3, Random(1)))
    recorder = Recorder(game, ("bot", "bot", "bot"))
    for seat in (1, 2):
        turn = game.turn
        game, events = game.withdraw(Seat(seat), forfeit=seat == 2)
        recorder.note(turn, events)
    record = recorder.record(game)
    assert record.seats == ("bot", "bot-2", "bot-3")
    assert str(record).endswith("\n\n1 2=resign 3=forfeit\n")
    assert parse_record(str(record)).check().outcome == game.outcome


def test_a_game_that_goes_on_has_no_record() -> None:
    game = Game.start(Board.named("bird"), Deal.shuffled(2, Random(1)))
    with pytest.raises(ValueError, match="when it is over"):
        Recorder(game, NAMES[:2]).record(game)


def test_a_seat_that_plays_on_alone_begins_a_round_with_each_move() -> None:
    """The other has no tiles left and is skipped (R11)."""
    start = Game.start(Board.named("bird"), Deal.shuffled(2, Random(1)))
    game = Game(start.position, (start.hands[0], ()), ((), (), (), ()), Seat(0))
    recorder = Recorder(game, NAMES[:2])
    moves = []
    while not game.outcome:
        moves.append(str(game.legal[0]))
        after, events = game.place(game.legal[0])
        recorder.note(game.turn, events)
        game = after
    assert recorder.record(game).rounds == tuple((move,) for move in moves)
    assert len(moves) == 3


# ---- anything may come in a file ----------------------------------------------------------------

PIECES = st.sampled_from(
    [
        *(line for text in GOLDEN[:4] for line in text.splitlines()[:14]),
        *'["] /\\=:RYB1a',
        "pass",
        "1=resign",
        "[Qin",
        "\x00",
        "\u2028",
        "\ud800",
    ]
)


def read_anything(text: str) -> bool:
    """Whether it is a true record; every other text is a `RecordError`."""
    try:
        parse_record(text).check()
    except RecordError as error:
        problem = error
    else:
        return True
    assert 1 <= problem.line <= 1 + text.count("\n") + text.count("\r")
    assert str(problem)
    return False


@given(st.text() | st.lists(PIECES).map("\n".join) | st.lists(PIECES).map("".join))
def test_garbage_is_told_to_be_no_record(text: str) -> None:
    assert not read_anything(text)


@given(st.sampled_from(GOLDEN), st.integers(0, 10_000), st.text(max_size=2), st.integers(0, 3))
def test_a_record_changed_anywhere_is_refused_or_true(
    text: str, place: int, put: str, cut: int
) -> None:
    at = place % len(text)
    changed = text[:at] + put + text[at + cut :]
    if read_anything(changed):
        # Only names, further tags, blanks and the choice of equal words may differ.
        before, after = parse_record(text), parse_record(changed)
        assert after.check().outcome == before.outcome


@given(st.sampled_from(GOLDEN), st.integers(0, 10_000))
def test_a_record_cut_short_is_refused(text: str, length: int) -> None:
    short = text[: length % len(text.rstrip())]
    assert not read_anything(short)


@given(st.sampled_from(GOLDEN), st.integers(0, 5000), st.sampled_from("RYB"), st.integers(0, 26))
def test_a_changed_move_is_refused_or_leads_elsewhere(
    text: str, place: int, colour: str, row: int
) -> None:
    """A move changed to another one: the record says so, in the line of the move or the end."""
    head, _, moves = text.partition("\n\n")
    at = place % len(moves)
    changed = moves[:at] + (colour if moves[at] in "RYB" else str(row)) + moves[at + 1 :]
    fault: RecordError | None = None
    try:
        parse_record(f"{head}\n\n{changed}").check()
    except RecordError as error:
        fault = error
    # Another true move has to be one that leads to the very same end.
    assert fault is None or fault.line > head.count("\n")


@given(st.text(max_size=40))
def test_names_are_names_or_have_a_problem(name: str) -> None:
    text = GOLDEN[0].replace('Seats "ann', f'Seats "{name}')
    assume("/" not in name and name != "bob" and "\r" not in name)
    if name_problem(name) is None:
        assert parse_record(text).seats[0] == name
    else:
        with pytest.raises(QinError):
            parse_record(text)


def test_plans_make_the_golden_records() -> None:
    """The kept record is what its seed still gives (see golden/make.py)."""
    made = {str(Plan("plain", 4, seed).record()) for seed in range(1, 40)}
    assert (FOLDER / "plain-4-out-of-tiles.qin").read_text("utf-8") in made
