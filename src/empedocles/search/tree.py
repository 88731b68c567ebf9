"""A search tree as flat arrays: a node is an index, its children lie next to each other."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from empedocles.core.kernel import kernel

ROOT = 0
UNIT = 2**24  # worths are whole numbers of 1 / UNIT, so that threads can add them without loss
LEAF, BUSY = 0, -1  # instead of a family: no children yet, and a thread is about to make them
USED, STUCK = 0, 1  # what `size` holds


class Tree(NamedTuple):
    """What is known of every node. A row per seat lies at node × seats."""

    family: npt.NDArray[np.int64]  # the first child and how many there are (`family_of`), LEAF or BUSY
    action: npt.NDArray[np.int16]  # the one that leads to a node
    mover: npt.NDArray[np.int8]  # seat to move at a node with children, or CHANCE
    settled: npt.NDArray[np.int8]  # 1: what each seat expects is no estimate, but the exact value
    visits: npt.NDArray[np.int64]
    prior: npt.NDArray[np.float32]  # how much a node promises beside its siblings; they sum to 1
    worth: npt.NDArray[np.int64]  # per seat, the sum of all results, in UNITs
    expect: npt.NDArray[np.float32]  # per seat, what the evaluation says, or the exact value
    size: npt.NDArray[np.int64]  # nodes in use; and 1 if the rules are BROKEN somewhere in the tree, else 0


def new_tree(nodes: int, seats: int) -> Tree:
    # Zeroed memory costs nothing until it is used: a large tree is no burden for a short search.
    return Tree(
        np.zeros(nodes, np.int64),
        np.zeros(nodes, np.int16),
        np.zeros(nodes, np.int8),
        np.zeros(nodes, np.int8),
        np.zeros(nodes, np.int64),
        np.zeros(nodes, np.float32),
        np.zeros(nodes * seats, np.int64),
        np.zeros(nodes * seats, np.float32),
        np.array([1, 0]),
    )


@kernel
def family_of(first: int, children: int) -> int:
    return first << 16 | children


@kernel
def first_of(family: int) -> int:
    return family >> 16


@kernel
def children_of(family: int) -> int:
    return family & 0xFFFF


def children(tree: Tree, node: int) -> range:
    """The children of a node, for code that is not a kernel."""
    family = int(tree.family[node])
    first = first_of(family)
    return range(first, first + children_of(family)) if family > 0 else range(0)


def exchange(tree: Tree, one: int, two: int, seats: int) -> None:
    """Let two siblings change places."""
    for rows in (tree.family, tree.action, tree.mover, tree.settled, tree.visits, tree.prior):
        rows[[one, two]] = rows[[two, one]]
    for rows in (tree.worth.reshape(-1, seats), tree.expect.reshape(-1, seats)):
        rows[[one, two]] = rows[[two, one]]


@kernel
def keep(tree: Tree, node: int, other: Tree, origin: npt.NDArray[np.int64], seats: int) -> None:
    """Copy a node and all below it into an empty tree of the same size, the node as the root."""
    origin[ROOT], size = node, 1
    copied = 0
    while copied < size:
        old = origin[copied]
        other.action[copied], other.mover[copied] = tree.action[old], tree.mover[old]
        other.settled[copied], other.visits[copied] = tree.settled[old], tree.visits[old]
        other.prior[copied] = tree.prior[old]
        for seat in range(seats):
            other.worth[copied * seats + seat] = tree.worth[old * seats + seat]
            other.expect[copied * seats + seat] = tree.expect[old * seats + seat]
        family = tree.family[old]
        if family > 0:
            other.family[copied] = family_of(size, children_of(family))
            for k in range(children_of(family)):
                origin[size + k] = first_of(family) + k
            size += children_of(family)
        copied += 1
    other.size[USED] = size
