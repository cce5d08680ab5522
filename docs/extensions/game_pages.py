"""Directives for the pages of the games: what they show is read from the code when the docs are
built.

    .. game-rules:: gin         the rules, from the docstring of the game
    .. game-versions:: gin      the last paragraph of that docstring
    .. game-options:: gin       its options, with defaults, possible values and meanings
    .. game-presets:: gin       its presets, and what they change
    .. game-actions:: gin       its actions, block by block
    .. game-layout:: gin        the pieces of its observation
    .. game-sizes:: gin         how many actions and entries there are under some rules
    .. env-arguments:: gin      what env() takes beside the options of the game

`game-actions` and `game-layout` take options of the game: ``:rules: jokers_per_deck=0``.
"""

import inspect
import json
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from types import ModuleType
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.pycode import ModuleAnalyzer
from sphinx.util.docutils import SphinxDirective

from rummyzoo.agents.runs import parse_options
from rummyzoo.envs import actions, kit, load_game, observation_layout
from rummyzoo.envs.aec import CardTableEnv
from rummyzoo.envs.layout import Part
from rummyzoo.envs.rules import RulesError

VERSIONS = "Version history:"

BLOCKS = {
    kit.A_PASS: "decline: the pile, a call, the upcard, a lay-off",
    kit.A_DRAW: "draw the top of the stock",
    kit.A_TURN: "turn the pile over to be the stock, and draw its top",
    kit.A_TAKE: "take this card from the pile, and all cards above it",
    kit.A_CALL: "call rummy: take this card and all cards above it, out of turn",
    kit.A_SET: "lay down a set of three; a fourth card is laid off on it",
    kit.A_RUN: "lay down a run of three; further cards are laid off on it",
    kit.A_LAY_SET: "lay a card off on the set of a rank",
    kit.A_LAY_LOW: "lay a card off at the low end of a run, below the card named",
    kit.A_LAY_HIGH: "lay a card off at the high end of a run, above the card named",
    kit.A_DISCARD: "discard, which ends the turn",
    kit.A_KNOCK: "knock: discard this card and show the hand",
    kit.A_GIN: "go gin: discard this card and show a hand without deadwood",
    kit.A_BIG_GIN: "declare big gin: show eleven cards without deadwood",
}
"""What the actions of a kind do. A kind that is missing here stops the build."""

EXAMPLES: dict[str, list[dict[str, Any]]] = {
    "rummy500": [
        {},
        {"jokers_per_deck": 0},
        {"num_players": 4},
        {"num_players": 6},
        {"num_players": 8},
    ],
    "rummy": [{}, {"num_players": 4}, {"num_players": 6}],
    "gin": [{}, {"layoff": "choose"}, {"knock_limit": "upcard"}],
}
"""Rules whose sizes the pages show."""


def table(head: Sequence[str], rows: Sequence[Sequence[str]], widths: Sequence[int]) -> str:
    """A table as reStructuredText."""
    lines = [
        ".. list-table::",
        "   :header-rows: 1",
        f"   :widths: {' '.join(map(str, widths))}",
        "",
    ]
    for row in (head, *rows):
        assert len(row) == len(head)
        for n, cell in enumerate(row):
            lines.append(f"   {'* -' if n == 0 else '  -'} {cell or chr(0xA0)}")
    return "\n".join(lines) + "\n"


def literal(value: Any) -> str:
    """A value as the code of the project writes it, with double quotes."""
    return f"``{json.dumps(value) if isinstance(value, str) else repr(value)}``"


def settings(options: Mapping[str, Any]) -> str:
    """Options with values, as they are written in a call."""
    return ", ".join(f"``{name}={literal(value)[2:]}" for name, value in options.items())


class GameDirective(SphinxDirective, ABC):
    """A directive about a game, whose content is reStructuredText made by `text`."""

    required_arguments = 1
    option_spec: ClassVar[dict[str, Any]] = {"rules": directives.unchanged}  # type: ignore[misc]

    def run(self) -> list[nodes.Node]:
        """Parse the text; note that the page is made from the sources of the game."""
        game = load_game(self.arguments[0])
        self.rules = parse_options(self.options.get("rules", "").split())
        for part in (game, kit, inspect.getmodule(game.Rules), inspect.getmodule(CardTableEnv)):
            self.env.note_dependency(inspect.getsourcefile(part) or "")
        return self.parse_text_to_nodes(self.text(game))

    @abstractmethod
    def text(self, game: ModuleType) -> str:
        """What the directive shows."""


