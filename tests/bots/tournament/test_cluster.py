"""The same tournament on a Dask cluster; losing a worker loses no finished game."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from bots.tournament.made import lines, play_here, settings
from qin.bots.tournament.crew import ClusterError, cluster
from qin.bots.tournament.ledger import Ledger
from qin.bots.tournament.runner import Progress, run
from qin.bots.tournament.settings import Settings
from qin.bots.tournament.store import create, read_ledger

distributed = pytest.importorskip("distributed", reason="needs the extra qin-game[cluster]")


@pytest.fixture
def workers() -> Iterator[Any]:
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0"
    ) as made:
        yield made


def on_cluster(folder: Path, made: Settings, address: str, tell: Any = lambda _: None) -> None:
    with create(folder, made) as store, cluster(address) as crew:
        run(Ledger(made), store, crew, tell)


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")
def test_a_cluster_plays_the_same_games(tmp_path: Path, workers: Any) -> None:
    made = settings("greedy", "random", games=20)
    on_cluster(tmp_path / "cluster", made, workers.scheduler_address)
    play_here(tmp_path / "here", made)
    assert lines(tmp_path / "cluster") == lines(tmp_path / "here")
    records = [sorted((tmp_path / each / "records").iterdir()) for each in ("cluster", "here")]
    for there, here in zip(*records, strict=True):
        assert there.read_text() == here.read_text()


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")
def test_losing_a_worker_loses_no_finished_game(tmp_path: Path, workers: Any) -> None:
    made = settings("greedy", "random", games=60)
    killed: list[int] = []
    seen = 0

    def tell(progress: Progress) -> None:
        nonlocal seen
        assert progress.ledger.games_decided >= seen
        seen = progress.ledger.games_decided
        if seen >= 10 and not killed:
            killed.append(workers.workers[0].process.process.pid)
            os.kill(killed[0], signal.SIGKILL)

    on_cluster(tmp_path / "cluster", made, workers.scheduler_address, tell)
    assert killed
    play_here(tmp_path / "here", made)
    assert lines(tmp_path / "cluster") == lines(tmp_path / "here")


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")
def test_a_cluster_that_goes_away_keeps_what_was_played(tmp_path: Path, workers: Any) -> None:
    made = settings("greedy", "random", games=400)

    def tell(progress: Progress) -> None:
        if progress.ledger.games_decided >= 4:
            workers.close()

    with pytest.raises(ClusterError, match=r"was lost .* go on with `qin tournament resume`"):
        on_cluster(tmp_path / "cluster", made, workers.scheduler_address, tell)
    assert 4 <= read_ledger(tmp_path / "cluster", made).games_decided < 400


def test_a_cluster_that_is_not_there() -> None:
    with (
        pytest.raises(ClusterError, match=r"start one with `dask scheduler`"),
        cluster("not an address"),
    ):
        pass
