"""A person at the table, in a terminal: what is drawn, what is typed, and whole sittings.

Drawing is by Rich, the prompt by prompt_toolkit; both come with the extra ``play``.
"""

import random

_lots = random.getstate()
import rich.console  # noqa: E402, F401  which draws lots while it is imported

random.setstate(_lots)
