"""Numbers as users give them, Python's or NumPy's: True is not one, and 1.0 is not a whole one."""

from operator import index
from typing import Any

import numpy as np


def as_whole(value: Any) -> int | None:
    """A whole number as an int; None for anything else.

    >>> as_whole(7), as_whole(7.0), as_whole("7"), as_whole(True)
    (7, None, None, None)
    """
    if isinstance(value, bool):
        return None
    try:
        return index(value)
    except TypeError:
        return None


def as_real(value: Any) -> float | None:
    """A number that is not infinite as a float; None for anything else.

    >>> as_real(1), as_real(float("nan")), as_real("1")
    (1.0, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        return None
    return float(value) if np.isfinite(value) else None


def check_seed(seed: Any) -> int:
    """A seed as an int.

    Raises:
        ValueError: it is not a whole number of 0 or more.

    >>> check_seed(-1)
    Traceback (most recent call last):
    ValueError: seed=-1 is not possible; a seed is a whole number, 0 or more
    """
    number = as_whole(seed)
    if number is None or number < 0:
        raise ValueError(f"seed={seed!r} is not possible; a seed is a whole number, 0 or more")
    return number
