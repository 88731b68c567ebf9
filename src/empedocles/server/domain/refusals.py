"""Refusals: requests that cannot be granted."""

from __future__ import annotations

from typing import Any

from empedocles.errors import EmpedoclesError


class Refused(EmpedoclesError):
    """A request that cannot be granted: a stable code, and words.

    `retry` is the number of seconds after which it may be granted.
    """

    def __init__(self, code: str, message: str, retry: float = 0.0, **more: Any) -> None:
        super().__init__(message)
        self.code, self.retry, self.more = code, retry, more

    def __reduce__(self) -> tuple[Any, ...]:
        """Workers' refusals are pickled."""
        return _refused, (self.code, str(self), self.retry, self.more)


def _refused(code: str, message: str, retry: float, more: dict[str, Any]) -> Refused:
    return Refused(code, message, retry, **more)
