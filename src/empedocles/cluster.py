"""A connection to a Ray cluster, for all that spreads work over machines."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import Any, NamedTuple

from empedocles.errors import BadValue
from empedocles.extras import Extra

LOCAL = "local"  # the address that starts a Ray of our own


class Cluster(NamedTuple):
    ray: Any  # the library, connected
    cores: int


def ray() -> Any:
    """The library, if it is installed."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # it would report to its makers
    with Extra("cluster"):
        import ray
    return ray


@contextlib.contextmanager
def connected(address: str, cores: int | None = None) -> Iterator[Cluster]:
    """Ray at an address, or as it is connected already. One of our own gets as many cores as are given, or all."""
    library = ray()
    ours = not library.is_initialized()
    if ours:
        own = {"num_cpus": cores, "include_dashboard": False} if address == LOCAL else {}
        try:
            library.init(address, log_to_driver=False, logging_level="error", **own)
        except ConnectionError as error:
            raise BadValue(f"no connection to a Ray cluster at {address!r}: {error}") from None
    try:
        yield Cluster(library, int(library.cluster_resources().get("CPU", 1)))
    finally:
        if ours:
            library.shutdown()
