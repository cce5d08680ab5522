"""A person at the table, in a terminal: what is drawn, what is typed, and whole sittings.

Drawing is by Rich, the prompt by prompt_toolkit; both come with the extra ``play``.
"""
