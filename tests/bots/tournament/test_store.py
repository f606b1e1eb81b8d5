"""The folder of a tournament: what is written when, and what is read back."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from bots.tournament.made import by_chance, lines, play_here, played, results_of, settings
from qin.bots.tournament import store
from qin.bots.tournament.games import Result
from qin.bots.tournament.ledger import Ledger
from qin.bots.tournament.settings import Format, Settings, SettingsError, Sprt
from qin.bots.tournament.store import StoreError, read_ledger, read_settings


def written(folder: Path, made: Settings) -> Ledger:
    """A folder with the results of games that nobody played."""
    ledger = played(made, by_chance(Random(1), lambda _: 1.0))
    with store.create(folder, made) as opened:
        for each in ledger.accepted:
            opened.write(each)
    return ledger


def test_settings_are_read_back_as_they_were(tmp_path: Path) -> None:
    made = settings("greedy", "lookahead:width=3", sprt=Sprt(0, 20), format=Format.GAUNTLET)
    written(tmp_path / "t", made)
    assert read_settings(tmp_path / "t") == made


def test_results_are_read_back_as_they_were(tmp_path: Path) -> None:
    ledger = written(tmp_path / "t", settings("greedy", "random", "greedy", games=30))
    again = read_ledger(tmp_path / "t", ledger.settings)
    assert list(again.results) == list(ledger.results)
    assert again.over


@pytest.mark.parametrize("format_", [Format.ROUND_ROBIN, Format.SWISS, Format.KNOCKOUT])
def test_whatever_is_cut_off_is_played_again(tmp_path: Path, format_: Format) -> None:
    """At any byte of the file: what is read is whole deals, and the rest is still to be played."""
    made = settings("greedy", "random", "greedy", "random", games=16, format=format_)
    ledger = written(tmp_path / "t", made)
    path = tmp_path / "t" / store.RESULTS
    whole = path.read_bytes()
    rng = Random(7)
    for cut in [0, 1, len(whole) - 1, *(int(rng.random() * len(whole)) for _ in range(30))]:
        path.write_bytes(whole[:cut])
        again = read_ledger(tmp_path / "t", made)
        complete = whole[:cut].count(b"\n") + (whole[cut : cut + 1] == b"\n")
        assert again.games_decided == complete // 2 * 2
        with store.Store(tmp_path / "t") as opened:
            opened.tidy(again)
            for each in ledger.accepted[len(again.accepted) :]:
                for result in each.results:
                    again.add(result)
                opened.write(each)
            opened.finish(again.results)
        assert path.read_bytes() == whole


def test_a_deal_without_its_records_is_played_again(tmp_path: Path) -> None:
    made = settings(games=8)
    written(tmp_path / "t", made)
    store.record_path(tmp_path / "t", 3).unlink()
    again = read_ledger(tmp_path / "t", made)
    assert [each.group.deal for each in again.accepted] == [1]
    assert [result.deal for result in again.ahead] == [3, 3, 4, 4]


def test_lines_of_another_tournament_are_an_error(tmp_path: Path) -> None:
    written(tmp_path / "t", settings("greedy", "random"))
    with pytest.raises(StoreError, match="game 1 is not one of this tournament"):
        read_ledger(tmp_path / "t", settings("greedy", "lookahead"))


def test_a_folder_takes_one_tournament(tmp_path: Path) -> None:
    written(tmp_path / "t", settings())
    with pytest.raises(StoreError, match="holds a tournament already; go on with it by"):
        store.create(tmp_path / "t", settings())
    (tmp_path / "file").write_text("x")
    store.check_free(tmp_path / "new")
    assert not (tmp_path / "new").exists()
    with pytest.raises(StoreError, match="not a folder"):
        store.create(tmp_path / "file", settings())
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / store.RESULTS).write_text("")
    with pytest.raises(StoreError, match=r"holds results.jsonl of something else"):
        store.create(tmp_path / "other", settings())


def test_one_process_at_a_time(tmp_path: Path) -> None:
    with (
        store.create(tmp_path / "t", settings()),
        pytest.raises(StoreError, match="another process plays this tournament"),
    ):
        store.Store(tmp_path / "t")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"version": 1}', '{"version": 2}', "{"])
def test_settings_that_are_none_are_an_error(tmp_path: Path, text: str) -> None:
    (tmp_path / store.SETTINGS).write_text(text)
    with pytest.raises(StoreError, match=r"tournament\.json: "):
        read_settings(tmp_path)
    with pytest.raises(SettingsError):
        Settings.from_json(json.loads("[]"))


def test_nothing_of_a_deal_is_written_before_its_last_game(tmp_path: Path) -> None:
    """Seen from outside: whenever there is a line or a record, the whole deal is there."""
    made = settings("greedy", "random", games=6)
    with store.create(tmp_path / "t", made) as opened:
        ledger = Ledger(made)
        for group in ledger.round:
            for result in results_of(made, group, lambda _: (0,)):
                if whole := ledger.add(result):
                    opened.write(whole)
                there = [each["deal"] for each in lines(tmp_path / "t")]
                records = len(list((tmp_path / "t" / store.RECORDS).iterdir()))
                assert all(there.count(deal) == 2 for deal in there)
                assert records == len(there)


def test_a_line_is_as_promised(tmp_path: Path) -> None:
    play_here(tmp_path / "t", settings("greedy", "random", games=2))
    first = json.loads((tmp_path / "t" / store.RESULTS).read_text("utf-8").splitlines()[0])
    assert list(first)[:5] == ["game", "deal", "round", "board", "seats"]
    assert first["seats"] == ["greedy", "random"]
    assert first["winners"] == [1]
    assert first["reserves"][0] == 0
    assert first["ending"] == "last-pagoda"
    assert sum(first["decisions"]) == first["plies"]
    assert first["faults"] == []
    assert Result.parse(json.dumps(first)).line() == json.dumps(first)
