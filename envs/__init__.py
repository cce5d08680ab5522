"""Rummy environments: PettingZoo, Gymnasium, vectorised, and the tables below them."""

if __name__ != "rummyzoo.envs":
    raise ImportError("import rummyzoo.envs, not envs (run: pip install -e .)")

from .games import GAMES, load_game
from .layout import actions, observation_layout, split
from .record import read_record
from .recording import record_games
from .registration import register
from .rules import RulesError
from .table import Table
from .text import IllegalAction

__all__ = [
    "GAMES",
    "IllegalAction",
    "RulesError",
    "Table",
    "actions",
    "load_game",
    "observation_layout",
    "read_record",
    "record_games",
    "split",
]

register()
