"""Bring the message catalogues up to date with the sources: add new messages untranslated, remove old ones.

make catalogues
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parent.parent
SOURCES = ROOT / "src" / "empedocles"

METHODS = [("**.py", "python"), ("**/templates/**.html", "jinja2.ext:babel_extract")]

# Without the dates and addresses that Babel would add: they change, or mean nothing.
HEADER = """\
msgid ""
msgstr ""
"Project-Id-Version: Empedocles\\n"
"Language: {language}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""


def extracted() -> Catalog:
    """All messages that the sources mark with `_( … )`."""
    catalog = Catalog(project="Empedocles", charset="utf-8")
    for file, _line, message, _comments, _context in extract_from_dir(str(SOURCES), METHODS, keywords={"_": None}):
        catalog.add(message, locations=[(file, 0)])
    return catalog


def paths() -> list[Path]:
    return sorted(SOURCES.glob("locales/*/LC_MESSAGES/empedocles.po"))


def read(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale=path.parts[-3])


def updated(path: Path) -> bytes:
    catalog = read(path)
    catalog.update(extracted(), no_fuzzy_matching=True)
    catalog.obsolete.clear()
    content = io.BytesIO()
    write_po(content, catalog, sort_output=True, omit_header=True, no_location=True, width=100)
    return HEADER.format(language=path.parts[-3]).encode() + content.getvalue()


if __name__ == "__main__":
    for path in paths():
        path.write_bytes(updated(path))
        missing = [message.id for message in read(path) if message.id and not message.string]
        print(f"{path.relative_to(ROOT)}: {len(missing)} messages without a translation", file=sys.stderr)
