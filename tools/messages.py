"""Generate the types of messages for the browser code from the server's models.

    python tools/messages.py FILE

`make types` does that, and then checks the browser code against them.
"""

from __future__ import annotations

import sys
import types
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from empedocles.server.web import wire

DRAWN = {"Frame", "Film"}  # defined more precisely where they are drawn
HEAD = f"""// Written by tools/messages.py from server/web/wire.py.
import type {{ {", ".join(sorted(DRAWN))} }} from "../../play/static/picture.js";
"""
SIMPLE = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null", Any: "any"}


def models() -> list[type[BaseModel]]:
    found = [one for one in vars(wire).values() if isinstance(one, type) and issubclass(one, BaseModel)]
    return [one for one in found if one.__module__ == wire.__name__ and one is not wire.Told]


def written(kind: Any) -> str:
    """A Python type in TypeScript."""
    origin, given = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return written(given[0])
    if origin is Literal:
        return " | ".join(f'"{value}"' for value in given)
    if origin in (Union, types.UnionType):
        return " | ".join(written(one) for one in given)
    if origin is list:
        inside = written(given[0])
        return f"({inside})[]" if " | " in inside else f"{inside}[]"
    if origin is tuple:
        return f"[{', '.join(written(one) for one in given)}]"
    if origin is dict:
        record = f"Record<{written(given[0])}, {written(given[1])}>"
        return f"Partial<{record}>" if get_origin(given[0]) is Literal else record
    return SIMPLE.get(kind) or kind.__name__


def field(name: str, about: FieldInfo, told: bool) -> str:
    optional = told and not about.is_required()
    note = f" // {about.description}" if about.description else ""
    return f"  {name}{'?' if optional else ''}: {written(about.annotation)};{note}"


def interface(model: type[BaseModel]) -> str:
    parent = next(base for base in model.__mro__[1:] if issubclass(base, BaseModel))
    inherited = parent.model_fields if parent not in (BaseModel, wire.Told) else {}
    told = issubclass(model, wire.Told)
    own = {name: about for name, about in model.model_fields.items() if name not in inherited}
    extends = f" extends {parent.__name__}" if inherited else ""
    lines = [field(name, about, told) for name, about in own.items()]
    return "\n".join([f"export interface {model.__name__}{extends} {{", *lines, "}"])


def union(name: str, kind: Any) -> str:
    return f"export type {name} = {written(kind)};"


def whole() -> str:
    interfaces = [interface(model) for model in models() if model.__name__ not in DRAWN]
    unions = [union("Said", wire.Said), union("Heard", wire.Heard), union("Choice", wire.Choice)]
    return "\n\n".join([HEAD.strip(), *unions, *interfaces]) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(whole(), encoding="utf-8")
