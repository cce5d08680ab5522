"""Episodes of one learner at a table: the kernels that play everything between its decisions.

Each table has a learner at one seat and opponents at the others. An opponent that is a kernel is
played here; at any other the loop stops, and goes on once its action is given. `Learners` in
`rummyzoo.envs.learner` drives these kernels. Those that call a game's kernels are templates, which
`play_all` makes for a game.
"""

from functools import lru_cache
from typing import Any

import numpy as np

from .bits import lowest, popcount
from .cards import NOBODY
from .chance import fraction, mixed, next_seed, share
from .games import load_game
from .jit import bind, helper
from .kit import MAX_PLAYERS, NUM_WORDS, action_of, write_mask
from .machine import prefetch
from .state import HAND_OVER, MATCH_OVER

POINTS, WIN = range(2)
"""What a learner is rewarded by, in the order of `rummyzoo.envs.rewards.REWARDS`."""

ILLEGAL_REWARD = -1.0
"""What an illegal action costs; it also ends the episode."""

NOTHING, BEGIN, ACT, ASK, GIVEN = range(5)
"""What is to be done at a table. ASK: an opponent outside is to act; GIVEN: it has chosen."""

RUNNING, TERMINATED, CUT_OFF, ILLEGAL = range(4)
"""How an episode has ended."""

NO_DECISION, BAD_ACTION = -1, -2
"""Why the kernels cannot go on: learners never get to act; an opponent chose what is illegal."""

MOST_DEALS = 10_000

MOST_LOGGED = 4096
"""What fits into the log of a table between two looks at it."""
BEGAN = -2
"""In a log: an episode begins; the slot of each seat follows, -1 for the learner's."""


def _record(fields: list[Any]) -> np.dtype[Any]:
    return np.dtype((np.record, fields))


ROW = _record(
    [
        ("stream", "u8"),  # where the table's chain of random words is
        ("seat", "i8"),  # the learner's
        ("slots", "i8", (MAX_PLAYERS,)),  # by seat: which opponent; -1 the learner
        ("hands", "i8"),  # hands that the rewards so far cover
        ("potential", "f8"),  # at the learner's last decision
        ("pending", "f8"),  # reward from before the learner's first decision
        ("total", "f8"),  # rewards of this episode
        ("length", "i8"),  # decisions of this episode
        ("end", "i8"),  # whether and how it has ended
        ("todo", "i8"),
        ("reward", "f8"),  # of this step
        ("ended", "i8"),  # how an episode has ended in this step
        ("last_total", "f8"),  # of the episode that ended last
        ("last_length", "i8"),
    ]
)
"""What is kept for each table beside the state of its game."""

CONFIG = _record(
    [
        ("seat", "i8"),  # of the learner; -1: by lot
        ("reward", "i8"),
        ("shaping", "i8"),
        ("discount", "f8"),
        ("skip_forced", "i8"),
        ("same_step", "i8"),  # begin the next episode in the step that ends one
    ]
)

FACTS = ("seat", "hands", "turns", "hand_score", "score", "rival_score", "won", "illegal")
"""The numbers in the info of an environment, all public, in the order of a row of facts."""

# Names that `bind` fills in.
new_match: Any = None
next_hand: Any = None
legal: Any = None
step: Any = None
observe: Any = None
choose: Any = None
potential: Any = None
credit: Any = None
begin: Any = None
take_up: Any = None
play_on: Any = None
show: Any = None


@helper
def next_word(row):
    """The next word of a table's chain."""
    row.stream = next_seed(row.stream)
    return mixed(row.stream)


@helper
def draw_lots(row, k, config, chances):
    """Seat the learner and its opponents for an episode.

    `chances` is of shape (places, slots): how likely a slot or one before it is for the opponent at
    a place, counted from the learner's left.
    """
    n = k.num_players
    word = next_word(row)
    row.seat = config.seat
    if config.seat < 0:
        row.seat = share(word, n)
    row.slots[:] = -1
    for place in range(n - 1):
        lot = fraction(next_word(row))
        slot = 0
        while lot >= chances[place, slot]:
            slot += 1
        row.slots[(row.seat + 1 + place) % n] = slot


@helper
def hand_reward(k, s, seat):
    """A seat's score of the last hand less the mean of the others', over 100."""
    others = np.int64(0)
    for q in range(k.num_players):
        if q != seat:
            others += np.int64(s.hand_scores[q])
    return (np.int64(s.hand_scores[seat]) - others / (k.num_players - 1)) / 100


