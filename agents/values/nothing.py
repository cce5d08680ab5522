"""What stands in for the module of a game that has no networks: there is nothing to ask."""

from ...envs.jit import kernel

NUMBERS = 0


@kernel
def describe(states, i, seat, kits, work, x, row):
    """Write nothing."""


@kernel
def recall(states, i, seat, past, kits, work, asked, rngs, x, row):
    """Write nothing."""
