"""PettingZoo's own tests, and what it leaves to its environments."""

from __future__ import annotations

import copy
import pickle
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest

import empedocles
from empedocles.adapters import pettingzoo as adapter
from empedocles.errors import BadValue, IllegalMove, UnknownName
from empedocles.games import GAMES

pytestmark = [
    # PettingZoo's tests import one of its old modules, and know by name which environments have masks in observations.
    pytest.mark.filterwarnings("ignore:The old environment creation API:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning"),
]
USUAL = [name for name, options in adapter.IDS.items() if not options]
SMALL = "empedocles/elemental_defenders-v1"


@pytest.fixture(autouse=True)
def no_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr(adapter, "FRAMES_PER_SECOND", 1000)


def made(name: str, **options: Any) -> Any:
    return pettingzoo.make("aec", name, **options)


def played(env: Any, steps: int) -> list[Any]:
    """Random steps: who was asked, with what reward, and what it did."""
    luck, log = np.random.default_rng(steps), []
    for agent in env.agent_iter(steps):
        _, reward, over, cut, info = env.last(observe=False)
        action = None if over or cut else int(luck.choice(np.flatnonzero(info["action_mask"])))
        log.append((agent, reward, over, action))
        env.step(action)
    return log


# ── PettingZoo's own tests ──


@pytest.mark.parametrize("name", adapter.IDS)
def test_api(name: str) -> None:
    from pettingzoo.test import api_test

    api_test(made(name), num_cycles=50)


@pytest.mark.parametrize("name", adapter.IDS)
def test_seeds(name: str) -> None:
    from pettingzoo.test import seed_test

    seed_test(lambda: made(name), num_cycles=50)


@pytest.mark.parametrize("name", USUAL)
def test_rendering(name: str) -> None:
    from pettingzoo.test import render_test

    render_test(lambda **mode: made(name, **mode), {"ansi": str.strip})


# ── Ids ──


def test_every_game_and_option_has_an_id() -> None:
    for game in GAMES.values():
        ids = [name for name in adapter.IDS if name.startswith(f"empedocles/{game.name.replace('-', '_')}")]
        assert len(ids) == len(game.variants())
        assert all(name.endswith(f"-v{game.rules_version}") for name in ids)
        for name in ids:
            assert made(name).unwrapped.game is game
    assert made("empedocles/points_of_power_players_4-v1").possible_agents == [f"player_{seat}" for seat in range(4)]


def test_the_docs_list_every_id() -> None:
    docs = (Path(__file__).parents[2] / "docs" / "research.md").read_text(encoding="utf-8")
    assert set(re.findall(r"`(empedocles/[\w-]+)`", docs)) == set(adapter.IDS)


def test_both_styles_and_the_library_play_the_same_match() -> None:
    from empedocles.adapters.pettingzoo import elemental_defenders_v1

    registered, module = made(SMALL, mode="basic"), elemental_defenders_v1.env(mode="basic")
    match = empedocles.new("elemental-defenders", mode="basic", seed=7)
    for env in (registered, module):
        env.reset(seed=7)
        assert env.unwrapped.match.moves == match.moves
    assert played(registered, 99) == played(module, 99)
    assert str(module) == "elemental_defenders_v1"


def test_unknown_names_and_values_are_said() -> None:
    with pytest.raises(AttributeError, match="no environment 'chess_v6': there are fire_and_water_v1, "):
        _ = adapter.chess_v6
    with pytest.raises(UnknownName, match="unknown value 7 for option 'players'"):
        made("empedocles/fire_and_water_v1", players=7)
    with pytest.raises(UnknownName, match="unknown render mode 'film': there are ansi, rgb_array, human"):
        made(SMALL, render_mode="film")


def test_a_game_without_a_view_is_no_environment() -> None:
    from stones import GAME

    adapter.register(GAME)
    assert not any("stones" in name for name in adapter.IDS)
    with pytest.raises(BadValue, match="stones cannot be an environment: its Game has no view"):
        adapter.GameEnv(GAME)


# ── Playing ──


def test_who_forgets_to_reset_is_told() -> None:
    env = adapter.elemental_defenders_v1.raw_env(render_mode="ansi")
    for ask in (lambda: env.step(0), lambda: env.observe("player_0"), env.last, env.render):
        with pytest.raises(gymnasium.error.ResetNeeded, match=r"no match yet: call reset\(\) first"):
            ask()
    env.reset(seed=1)
    with pytest.raises(UnknownName, match="unknown agent 'player_9': there are player_0, player_1"):
        env.observe("player_9")
    for _agent in env.agent_iter():
        observation, _, terminated, *_ = env.last()
        env.step(None if terminated else np.array(observation["action_mask"].argmax()))
    for ask in (lambda: env.step(0), lambda: env.step(None), env.last):
        with pytest.raises(gymnasium.error.ResetNeeded, match=r"this match is over.*call reset\(\)"):
            ask()


