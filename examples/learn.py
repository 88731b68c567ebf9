"""A small network learns a game from scratch, on one core: it plays itself, and good moves become likelier (PPO).

    python examples/learn.py                                      Elemental Defenders, a little over two minutes
    python examples/learn.py --game ignite-and-flow --rounds 1000 --seconds 3600 --save network.pt

Before and after, it plays 500 matches against random moves, in every seat equally often, and fewer while it learns.
With the same seed, rounds and machine, the network is the same every time, unless the time runs out first.

What --save keeps plays as the agent learn:Learnt, wherever Python finds this file and network.pt is in the folder:

    PYTHONPATH=examples empedocles arena elemental-defenders learn:Learnt random --games 100 --simulations 20
"""

import argparse
import math
import os
import sys
import time
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

try:
    import torch
    from torch import Tensor, nn
    from torch.distributions import Categorical
except ImportError:
    sys.exit("this example needs PyTorch: python -m pip install 'empedocles[train]'")

import empedocles
from empedocles import Batch
from empedocles.agents import PolicyAgent
from empedocles.core.kernel import Planes
from empedocles.play.ratings import wilson

WIDTH, LEARNING_RATE, EPOCHS, MINIBATCH, CLIP, CURIOSITY = 256, 2e-3, 2, 2048, 0.2, 0.003
FORESIGHT = 0.8  # the λ of generalised advantages: how much later decisions count towards a decision's merit
NEVER = -1e9  # the logit of an illegal action
TESTS, TEST_SEED = 500, 10**9  # far from the seeds of training
LOOK, GLANCE = 10, 100  # rounds between two looks at how well it plays, and matches of one
FILE = os.environ.get("NETWORK", "network.pt")  # of the agent


class Network(nn.Module):
    """From what a seat sees: a policy over the legal actions, and the result it can expect."""

    def __init__(self, game: empedocles.Game) -> None:
        super().__init__()
        assert game.view is not None
        inputs = nn.Linear(math.prod(game.view.shape), WIDTH)
        self.body = nn.Sequential(nn.Flatten(), inputs, nn.ReLU(), nn.Linear(WIDTH, WIDTH), nn.ReLU())
        actions = game.actions_with(game.complete({}))  # a game's other options may have more
        self.policy, self.value = nn.Linear(WIDTH, actions), nn.Linear(WIDTH, 1)
        nn.init.zeros_(self.policy.weight)  # at first, everything legal is about equally likely

    def forward(self, seen: Tensor, masks: Tensor) -> tuple[Categorical, Tensor]:
        features = self.body(seen)
        logits = self.policy(features).masked_fill(~masks, NEVER)
        return Categorical(logits=logits, validate_args=False), self.value(features).tanh().squeeze(1)


class Decisions(NamedTuple):
    seen: Tensor  # a row for each decision, here and below
    masks: Tensor
    actions: Tensor
    likelihoods: Tensor  # log-probabilities at the time
    expected: Tensor  # the result expected at the time
    environments: Tensor
    seats: Tensor


def play(network: Network, batch: Batch, mine: npt.NDArray[np.bool_]) -> tuple[list[Decisions], Tensor]:
    """Play a match in every environment: its decisions, and the results. Seats not in `mine` move at random."""
    batch.reset()
    steps, results = [], torch.zeros(batch.n, batch.seats)
    while not batch.done.all():
        rows = np.flatnonzero(mine[np.arange(batch.n), batch.to_move] & ~batch.done)
        seen, masks = torch.from_numpy(batch.observe()[rows]), torch.from_numpy(batch.legal_mask[rows])  # copies
        with torch.no_grad():
            policy, expected = network(seen, masks)
        chosen = policy.sample()
        who = torch.from_numpy(rows), torch.from_numpy(batch.to_move[rows]).long()
        steps.append(Decisions(seen, masks, chosen, policy.log_prob(chosen), expected, *who))
        actions = batch.random_actions().copy()
        actions[rows] = chosen.numpy()
        results += torch.from_numpy(batch.step(actions).returns)
    return steps, results


def merits(steps: list[Decisions], results: Tensor) -> Tensor:
    """How much better than expected the match went after each decision, computed backwards for each seat."""
    later, merit, found = results.clone(), torch.zeros_like(results), []
    for step in reversed(steps):
        who = step.environments, step.seats
        merit[who] = later[who] - step.expected + FORESIGHT * merit[who]
        later[who] = step.expected
        found.append(merit[who])
    return torch.cat(found[::-1])


