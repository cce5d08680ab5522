"""What the tests must know of each game, two modules for each: the tests themselves name no game.

`about/<game>.py` has, to play with:

* ``PLAYERS``: the numbers of players with which environments are tried;
* ``OPTIONS``: option -> its values by lot, beyond those of all games; ``SMALL_PACKS``: some packs;
* ``PLAIN``: options without jokers and with all runs, under which tests name cards;
* ``WALKS``: options that lead through all that can happen; ``MORE_WALKS``: others that change what
  is seen; ``reached(rules)``: the phases, and fields of the state (of ``MARKS``), that some hands
  of a walk come past;
* ``SHORT``: options under which matches by lot are short and end with a winner; ``RULES``: some
  under which environments are played; ``COMMON``: how actions begin that are nothing special;
* ``PLAYTHROUGHS``: name -> seed, how many hands, options;

and to check against:

* ``MARKS``: field of the state -> what it holds while there is nothing to tell;
* ``PIECES``: piece of the observation, beyond those of all games -> what kind of thing it is (see
  `test_observation.py`); ``told(table, seat)``: the same from the table; ``SHOWN_AS``: fields of
  the state that a piece of another name shows; ``NOT_SHOWN``: public ones that none does, and why;
* ``possible(table)``: whether a player who is to act, in a world that another imagines, could be
  asked at all;
* ``AUTO``: the options of which ``"auto"`` is a value and is not filled in;
* ``played_points(rules, card, low)``: the points of a card as it is played; ``Match``: the scores
  of a match as they are worked out with a pencil (see `about.match`);
* ``potential(table, seat)``: how a seat stands in a hand, for shaped rewards;
* ``TIE``: a position of two players (arguments of `Table.from_position`) and an action that ends
  the hand without a winner;
* ``BOUND``: a position, and actions after which seat 0 is bound in the middle of its turn, and what
  must then be in one of its actions;
* ``TEXTS``: a position, actions, who looks, and the lines that are shown then;
* ``DEALT``, ``ACTION_COUNTS``: options -> cards in hand and stock; how many actions there are.

`about/<game>_refused.py` has what is refused, and with which sentence: see the tests that use it.
"""

from importlib import import_module
from types import ModuleType


def about(game: str) -> ModuleType:
    """What the tests know of a game."""
    return import_module(f"{__name__}.{game}")


def refused(game: str) -> ModuleType:
    """What a game refuses."""
    return import_module(f"{__name__}.{game}_refused")