def test_a_running_environment_can_be_copied_and_pickled() -> None:
    env = made(SMALL)
    env.reset(seed=3)
    played(env, 9)
    twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    log, moves = played(env, 99), env.unwrapped.match.moves
    assert log[-1][2]
    for twin in twins:
        assert len(twin.unwrapped.match.moves) < len(moves)
        assert played(twin, 99) == log
        assert twin.unwrapped.match.moves == moves


def test_later_matches_follow_from_the_seed() -> None:
    def three_deals(seed: int) -> list[list[str]]:
        env, deals = made(SMALL), []
        for given in (seed, None, None):
            env.reset(seed=given)
            deals.append(env.unwrapped.match.moves)
        return deals

    assert three_deals(1) == three_deals(1)
    assert three_deals(1) != three_deals(2)
    assert len({tuple(deal) for deal in three_deals(1)}) == 3


def test_team_mates_share_the_reward() -> None:
    env = made("empedocles/points_of_power_players_4-v1")
    for seed in range(20):
        env.reset(seed=seed)
        while not any(env.terminations.values()):
            env.step(env.action_space(env.agent_selection).sample(env.last(observe=False)[4]["action_mask"]))
        one, other, *mates = env.rewards.values()
        assert [one, other] == mates
        assert one == -other
        if one:
            return
    pytest.fail("no match was won")


def illegal_action(env: Any) -> int:
    return int(np.flatnonzero(env.last(observe=False)[4]["action_mask"] == 0)[0])


def test_an_illegal_action_is_refused_by_the_raw_environment() -> None:
    env = adapter.elemental_defenders_v1.raw_env()
    env.reset(seed=1)
    before = env.unwrapped.match.moves
    with pytest.raises(IllegalMove, match=r"all cards are dealt \(ED-4\)"):
        env.step(illegal_action(env))
    with pytest.raises(IllegalMove, match="action numbers of Elemental Defenders go from 0 to 64"):
        env.step(99)
    with pytest.raises(TypeError, match="not NoneType: None"):
        env.step(None)
    assert env.unwrapped.match.moves == before
    assert not any(env.terminations.values())


def test_an_illegal_action_loses_the_game_in_the_wrapped_environment(caplog: pytest.LogCaptureFixture) -> None:
    env = made(SMALL)
    env.reset(seed=1)
    loser = env.agent_selection
    env.step(illegal_action(env))
    assert "Illegal move made" in caplog.text
    assert env.rewards[loser] == -1
    assert sorted(env.rewards.values()) == [-1, 0]
    assert all(env.terminations.values())
    env.reset(seed=1)
    assert not any(env.terminations.values())


# ── Showing ──


def test_pixels_and_text_show_the_position() -> None:
    pixels, text = made(SMALL, render_mode="rgb_array"), made(SMALL, render_mode="ansi")
    for env in (pixels, text):
        env.reset(seed=1)
        before = env.render()
        env.step(env.unwrapped.match.position.legal_actions[0])
        assert not np.array_equal(before, env.render())
    assert text.render() == str(text.unwrapped.match)


def test_a_window_shows_every_step_and_closes() -> None:
    import pygame

    env = made(SMALL, render_mode="human")
    env.reset(seed=1)
    env.step(env.unwrapped.match.position.legal_actions[0])
    shown = pygame.surfarray.array3d(pygame.display.get_surface()).swapaxes(0, 1)
    still = made(SMALL, render_mode="rgb_array")
    still.reset(seed=1)
    still.step(still.unwrapped.match.position.legal_actions[0])
    assert np.array_equal(shown, still.render())
    twin = copy.deepcopy(env)
    env.close()
    assert pygame.display.get_surface() is None
    twin.render()
    assert pygame.display.get_surface() is not None
    twin.close()


def test_without_a_render_mode_nothing_is_shown() -> None:
    env = made(SMALL)
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="make the environment with a render_mode of"):
        assert env.render() is None


@pytest.mark.parametrize(("module", "library"), [("pettingzoo", "pettingzoo"), ("openspiel", "pyspiel")])
def test_a_missing_library_names_the_extra(module: str, library: str) -> None:
    code = f"import sys; sys.modules[{library!r}] = None; import empedocles.adapters.{module}"
    found = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert "python -m pip install 'empedocles[research]'" in found.stderr
