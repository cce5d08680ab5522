"""A person plays: the table is drawn, lines are read, and the others move."""

import shutil
import time
from collections.abc import Callable, Iterable
from itertools import count
from pathlib import Path

from rich.text import Text

from ...envs.text import IllegalAction
from ..file_errors import in_words, make_folder
from .draw import INDENT, draw_events, draw_moves, draw_table
from .hints import Hints
from .lines import Lines
from .moves import find_verb, read_move, verbs_of
from .screen import Screen, flow, labelled
from .sheet import draw_sheet, how_it_ended
from .sitting import Sitting

COMMANDS = {
    "help": "this list",
    "hint": "what other players would do now, and what they think of it",
    "why MOVE": "why a move may not be played",
    "undo": "take your last move back, if you have seen nothing new since",
    "moves": "all that you may do, by number",
    "table": "draw the table again",
    "log": "what was done in this hand",
    "scores": "the score sheet",
    "rules": "the rules in short, as they are played here",
    "sort suit|rank": "how your hand is sorted",
    "save FILE": "copy the match to a file; it is kept in one anyway",
    "new": "leave this match and begin another",
    "quit": "leave; the match can be resumed",
}
_TIP = "Type a move or its number; help lists more, like hint."
_NAMES = [text.split()[0] for text in COMMANDS]
_SHORT = {"?": "help", "h": "help", "u": "undo", "w": "why", "q": "quit", "exit": "quit"}
_MOVES = """\
A move is its number in the list, or words, of which the beginnings are enough:
  draw; take 9H, with all above it; take, the top of the pile alone; pass
  meld 7C 7D 7S; meld 4H 5H 6H 7H 8H; meld 5C JK 7C; call 9H
  lay 7H on 6H, or lay 7H if it fits only once; discard KD; knock KD; gin KD
Cards: A 2 to 10 (or T) J Q K with C D H S, like 10h; jokers JK, or JK(5C)."""


class Left(Exception):
    """The person has left the table."""


