"""Conformance: random games, and what must hold in every position, for any game and rules.

    from rummyzoo.envs.check import check_game

    check_game("rummy500", num_players=4, going_out="float")

What fails is told in a sentence with the seed and the actions that led there.
"""

import copy
import pickle
from collections import Counter
from typing import Any

import numpy as np
from pettingzoo import AECEnv

from .aec import CardTableEnv
from .cards import JOKER, card_text
from .chance import seed_word
from .numbers import check_seed
from .position import full_pack
from .render import table_text
from .setting import scratch
from .state import NOBODY_SEES, OWNER, TRUNCATED
from .text import IllegalAction


class CheckError(AssertionError):
    """Something that must hold for every game does not."""


def check_game(game: str, *, steps: int = 1000, seed: int = 0, **options: Any) -> None:
    """Check a game by random play, with an environment of its own.

    Args:
        game: its name.
        steps: how many actions to play.
        seed: of the deals and of the play, a whole number of 0 or more.
        options: of `CardTableEnv`: rules, ``preset``, ``reward``, ``mask_in``.

    Raises:
        CheckError: something does not hold; the sentence says what, and where.
    """
    check_env(CardTableEnv(game, **options), steps, seed)


def check_env(env: AECEnv[str, Any, int], steps: int = 1000, seed: int = 0) -> None:
    """Check a table by random play: a `CardTableEnv`, plain or in wrappers.

    Args and errors are those of `check_game`.
    """
    walk = _Walk(env, check_seed(seed))
    while walk.steps < steps:
        walk.match(steps)
    never = walk.uncertain >= 20 and walk.redealt == 0
    walk.require(not never, "`resample` never dealt other cards than the true ones")


