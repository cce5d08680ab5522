"""The conformance test: good games pass under all rules, and each fault is found."""

from abc import ABC, abstractmethod
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from about import about
from hypothesis import given, settings
from hypothesis import strategies as st
from slow_play import GAMES_AND_PLAYERS
from walks import options_by_lot

from rummyzoo.envs import GAMES, IllegalAction, load_game
from rummyzoo.envs.aec import CardTableEnv
from rummyzoo.envs.check import CheckError, check_env, check_game
from rummyzoo.envs.wrappers import Checked


@pytest.mark.parametrize(("game", "players"), GAMES_AND_PLAYERS)
@pytest.mark.parametrize("target", [None, 40])
def test_games_conform(game: str, players: int, target: int | None) -> None:
    options = {"reward": "points" if target is None else "win", "target": target}
    mask_in = "observation" if players % 2 == 0 else "info"
    check_game(game, steps=200, seed=players, num_players=players, mask_in=mask_in, **options)


@pytest.mark.parametrize(
    ("game", "preset"), [(game, preset) for game in GAMES for preset in load_game(game).PRESETS]
)
def test_presets_conform(game: str, preset: str) -> None:
    check_game(game, steps=150, preset=preset, target=None)
    check_env(Checked(CardTableEnv(game, preset=preset, max_turns=30)), steps=100, seed=3)


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=20)
@given(st.data(), st.integers(0, 1000))
def test_games_conform_under_rules_by_lot(game: str, data: st.DataObject, seed: int) -> None:
    check_game(game, steps=40, seed=seed, **data.draw(options_by_lot(game)))


def test_nothing_to_deal_anew() -> None:
    """Three cards, one in each hand and the upcard: each player can tell where the last one is."""
    check_game("gin", steps=40, seed=0, num_ranks=3, num_suits=1, hand_size=1)


# --- faults ---


class OtherGame(CardTableEnv, ABC):
    """With a changed kernel in its game."""

    def __init__(self, game: str, **options: Any) -> None:
        super().__init__(game, **options)
        self.game: Any = SimpleNamespace(**vars(self.game))
        self.change(self.game)

    @abstractmethod
    def change(self, game: Any) -> None:
        """Change the game, of which this is a copy."""


class Peeks(OtherGame):
    """The observation tells of the other hand."""

    def change(self, game: Any) -> None:
        look = game.look

        def leaky(
            states: Any, i: int, seat: int, kits: Any, work: Any, obs: Any, mask: Any
        ) -> None:
            look(states, i, seat, kits, work, obs, mask)
            obs[-1] = int(states["one"][i, 1 - seat]) % 101

        game.look = leaky


class MaskPeeks(OtherGame):
    """The mask tells what is in the stock."""

    def change(self, game: Any) -> None:
        look = game.look

        def leaky(
            states: Any, i: int, seat: int, kits: Any, work: Any, obs: Any, mask: Any
        ) -> None:
            look(states, i, seat, kits, work, obs, mask)
            mask[-8:] = states["stock"][i, :8] & 1

        game.look = leaky


class NeverRedeals(OtherGame):
    def change(self, game: Any) -> None:
        game.resample = lambda states, *rest: True


class RedealsPublicCards(OtherGame):
    def change(self, game: Any) -> None:
        resample = game.resample

        def careless(states: Any, *rest: Any) -> bool:
            states["dealer"] ^= 1
            return bool(resample(states, *rest))

        game.resample = careless


class Stale(CardTableEnv):
    """Shows the position of the reset for ever."""

    def observe(self, agent: str) -> Any:
        given = super().observe(agent)
        self.first: Any = self.__dict__.setdefault("first", {})
        given["observation"] = self.first.setdefault(agent, given["observation"])
        return given


class Lax(CardTableEnv):
    """Takes no notice of illegal actions."""

    def step(self, action: Any) -> None:
        with suppress(IllegalAction):
            super().step(action)


class SharedState(CardTableEnv):
    def __deepcopy__(self, memo: Any) -> Any:
        other = CardTableEnv(self.game.NAME, **self.rules._asdict())
        other.restore(self.save())
        other.__dict__ |= {k: v for k, v in self.__dict__.items() if "states" in k}
        other._attach(self.game)
        return other


class OutOfBounds(CardTableEnv):
    def observe(self, agent: str) -> Any:
        given = super().observe(agent)
        given["observation"][0] = 100
        return given


class MaskOffTurn(CardTableEnv):
    def observe(self, agent: str) -> Any:
        return super().observe(agent) | {"action_mask": self._mask.copy()}


