"""Random agents, and what they sit at."""

from __future__ import annotations

from random import Random

from pettingzoo import AECEnv
from qin.bots.rl import Observation
from qin.engine import Board

SMALL = Board.parse("R . . . V/. . Y . ./. B . . ./V . . . R", name="small")

Env = AECEnv[str, Observation, int | None]


def legal_actions(seen: Observation) -> list[int]:
    return [int(action) for action in seen["action_mask"].nonzero()[0]]


def last(table: Env) -> tuple[Observation, float, bool]:
    """What the agent to act is given, as far as it matters here."""
    seen, reward, terminated, truncated, _ = table.last()
    assert seen is not None
    assert not truncated
    return seen, reward, terminated


def play(table: Env, rng: Random) -> tuple[list[int], dict[str, float]]:
    """Play a game to its end by random legal actions: the actions, and what each agent got."""
    actions: list[int] = []
    rewards: dict[str, float] = {}
    for agent in table.agent_iter():
        seen, reward, terminated = last(table)
        if terminated:
            assert not legal_actions(seen)
            assert agent not in rewards
            rewards[agent] = reward
            table.step(None)
        else:
            assert reward == 0
            actions.append(rng.choice(legal_actions(seen)))
            table.step(actions[-1])
    return actions, rewards