class GameRules(GameDirective):
    """The rules as they are played."""

    def text(self, game: ModuleType) -> str:
        """The docstring without its title and its end."""
        rules, found, _ = inspect.getdoc(game).partition(VERSIONS)  # type: ignore[union-attr]
        assert found, f"{game.__name__} says nothing of its versions"
        return rules.partition("\n\n")[2]


class GameVersions(GameDirective):
    """Which versions of the environment there were."""

    def text(self, game: ModuleType) -> str:
        """One line each; versions are written ``0, the first; 1, with ...``."""
        history = inspect.getdoc(game).partition(VERSIONS)[2]  # type: ignore[union-attr]
        found = [part.partition(", ") for part in " ".join(history.split()).rstrip(".").split("; ")]
        assert str(game.VERSION) in {number for number, *_ in found}, history
        lines = [f"* ``{game.ENVIRONMENT}_v{number}``: {what}." for number, _, what in found]
        return "\n".join(lines)


class GameOptions(GameDirective):
    """The options of a game."""

    def text(self, game: ModuleType) -> str:
        """A table: name, default, what is possible, meaning."""
        meanings = meanings_of(game)
        rows = [
            [
                f":game-option:`{name}`",
                literal(default),
                possible(game, name),
                meanings[name],
            ]
            for name, default in game.Rules._field_defaults.items()
        ]
        return table(["option", "default", "possible", "what it means"], rows, [20, 14, 22, 44])


def meanings_of(game: ModuleType) -> dict[str, str]:
    """What each option of a game means: the strings below the fields of its ``Rules``."""
    found = ModuleAnalyzer.for_module(game.Rules.__module__).find_attr_docs()
    return {name: " ".join(found["Rules", name]).strip() for name in game.Rules._fields}


def possible(game: ModuleType, name: str) -> str:
    """The values that an option may have, from the sentence that refuses another."""
    found = re.search(rf"; {name} is (?:one of )?(.*)$", refusal(game, name))
    assert found, f"{name} of {game.NAME} is refused without saying what is possible"
    text = re.sub(r"'([^']*)'", r'``"\1"``', found[1])
    text = re.sub(r"\b(?:True|False|None)\b", r"``\g<0>``", text)
    text = re.sub(r"\ba whole number from (\d+) to (\d+)", r"\1 to \2", text)
    automatic = game.Rules._field_defaults[name] == "auto"
    return f'{text}, or ``"auto"``' if automatic else text


def refusal(game: ModuleType, name: str) -> str:
    """What is said of a value that no option has."""
    try:
        game.make_rules(**{name: "?"})
    except RulesError as error:
        return str(error)
    return ""


class GamePresets(GameDirective):
    """The presets of a game."""

    def text(self, game: ModuleType) -> str:
        """A table: name, and what it changes."""
        rows = [
            [f"``{name}``", settings(changed) or "the defaults"]
            for name, changed in game.PRESETS.items()
        ]
        return table(["preset", "options"], rows, [30, 70])


class GameActions(GameDirective):
    """The action space of a game."""

    def text(self, game: ModuleType) -> str:
        """A table: numbers, how many, an example, meaning."""
        rows = [
            [
                f"{first} to {last}" if last > first else f"{first}",
                f"{last - first + 1}",
                example,
                BLOCKS[kind],
            ]
            for kind, first, last, example in blocks(game, self.rules)
        ]
        count = sum(int(row[1]) for row in rows)
        said = settings(self.rules)
        title = f"{count} actions {f'with {said}' if said else 'by default'}:\n\n"
        return title + table(
            ["numbers", "count", "for example", "what it does"], rows, [14, 8, 28, 50]
        )