class NoActions(CardTableEnv):
    def observe(self, agent: str) -> Any:
        given = super().observe(agent)
        given["action_mask"][:] = 0
        return given


class NarrowMask(CardTableEnv):
    """Hides a legal action, which it accepts all the same."""

    def observe(self, agent: str) -> Any:
        given = super().observe(agent)
        legal = np.flatnonzero(given["action_mask"])
        given["action_mask"][legal[1:2]] = 0
        return given


class HalfUndone(CardTableEnv):
    def _why_not(self, action: int) -> str:
        self._states["turns"] += 1
        return super()._why_not(action)


class NoReason(CardTableEnv):
    def _why_not(self, action: int) -> str:
        return "no"


class LosesCards(CardTableEnv):
    def step(self, action: Any) -> None:
        super().step(action)
        self._states["stock_size"][0] = max(int(self._states["stock_size"][0]) - 1, 0)


class SharedCopies(CardTableEnv):
    def __deepcopy__(self, memo: Any) -> Any:
        return self


class Forgetful(CardTableEnv):
    def __getstate__(self) -> dict[str, Any]:
        return super().__getstate__() | {"_states": np.zeros_like(self._states)}


class IntRewards(CardTableEnv):
    def _clear_rewards(self) -> None:
        self.rewards = dict.fromkeys(self.agents, 0)

    def step(self, action: Any) -> None:
        self._paid = True
        super().step(action)


class Generous(CardTableEnv):
    def _pay(self, rewards: list[float]) -> None:
        super()._pay([abs(reward) for reward in rewards])


class AlwaysPays(CardTableEnv):
    def step(self, action: Any) -> None:
        super().step(action)
        if self._live:
            self.rewards = {agent: (-1.0) ** n for n, agent in enumerate(self.agents)}


class RefusesLegalActions(CardTableEnv):
    def step(self, action: Any) -> None:
        if self._turns[0] == 3:
            raise IllegalAction("not now, whatever the mask says")
        super().step(action)


class OneEnds(CardTableEnv):
    def _end(self, won: bool, hand_ended: bool) -> None:
        super()._end(won, hand_ended)
        self.terminations["player_1"] = False


class Terminates(CardTableEnv):
    """Where it should truncate."""

    def _end(self, won: bool, hand_ended: bool) -> None:
        super()._end(True, hand_ended)


class Unseeded(CardTableEnv):
    def reset(self, seed: int | None = None, options: Any = None) -> None:
        super().reset()


class NewKeys(CardTableEnv):
    def _inform(self) -> None:
        super()._inform()
        if self._turns[0] > 2:
            self.infos["player_0"]["lead"] = 1


FAULTS = [
    (Peeks, r"the observation of seat \d tells hidden cards"),
    (MaskPeeks, r"the mask of seat \d tells hidden cards"),
    (NeverRedeals, "never dealt other cards"),
    (RedealsPublicCards, "changed dealer"),
    (Stale, "observes something else than the game shows it"),
    (Lax, "is not in the mask, but was played"),
    (SharedState, "changed the original|a copy differs"),
    (OutOfBounds, "observes outside of its space"),
    (MaskOffTurn, "is not to act, but has a mask"),
    (NoActions, "has no action"),
    (NarrowMask, "is not what the game allows"),
    (HalfUndone, "was refused, but not undone"),
    (NoReason, "without a reason"),
    (LosesCards, "cards lost or doubled"),
    (SharedCopies, "a copy is the original itself"),
    (Forgetful, "a copy differs from the original"),
    (IntRewards, "are not all floats"),
    (Generous, "do not sum to zero"),
    (RefusesLegalActions, "of the mask was refused: not now"),
    (AlwaysPays, "while the hand goes on"),
    (OneEnds, "but the flags are"),
    (Terminates, "is cut off, but the flags are"),
    (Unseeded, "same seed gives another deal"),
    (NewKeys, "'lead'. is unexpected"),
]


@pytest.mark.parametrize(("faulty", "told"), FAULTS, ids=[f.__name__ for f, _ in FAULTS])
@pytest.mark.parametrize("game", GAMES)
def test_faults_are_found(game: str, faulty: type[CardTableEnv], told: str) -> None:
    options: dict[str, Any] = {"num_players": 2, "target": None, **about(game).SHORT}
    if faulty is Terminates:
        options["max_turns"] = 4
    with pytest.raises(CheckError, match=told) as caught:
        check_env(faulty(game, **options), steps=400)
    assert "reset(seed=" in str(caught.value)
    check_env(CardTableEnv(game, **options), steps=20)