def learn(network: Network, optimiser: torch.optim.Optimizer, decisions: Decisions, merit: Tensor) -> None:
    goals = decisions.expected + merit
    for _ in range(EPOCHS):
        for rows in torch.split(torch.randperm(len(merit)), MINIBATCH):
            policy, expected = network(decisions.seen[rows], decisions.masks[rows])
            ratio = (policy.log_prob(decisions.actions[rows]) - decisions.likelihoods[rows]).exp()
            better = (merit[rows] - merit[rows].mean()) / (merit[rows].std(correction=0) + 1e-6)
            gain = torch.minimum(ratio * better, ratio.clamp(1 - CLIP, 1 + CLIP) * better).mean()
            loss = (expected - goals[rows]).square().mean() / 2 - gain - CURIOSITY * policy.entropy().mean()
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimiser.step()


def train(network: Network, batch: Batch, rounds: int, seconds: float) -> None:
    optimiser = torch.optim.Adam(network.parameters(), LEARNING_RATE)
    begin, everybody = time.perf_counter(), np.ones((batch.n, batch.seats), np.bool_)
    for number in range(1, rounds + 1):
        steps, results = play(network, batch, everybody)
        learn(network, optimiser, Decisions(*map(torch.cat, zip(*steps, strict=True))), merits(steps, results))
        over = number == rounds or time.perf_counter() - begin > seconds
        now = f", score {points(network, batch.game, GLANCE) / GLANCE:.0%}" if over or number % LOOK == 0 else ""
        print(f"round {number}: {number * batch.n:,} matches, {time.perf_counter() - begin:.0f} s{now}", flush=True)
        if over:
            break


def outcomes(network: Network, game: empedocles.Game, matches: int) -> list[int]:
    """How many are lost, drawn and won. The network has one seat, and all others move at random."""
    batch = empedocles.vector(game.name, matches, seed=TEST_SEED, auto_reset=False)
    seats = np.arange(matches) % batch.seats
    with torch.random.fork_rng(devices=[]):  # what is learnt does not depend on looks
        results = play(network, batch, np.eye(batch.seats, dtype=np.bool_)[seats])[1].numpy()
    counts: list[int] = np.bincount(np.sign(results[np.arange(matches), seats]).astype(int) + 1, minlength=3).tolist()
    return counts


def points(network: Network, game: empedocles.Game, matches: int) -> float:
    _lost, drawn, won = outcomes(network, game, matches)
    return won + drawn / 2


def score(network: Network, game: empedocles.Game) -> str:
    lost, drawn, won = outcomes(network, game, TESTS)
    low, high = wilson(reached := won + drawn / 2, TESTS)
    parts = f"{won} won, {drawn} drawn, {lost} lost"
    return f"{reached / TESTS:.1%} against random moves (95 %: {low:.1%} – {high:.1%}): {parts}"


class Learnt(PolicyAgent):
    """What was saved, as an agent: a search that the network guides."""

    def __init__(self, seed: int = 0) -> None:
        saved = torch.load(FILE, weights_only=True)
        self.network = Network(empedocles.games()[saved["game"]])
        self.network.load_state_dict(saved["weights"])
        super().__init__(self.ask, seed)

    @torch.inference_mode()
    def ask(self, observations: Planes) -> tuple[Tensor, Tensor]:
        features = self.network.body(torch.from_numpy(observations))
        return self.network.policy(features), self.network.value(features).tanh()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="elemental-defenders", choices=list(empedocles.games()))
    parser.add_argument("--rounds", type=int, default=150, help="rounds of self-play and learning")
    parser.add_argument("--matches", type=int, default=512, help="matches per round")
    parser.add_argument("--seconds", type=float, default=300, help="stop learning after this time")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--save", help="a file for the network's weights")
    given = parser.parse_args()
    torch.manual_seed(given.seed)
    torch.set_num_threads(1)  # layers this small are no faster on more
    torch.use_deterministic_algorithms(True)
    batch = empedocles.vector(given.game, given.matches, seed=given.seed, auto_reset=False)
    network = Network(batch.game)
    print("before:", score(network, batch.game), flush=True)
    train(network, batch, given.rounds, given.seconds)
    print("after: ", score(network, batch.game), f"\n{time.process_time():.0f} s of processor time in all")
    if given.save:
        torch.save({"game": given.game, "weights": network.state_dict()}, given.save)


if __name__ == "__main__":
    main()