@helper
def match_reward(k, s, seat):
    """1 to the winner of a match and -1/(n-1) to each of the others; a tie is shared."""
    n = k.num_players
    lost = -1 / (n - 1)
    if s.winner != NOBODY:
        return 1.0 if s.winner == seat else lost
    best = np.int64(s.scores[0])
    for q in range(1, n):
        best = max(best, np.int64(s.scores[q]))
    if s.scores[seat] != best:
        return lost
    ties = 0
    for q in range(n):
        if s.scores[q] == best:
            ties += 1
    return (1 + lost * (ties - 1)) / ties


@helper
def only_action(k, words):
    """The legal action if there is just one, else -1."""
    found = -1
    for w in range(NUM_WORDS):
        if words[w]:
            if found >= 0 or popcount(words[w]) > 1:
                return np.int64(-1)
            found = w
    if found < 0:
        return np.int64(-1)
    return action_of(k, found, lowest(words[found]))


@helper
def note_facts(k, s, row, facts):
    """Write a row of `FACTS`."""
    seat = row.seat
    best = np.int64(-1) << 40
    for q in range(k.num_players):
        if q != seat:
            best = max(best, np.int64(s.scores[q]))
    facts[0] = seat
    facts[1] = s.hands
    facts[2] = s.turns
    facts[3] = s.hand_scores[seat]
    facts[4] = s.scores[seat]
    facts[5] = best
    facts[6] = 1 if s.phase == MATCH_OVER and s.winner == seat else 0
    facts[7] = 1 if row.end == ILLEGAL else 0


@helper
def note_end(k, s, row, facts):
    """Write down an episode that has ended, and a row of `FACTS` of it."""
    row.ended = row.end
    row.last_total = row.total
    row.last_length = row.length
    note_facts(k, s, row, facts)


@helper
def has(k, mask, action):
    """Whether an action exists and is legal by a mask."""
    return action >= 0 and action < k.num_actions and mask[action] != 0


@helper
def note(log, i, entry):
    """Write an entry into the log of table `i`, int16: ``log[i, 0]`` counts what lies behind it.

    Only the first tables have a log, as many as it has rows. What does not fit is left out.
    """
    count = np.int64(log[i, 0]) + 1
    if count < log.shape[1]:
        log[i, count] = entry
    log[i, 0] = min(count, MOST_LOGGED)


def _begin(states, i, rows, rngs, kits, config, chances, log):
    """Begin an episode at table `i`; nobody has acted yet."""
    row = rows[i]
    # The deal comes first in the chain, so that a seed deals as it does everywhere else; and each
    # episode takes as many words as any other, so that deals do not depend on who plays.
    deal = next_word(row)
    rngs[i] = next_word(row)
    draw_lots(row, kits[0], config[0], chances)
    new_match(states, i, kits, deal)
    row.hands = 0
    row.potential = 0.0
    row.pending = 0.0
    row.total = 0.0
    row.length = 0
    row.end = RUNNING
    if i < len(log):
        note(log, i, BEGAN)
        for q in range(kits[0].num_players):
            note(log, i, row.slots[q])


def _play_on(states, i, rows, rngs, action, kits, config, kinds, weights, work, log):
    """Play `action` (-1: none), and on to the next decision that is not made here.

    Returns what the learner has gained. Then `todo` is ASK; or NOTHING, if the learner is to act
    (with the words of its legal actions in ``work[0]``) or the episode has ended.
    """
    s = states[i]
    k = kits[0]
    row = rows[i]
    gained = 0.0
    row.todo = NOTHING
    while True:
        if action >= 0:
            if i < len(log):
                note(log, i, action)
            step(states, i, action, kits)
            if np.int64(s.hands) != row.hands:
                row.hands = np.int64(s.hands)
                if config[0].reward == POINTS:
                    gained += hand_reward(k, s, row.seat)
            if s.phase == HAND_OVER:
                next_hand(states, i, kits)
            if s.phase > HAND_OVER:
                won = s.phase == MATCH_OVER
                row.end = TERMINATED if won else CUT_OFF
                if won and config[0].reward == WIN:
                    gained += match_reward(k, s, row.seat)
                return gained
        legal(states, i, kits, work)
        slot = row.slots[np.int64(s.turn)]
        if slot < 0:
            action = np.int64(-1)
            if config[0].skip_forced:
                action = only_action(k, work[0])
            if action < 0:
                return gained
        elif kinds[slot] >= 0:
            action = choose(states, i, kits, work, kinds[slot], weights[slot], rngs, i)
        else:
            action = only_action(k, work[0])
            if action < 0:
                row.todo = ASK
                return gained


