"""The PettingZoo environment: one class for all games, and the wrappers around it.

Each seat is an agent, ``player_0`` to ``player_7``. One action is one step: a turn is several steps
of the same agent (a draw, plays, a discard), so an agent's transition ends at *its* next `last`,
whose reward counts all that happened in between. The next hand of a match is dealt within the step
that ends a hand.

**Observations.** ``{"observation": int8 (n,), "action_mask": int8 (actions,)}``, for every seat at
every time; the mask is all zero for a seat that is not to act, and for all when the match is over.
With ``mask_in="info"`` the observation is the plain vector and the mask is in
``infos[agent]["action_mask"]``, for tools that cannot read a Dict.

**Rewards** are paid to all seats in the step in which they arise. ``"points"``: after each hand,
the seat's score of the hand less the mean of the others', over 100. ``"win"``: when the match is
over, 1 to the winner and -1/(n-1) to each of the others; seats that tie share (the average over who
of them might have won). Both sum to zero.

**Ends.** All seats end in the same step. Reaching `max_turns` in a hand or `max_hands` in a match
truncates, which pays nothing for the unfinished hand; anything else terminates. The last
observation is the real last position.

**Infos** hold public numbers under the same keys at all times: ``hands`` that have ended, ``turns``
that have ended in this hand, and the seat's ``hand_score`` (of the last hand that ended) and
``score`` (of the match, finished hands).
"""

from operator import index
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from gymnasium import logger
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box, Dict, Discrete, Space
from pettingzoo import AECEnv

from .chance import seed_word
from .full_state import whole_bounds, whole_table
from .games import load_game
from .numbers import check_seed
from .observe import bounds
from .picture import Painter
from .render import table_text
from .rewards import REWARDS, outcomes, points
from .rules import check_name
from .saving import pack, unpack
from .setting import scratch, setting
from .state import HAND_OVER, MATCH_OVER
from .text import IllegalAction

MASKS = ("observation", "info")
RENDER_MODES = ("human", "ansi", "rgb_array")

_SINCE_RESET = ("agents", "agent_selection", "rewards", "terminations", "truncations", "infos")
_REBUILT = {"game", "kits", "action_texts", "_advance", "_observe", "_work", "_painter"}
_OPTIONS = ("preset", "reward", "mask_in", "render_mode", "render_seat", "render_fps")
_REBUILT |= {"_turn", "_phase", "_hands", "_turns"}


