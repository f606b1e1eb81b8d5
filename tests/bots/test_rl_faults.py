"""What goes wrong in the environment is told, and what there is to see is drawn."""

from __future__ import annotations

import subprocess
import sys
from random import Random

import numpy as np
import pytest
from bots.agents import SMALL, Env, play
from qin.bots.rl import env, raw_env
from qin.engine import BoardError, Reason, Refused, draw

# ---- what goes wrong -------------------------------------------------------------------------


def illegal_action(table: Env) -> int:
    seen = table.observe(table.agent_selection)
    assert seen is not None
    return int(np.flatnonzero(seen["action_mask"] == 0)[0])


def test_an_illegal_action_is_refused_with_the_rule_and_changes_nothing() -> None:
    table = raw_env("bird", 2)
    table.reset(seed=1)
    before, agent = table.game, table.agent_selection
    with pytest.raises(Refused) as refused:
        table.step(illegal_action(table))
    assert refused.value.reason in {Reason.NOT_IN_HAND, Reason.NO_CONTACT, Reason.NOT_GRASSLAND}
    assert (table.game, table.agent_selection) == (before, agent)


def test_wrapped_an_illegal_action_loses_the_game() -> None:
    table = env("bird", 3)
    table.reset(seed=1)
    table.step(illegal_action(table))
    rewards = {}
    for agent in table.agent_iter():
        _, rewards[agent], terminated, truncated, _ = table.last()
        assert terminated
        assert truncated
        table.step(None)
    assert rewards == {"player_0": -1, "player_1": 0, "player_2": 0}


def test_what_is_no_action_at_all_is_told() -> None:
    table = raw_env("bird", 2)
    table.reset(seed=1)
    with pytest.raises(ValueError, match="player_0 has to place a tile"):
        table.step(None)
    with pytest.raises(ValueError, match="there are 0 to 3041"):
        table.step(3042)
    wrapped = env("bird", 2)
    wrapped.reset(seed=1)
    with pytest.raises(AssertionError, match="not in action space"):
        wrapped.step(3042)


def test_before_the_first_reset_there_is_no_game() -> None:
    with pytest.raises(RuntimeError, match=r"call reset\(\) first"):
        raw_env().observe("player_0")
    with pytest.raises(AssertionError, match="reset"):
        env().observe("player_0")


def test_wrong_parameters_are_told() -> None:
    with pytest.raises(ValueError, match="2 to 4 players play Qin, not 5"):
        env(players=5)
    with pytest.raises(BoardError, match="there is no board 'brid'"):
        env("brid")
    with pytest.raises(ValueError, match="there is no render mode 'rgb_array'"):
        env(render_mode="rgb_array")


@pytest.mark.parametrize("package", ["gymnasium", "numpy", "pettingzoo"])
def test_without_the_extra_it_says_what_to_install(package: str) -> None:
    program = f"import sys; sys.modules[{package!r}] = None; import qin.bots; import qin.bots.rl"
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 1
    assert "pip install 'qin-game[rl]'" in ran.stderr


# ---- drawing ---------------------------------------------------------------------------------


def test_a_drawing_shows_board_pagodas_hands_and_the_end() -> None:
    table = raw_env(SMALL, 2, render_mode="ansi")
    table.reset(seed=1)
    begun = table.render()
    assert begun
    assert draw(table.game.position) in begun
    assert "24 pagodas left" in begun
    assert "to move" in begun
    play(table, Random(1))
    ended = table.render()
    assert ended
    assert "won" in ended
    assert "ended: " in ended


def test_for_people_every_step_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    table = raw_env(SMALL, 2, render_mode="human")
    table.reset(seed=1)
    actions, _ = play(table, Random(1))
    assert capsys.readouterr().out.count("1 player_0") == 1 + len(actions)


def test_without_a_mode_nothing_is_drawn() -> None:
    table = raw_env(SMALL, 2)
    table.reset(seed=1)
    with pytest.warns(UserWarning, match="no render mode"):
        assert table.render() is None
