"""Errors as clients see them: a status, a stable code, words, and the rule where there is one. Never a stack trace."""

from __future__ import annotations

import math
from typing import Any

from empedocles.errors import BrokenGame, EmpedoclesError, IllegalMove, UnknownName
from empedocles.server.domain.refusals import Refused
from empedocles.server.operations.metrics import count_refusal

CONFLICT = 409  # with the state of the table; for all codes not listed below
STATUSES = {
    code: status
    for status, codes in {
        401: "no-player",
        403: "bad-invite bad-token banned being-played not-allowed not-alone not-seated not-your-turn",
        404: "no-analysis no-match no-print no-puzzle unknown-lesson unknown-puzzle",
        408: "no-hello",
        422: "bad-clock bad-link bad-message bad-name bad-seats bad-start bad-value empty-record invisible-name "
        "too-large too-long unknown-command",
        429: "crowded too-many-open too-many-players too-many-reports too-many-requests too-many-tables",
        503: "busy took-too-long worker-died",
    }.items()
    for code in codes.split()
}


def problem(error: EmpedoclesError, language: str = "en") -> tuple[int, dict[str, Any]]:
    status, content = _problem(error, language)
    count_refusal(content["code"])
    return status, content


def _problem(error: EmpedoclesError, language: str) -> tuple[int, dict[str, Any]]:
    if isinstance(error, Refused):
        retry = {"retry": math.ceil(error.retry)} if error.retry else {}
        return STATUSES.get(error.code, CONFLICT), {"code": error.code, "message": str(error), **retry, **error.more}
    if isinstance(error, IllegalMove):
        message = error.say(language)
        return 422, {"code": "illegal-move", "message": message, "move": error.move, "rule": error.rule}
    if isinstance(error, BrokenGame):  # not the client's fault
        return 500, {"code": "broken-game", "message": str(error)}
    code = "unknown-name" if isinstance(error, UnknownName) else "bad-value"
    return 422, {"code": code, "message": error.say(language)}