class CardTableEnv(AECEnv[str, Any, int]):
    """A table of a card game as a PettingZoo environment (see the top of this module).

    Args:
        game: the name of a game.
        preset: a named set of the game's options.
        reward: ``"points"`` or ``"win"``.
        mask_in: ``"observation"`` or ``"info"``: where the mask of the legal actions is.
        render_mode: ``"human"`` (a window, drawn by every step), ``"rgb_array"`` (uint8 of shape
            (height, width, 3)), ``"ansi"`` (text) or None. The first two need pygame-ce.
        render_seat: draw only what this seat may see; ``"public"``: what everybody sees; ``"all"``:
            everything.
        render_fps: pictures a second at most in the window.
        rules: the game's options (see its ``Rules``).

    Raises:
        RulesError: an unknown game, preset or option, or a value that is not possible.
    """

    metadata: dict[str, Any]

    def __init__(
        self,
        game: str,
        *,
        preset: str | None = None,
        reward: str = "points",
        mask_in: str = "observation",
        render_mode: str | None = None,
        render_seat: int | str = "all",
        render_fps: float = 2,
        **rules: Any,
    ) -> None:
        super().__init__()
        check_name("reward", reward, REWARDS)
        check_name("value of mask_in", mask_in, MASKS)
        if render_mode is not None:
            check_name("render mode", render_mode, RENDER_MODES)
        module = load_game(game)
        for name in rules:
            check_name("option", name, (*module.Rules._fields, *_OPTIONS))
        self.rules = module.make_rules(preset, **rules)
        n = int(self.rules.num_players)
        if render_seat not in ("all", "public", *range(n)):
            raise ValueError(f"render_seat={render_seat!r}: give 0 to {n - 1}, 'public' or 'all'")
        self._game = game
        self.reward, self.mask_in = reward, mask_in
        self._mask_outside = mask_in == "info"
        self.render_mode, self.render_seat, self.render_fps = render_mode, render_seat, render_fps
        self.metadata = {
            "name": f"{module.ENVIRONMENT}_v{module.VERSION}",
            "render_modes": list(RENDER_MODES),
            "render_fps": render_fps,
            "is_parallelizable": False,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(n)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._states = np.zeros(1, module.STATE)
        self._attach(module)
        k = self.kits[0]
        self._num_actions = int(k.num_actions)
        self._obs = np.zeros(int(k.observation_size), np.int8)
        self._mask = np.zeros(self._num_actions, np.int8)
        low, high = bounds(module.pieces(self.rules, k))
        self._observation_spaces: dict[str, Space[Any]] = {}
        self._action_spaces: dict[str, Discrete] = {}
        for agent in self.possible_agents:
            box: Space[Any] = Box(low, high, dtype=np.int8)
            if mask_in == "observation":
                mask = Box(0, 1, (self._num_actions,), np.int8)
                box = Dict({"observation": box, "action_mask": mask})
            self._observation_spaces[agent] = box
            self._action_spaces[agent] = Discrete(self._num_actions)
        self._live: str | None = None  # who is to act
        self._paid = False  # some reward is not zero
        self._seen = (-1, -1)  # the hands and turns that the infos tell of
        # Of each agent, its scores of the last hand and of the match.
        self._scores: list[tuple[str, int, int]] = []

    def _attach(self, module: ModuleType) -> None:
        """Set what copies and pickles leave out: what the rules make, and views of the state."""
        self.game = module
        made = setting(module.NAME, self.rules)
        self.kits, self.action_texts = made.kits, made.actions
        self._advance, self._observe = module.advance, module.observe
        self._work = scratch(module)
        self._painter: Painter | None = None
        states = self._states
        self._turn, self._phase = states["turn"], states["phase"]
        self._hands, self._turns = states["hands"], states["turns"]

    # --- spaces ---

    def observation_space(self, agent: str) -> Space[Any]:
        """The space of an agent's observations; the same object each time."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """The space of an agent's actions; the same object each time."""
        return self._action_spaces[agent]

    # --- playing ---

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new match.

        Args:
            seed: decides dealer and cards. Without one, the environment's generator goes on (at
                first from chance).
            options: ignored; the rules are those that the environment was made with.

        Raises:
            ValueError: a seed that is not possible.
        """
        word = self._states["rng"][0]
        if seed is not None:
            word = np.uint64(seed_word(check_seed(seed)))
        elif word == 0:
            entropy = np.random.SeedSequence().generate_state(1, np.uint64)[0]
            word = np.uint64(seed_word(int(entropy)))
        self.game.new_match(self._states, 0, self.kits, word)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self._look()
        if self.render_mode == "human":
            self.render()

    def _look(self) -> None:
        """Bring all that is worked out from the state up to date."""
        seat = self._turn.item()
        self.game.look(self._states, 0, seat, self.kits, self._work, self._obs, self._mask)
        self._paid = any(self.rewards.values())
        self._seen = (-1, -1)
        self._live = None
        if self._phase.item() < HAND_OVER and self.agents and not any(self.terminations.values()):
            self._live = self.agent_selection = self.possible_agents[seat]
        self._inform()

    def step(self, action: Any) -> None:
        """Play an action for `agent_selection`; None takes an agent whose game has ended away.

        Raises:
            IllegalAction: the action is not legal now, and why; nothing has changed.
        """
        agent = self.agent_selection
        if agent != self._live:
            if action is not None:
                raise IllegalAction(f"the game of {agent} has ended; its only action is None")
            self._was_dead_step(None)
            return
        try:
            number = index(action)
        except TypeError:
            raise IllegalAction(f"{action!r} is not an action: actions are whole numbers") from None
        if number < 0 or number >= self._num_actions or not self._mask[number]:
            raise IllegalAction(self._why_not(number))
        self._advance(self._states, 0, number, self.kits, self._work, self._obs, self._mask)
        if self._paid:
            self._clear_rewards()
        self._cumulative_rewards[agent] = 0.0
        seen = self._hands.item(), self._turns.item()
        phase = self._phase.item()
        if phase >= MATCH_OVER:
            self._end(phase == MATCH_OVER, seen[0] != self._seen[0])
        else:
            self._live = self.agent_selection = self.possible_agents[self._turn.item()]
            if seen != self._seen:
                if seen[0] != self._seen[0] and self.reward == "points":
                    n = len(self.possible_agents)
                    self._pay(points(self._states["hand_scores"][0, :n].tolist()))
                self._inform()
            elif self._mask_outside:
                self._inform()
        if self.render_mode == "human":
            self.render()

    def _why_not(self, action: int) -> str:
        if not 0 <= action < self._num_actions:
            return f"there is no action {action}; actions are 0 to {self._num_actions - 1}"
        why = self.game.why_not(self._states, self.kits, action)
        return f"{self.action_texts[action]}: {why}"

    def _end(self, won: bool, hand_ended: bool) -> None:
        """The match is over (`won`) or truncated; the rewards of the last step."""
        n = len(self.possible_agents)
        if self.reward == "points":
            if hand_ended:
                self._pay(points(self._states["hand_scores"][0, :n].tolist()))
        elif won:
            s = self._states[0]
            self._pay(outcomes(s.scores[:n].tolist(), int(s.winner)))
        ends = self.terminations if won else self.truncations
        for agent in ends:
            ends[agent] = True
        self._deads_step_first()

    def _pay(self, rewards: list[float]) -> None:
        self._paid = True
        for seat, agent in enumerate(self.possible_agents):
            self.rewards[agent] = rewards[seat]
            self._cumulative_rewards[agent] += rewards[seat]

    def _clear_rewards(self) -> None:
        self._paid = False
        for agent in self.rewards:
            self.rewards[agent] = 0.0

    def _deads_step_first(self) -> str:
        # Also called by PettingZoo's wrapper, when an illegal action has ended the episode.
        self._live = None
        self.rewards = {agent: float(reward) for agent, reward in self.rewards.items()}
        self._inform()
        return super()._deads_step_first()

    def _inform(self) -> None:
        """Make the infos; new dictionaries, so that those given out before stay as they are."""
        hands, turns = self._hands.item(), self._turns.item()
        if hands != self._seen[0] or not self._live:
            s = self._states
            scores = s["hand_scores"][0].tolist(), s["scores"][0].tolist()
            zipped = zip(self.possible_agents, *scores, strict=False)
            self._scores = [scores for scores in zipped if scores[0] in self.terminations]
        self._seen = hands, turns
        self.infos = {
            agent: {"hands": hands, "turns": turns, "hand_score": hand_score, "score": score}
            for agent, hand_score, score in self._scores
        }
        if self._mask_outside:
            for agent, info in self.infos.items():
                live = agent == self._live
                info["action_mask"] = self._mask.copy() if live else np.zeros_like(self._mask)

    # --- seeing ---

    def observe(self, agent: str) -> Any:
        """What an agent sees now, whoever is to act: new arrays, which later steps leave alone."""
        if agent == self._live:
            if self._mask_outside:
                return self._obs.copy()
            return {"observation": self._obs.copy(), "action_mask": self._mask.copy()}
        if "agents" not in self.__dict__:
            raise ResetNeeded("call reset() before observe()")
        observation = np.empty_like(self._obs)
        self._observe(self._states, 0, self._seats[agent], self.kits, observation)
        if self._mask_outside:
            return observation
        return {"observation": observation, "action_mask": np.zeros_like(self._mask)}

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Of `agent_selection`: observation, reward since its last step, both flags, info."""
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def state(self) -> np.ndarray:
        """The whole table, hidden cards too: for training that may see everything, not for players.

        int8, see `rummyzoo.envs.full_state.whole_table`.
        """
        if "agents" not in self.__dict__:
            raise ResetNeeded("call reset() before state()")
        return whole_table(self.game, self._states, 0, self.kits)

    @property
    def state_space(self) -> Box:
        """The space of `state`."""
        return Box(
            *whole_bounds(self.kits, self.game.pieces(self.rules, self.kits[0])), dtype=np.int8
        )

    def render(self) -> np.ndarray | str | None:
        """Draw the table as `render_mode` says.

        Raises:
            ResetNeeded: there is no game yet.
            DependencyNotInstalled: pygame-ce is missing.
        """
        if self.render_mode is None:
            logger.warn("render() draws nothing: this environment was made without a render_mode")
            return None
        if "agents" not in self.__dict__:
            raise ResetNeeded("call reset() before render()")
        what = (self.game, self._states, 0, self.kits, self.rules, self.render_seat)
        if self.render_mode == "ansi":
            return table_text(*what)
        if self._painter is None:
            self._painter = Painter(self.render_mode == "human", self.render_fps)
        return self._painter.draw(*what)

    def close(self) -> None:
        """Close the window, if there is one; the environment can still be used."""
        if self._painter is not None:
            self._painter.close()
            self._painter = None

    # --- keeping ---

    def save(self, path: str | Path | None = None) -> bytes:
        """This moment of the game as bytes, also written to a file if a path is given."""
        if "agents" not in self.__dict__:
            raise ResetNeeded("call reset() before save()")
        kept = {name: getattr(self, name) for name in (*_SINCE_RESET[:-1], "_cumulative_rewards")}
        header = {**self._kind(), "kept": kept | {"skip": self._skip_agent_selection}}
        return pack("environment", header, self._states.tobytes(), path)

    def restore(self, source: bytes | str | Path) -> None:
        """Go on from a moment that `save` kept, here or elsewhere under the same rules.

        Raises:
            ValueError: `save` did not make it, or did so under other rules or in another version.
        """
        header, body = unpack("environment", source)
        kept = dict(header.get("kept", {}))
        for name, own in self._kind().items():
            if name not in header or header[name] != own:
                had = header.get(name)
                raise ValueError(f"saved with {name}={had!r}, but here it is {own!r}")
        if len(body) != self._states.nbytes or "skip" not in kept:
            raise ValueError("this was saved by an environment of another kind")
        self._states[:] = np.frombuffer(body, self._states.dtype)
        self._skip_agent_selection = kept.pop("skip")
        self.__dict__.update(kept)
        self._look()

    def _kind(self) -> dict[str, Any]:
        """What a saved moment must agree with."""
        paid = {"reward": self.reward, "mask_in": self.mask_in}
        return {"environment": self.metadata["name"], **paid, **self.rules._asdict()}

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in _REBUILT}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._attach(load_game(self._game))

    def __getattr__(self, name: str) -> Any:
        if name in _SINCE_RESET:
            raise AttributeError(f"{name} cannot be accessed before reset")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
