"""The environments' names in the registries of Gymnasium and PettingZoo."""

import gymnasium
import pettingzoo

NAMES = {"rummy500_v0": "Rummy500"}
"""The modules with environments, and their names for Gymnasium."""


def register() -> None:
    """Enter all environments, unless they are there already.

    Only PettingZoo 1.27 and newer have a registry.
    """
    registry = getattr(pettingzoo, "aec_registry", None)
    for module, title in NAMES.items():
        game, version = module.split("_v")
        if registry is not None and f"rummyzoo/{game}-v{version}" not in registry:
            entry = f"rummyzoo.envs.{module}:env"
            pettingzoo.register("aec", f"rummyzoo/{game}-v{version}", entry)
        name = f"rummyzoo/{title}-v{version}"
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point="rummyzoo.envs.single:SingleEnv",
                vector_entry_point="rummyzoo.envs.vector:RummyVectorEnv",
                kwargs={"game": game},
            )
