"""The one place that configures Numba."""

from collections.abc import Callable
from typing import TypeVar

import numba

_F = TypeVar("_F", bound=Callable[..., object])


def kernel(function: _F) -> _F:
    """Compile with Numba, without the interpreter lock."""
    return numba.njit(nogil=True)(function)
