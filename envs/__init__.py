"""Rummy environments: PettingZoo, Gymnasium, vectorised, and the tables below them."""

if __name__ != "rummyzoo.envs":
    raise ImportError("import rummyzoo.envs, not envs (run: pip install -e .)")
