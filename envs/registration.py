"""The environments' names in the registries of Gymnasium and PettingZoo."""

import gymnasium
import pettingzoo

NAMES = {
    "rummy500_v0": ("rummy500", "Rummy500"),
    "rummy_v0": ("rummy", "Rummy"),
    "gin_rummy_v0": ("gin", "GinRummy"),
}
"""The modules with environments: the game of each, and its name for Gymnasium."""


def register() -> None:
    """Enter all environments, unless they are there already.

    Only PettingZoo 1.27 and newer have a registry.
    """
    registry = getattr(pettingzoo, "aec_registry", None)
    for module, (game, title) in NAMES.items():
        name, version = module.split("_v")
        if registry is not None and f"rummyzoo/{name}-v{version}" not in registry:
            entry = f"rummyzoo.envs.{module}:env"
            pettingzoo.register("aec", f"rummyzoo/{name}-v{version}", entry)
        title = f"rummyzoo/{title}-v{version}"
        if title not in gymnasium.registry:
            gymnasium.register(
                title,
                entry_point="rummyzoo.envs.single:SingleEnv",
                vector_entry_point="rummyzoo.envs.vector:RummyVectorEnv",
                kwargs={"game": game},
            )
