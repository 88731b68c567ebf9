"""Agents by reference: `package.module:Class` names anybody's class, which makes an agent from a seed.

Naming a module runs it. So names from strangers, such as a visitor's or a record's, never come here.
"""

from __future__ import annotations

import importlib
import re
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from empedocles.errors import BadValue, EmpedoclesError, UnknownName

FORM = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")
SHOWN = 8  # names of a module that an error lists


def is_reference(name: str) -> bool:
    return FORM.fullmatch(name) is not None


@dataclass(frozen=True)
class Reference:
    """Makes an agent of the class with this name."""

    name: str

    def __call__(self, seed: int) -> Any:
        return _made(named(self.name), seed, self.name)


def named(name: str, kind: str = "agent") -> Any:
    """What a reference names; errors say that it should be of this kind."""
    module, _colon, path = name.partition(":")
    title = f"{kind} {name!r}"
    found: Any = _module(module, title)
    for part in path.split("."):
        found = _part(found, part, title)
    return found


def _module(path: str, title: str) -> ModuleType:
    try:
        return importlib.import_module(path)
    except ModuleNotFoundError as error:
        if error.name and (path == error.name or path.startswith(f"{error.name}.")):
            raise UnknownName(
                f"unknown {title}: there is no module {error.name!r} in this folder or among what is installed"
            ) from None
        raise _failing(title, error) from error
    except EmpedoclesError:
        raise
    except (Exception, SystemExit) as error:
        raise _failing(title, error) from error


def _failing(title: str, error: BaseException) -> BadValue:
    return BadValue(f"the {title} cannot be imported: {type(error).__name__}: {error}")


def _part(owner: Any, part: str, title: str) -> Any:
    found = getattr(owner, part, None)
    if found is None:
        there = [known for known, value in vars(owner).items() if isinstance(value, type) and known[0] != "_"]
        listed = ", ".join(there[:SHOWN]) or "no class"
        where = getattr(owner, "__qualname__", owner.__name__)
        raise UnknownName(f"unknown {title}: there is no {part!r} in {where}, which has {listed}")
    return found


def _made(maker: Any, seed: int, name: str) -> Any:
    if not callable(maker):
        raise BadValue(f"the agent {name!r} is a {type(maker).__name__}: a class is needed, or a function of a seed")
    try:
        agent = maker(seed)
    except EmpedoclesError:
        raise
    except Exception as error:
        raise BadValue(f"the agent {name!r} cannot be made from a seed: {type(error).__name__}: {error}") from error
    if not callable(getattr(agent, "choose", None)):
        raise BadValue(f"the agent {name!r} has no method choose(position, limit)")
    return agent
