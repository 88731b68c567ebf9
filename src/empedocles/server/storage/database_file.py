"""A SQLite file: readable by its owner alone, checked before use, copied and replaced as a whole."""

from __future__ import annotations

import contextlib
import logging
import os
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

from empedocles.errors import BadValue

OWNER, OTHERS = 0o700, 0o077  # permission bits
BESIDE = ("", "-wal", "-shm")  # the database and SQLite's own files beside it
DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
WAIT = 30.0  # seconds to wait for another process's lock
SHARED_LOCK = (0x4000_0002, 510)  # start and length of the bytes that processes using SQLite lock

log = logging.getLogger(__name__)


def prepare(file: Path | None) -> None:
    """Create the file and its folder, readable by the owner alone, and check that it can be opened."""
    if file is None:
        return
    if not file.parent.exists():
        file.parent.mkdir(OWNER, parents=True, exist_ok=True)
    if file.exists():
        _close_to_others(file)
    else:
        make(file)
    with contextlib.closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA user_version")


def make(file: Path) -> None:
    """Create an empty file that nobody else can read; SQLite copies its permissions to the files beside it."""
    with contextlib.suppress(FileExistsError):
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def _close_to_others(file: Path) -> None:
    # By name: opening and closing the file would release SQLite's locks in this process.
    for part in _parts(file) if os.name == "posix" else ():
        with contextlib.suppress(FileNotFoundError):
            mode = part.stat().st_mode
            if mode & OTHERS:
                _chmod(part, mode & OWNER)


def _chmod(part: Path, mode: int) -> None:
    try:
        part.chmod(mode)
    except PermissionError:
        log.warning("other users of this machine can read %s, and only its owner can change that", part)
    else:
        log.warning("other users of this machine could read %s; their permission was removed", part)


def _parts(file: Path) -> list[Path]:
    return [file.with_name(file.name + end) for end in BESIDE]


def check(file: Path) -> None:
    """Refuse a damaged file, and leave it as it is."""
    if not file.exists() or not file.stat().st_size:
        return
    if damage := damage_in(file):
        raise BadValue(
            f"the file is damaged ({damage}). Nothing was changed in it. Put a backup in its place "
            f"(empedocles admin restore BACKUP --force), or save what can be read: "
            f"sqlite3 '{file}' .recover | sqlite3 saved.db"
        )


def damage_in(file: Path) -> str:
    """What is wrong with a file, in SQLite's words; "" if nothing is."""
    try:
        with contextlib.closing(_read_only(file)) as connection:
            found = [str(row[0]) for row in connection.execute("PRAGMA quick_check(3)")]
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF not in DAMAGED:
            raise
        found = [str(error)]
    return "" if found == ["ok"] else "; ".join(found)


def version(file: Path) -> str | None:
    """The migration that a file is at; None if it is not our database."""
    with contextlib.closing(_read_only(file)) as connection:
        try:
            found = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        except sqlite3.OperationalError:
            return None
    return str(found[0]) if found else None


def _read_only(file: Path) -> sqlite3.Connection:
    if not file.is_file():
        raise BadValue(f"there is no file {file}")
    return sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", WAIT, uri=True)


def copy(source: Path, target: Path) -> None:
    """Copy a database as it is at one moment, even while others write to it; the copy is one file."""
    part = target.with_name(f"{target.name}.part-{os.getpid()}")
    make(part)
    try:
        with contextlib.closing(_read_only(source)) as old, contextlib.closing(sqlite3.connect(part)) as new:
            old.backup(new)
            new.execute("PRAGMA journal_mode=DELETE")
        if damage := damage_in(part):
            raise BadValue(f"the copy of {source} is damaged ({damage}): nothing was written")
        with _opened(part) as descriptor:
            os.fsync(descriptor)  # before it is renamed into place
        part.replace(target)
    finally:
        for left in _parts(part):
            left.unlink(missing_ok=True)


def put_aside(file: Path) -> Path:
    """Rename a database and the files beside it; returns its new name."""
    aside = file.with_name(f"{file.name}.before-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}")
    for old, new in zip(_parts(file), _parts(aside), strict=True):
        if old.exists():
            old.rename(new)
    return aside


def in_use(file: Path) -> bool:
    """Whether another process has the database open: then SQLite refuses to leave write-ahead mode."""
    try:
        with contextlib.closing(sqlite3.connect(file, 0.5)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.DatabaseError as error:
        return error.sqlite_errorcode & 0xFF not in DAMAGED or _is_locked(file)
    return False


def _is_locked(file: Path) -> bool:
    """The same as `in_use`, for a file that SQLite cannot read."""
    try:
        import fcntl
    except ImportError:  # on Windows, where files in use cannot be renamed anyway
        return False
    with _opened(file) as descriptor:
        try:
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, SHARED_LOCK[1], SHARED_LOCK[0])
        except OSError:
            return True
    return False


@contextlib.contextmanager
def _opened(file: Path) -> Iterator[int]:
    descriptor = os.open(file, os.O_RDWR)
    try:
        yield descriptor
    finally:
        os.close(descriptor)
