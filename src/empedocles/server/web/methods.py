"""HTTP methods that no endpoint implements: HEAD is GET without the body, and OPTIONS lists the methods."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

METHODS = ("DELETE", "GET", "PATCH", "POST", "PUT")


def allowed(app: Starlette, scope: Scope) -> list[str]:
    """The methods of an address; none if there is no such address."""
    asked = {name: scope[name] for name in ("type", "path", "root_path", "headers") if name in scope}
    found = {
        method
        for method in METHODS
        if any(route.matches({**asked, "method": method})[0] == Match.FULL for route in app.router.routes)
    }
    return sorted(found | ({"HEAD"} if "GET" in found else set()) | {"OPTIONS"}) if found else []


class Methods:
    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
        elif scope["method"] == "HEAD":
            await self.app({**scope, "method": "GET"}, receive, _without_body(send))
        elif scope["method"] == "OPTIONS" and (methods := allowed(scope["app"], scope)):
            await Response(status_code=204, headers={"allow": ", ".join(methods)})(scope, receive, send)
        else:
            await self.app(scope, receive, send)


def _without_body(send: Send) -> Send:
    async def sending(message: Message) -> None:
        await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

    return sending
