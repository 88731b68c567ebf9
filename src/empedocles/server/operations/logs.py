"""The server's log messages, with secrets removed."""

from __future__ import annotations

import logging
import re
from typing import Any

from empedocles.errors import BadValue

LEVELS = ("debug", "info", "warning", "error")
HIDDEN = "***"
# Cookies, bearer tokens, secrets in JSON, and passwords in URLs; if in doubt, hide more than necessary.
SECRETS = (
    re.compile(r"(?i)(\b(?:set-)?cookie['\"]?\s*[:=,]\s*(?:b?['\"])?)[^\r\n]+"),
    re.compile(r"(?i)(\bbearer\s+)[^\s'\",;]+"),
    re.compile(r"(?i)(\bauthorization['\"]?\s*[:=,]\s*(?:b?['\"])?)(?!bearer)[^\r\n]+"),
    re.compile(r"(?i)(\b(?:token|invite|secret|password)\\?['\"]?\s*[:=]\s*\\?['\"]?)[^\s\\'\",;&}]+"),
    re.compile(r"(//[^:/@\s]*:)[^/\s]*(?=@)"),
)


def redacted(text: str) -> str:
    for secret in SECRETS:
        text = secret.sub(rf"\g<1>{HIDDEN}", text)
    return text


class Formatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return redacted(super().format(record))


def configuration(level: str) -> dict[str, Any]:
    """For `logging.config.dictConfig`, and for uvicorn, which uses it in each of its processes."""
    if level not in LEVELS:
        raise BadValue(f"{level!r} in EMPEDOCLES_LOG is not one of {', '.join(LEVELS)}")
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"plain": {"()": f"{__name__}.Formatter", "format": "%(levelname)s: %(name)s: %(message)s"}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "plain"}},
        "root": {"handlers": ["stderr"], "level": level.upper()},
        "loggers": {"uvicorn.access": {"level": "WARNING"}},  # visitors' addresses are not kept
    }
