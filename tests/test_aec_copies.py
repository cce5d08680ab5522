"""The PettingZoo environment: copies at any moment, saved and restored."""

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from aec_envs import (  # noqa: F401
    games,
    mask_of,
    module_of,
    over,
    play,
    quiet,
    raw_env,
    short,
    tables,
    view,
)
from gymnasium.error import ResetNeeded

from rummyzoo.envs.saving import pack, unpack
from rummyzoo.envs.wrappers import Checked


@tables
@pytest.mark.parametrize("wrapped", [False, True])
def test_copies_at_any_moment(game: str, players: int, wrapped: bool, tmp_path: Path) -> None:
    def make(**options: Any) -> Any:
        env = short(game, players, target=None, **options)
        return Checked(env) if wrapped else env

    env = make(render_mode="rgb_array")
    env.reset(seed=6)
    rng = np.random.default_rng(6)
    steps = 0
    while env.agents:
        if steps % 10 == 0 or over(env):
            if steps % 50 == 0:
                env.render()  # a live painter cannot be copied, and need not be
            env.save(path := tmp_path / "moment")
            restored = [make(), make()]
            restored[0].restore(path)
            restored[1].restore(str(path))
            again = make()
            again.reset(seed=1)
            play(again, 3, rng)
            again.restore(env.save())
            copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env)), again, *restored]
            seen = view(env)
            for twin in copies:
                assert view(twin) == seen
            action = None if over(env) else int(rng.choice(np.flatnonzero(mask_of(env))))
            after = []
            for twin in copies:
                twin.step(action)
                play(twin, 10, np.random.default_rng(0))
                after.append(view(twin))
                assert view(env) == seen
            assert all(one == after[0] for one in after)
            if not over(env):
                env.step(action)
                play(env, 10, np.random.default_rng(0))
                assert view(env) == after[0]
                env.restore(path)
                assert view(env) == seen
        if over(env):
            env.step(None)
        else:
            play(env, 1, rng)
        steps += 1


@games
def test_copies_sample_as_the_original(game: str) -> None:
    env = module_of(game).env()
    env.action_space("player_0").seed(3)
    twins = [env, copy.deepcopy(env), pickle.loads(pickle.dumps(env))]  # before any reset
    assert len({twin.action_space("player_0").sample() for twin in twins}) == 1
    for twin in twins:
        twin.reset(seed=1)
    assert view(twins[0]) == view(twins[1]) == view(twins[2])


def altered(data: bytes, **header: Any) -> bytes:
    """A saved environment with something else in its header, and the checksum for that."""
    kept, body = unpack("environment", data)
    return pack("environment", kept | header, body)


@games
def test_what_cannot_be_restored_is_refused(game: str) -> None:
    env = raw_env(game)
    with pytest.raises(ResetNeeded):
        env.save()
    env.reset(seed=1)
    data, before = env.save(), view(env)
    for bad, why in [
        (b"", "not a saved environment"),
        (data.replace(b"{", b"["), "damaged"),
        (data[:-1] + bytes([data[-1] ^ 1]), "damaged"),
        (data[:-1], "cut off"),
        (data.replace(b'"num_players": 2', b'"num_players": 3'), "damaged"),
        (altered(data, num_players=3), "num_players=3"),
        (altered(data, environment="chess_v0"), "environment='chess_v0'"),
        (altered(data, kept={}), "another kind"),
    ]:
        with pytest.raises(ValueError, match=why):
            env.restore(bad)
    assert view(env) == before
    with pytest.raises(ValueError, match=r"max_turns=.*, but here it is 9"):
        raw_env(game, max_turns=9).restore(data)
