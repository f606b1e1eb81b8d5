"""Bots at fault: the game is forfeited with the reason, and the rest of the tournament is right."""

from __future__ import annotations

from pathlib import Path

import pytest
from bots.tournament.made import broken, lines, play_here, settings
from needs import needs_linux
from qin.bots.tournament.games import Job, Result
from qin.bots.tournament.ledger import Ledger
from qin.bots.tournament.schedule import job
from qin.bots.tournament.stats import stats_of
from qin.bots.tournament.watchdog import Stage
from qin.engine import parse_record

BUSY = "silent.py:BusySilentBot"
FAULTS = [
    ("slow.py:SlowBot:seconds=1.4", "time"),
    ("crashing.py:CrashingBot", "crash"),
    ("crashing.py:ExitingBot", "crash"),
    ("crashing.py:DyingBot", "crash"),
    ("crashing.py:EarlyCrashingBot", "crash"),
    ("illegal.py:IllegalBot", "illegal"),
    ("garbage.py:GarbageBot", "illegal"),
    ("silent.py:SilentBot", "silence"),
    (BUSY, "silence"),
    pytest.param("hungry.py:HungryBot:megabytes=150", "memory", marks=needs_linux),
]


def game(*specs: str, number: int = 1, seconds: float = 1.0, megabytes: int = 512) -> Job:
    made = settings(
        *specs, players=len(specs), games=60, seconds=seconds, megabytes=megabytes, seed=11
    )
    group = next(each for each in Ledger(made).round if number in each.games)
    return job(made, group, number)


def played(*specs: str, number: int = 1, seconds: float = 1.0) -> Result:
    stage = Stage()
    try:
        return stage.play(game(*specs, number=number, seconds=seconds))
    finally:
        stage.close()


@pytest.mark.parametrize(("spec", "reason"), FAULTS)
def test_the_game_is_forfeited_with_the_reason(spec: str, reason: str) -> None:
    # A hungry bot needs its time to eat; the others are to have little.
    result = played("greedy", broken(spec), seconds=20 if reason == "memory" else 1.0)
    (fault,) = result.faults
    assert (result.seats[fault.seat - 1], fault.reason) == (broken_name(spec), reason)
    assert result.ending == "forfeit"
    assert [result.seats[seat - 1] for seat in result.winners] == ["greedy"]
    parse_record(result.record).check()


@pytest.mark.parametrize(("spec", "reason"), FAULTS)
def test_the_others_play_on_as_if_nothing_had_happened(spec: str, reason: str) -> None:
    """Also where the process of all of them had to be ended: their choices are the same."""
    seconds = 20 if reason == "memory" else 1.0
    result = played("greedy", broken(spec), "random", seconds=seconds)
    (fault,) = result.faults
    assert fault.reason == reason
    assert result.ending != "forfeit"
    assert fault.seat not in result.winners
    parse_record(result.record).check()
    again = played("greedy", broken(spec), "random", seconds=seconds)
    assert again.record == result.record
    # A bot that resigned at the same ply, by itself, would leave the same game behind.
    assert result.record.count("forfeit") == 1


def test_a_hang_and_a_polite_crash_at_the_same_ply_leave_the_same_game() -> None:
    """The one ends the process, and all is replayed; the other does not."""
    hung = played("greedy", broken(BUSY), "random", "greedy")
    early = played("greedy", broken("crashing.py:CrashingBot:after=0"), "random", "greedy")
    assert hung.faults[0].ply == early.faults[0].ply
    moves = [result.record.partition("\n\n")[2] for result in (hung, early)]
    assert moves[0] == moves[1]


def test_two_bots_at_fault_at_one_table() -> None:
    result = played(
        broken(BUSY), "greedy", broken("crashing.py:DyingBot"), broken("illegal.py:IllegalBot")
    )
    assert {fault.reason for fault in result.faults} == {"silence", "crash", "illegal"}
    assert [result.seats[seat - 1] for seat in result.winners] == ["greedy"]
    assert result.ending == "forfeit"
    parse_record(result.record).check()


@pytest.mark.parametrize(
    ("spec", "reason"),
    [("crashing.py:LateCrashingBot", "crash"), ("silent.py:SilentAtTheEndBot", "silence")],
)
def test_a_fault_after_the_end_is_noted_and_changes_nothing(spec: str, reason: str) -> None:
    result = played("greedy", broken(spec))
    (fault,) = result.faults
    assert (fault.reason, fault.ply) == (reason, result.plies)
    assert result.ending == "last-pagoda"


@needs_linux
def test_memory_is_blamed_on_who_holds_it() -> None:
    """The greedy bot may be the one whose small wish cannot be granted any more."""
    for number in range(1, 5):
        result = played(
            "lookahead:width=3", broken("hungry.py:HungryBot:megabytes=120"), number=number,
            seconds=20,
        )  # fmt: skip
        assert [result.seats[fault.seat - 1] for fault in result.faults] == ["HungryBot"]


def test_a_process_is_used_again_unless_there_was_a_fault() -> None:
    stage = Stage()
    try:
        stage.play(game("random", "random"))
        first = stage._process
        assert first is not None
        stage.play(game("random", "random", number=2))
        assert stage._process is first
        stage.play(game("random", broken("crashing.py:CrashingBot")))
        assert first.poll() is not None
    finally:
        stage.close()


def test_broken_bots_take_part_and_the_rest_of_the_table_is_right(tmp_path: Path) -> None:
    """What the sound bots play among themselves is what they would play without the others."""
    sound = ("greedy", "random")
    made = settings(
        *sound,
        *(broken(spec) for spec in ("crashing.py:DyingBot", BUSY, "illegal.py:IllegalBot")),
        games=16,
        seconds=1.0,
        faults=3,
        seed=4,
    )
    ledger = play_here(tmp_path / "all", made)
    stats = stats_of(ledger)
    assert [bot.name for bot in stats.bots if not bot.withdrawn] == list(sound)
    assert {bot.name for bot in stats.bots if bot.withdrawn} == {
        "DyingBot",
        "BusySilentBot",
        "IllegalBot",
    }
    assert all(pair.marked == bool({pair.bot, pair.rival} - set(sound)) for pair in stats.pairs)
    written = lines(tmp_path / "all")
    assert [line["game"] for line in written] == sorted(line["game"] for line in written)
    for line in written:
        at_fault = {line["seats"][fault["seat"] - 1] for fault in line["faults"]}
        assert not at_fault & set(sound)
    assert len(written) == len(list((tmp_path / "all" / "records").iterdir()))
    # Another number of games at a time decides nothing.
    play_here(tmp_path / "one", made, concurrency=1)
    assert lines(tmp_path / "one") == written


def broken_name(spec: str) -> str:
    return spec.split(":")[1]
