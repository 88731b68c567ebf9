"""Find the weights of Fire & Water's evaluation: python benchmarks/fit_fire_and_water.py PLAYERS [GAMES] [ROUNDS].

In each round a greedy player with the weights so far plays against itself, sometimes at random; then logistic
regression finds the weights that best predict the winners. The first round plays with weights set by hand.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

import sys

import numba
import numpy as np

from empedocles.core.kernel import CHANCE, legal, play, returns
from empedocles.core.rng import draw
from empedocles.games.fire_and_water import GAME, advice
from empedocles.games.fire_and_water.rules import NO_SEAT, winner

FEATURES = len(advice.FEATURES)
BOARDS = ("medallion", "medallion", "medallion", "chessboard")
CARELESS = (0, 3, 10, 30)  # percentage of random moves, by game
BLIND = (3, 3, 20, 40)  # random plies at the start, by game
SAMPLE = 6  # keep every sixth position
CAUTION = 5.0  # regularisation: keeps unneeded weights near 0

BY_HAND = np.zeros((FEATURES, 2))  # kernels take them flattened
BY_HAND[[advice.TOKENS, advice.LEADER, advice.CLAIMABLE]] = 0.7
BY_HAND[[advice.READY, advice.LED_1, advice.LED_2, advice.FRIENDLY]] = [[0.4], [0.3], [0.2], [0.3]]
BY_HAND[[advice.CONQUERED, advice.DANGER]] = -0.5


@numba.njit
def choose(states, weights, careless, seed, ply, out, worths):
    """The action after which states[0] is best for its mover; states[1] is scratch space."""
    n = legal(states[0], out)
    start = draw(seed, 2 * ply, n)
    if states[0].mover == CHANCE or draw(seed, 2 * ply + 1, 100) < careless:
        return out[start]
    best, most = out[start], -2.0
    for k in range(n):
        states[1] = states[0]
        play(states[1], int(out[(start + k) % n]))
        if states[1].over:
            returns(states[1], worths)
        else:
            advice.expect(states[1], weights, False, worths)
        if worths[states[0].mover] > most:
            best, most = out[(start + k) % n], worths[states[0].mover]
    return best


@numba.njit
def self_play(states, weights, careless, blind, seed, out, worths, seen, rooms):
    """Play states[0] to its end, storing the features of some positions on the way; returns their number."""
    ply, n = 0, 0
    unit = np.zeros(2 * FEATURES)
    while not states[0].over:
        if ply > blind and states[0].last == NO_SEAT and draw(seed + np.uint64(1 << 40), ply, SAMPLE) == 0:
            for feature in range(FEATURES):  # the worth is linear in the weights: unit weights give the features
                unit[2 * feature] = unit[2 * feature + 1] = 1
                for seat in range(states[0].seats):
                    seen[n, seat, feature] = advice.worth(states[0], seat, unit)
                unit[2 * feature] = unit[2 * feature + 1] = 0
            rooms[n] = advice.emptiness(states[0])
            n += 1
        action = choose(states, weights, 100 if ply < blind else careless, seed, ply, out, worths)
        play(states[0], int(action))
        ply += 1
    return n


def collect(players, weights, games, seed):
    """Features weighted by fullness and by emptiness [position, seat, 2 × feature], and who won."""
    states, out = np.zeros(2, GAME.rules.state), np.empty(GAME.max_legal, np.int16)
    seen, rooms = np.zeros((GAME.max_plies, players, FEATURES)), np.zeros((GAME.max_plies, 1, 1))
    x, y = [], []
    for g in range(games):
        states[0] = GAME.start({"players": players, "board": BOARDS[g % 4]})
        careless, blind, luck = CARELESS[g // 4 % 4], BLIND[g // 16 % 4], np.uint64(seed * 1_000_003 + g)
        n = self_play(states, weights, careless, blind, luck, out, np.zeros(4, np.float32), seen, rooms.reshape(-1))
        x.append(np.concatenate([seen[:n] * (1 - rooms[:n]), seen[:n] * rooms[:n]], axis=2))
        y += [winner(states[0])] * n
    return np.concatenate(x), np.array(y)


def fit(x, y):
    """Newton's method on the likelihood of the winners."""
    scale = x.std((0, 1)) + 1e-9
    x, w = x / scale, np.zeros(x.shape[2])
    for _ in range(8):
        p = chances(x, w)
        mean = np.einsum("ns,nsf->nf", p, x)
        d = (x - mean[:, None]) * np.sqrt(p)[:, :, None]
        d = d.reshape(-1, len(w))
        slope = (x[np.arange(len(y)), y] - mean).sum(0) - CAUTION * w
        w += np.linalg.solve(d.T @ d + CAUTION * np.eye(len(w)), slope)
    return w / scale


def chances(x, w):
    scores = x @ w
    p = np.exp(scores - scores.max(1, keepdims=True))
    return p / p.sum(1, keepdims=True)


def main(players, games=1500, rounds=4):
    weights, data = BY_HAND, []
    for number in range(rounds):
        data.append(collect(players, weights.ravel(), games, number))
        x, y = (np.concatenate(part) for part in zip(*data[-2:], strict=True))
        weights = fit(x, y).reshape(2, FEATURES).T.copy()
        x, y = data[-1]
        p = chances(x, weights.T.reshape(-1))[np.arange(len(y)), y]
        print(f"round {number + 1}: {len(y)} positions, log-loss {-np.log(p).mean():.3f} in sample", flush=True)
    print(np.array2string(weights, precision=3, suppress_small=True, separator=", "))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
