"""JSON that fits a schema, more or less: values from what is known, and then damaged."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from empedocles.testing.fuzz.damage import CHARACTERS, NUMBERS, changed_characters

Schema = Mapping[str, Any]
Known = Mapping[str, Sequence[Any]]  # by the name of a field or parameter: values worth a try

ODD: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2**31, 2**63, 2**64, 10**30, 0.5, -0.0, 1e308, "", " ", "\0", "a", "null", "\ud800"),
    *([], {}, [[]], [None], {"": ""}, {"kind": []}, "x" * 61, "x" * 5000, "é" * 300, "😀", "🏳️‍🌈", "../../etc/passwd"),
)
DEEP = 400  # brackets inside each other


def sketched(luck: random.Random, schema: Schema, described: Schema, known: Known, name: str = "") -> Any:
    """A value that a schema allows, as far as it goes; `described` has the definitions that it refers to."""
    if "$ref" in schema:
        return sketched(luck, described[schema["$ref"].rpartition("/")[2]], described, known, name)
    for choice in ("anyOf", "oneOf", "allOf"):
        if choice in schema:
            return sketched(luck, luck.choice(schema[choice]), described, known, name)
    if "const" in schema or "enum" in schema:
        return luck.choice(schema.get("enum", [schema.get("const")]))
    if known.get(name) and luck.random() < 0.9:
        return luck.choice(known[name])
    kind = schema.get("type", "null")
    if kind == "object":
        return _object(luck, schema, described, known, name)
    if kind == "array":
        inner = schema.get("items", {})
        return [sketched(luck, inner, described, known, name) for _ in range(luck.randint(0, 4))]
    if kind in ("integer", "number"):
        low, high = schema.get("minimum", -3), schema.get("maximum", 10**6)
        return luck.choice((low, high, luck.randint(int(low), int(min(high, low + 8))), low - 1, high + 1))
    if kind == "boolean":
        return luck.random() < 0.5
    return luck.choice(("", "a", "level-1", *NUMBERS, CHARACTERS)) if kind == "string" else None


def _object(luck: random.Random, schema: Schema, described: Schema, known: Known, name: str) -> dict[str, Any]:
    required = schema.get("required", ())
    found = {
        field: sketched(luck, inner, described, known, field)
        for field, inner in schema.get("properties", {}).items()
        if field in required or luck.random() < 0.5
    }
    if not schema.get("properties") and known.get(f"{name} names"):
        for field in luck.choices(known[f"{name} names"], k=luck.randint(0, 2)):
            found[field] = luck.choice(known[f"{name} values"])
    return found


def damaged_value(luck: random.Random, value: Any) -> Any:
    """The value with something strange somewhere in it."""
    if isinstance(value, dict) and value and luck.random() < 0.8:
        field = luck.choice(list(value))
        way = luck.random()
        if way < 0.15:
            return {name: part for name, part in value.items() if name != field}
        if way < 0.3:
            return value | {luck.choice((field.upper(), "", "x" * 50, "constructor")): value[field]}
        return value | {field: damaged_value(luck, value[field])}
    if isinstance(value, list) and value and luck.random() < 0.8:
        k = luck.randrange(len(value))
        changed = [*value[:k], damaged_value(luck, value[k]), *value[k + 1 :]]
        return changed if luck.random() < 0.7 else changed * luck.choice((0, 2, 40))
    if isinstance(value, str) and luck.random() < 0.6:
        return changed_characters(luck, value)
    return luck.choice(ODD)


def damaged_json(luck: random.Random, text: str) -> bytes:
    """Text that is no longer valid JSON."""
    way = luck.random()
    if way < 0.2:
        return b"[" * DEEP + b"]" * luck.choice((0, DEEP))
    if way < 0.3:
        return b'{"kind":' * DEEP
    if way < 0.4:
        return luck.choice((b"", b"null", b"NaN", b"[1e999]", b'"', b"\xff\xfe", b"\xef\xbb\xbf{}", b"1" * 5000))
    return changed_characters(luck, text).encode("utf-8", "surrogatepass")
