"""The games, one file per game."""