class Game:
    """A person at a table.

    Args:
        screen: where it is drawn.
        sitting: the match.
        begin: begins another one.
    """

    def __init__(self, screen: Screen, sitting: Sitting, begin: Callable[[], Sitting]) -> None:
        self.screen, self.sitting, self._begin = screen, sitting, begin
        self.order = "suit"
        self._hints: Hints | None = None
        self._told = False
        self._lines = Lines(screen, self._completions)

    def run(self) -> None:
        """Play until the person leaves.

        Raises:
            KeyboardInterrupt: the person left by Ctrl-C.
        """
        try:
            while True:
                self._go_on()
        except (Left, EOFError):
            self.leave()
        except BaseException:
            self.leave()
            raise

    def leave(self) -> None:
        """Close the record, and say how to go on."""
        sitting, recorder = self.sitting, self.sitting.recorder
        sitting.close()
        if recorder is None:
            return
        if not sitting.decided:  # nothing worth to be kept
            recorder.path.unlink(missing_ok=True)
        elif sitting.table.over in ("match", "truncated"):
            self.screen.offer("The match is kept; look at it with:", "replay", recorder.path)
        else:
            self.screen.offer("The match is kept; go on with:", "play --resume", recorder.path)

    def _go_on(self) -> None:
        table = self.sitting.table
        if table.turn is None:
            self._between_hands()
        elif table.turn == self.sitting.me:
            self._page()
            self._until(lambda: self._lines.read("your move> "), self._obey)
        else:
            seat = table.turn
            with self.screen.patience(f"{self.sitting.labels[seat]} is thinking"):
                asked = self.sitting.ask(seat)
            self.sitting.play(*asked)

    def _until(self, read: Callable[[], str], obey: Callable[[str], bool]) -> None:
        """Read lines until one has changed the table; refusals are told."""
        while True:
            line = read()
            try:
                if obey(line):
                    return
            except IllegalAction as refusal:
                self.screen.refuse(_sentence(str(refusal)))

    def _page(self) -> None:
        self.screen.clear()
        draw_table(self.screen, self.sitting, self.order)
        self.screen.print("")
        draw_moves(self.screen, self.sitting)
        if not self._told:
            self._told = True
            self.screen.print(Text(_TIP, "dim"))

    def _between_hands(self) -> None:
        """A hand is over: the table as it was left, and the score sheet."""
        sitting, screen = self.sitting, self.screen
        screen.clear()
        draw_table(screen, sitting, self.order)
        screen.print("")
        screen.say(how_it_ended(sitting))
        draw_sheet(screen, sitting)
        more = sitting.table.over == "hand"
        prompt = "Enter deals the next hand> " if more else "new or quit> "
        self._until(lambda: self._lines.read(prompt), self._obey_between)

    def _obey_between(self, line: str) -> bool:
        if line or self.sitting.table.over != "hand":
            return self._obey(line or "quit")
        self.sitting.table.next_hand()
        return True

    def _obey(self, line: str) -> bool:
        """Do what a line says; returns whether the table has changed."""
        table = self.sitting.table
        words = line.split()
        if not words:
            legal = table.legal_actions().tolist()
            if len(legal) != 1:
                raise IllegalAction("type a move or its number, or help")
            self.sitting.decide(legal)
            return True
        name = self._command(words[0], len(words) > 1)
        if name is not None:
            return bool(getattr(self, f"_{name}")(line.partition(" ")[2].strip()))
        if table.turn is None:
            raise IllegalAction("the hand is over; Enter goes on, and help lists the commands")
        self.sitting.decide(read_move(line, table))
        return True

    def _command(self, word: str, more: bool) -> str | None:
        """The command that a word begins; None: it is a move, or nothing that is known."""
        table, word = self.sitting.table, word.lower()
        if word in (*_NAMES, *_SHORT):
            return _SHORT.get(word, word)
        if find_verb(word, table, more):
            return None
        begun = [name for name in (*_NAMES, *verbs_of(table)) if name.startswith(word)]
        if len(begun) > 1:
            raise IllegalAction(f"{word} could be {', '.join(begun[:-1])} or {begun[-1]}")
        return begun[0] if begun and begun[0] in _NAMES else None

    def _completions(self) -> Iterable[str]:
        yield from self.sitting.table.legal()
        yield from _NAMES
        yield from ("sort suit", "sort rank")

    # --- commands ---

    def _help(self, rest: str) -> None:
        width = max(map(len, COMMANDS)) + 2
        for name, what in COMMANDS.items():
            self.screen.print(f"  {name:<{width}}{what}")
        self.screen.print("", *_MOVES.splitlines())

    def _hint(self, rest: str) -> None:
        if self._hints is None:
            self._hints = Hints(self.sitting)
        self._hints.draw(self.screen, self.sitting)

    def _why(self, rest: str) -> None:
        if not rest:
            raise IllegalAction("say which move: why discard 7C")
        table = self.sitting.table
        actions = read_move(rest, table)  # says why not
        self.screen.say(
            f"{', then '.join(table.texts[action] for action in actions)}: it is legal."
        )

    def _undo(self, rest: str) -> bool:
        try:
            taken = self.sitting.undo()
        except IllegalAction as refusal:
            raise IllegalAction(f"that cannot be taken back: {refusal}") from None
        done = ", ".join(event.text(True) for event in taken)
        self._page()
        self.screen.say(f"Taken back: {done}.")
        return False

    def _moves(self, rest: str) -> None:
        if self.sitting.table.turn is None:
            raise IllegalAction("the hand is over")
        draw_moves(self.screen, self.sitting, everything=True)

    def _table(self, rest: str) -> bool:
        return True

    def _log(self, rest: str) -> None:
        events = self.sitting.events
        hand = events[-1].hand if events else 0
        lines = draw_events(self.screen, self.sitting, [e for e in events if e.hand == hand])
        self.screen.print(*lines or [Text("Nothing was done yet.")])

    def _scores(self, rest: str) -> None:
        draw_sheet(self.screen, self.sitting)

    def _rules(self, rest: str) -> None:
        draw_rules(self.screen, self.sitting)

    def _sort(self, rest: str) -> bool:
        orders = ("suit", "rank")
        wanted = rest.lower() or orders[self.order == "suit"]
        found = [order for order in orders if order.startswith(wanted)]
        if not found:
            raise IllegalAction("hands are sorted by suit or by rank: sort suit, sort rank")
        self.order = found[0]
        return True

    def _save(self, rest: str) -> None:
        recorder = self.sitting.recorder
        if recorder is None:
            raise IllegalAction("this match is not kept: it was over when it was resumed")
        if not rest:
            self.screen.print(f"The match is kept in {recorder.path} as it is played.")
            return
        path = Path(rest)
        try:
            path = path.expanduser()
            exists = path.exists()
            if not exists:
                make_folder(path.parent)
                shutil.copyfile(recorder.path, path)
        except OSError as error:
            raise IllegalAction(in_words(error, path)) from None
        except (RuntimeError, ValueError):  # ~name, where nobody is called so; a zero byte
            raise IllegalAction(f"{path} cannot be the name of a file") from None
        if exists:
            raise IllegalAction(f"{path} exists; save to another file")
        self.screen.offer("Saved; go on from here with:", "play --resume", path)

    def _new(self, rest: str) -> bool:
        self.leave()
        self.sitting, self._hints = self._begin(), None
        return True

    def _quit(self, rest: str) -> None:
        raise Left


def draw_rules(screen: Screen, sitting: Sitting) -> None:
    """The rules in short, and the options that are not the usual ones."""
    table = sitting.table
    screen.rule(Text(f"{table.game.TITLE} in short", "bold"))
    for paragraph in table.game.in_short(table.rules):
        screen.say(paragraph)
    usual = table.game.make_rules(num_players=table.num_players)._asdict()
    options = [
        Text(f"{name}={value}")
        for name, value in table.rules._asdict().items()
        if value != usual[name]
    ]
    if options:
        screen.print(*labelled("with ", flow(options, screen.width - INDENT), INDENT))
    screen.print(f"seed {table.seed}" if table.seed is not None else "")


def new_file(game: str) -> Path:
    """Where a new match is kept."""
    name = time.strftime(f"play-{game}-%Y%m%d-%H%M%S")
    paths = (Path("runs", f"{name}{f'-{n}' if n else ''}.jsonl") for n in count())
    return next(path for path in paths if not path.exists())


def _sentence(text: str) -> str:
    """A refusal as it is told."""
    first = text.split()[0]
    text = text[0].upper() + text[1:] if first.isalpha() else text
    return text if text.endswith(".") else text + "."