class _Walk:
    """Random play with checks on the way."""

    def __init__(self, env: AECEnv[str, Any, int], seed: int) -> None:
        self.env = env
        self.raw: CardTableEnv = env.unwrapped
        self.game, self.kits = self.raw.game, self.raw.kits
        self.work = scratch(self.game)
        self.pack = full_pack(self.kits[0])
        self.rng = np.random.default_rng(seed)
        self.seed = seed - 1
        self.steps = self.redealt = self.uncertain = 0
        self.played: list[int] = []

    def require(self, holds: bool, what: str) -> None:
        """Raise what does not hold, and how to come there."""
        if not holds:
            texts = [self.raw.action_texts[action] for action in self.played]
            last = f"; the last: {', '.join(texts[-8:])}" if texts else ""
            raise CheckError(
                f"{what} ({self.raw.metadata['name']}, {self.raw.rules}; "
                f"reset(seed={self.seed}) and {len(texts)} actions{last}; by number: {self.played})"
            )

    def match(self, steps: int) -> None:
        """Play one match, or what is left of the steps."""
        env, raw = self.env, self.raw
        self.seed += 1
        self.played = []
        env.reset(seed=self.seed)
        first = raw.save()
        env.reset(seed=self.seed)
        self.require(raw.save() == first, "reset with the same seed gives another deal")
        self.require(env.agents == raw.possible_agents, "agents are missing after reset")
        totals = dict.fromkeys(raw.possible_agents, 0.0)
        self.keys = set(env.infos[env.agent_selection])
        while not (env.terminations[env.agent_selection] or env.truncations[env.agent_selection]):
            if self.steps >= steps:
                return
            self.position()
            heavy = self.steps % 50 == 0
            legal = self.legal()
            self.illegal_actions(legal, 10_000 if heavy else 3)
            action = int(self.rng.choice(legal))
            if heavy:
                self.copies(action)
            hands = int(raw._states["hands"][0])
            self.play(env, action)
            self.played.append(action)
            self.steps += 1
            self.rewards(int(raw._states["hands"][0]) > hands)
            for agent, reward in env.rewards.items():
                totals[agent] += reward
        self.end(totals)

    def play(self, env: AECEnv[str, Any, int], action: int) -> None:
        """Play an action that the mask allows."""
        try:
            env.step(action)
        except IllegalAction as error:
            self.require(False, f"an action of the mask was refused: {error}")

    def legal(self) -> np.ndarray:
        """The actions that the mask allows the agent to act."""
        observation, *_, info = self.env.last()
        mask = (
            observation["action_mask"] if self.raw.mask_in == "observation" else info["action_mask"]
        )
        return np.flatnonzero(mask)

    # --- positions ---

    def position(self) -> None:
        """The position as such: cards, observations, masks, infos, and what is hidden."""
        self.cards(self.raw._states)
        for seat, agent in enumerate(self.raw.possible_agents):
            self.seen(seat, agent)

    def cards(self, states: np.ndarray) -> None:
        """Every card of the pack is in exactly one place, and the counts of cards are right."""
        s, pack = states[0], self.pack
        found: Counter[int] = Counter(s.stock[: s.stock_size].tolist())
        found.update(s.pile[: s.pile_size].tolist())
        for p in range(len(self.raw.possible_agents)):
            hand, known = _count(s, "", p), _count(s, "known_", p)
            self.require(hand.total() == s.hand_size[p], f"hand_size of seat {p} is wrong")
            self.require(known <= hand, f"seat {p} does not hold all cards it is known to hold")
            found += hand + _count(s, "laid_", p)
        wrong = {card_text(f) for f in pack | found if pack[f] != found[f]}
        self.require(not wrong, f"cards lost or doubled: {', '.join(sorted(wrong))}")

    def seen(self, seat: int, agent: str) -> None:
        """One seat: its observation fits the space, its mask, and neither tells of hidden cards."""
        raw = self.raw
        live = agent == raw.agent_selection and not (
            raw.terminations.get(agent, True) or raw.truncations.get(agent, True)
        )
        given = self.env.observe(agent)
        self.require(
            raw.observation_space(agent).contains(given), f"{agent} observes outside of its space"
        )
        observation, mask = given, None
        if raw.mask_in == "observation":
            observation, mask = given["observation"], given["action_mask"]
        elif agent in raw.infos:
            mask = raw.infos[agent]["action_mask"]
        if mask is not None:
            self.require(live or not mask.any(), f"{agent} is not to act, but has a mask")
            self.require(not live or bool(mask.any()), f"{agent} is to act, but has no action")
        for name, value in raw.infos.get(agent, {}).items():
            number = isinstance(value, int | float) or name == "action_mask"
            self.require(number and name in self.keys, f"infos[{agent}][{name!r}] is unexpected")
        # The other seats take turns, so that large tables do not take long.
        if live or self.steps % len(raw.possible_agents) == seat:
            self.hidden(seat, live, observation, mask)

    def hides(self, seat: int) -> bool:
        """Whether the stock may hold other cards than it does, for all that a seat knows."""
        s = self.raw._states[0]
        stock = Counter(s["stock"][: s["stock_size"]].tolist())
        others = Counter[int]()
        for q in range(len(self.raw.possible_agents)):
            if q != seat:
                others += _count(s, "", q) - _count(s, "known_", q)
        return s["open_stock"] == 0 and len(stock) > 0 and len(stock | others) > 1

    def hidden(
        self, seat: int, live: bool, observation: np.ndarray, mask: np.ndarray | None
    ) -> None:
        """Deal what the seat cannot see anew: it sees, and may do, the same as before."""
        raw, game, kits = self.raw, self.game, self.kits
        states = raw._states.copy()
        word = np.uint64(seed_word(int(self.rng.integers(1 << 62))))
        if not game.resample(states, 0, seat, kits, self.work, word):
            return
        self.cards(states)
        for field in game.STATE_FIELDS:
            old, new = raw._states[field.name][0], states[field.name][0]
            if field.visibility == OWNER:
                old, new = old[seat], new[seat]
            elif field.visibility == NOBODY_SEES:
                continue
            self.require(np.array_equal(old, new), f"resample of seat {seat} changed {field.name}")
        self.redealt += not np.array_equal(states["stock"], raw._states["stock"])
        self.uncertain += self.hides(seat)
        one, other = self.look(raw._states, seat), self.look(states, seat)
        for what, mine, redealt in zip(("observation", "mask"), one, other, strict=True):
            told = f"the {what} of seat {seat} tells hidden cards"
            self.require(np.array_equal(mine, redealt), told)
        same = np.array_equal(observation, one[0])
        self.require(same, f"seat {seat} observes something else than the game shows it")
        if live and mask is not None:
            same = np.array_equal(mask, one[1])
            self.require(same, f"the mask of seat {seat} is not what the game allows")
        if self.rng.random() < 0.75:
            return
        shown = [table_text(game, s, 0, kits, raw.rules, seat) for s in (raw._states, states)]
        self.require(shown[0] == shown[1], f"the text for seat {seat} tells hidden cards")

    def look(self, states: np.ndarray, seat: int) -> tuple[np.ndarray, np.ndarray]:
        """The observation and the mask of a seat, from the game itself."""
        observation = np.empty(int(self.kits[0].observation_size), np.int8)
        mask = np.empty(int(self.kits[0].num_actions), np.int8)
        self.game.look(states, 0, seat, self.kits, self.work, observation, mask)
        return observation, mask

    # --- actions ---

    def illegal_actions(self, legal: np.ndarray, most: int) -> None:
        """Actions outside of the mask are refused with a sentence, and change nothing."""
        raw = self.raw
        others = np.setdiff1d(np.arange(len(raw.action_texts)), legal)
        before, record = raw.save(), raw._states.tobytes()
        for action in self.rng.permutation(others)[:most].tolist():
            text = raw.action_texts[action]
            try:
                raw.step(action)
            except IllegalAction as error:
                self.require(
                    len(str(error)) > len(text) + 2, f"{text!r} was refused, without a reason"
                )
            else:
                self.require(False, f"{text!r} is not in the mask, but was played")
            self.require(raw._states.tobytes() == record, f"{text!r} was refused, but not undone")
        self.require(raw.save() == before, "refused actions changed the environment")

    def copies(self, action: int) -> None:
        """Copies go on as the original does, which stays; all legal actions can be played."""
        raw = self.raw
        before = raw.save()
        twins = [copy.deepcopy(raw) for _ in range(2)] + [pickle.loads(pickle.dumps(raw))]
        self.require(all(twin is not raw for twin in twins), "a copy is the original itself")
        restored = twins[1]
        restored.reset(seed=self.seed + 1)
        restored.restore(before)
        after = set()
        for twin in twins:
            self.require(twin.save() == before, "a copy differs from the original")
            self.play(twin, action)
            after.add(twin.save())
        self.require(len(after) == 1, "copies go on in different ways")
        for legal in self.legal().tolist():
            restored.restore(before)
            self.play(restored, legal)
            self.cards(restored._states)
        self.require(raw.save() == before, "playing on copies changed the original")

    # --- rewards and ends ---

    def rewards(self, hand_ended: bool) -> None:
        """Rewards are floats that sum to zero, and are paid only when something ended."""
        rewards = self.env.rewards
        values = list(rewards.values())
        self.require(set(rewards) == set(self.raw.possible_agents), "a seat has no reward")
        self.require(all(type(r) is float for r in values), f"rewards {values} are not all floats")
        self.require(abs(sum(values)) < 1e-9, f"rewards {values} do not sum to zero")
        self.require(hand_ended or not any(values), f"rewards {values} while the hand goes on")

    def end(self, totals: dict[str, float]) -> None:
        """All end together; the agents leave one by one, and get all that they were paid."""
        env, raw = self.env, self.raw
        cut = int(raw._states["phase"][0]) == TRUNCATED
        for flags, expected in ((env.terminations, not cut), (env.truncations, cut)):
            given = {agent: flags[agent] for agent in raw.possible_agents}
            self.require(
                all(flag is expected for flag in given.values()),
                f"the match is {'cut off' if cut else 'over'}, but the flags are {given}",
            )
        self.position()
        paid = dict.fromkeys(raw.possible_agents, 0.0)
        for agent in env.agent_iter():
            observation, reward, *_ = env.last()
            self.require(
                env.observation_space(agent).contains(observation),
                f"the last observation of {agent} is outside of its space",
            )
            paid[agent] += reward
            env.step(None)
        self.require(not env.agents, f"{env.agents} remain when all have ended")
        if raw.reward == "points" and not cut:
            hands = int(raw._states["hands"][0])
            if hands == 1:
                self.require(paid == totals, f"`last` told rewards {paid}, not {totals}")


def _count(s: Any, prefix: str, p: int) -> Counter[int]:
    """The cards in some words of a seat, by face."""
    one, two = int(s[f"{prefix}one"][p]), int(s[f"{prefix}two"][p])
    counts = Counter({f: (one >> f & 1) + (two >> f & 1) for f in range(52) if one >> f & 1})
    counts[JOKER] = int(s[f"{prefix}jokers"][p])
    return +counts
