"""Answers to requests that fail: a page for people, JSON for programs."""

from __future__ import annotations

import logging
import math
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from empedocles.errors import EmpedoclesError
from empedocles.server.domain.refusals import Refused
from empedocles.server.web.methods import allowed
from empedocles.server.web.pages import templates, words
from empedocles.server.web.problems import problem
from empedocles.server.web.security import HEADERS

log = logging.getLogger(__name__)


def answer_all(app: FastAPI) -> None:
    """Register handlers for everything that may be raised while a request is answered."""
    app.add_exception_handler(HTTPException, _absent)
    app.add_exception_handler(EmpedoclesError, refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(Exception, _failed)


def _answer(request: Request, status: int, content: dict[str, Any]) -> Response:
    """A problem as a page for people, and as JSON for programs."""
    if not request.url.path.startswith("/api/") and "text/html" in request.headers.get("accept", ""):
        said = {"problem": words.PROBLEMS.get(content["code"], ""), "reason": content.get("reason", "")}
        return templates.page(request, "error.html", status, code=content["code"], **said)
    return JSONResponse(content, status)


async def refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, EmpedoclesError)
    status, content = problem(error, templates.language_of(request))
    answer = _answer(request, status, content)
    if isinstance(error, Refused) and error.retry:
        answer.headers["retry-after"] = str(math.ceil(error.retry))
    if status == 401:
        answer.headers["www-authenticate"] = "Bearer"
    return answer


async def _absent(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 405:
        answer = _answer(request, 405, {"code": "bad-method", "message": error.detail})
        answer.headers["allow"] = ", ".join(allowed(request.app, request.scope))
        return answer
    code = "not-found" if error.status_code == 404 else "bad-request"
    return _answer(request, error.status_code, {"code": code, "message": error.detail})


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    if first["loc"][0] == "body" and not _is_json(request):
        return _answer(request, 415, {"code": "bad-type", "message": "the body must be application/json"})
    status = 400 if first["type"] == "json_invalid" else 422
    return _answer(request, status, {"code": "bad-request", "message": f"{where}: {first['msg']}"})


def _is_json(request: Request) -> bool:
    """Whether the request declares a JSON body."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    return kind == "application/json" or (kind.startswith("application/") and kind.endswith("+json"))


async def _failed(request: Request, error: Exception) -> Response:
    log.error("a request failed", exc_info=error)
    answer = _answer(request, 500, {"code": "failed", "message": "something went wrong, but nothing was lost"})
    answer.headers.update(HEADERS)  # the guard, which adds them, is inside of what calls this
    return answer
