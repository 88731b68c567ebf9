"""Damaged input for everything that takes some: it is refused by an error of ours, or what it makes is sound.

    python -m empedocles.testing.fuzz --seconds 60 [--seed S] [--kinds positions,records] [--games stones]

Inputs are made from a seed, in chunks. Each chunk runs in a worker process whose kernels are compiled with bounds
checks, so that a read or write outside an array is found where it happens; a process that dies or hangs is a finding.

This file imports nothing: a worker has to set its environment before Numba is loaded.
"""
