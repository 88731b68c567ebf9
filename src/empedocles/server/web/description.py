"""The OpenAPI description of the API: what endpoints declare themselves, and what holds for all of them."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from pydantic import TypeAdapter
from pydantic.json_schema import models_json_schema

from empedocles.server.web import wire

SCHEMAS = "#/components/schemas/{model}"

# The JSON answer of each operation. Endpoints only declare an object: checking every answer against a model would slow
# them down.
ANSWERS: dict[str, Any] = {
    "POST /api/players": wire.NewPlayer,
    "GET /api/players/me/token": wire.MyToken,
    "GET /api/games": list[wire.Game],
    "POST /api/matches": wire.NewTable,
    "GET /api/matches": list[wire.Summary],
    "GET /api/matches/{match}": wire.LegalState,
    "POST /api/matches/{match}/join": wire.TableState,
    "POST /api/matches/{match}/commit": wire.TableState,
    "POST /api/matches/{match}/open": wire.TableState,
    "POST /api/matches/{match}/moves": wire.TableState,
    "POST /api/matches/{match}/commands": wire.TableState,
    "POST /api/matches/{match}/rematch": wire.TableState,
    "GET /api/matches/{match}/draws": wire.Draws,
    "POST /api/records": wire.ReadRecord,
    "GET /api/matches/{match}/why": wire.Help,
    "GET /api/matches/{match}/leads": wire.Leads,
    "POST /api/matches/{match}/hint": wire.Hint,
    "POST /api/matches/{match}/warning": wire.WarningAnswer,
    "GET /api/matches/{match}/frames": wire.Frames,
    "POST /api/positions": wire.PositionView,
    "POST /api/positions/leads": wire.Leads,
    "POST /api/positions/state": wire.PositionState,
    "POST /api/positions/lines": wire.Lines,
    "POST /api/evaluations": list[wire.Evaluation],
    "POST /api/explanations": wire.Remark,
    "POST /api/analyses": wire.Analysis,
    "GET /api/analyses/{analysis}": wire.Analysis,
    "GET /api/matches/{match}/turning-point": wire.TurningPoint | None,
    "POST /api/imports": wire.TableState,
    "POST /api/lessons/{game}/{number}": wire.Verdict,
    "GET /api/lessons/{game}/{number}/leads": wire.Leads,
    "POST /api/puzzles/{game}": wire.PuzzleView,
    "GET /api/puzzles/{game}/{puzzle}": wire.PuzzleView,
    "POST /api/puzzles/{game}/{puzzle}/answers": wire.PuzzleAnswer,
    "POST /api/puzzles/{game}/{puzzle}/solution": wire.PuzzleSolution,
    "POST /api/puzzles/{game}/{puzzle}/refutations": wire.Refutation,
    "POST /api/positions/why": wire.Help,
}

NEW_TABLES = ("/api/matches", "/api/imports")

REFUSALS = {
    400: "The body is not valid JSON.",
    401: "No token was sent, or no player has it.",
    403: "You are not allowed to do that.",
    404: "It does not exist.",
    409: "That is not possible now.",
    413: "The body is too large.",
    415: "The body is not declared as JSON.",
    421: "The server is not available under this name.",
    422: "The request or its values are invalid.",
    429: "Too many requests.",
    503: "The server is busy.",
}
ALWAYS = (403, 421, 429, 503)
WITH_BODY = (400, 409, 413, 415)
WAITS = {"description": "Seconds after which to ask again.", "schema": {"type": "integer", "minimum": 1}}


class DescribedAPI(FastAPI):
    def openapi(self) -> dict[str, Any]:
        if not self.openapi_schema:
            described = super().openapi()
            schemas = described.setdefault("components", {}).setdefault("schemas", {})
            schemas |= _schemas()
            for path, operations in described["paths"].items():
                for method, operation in operations.items():
                    _describe(operation, ANSWERS.get(f"{method.upper()} {path}"))
            for path in NEW_TABLES:
                described["paths"][path]["post"]["responses"]["201"]["links"] = _links(described["paths"])
            for unused in ("HTTPValidationError", "ValidationError"):  # FastAPI's own; ours is `Problem`
                schemas.pop(unused, None)
        return self.openapi_schema or {}


def _schemas() -> dict[str, Any]:
    named = [model for model in vars(wire).values() if isinstance(model, type) and issubclass(model, wire.Told)]
    described = models_json_schema([(model, "serialization") for model in named], ref_template=SCHEMAS)[1]
    schemas: dict[str, Any] = described["$defs"]
    return schemas


def _describe(operation: dict[str, Any], answer: Any) -> None:
    responses = operation["responses"]
    if answer:
        granted = next(response for status, response in responses.items() if status.startswith("2"))
        schema = TypeAdapter(answer).json_schema(mode="serialization", ref_template=SCHEMAS)
        schema.pop("$defs", None)
        named = {"$ref": SCHEMAS.format(model=answer.__name__)} if "properties" in schema else schema
        granted["content"]["application/json"]["schema"] = named
    for status in sorted(_refusals(operation)):
        responses[str(status)] = _refusal(status)


def _links(paths: dict[str, Any]) -> dict[str, Any]:
    """Links from a new table to what can be done with it."""
    known = {"parameters": {"match": "$response.body#/id"}}
    found = [op["operationId"] for path, ops in paths.items() if "{match}" in path for op in ops.values()]
    return {operation: {"operationId": operation, **known} for operation in found}


def _refusals(operation: dict[str, Any]) -> set[int]:
    """The statuses with which an operation may refuse, given its parameters."""
    has_body, has_parameters = "requestBody" in operation, bool(operation.get("parameters"))
    found = {*ALWAYS, *(WITH_BODY if has_body else ())}
    found |= {401} if "security" in operation else set()
    return found | ({404, 409, 422} if has_body or has_parameters else set())


def _refusal(status: int) -> dict[str, Any]:
    content = {"application/json": {"schema": {"$ref": SCHEMAS.format(model="Problem")}}}
    headers = {"headers": {"Retry-After": WAITS}} if status in (429, 503) else {}
    return {"description": REFUSALS[status], "content": content, **headers}
