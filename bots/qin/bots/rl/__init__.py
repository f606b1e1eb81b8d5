"""Qin for learning agents: a PettingZoo environment on the bare engine (docs/rl.md)."""

try:
    from qin.bots.rl.actions import ActionEncoding
    from qin.bots.rl.environment import Observation, QinEnv, env, raw_env
    from qin.bots.rl.observations import plane_names, planes_of
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"learning agents need further packages: pip install 'qin-game[rl]' ({error})",
        name=error.name,
    ) from None

__all__ = [
    "ActionEncoding",
    "Observation",
    "QinEnv",
    "env",
    "plane_names",
    "planes_of",
    "raw_env",
]