def _credit(k, s, row, gained, config):
    """Add what a learner has gained to its rewards, with the shaping where that is wanted."""
    if config.shaping and row.todo == NOTHING:
        after = 0.0
        if row.end == RUNNING:
            after = potential(k, s, row.seat)
        if row.length > 0:
            gained += config.discount * after - row.potential
        row.potential = after
    if row.length > 0:
        row.reward += gained
        row.total += gained
    else:
        row.pending += gained


def _take_up(states, i, rows, rngs, action, kits, config, chances, work, mask, spare, log):
    """Take up what is to be done at table `i`: begin an episode, or see whether `action` is legal.

    Returns the action to play, -1 for none; BAD_ACTION if an opponent chose what is illegal. If the
    learner did, its episode has ended.
    """
    k = kits[0]
    row = rows[i]
    if row.todo == BEGIN:
        row.reward = 0.0
        row.ended = RUNNING
        begin(states, i, rows, rngs, kits, config, chances, log)
        return np.int64(-1)
    if row.todo == ACT:
        row.length += 1
        row.ended = RUNNING
        row.reward = row.pending
        row.total += row.pending
        row.pending = 0.0
        if has(k, mask, action):
            return action
        row.todo = NOTHING
        row.end = ILLEGAL
        return np.int64(-1)
    legal(states, i, kits, work)
    write_mask(k, work[0], spare)
    return action if has(k, spare, action) else np.int64(BAD_ACTION)


def _show(states, i, rows, kits, work, mask, observation, facts):
    """Write what the learner at table `i` is shown, with its legal actions from ``work[0]``."""
    k = kits[0]
    row = rows[i]
    note_facts(k, states[i], row, facts)
    observe(states, i, row.seat, kits, observation)
    if row.end == RUNNING:
        write_mask(k, work[0], mask)
    else:
        mask[:] = 0


def _play_all(
    states,
    rows,
    rngs,
    actions,
    kits,
    config,
    chances,
    kinds,
    weights,
    work,
    masks,
    observations,
    last,
    facts,
    spare,
    log,
):
    """Do at every table what is to be done there.

    Args:
        actions: int64 (n,): the learner's action where `todo` is ACT, an opponent's where GIVEN.
        masks, observations: int8 (n, actions) and (n, size): the learners'.
        last: int8 (n, size): with `same_step`, the observations that ended an episode.
        facts: int64 (2, n, facts): as things are, and as the last episodes ended.
        spare: int8 (actions,), scratch.
        log: int16 (tables, `MOST_LOGGED`): what is played at the first tables (see `note`).

    Returns:
        At how many tables opponents are to be asked; or NO_DECISION or BAD_ACTION.
    """
    k = kits[0]
    c = config[0]
    asked = 0
    for i in range(len(rows)):
        row = rows[i]
        if row.todo == NOTHING:
            continue
        prefetch(states, i + 1)
        s = states[i]
        action = take_up(
            states, i, rows, rngs, actions[i], kits, config, chances, work, masks[i], spare, log
        )
        if action == BAD_ACTION:
            return BAD_ACTION
        gained = ILLEGAL_REWARD
        if row.end != ILLEGAL:
            gained = play_on(states, i, rows, rngs, action, kits, config, kinds, weights, work, log)
        deals = 0
        while True:
            credit(k, s, row, gained, c)
            if row.end == RUNNING:
                break
            if row.length > 0:
                note_end(k, s, row, facts[1, i])
                if not c.same_step:
                    break
                observe(states, i, row.seat, kits, last[i])
            # An episode in which the learner never got to act is dealt anew.
            deals += 1
            if deals > MOST_DEALS:
                return NO_DECISION
            begin(states, i, rows, rngs, kits, config, chances, log)
            gained = play_on(
                states, i, rows, rngs, np.int64(-1), kits, config, kinds, weights, work, log
            )
        if row.todo == ASK:
            asked += 1
        else:
            show(states, i, rows, kits, work, masks[i], observations[i], facts[0, i])
    return asked


@lru_cache
def play_all(game: str) -> Any:
    """The kernel `_play_all` for a game, with the players that are kernels."""
    # Players are beside the environments, not below them; here they are needed by name only.
    from ..agents.opponents import chooser

    g = load_game(game)
    run = bind(_play_on, step=g.step, next_hand=g.next_hand, legal=g.legal, choose=chooser(game))
    start = bind(_begin, new_match=g.new_match)
    account = bind(_credit, potential=g.potential)
    opening = bind(_take_up, forceinline=True, begin=start, legal=g.legal)
    ending = bind(_show, forceinline=True, observe=g.observe)
    return bind(
        _play_all,
        begin=start,
        take_up=opening,
        play_on=run,
        credit=account,
        observe=g.observe,
        show=ending,
    )
