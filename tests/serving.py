"""A server for tests, in a thread of this process and at a port of its own."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def serving(folder: Path, **more: Any) -> Iterator[tuple[str, Any]]:
    """Its address, and the application."""
    import uvicorn

    from empedocles.server.app import create_app
    from empedocles.server.settings import Settings

    given: dict[str, Any] = {
        "database": f"sqlite+aiosqlite:///{folder / 'test.db'}",
        "bots": 0,
        "rate": 1e6,
        "burst": 1e6,
    }
    app = create_app(Settings(**given | more))
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", ws="websockets-sansio"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [place]})
        thread.start()
        try:
            while not server.started:
                assert thread.is_alive(), "the server did not start"
                time.sleep(0.02)
            yield f"http://127.0.0.1:{place.getsockname()[1]}", app
        finally:
            server.should_exit = True
            thread.join()
