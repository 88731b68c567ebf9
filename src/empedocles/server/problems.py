"""Errors as clients see them: a status, a stable code, words, and the rule where there is one. Never a stack trace."""

from __future__ import annotations

import math
from typing import Any

from empedocles.errors import BrokenGame, EmpedoclesError, IllegalMove, UnknownName
from empedocles.server.metrics import count_refusal
from empedocles.server.tables import Refused


def problem(error: EmpedoclesError, language: str = "en") -> tuple[int, dict[str, Any]]:
    status, content = _problem(error, language)
    count_refusal(content["code"])
    return status, content


def _problem(error: EmpedoclesError, language: str) -> tuple[int, dict[str, Any]]:
    if isinstance(error, Refused):
        retry = {"retry": math.ceil(error.retry)} if error.retry else {}
        return error.status, {"code": error.code, "message": str(error), **retry, **error.more}
    if isinstance(error, IllegalMove):
        message = error.message.say(language)
        return 422, {"code": "illegal-move", "message": message, "move": error.move, "rule": error.rule}
    if isinstance(error, BrokenGame):  # nothing that who asked could do better
        return 500, {"code": "broken-game", "message": str(error)}
    code = "unknown-name" if isinstance(error, UnknownName) else "bad-value"
    return 422, {"code": code, "message": str(error)}
