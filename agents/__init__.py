"""Players for the Rummy environments, and tools to train, measure and play against them."""

if __name__ != "rummyzoo.agents":
    raise ImportError("import rummyzoo.agents, not agents (run: pip install -e .)")
