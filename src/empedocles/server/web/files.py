"""Files: those of the pages, and large answers, which are sent in chunks.

If a client does not read an answer, only a chunk of it stays in memory.
"""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.staticfiles import StaticFiles

CHUNK = 64 * 1024  # bytes
GZIP = 16 + zlib.MAX_WBITS  # the format, for zlib


class PageFiles(StaticFiles):
    """Scripts and styles. Browsers keep them and ask each time whether they are the latest, as versions do not mix."""

    def file_response(self, *given: Any, **named: Any) -> Response:
        response = super().file_response(*given, **named)
        response.headers["cache-control"] = "no-cache"
        return response


def answer(content: bytes, media_type: str, headers: Mapping[str, str] | None = None) -> StreamingResponse:
    given = {"content-length": str(len(content)), **(headers or {})}
    return StreamingResponse(_pieces(content), media_type=media_type, headers=given)


def answer_zipped(
    request: Request, zipped: bytes, media_type: str, headers: Mapping[str, str] | None = None
) -> StreamingResponse:
    """Send a file that was zipped where it was made: zipping it here would delay others."""
    given = {"vary": "accept-encoding", **(headers or {})}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return answer(zipped, media_type, given | {"content-encoding": "gzip"})
    return StreamingResponse(_unzipped(zipped), media_type=media_type, headers=given)


async def _pieces(content: bytes) -> AsyncIterator[bytes]:
    for start in range(0, len(content), CHUNK):
        yield content[start : start + CHUNK]


async def _unzipped(zipped: bytes) -> AsyncIterator[bytes]:
    reader = zlib.decompressobj(GZIP)
    while not reader.eof:
        yield reader.decompress(zipped, CHUNK)
        zipped = reader.unconsumed_tail