def blocks(game: ModuleType, rules: dict[str, Any]) -> Iterator[tuple[int, int, int, str]]:
    """Neighbouring actions of a kind: the kind, the first and the last number, examples."""
    k = game.make_kit(game.make_rules(**rules))[0]
    texts = actions(game.NAME, **rules)
    kinds = k.act[: int(k.num_actions), 0].tolist()
    for kind, group in groupby(range(len(kinds)), key=kinds.__getitem__):
        numbers = list(group)
        plain = [n for n in numbers if "JK" not in texts[n]]
        shown = [(plain or numbers)[len(plain or numbers) // 3]]
        if plain and len(plain) < len(numbers):
            shown.append(next(n for n in numbers if "JK" in texts[n]))
        yield kind, numbers[0], numbers[-1], ", ".join(f"``{texts[n]}``" for n in shown)


class GameLayout(GameDirective):
    """The observation of a game."""

    def text(self, game: ModuleType) -> str:
        """A table: piece, entries, shape, bounds, meaning."""
        layout = observation_layout(game.NAME, **self.rules)
        rows = [
            [
                f"``{name}``",
                f"{part.slice.start} to {part.slice.stop - 1}",
                " × ".join(map(str, part.shape)),
                bounds(part.low, part.high),
                meaning(game, name, part),
            ]
            for name, part in layout.items()
        ]
        said = settings(self.rules)
        size = max(part.slice.stop for part in layout.values())
        title = f"{size} entries {f'with {said}' if said else 'by default'}:\n\n"
        head = ["piece", "entries", "shape", "values", "what it says"]
        return title + table(head, rows, [18, 14, 10, 16, 42])


def meaning(game: ModuleType, name: str, part: Part) -> str:
    """What a piece says; of the phase also which there are, in the order of its entries."""
    if name == "phase":
        return f"{part.meaning}: {', '.join(game.PHASES[: part.shape[0]])}"
    return part.meaning


def bounds(low: Any, high: Any) -> str:
    """The bounds of a piece, the same for all entries or one for each along the last axis."""
    if not isinstance(low, tuple) and not isinstance(high, tuple):
        return f"{low} to {high}"
    count = len(low if isinstance(low, tuple) else high)
    lows = low if isinstance(low, tuple) else (low,) * count
    highs = high if isinstance(high, tuple) else (high,) * count
    return ", ".join(f"{a} to {b}" for a, b in zip(lows, highs, strict=True))


class GameSizes(GameDirective):
    """How large the spaces are."""

    def text(self, game: ModuleType) -> str:
        """A table: rules, actions, entries of the observation."""
        rows = []
        for rules in EXAMPLES[game.NAME]:
            k = game.make_kit(game.make_rules(**rules))[0]
            rows.append(
                [settings(rules) or "the defaults", f"{k.num_actions}", f"{k.observation_size}"]
            )
        return table(["rules", "actions", "observation"], rows, [60, 20, 20])


class EnvArguments(GameDirective):
    """What the PettingZoo environment of a game takes beside the game's options."""

    def text(self, game: ModuleType) -> str:
        """A table: name, default, meaning."""
        taken = inspect.signature(CardTableEnv.__init__).parameters.values()
        said = arguments_of(CardTableEnv)
        rows = [
            [f"``{given.name}``", literal(given.default), said[given.name]]
            for given in taken
            if given.kind is inspect.Parameter.KEYWORD_ONLY
        ]
        return table(["argument", "default", "what it means"], rows, [20, 20, 60])


def arguments_of(documented: Any) -> dict[str, str]:
    """The section ``Args:`` of a docstring, by name."""
    section = re.search(
        r"^Args:\n(.*?)(?=^\S|\Z)", inspect.getdoc(documented) or "", re.DOTALL | re.MULTILINE
    )
    assert section, documented
    found = re.findall(r"^ {4}(\w+): (.*?)(?=^ {4}\w|\Z)", section[1], re.DOTALL | re.MULTILINE)
    return {name: " ".join(meaning.split()) for name, meaning in found}


def option_role(
    name: str, rawtext: str, text: str, lineno: int, inliner: Any, *args: Any, **more: Any
) -> tuple[list[nodes.Node], list[nodes.system_message]]:
    """The name of an option where it is described, so that it can be linked to."""
    node = nodes.literal(rawtext, text, ids=[option_id(text)], classes=["option"])
    inliner.document.note_explicit_target(node)
    return [node], []


def option_id(option: str) -> str:
    """The anchor of an option on the page of its game."""
    return f"option-{option.replace('_', '-')}"


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directives."""
    for name, directive in {
        "game-rules": GameRules,
        "game-versions": GameVersions,
        "game-options": GameOptions,
        "game-presets": GamePresets,
        "game-actions": GameActions,
        "game-layout": GameLayout,
        "game-sizes": GameSizes,
        "env-arguments": EnvArguments,
    }.items():
        app.add_directive(name, directive)
    app.add_role("game-option", option_role)
    return {"parallel_read_safe": True}
