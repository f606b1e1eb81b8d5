"""The environment for learning agents: PettingZoo's own tests, and what they do not ask."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable
from copy import deepcopy
from functools import partial
from pathlib import Path
from random import Random

import numpy as np
import pytest
from bots.agents import SMALL, Env, last, legal_actions, play
from bots.moments import permuted
from pettingzoo.test.api_test import api_test
from pettingzoo.test.render_test import render_test
from pettingzoo.test.seed_test import seed_test
from qin.bots.rl import env, raw_env
from qin.bots.rl.environment import rewards_of
from qin.engine import (
    Board,
    Ending,
    Game,
    Outcome,
    Passed,
    Placed,
    Seat,
    parse_record,
)

WITH_A_PASS = Path(__file__).parents[1] / "engine" / "golden" / "ladder-2-pass.qin"

Maker = Callable[..., Env]

every_table = pytest.mark.parametrize("players", [2, 3, 4])
every_board = pytest.mark.parametrize(
    "board", ["bird", "lion", SMALL], ids=["bird", "lion", "small"]
)
both_ways = pytest.mark.parametrize("make", [env, raw_env], ids=["env", "raw_env"])

# PettingZoo recommends plain arrays, and yet its own games with masks give dicts as we do.
dicts_are_meant = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be gymnasium.spaces.box",
)


# ---- what PettingZoo asks --------------------------------------------------------------------


@dicts_are_meant
@both_ways
@every_table
@every_board
def test_pettingzoo_accepts_it(make: Maker, board: Board | str, players: int) -> None:
    api_test(make(board, players), num_cycles=100)  # type: ignore[no-untyped-call]


@both_ways
@every_table
def test_pettingzoo_finds_seeds_kept(make: Maker, players: int) -> None:
    seed_test(partial(make, "lion", players), num_cycles=100)  # type: ignore[no-untyped-call]


@both_ways
def test_pettingzoo_accepts_how_it_is_drawn(
    make: Maker, capsys: pytest.CaptureFixture[str]
) -> None:
    render_test(partial(make, SMALL))  # type: ignore[arg-type]  # it says Gymnasium, wrongly
    assert "player_0" in capsys.readouterr().out


# ---- a game ----------------------------------------------------------------------------------


@every_table
@every_board
def test_a_game_is_the_engines_game(board: Board | str, players: int) -> None:
    """Step by step the mask holds the legal placements, and an action does what it says."""
    table, rng = raw_env(board, players), Random(1)
    for seed in range(5):
        table.reset(seed=seed)
        game = table.game
        while game.outcome is None:
            assert table.agent_selection == f"player_{game.turn}"
            seen, _, _ = last(table)
            assert set(map(table.actions.decode, legal_actions(seen))) == set(game.legal)
            placement = game.legal.choice(rng)
            table.step(table.actions.encode(placement))
            game, _ = game.place(placement)
            while game.must_pass:
                game, _ = game.pass_turn()
            assert table.game == game


@both_ways
@every_table
@every_board
def test_random_agents_come_to_an_end(make: Maker, board: Board | str, players: int) -> None:
    table: Env = make(board, players)
    for seed in range(5):
        table.reset(seed=seed)
        actions, rewards = play(table, Random(seed))
        assert 1 <= len(actions) <= 72
        assert sorted(rewards) == table.possible_agents
        assert sum(rewards.values()) == pytest.approx(0)
        assert table.agents == []


def test_who_must_pass_is_passed_for() -> None:
    replayed = list(parse_record(WITH_A_PASS.read_text("utf-8")).replay())
    passed = next(
        n for n, (_, events) in enumerate(replayed) if events and isinstance(events[0], Passed)
    )
    before = replayed[passed - 2][0]
    (placed, *_) = replayed[passed - 1][1]
    assert isinstance(placed, Placed)
    table = raw_env(before.position.board, 2)
    table.reset(seed=1)
    table._go_on(before)
    table.step(table.actions.encode(placed.placement))
    assert table.game.ply == before.ply + 2
    assert table.agent_selection == f"player_{before.turn}"
    assert legal_actions(table.observe(table.agent_selection))


@every_table
def test_only_the_agent_to_act_has_actions(players: int) -> None:
    table = raw_env("bird", players)
    table.reset(seed=3)
    can_act = [bool(legal_actions(table.observe(agent))) for agent in table.agents]
    assert can_act == [True] + [False] * (players - 1)


def test_an_observation_hides_what_others_hold() -> None:
    table, rng = raw_env("lion", 4), Random(5)
    table.reset(seed=5)
    for _ in range(12):
        seen, _, _ = last(table)
        table.step(rng.choice(legal_actions(seen)))
    for seat, agent in enumerate(table.agents):
        other = deepcopy(table)
        other._game = permuted(table.game, Seat(seat), rng)
        before, after = table.observe(agent), other.observe(agent)
        assert np.array_equal(before["observation"], after["observation"])
        assert np.array_equal(before["action_mask"], after["action_mask"])


# ---- the end ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "winners", "rewards"),
    [
        (2, [0], [1, -1]),
        (2, [0, 1], [0, 0]),
        (3, [2], [-0.5, -0.5, 1]),
        (3, [0, 1], [0.5, 0.5, -1]),
        (4, [1, 3], [-0.5, 0.5, -0.5, 0.5]),
        (4, [0, 1, 2, 3], [0, 0, 0, 0]),
    ],
)
def test_winners_share_one_and_losers_share_the_other(
    players: int, winners: list[int], rewards: list[float]
) -> None:
    outcome = Outcome(Ending.BOARD_FULL, tuple(map(Seat, winners)))
    assert rewards_of(outcome, players) == rewards


@every_table
def test_at_the_end_everybody_is_told(players: int) -> None:
    table, rng = raw_env(SMALL, players), Random(2)
    table.reset(seed=2)
    while not any(table.terminations.values()):
        assert table.rewards == dict.fromkeys(table.agents, 0)
        assert table.infos == {agent: {} for agent in table.agents}
        seen, _, _ = last(table)
        table.step(rng.choice(legal_actions(seen)))
    outcome = table.game.outcome
    assert outcome
    assert table.terminations == dict.fromkeys(table.possible_agents, True)
    assert table.truncations == dict.fromkeys(table.possible_agents, False)
    assert list(table.rewards.values()) == rewards_of(outcome, players)
    winners = [f"player_{seat}" for seat in outcome.winners]
    told = {"ending": outcome.ending.value, "winners": winners}
    assert table.infos == dict.fromkeys(table.possible_agents, told)


# ---- seeds -----------------------------------------------------------------------------------


def series(seed: int) -> list[Game]:
    """Three games in a row, of which only the first is given a seed."""
    table, games = raw_env("bird", 3), []
    for number in range(3):
        table.reset(seed=None if number else seed)
        play(table, Random(number))
        games.append(table.game)
    return games


def test_a_seed_decides_this_game_and_those_after_it() -> None:
    games = series(11)
    random.seed(1)
    np.random.seed(1)  # noqa: NPY002 - the very generator that must not matter
    before = random.getstate()
    assert series(11) == games
    assert random.getstate() == before
    assert len({game.hands for game in games}) == 3
    assert series(12)[0] != games[0]


def test_the_deal_of_a_seed_stays_what_it_is() -> None:
    table = raw_env("bird", 2)
    table.reset(seed=7)
    assert [" ".join(map(str, hand)) for hand in table.game.hands] == ["BB BB RR", "YY BB RB"]


def test_without_a_seed_there_is_chance() -> None:
    deals = set()
    for _ in range(3):
        table = raw_env("bird", 2)
        table.reset()
        deals.add((table.game.hands, table.game.piles))
    assert len(deals) == 3


def test_a_copy_in_the_midst_of_a_game_goes_on_alone() -> None:
    table, rng = raw_env("lion", 3), Random(4)
    table.reset(seed=4)
    for _ in range(10):
        seen, _, _ = last(table)
        table.step(rng.choice(legal_actions(seen)))
    stopped = table.game
    copies = [deepcopy(table), pickle.loads(pickle.dumps(table))]  # noqa: S301 - our own
    ends = []
    for copy in copies:
        play(copy, Random(9))
        ends.append(copy.game)
    assert ends[0] == ends[1]
    assert table.game is stopped
