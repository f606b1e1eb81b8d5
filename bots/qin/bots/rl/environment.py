"""Qin as a PettingZoo environment of agents who act in turn (AEC).

It sits on the bare engine: no server, no clock. A seat that must pass is passed for, as at a served
table, so whoever is asked has at least one legal action.
"""

from __future__ import annotations

import sys
from operator import index
from random import Random
from typing import Any, TypedDict, cast

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers
from qin.bots.rl.actions import ActionEncoding
from qin.bots.rl.observations import plane_names, planes_of
from qin.bots.rl.rendering import render_game
from qin.engine import SEATS, Board, Deal, Game, Outcome, Seat, view_of


class Observation(TypedDict):
    """What an agent is given."""

    observation: NDArray[np.float32]
    """The planes of `planes_of`."""
    action_mask: NDArray[np.int8]
    """1 for each legal action; all 0 for an agent who is not to act."""


class QinEnv(AECEnv[str, Observation, int | None]):
    """One game of Qin at a time. The agents are `player_0`, who begins, `player_1` and so on."""

    metadata: dict[str, Any] = {  # noqa: RUF012 - PettingZoo wants it here and like this
        "name": "qin_v1",  # changes with the meaning of actions, observations or rewards
        "render_modes": ["human", "ansi"],
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self, board: Board | str = "bird", players: int = 2, render_mode: str | None = None
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        if players not in SEATS:
            raise ValueError(f"2 to 4 players play Qin, not {players}")
        modes = self.metadata["render_modes"]
        if render_mode is not None and render_mode not in modes:
            raise ValueError(
                f"there is no render mode {render_mode!r}; there are {', '.join(modes)}"
            )
        self.board = board if isinstance(board, Board) else Board.named(board)
        self.actions = ActionEncoding(self.board)
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.agents = self.possible_agents.copy()
        # Each agent gets spaces of its own, since a space carries the seed of its samples.
        self.action_spaces = {agent: self._action_space() for agent in self.agents}
        self.observation_spaces = {agent: self._observation_space() for agent in self.agents}
        self._rng: Random | None = None
        self._game: Game | None = None

    def _action_space(self) -> spaces.Space[int | None]:
        return cast("spaces.Space[int | None]", spaces.Discrete(self.actions.size))

    def _observation_space(self) -> spaces.Space[Observation]:
        shape = (len(plane_names(len(self.agents))), self.board.height, self.board.width)
        made = spaces.Dict(
            {
                "observation": spaces.Box(0, 1, shape, np.float32),
                "action_mask": spaces.Box(0, 1, (self.actions.size,), np.int8),
            }
        )
        return cast("spaces.Space[Observation]", made)

    # ---- asking --------------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        """The whole game with all that is hidden: for those who judge, not for those who play."""
        if self._game is None:
            raise RuntimeError("there is no game yet; call reset() first")
        return self._game

    def observation_space(self, agent: str) -> spaces.Space[Observation]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[int | None]:
        return self.action_spaces[agent]

    def observe(self, agent: str) -> Observation:
        """What an agent sees now, in turn or out of turn."""
        view = view_of(self.game, Seat(self.possible_agents.index(agent)))
        return {"observation": planes_of(view), "action_mask": self.actions.mask(view.legal)}

    def render(self) -> str | None:
        """Draw the game: returned for `ansi`, printed for `human`."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() draws nothing, because no render mode was given")
            return None
        drawn = render_game(self.game, self.possible_agents)
        if self.render_mode == "ansi":
            return drawn
        sys.stdout.write(f"{drawn}\n\n")
        return None

    def close(self) -> None:
        """Nothing is held open; PettingZoo wants the method."""

    # ---- acting --------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game.

        The seed decides this game and, until another seed is given, all that follow. Without any
        there is chance. There are no options.
        """
        del options
        if seed is not None:
            self._rng = Random(f"qin-rl/{seed}")
        elif self._rng is None:
            self._rng = Random()
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._go_on(Game.start(self.board, Deal.shuffled(len(self.agents), self._rng)))

    def step(self, action: int | None) -> None:
        """Act for the agent whose turn it is.

        An illegal action raises `Refused` with the rule, and nothing has changed. An agent whose
        game is over takes the action None, and leaves.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} has to place a tile; None is for agents whose game is over")
        game = self.game
        legal = game.check(game.turn, self.actions.decode(index(action)))
        after, _ = game.place(legal)
        self._go_on(after)

    def _go_on(self, game: Game) -> None:
        """Take a game over and find who acts next: all agents a last time when it has ended."""
        while game.must_pass:
            game, _ = game.pass_turn()
        self._game = game
        self.agent_selection = self.possible_agents[game.turn]
        if game.outcome:
            self._end(game.outcome)
        if self.render_mode == "human":
            self.render()

    def _end(self, outcome: Outcome) -> None:
        winners = [self.possible_agents[seat] for seat in outcome.winners]
        for agent, reward in zip(self.agents, rewards_of(outcome, len(self.agents)), strict=True):
            self.rewards[agent] = reward
            self.terminations[agent] = True
            self.infos[agent] = {"ending": outcome.ending.value, "winners": winners.copy()}
        self._accumulate_rewards()


def rewards_of(outcome: Outcome, players: int) -> list[float]:
    """+1 shared among the winners, -1 shared among the losers; all 0 when everybody won."""
    winners = outcome.winners
    if len(winners) == players:
        return [0.0] * players
    won, lost = 1 / len(winners), -1 / (players - len(winners))
    return [won if Seat(seat) in winners else lost for seat in range(players)]


raw_env = QinEnv


def env(
    board: Board | str = "bird", players: int = 2, render_mode: str | None = None
) -> AECEnv[str, Observation, int | None]:
    """The environment with PettingZoo's usual wrappers.

    An illegal action ends the game with -1 for the agent and 0 for the others.
    """
    raw: AECEnv[str, Observation, int | None] = raw_env(board, players, render_mode)
    terminating = wrappers.TerminateIllegalWrapper(raw, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(terminating))
