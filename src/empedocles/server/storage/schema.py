"""The database's schema. The migrations in `migrations/` lead to exactly this."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

metadata = MetaData()
HAS_POSITION = text("position <> ''")  # few matches have one, so the index stays small

players = Table(
    "players",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("token", String(64), nullable=False, unique=True),  # a digest: the token itself is only in the cookie
    Column("name", String(40), nullable=False),
    Column("created", Float, nullable=False),
    Index("players_by_created", "created"),
)

matches = Table(
    "matches",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("game", String(60), nullable=False),
    Column("options", JSON, nullable=False),
    Column("start", Text, nullable=False),  # the text of the first position
    Column("secret", String(64), nullable=False),  # salt and seed of all chance; shown when the match is over
    Column("clock", JSON, nullable=False),
    Column("listed", Integer, nullable=False),  # 1: others may take an open seat, and watch
    Column("status", String(10), nullable=False),  # waiting, playing or over
    Column("creator", String(24), nullable=False),
    Column("created", Float, nullable=False),
    Column("touched", Float, nullable=False),
    Column("bot_due", Integer, nullable=False),  # 1: a bot is to move
    Column("bot_until", Float, nullable=False),  # a bot worker has claimed it until then
    Column("bot_number", Integer, nullable=False),  # the entry it is to write
    Column("position", String(64), nullable=False, server_default=""),  # a digest, while people are playing it
    Index("matches_by_status", "status", "touched"),
    Index("matches_by_creator", "creator"),
    Index("matches_with_bots", "bot_due", "touched"),
    Index("matches_in_lists", "status", "listed", "creator", "touched"),
    Index("matches_by_position", "position", postgresql_where=HAS_POSITION, sqlite_where=HAS_POSITION),
)

seats = Table(
    "seats",
    metadata,
    Column("match", String(24), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("kind", String(10), nullable=False),  # person, bot or open
    Column("name", String(40), nullable=False),
    Column("agent", String(60), nullable=False),  # of a bot
    Column("owner", String(24), nullable=False),  # the player who sits there; "" for nobody
    Column("invite", String(64), nullable=False),  # a digest of the secret in a link; "" where none is needed
    Column("seen", Float, nullable=False),  # when its player was last connected, give or take some seconds
    Index("seats_by_owner", "owner"),
    Index("seats_by_seen", "seen"),
)

# Append-only: every event at a table is the next entry of its log, and the table's state follows from its entries. The
# constraint keeps two processes, or a request sent twice, from writing the same entry.
log = Table(
    "log",
    metadata,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),  # grows, and is never reused
    Column("match", String(24), ForeignKey("matches.id", ondelete="CASCADE"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("at", Float, nullable=False),
    Column("kind", String(12), nullable=False),  # of event; see domain/events.py
    Column("body", Text, nullable=False),  # its fields as JSON
    UniqueConstraint("match", "number"),
    sqlite_autoincrement=True,
)

# Written only by the operator; servers read it every few seconds.
bans = Table(
    "bans",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("kind", String(10), nullable=False),  # player or address
    Column("what", String(60), nullable=False),  # a player's id, or a network such as 192.0.2.0/24
    Column("reason", String(200), nullable=False),  # shown to the banned
    Column("created", Float, nullable=False),
    Column("until", Float, nullable=True),  # null: forever
    UniqueConstraint("kind", "what"),
)

# Signs of life, so that the health of a process that answers no requests can be checked.
processes = Table(
    "processes",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("host", String(100), nullable=False),  # the machine or container
    Column("bots", Integer, nullable=False),  # number of its bot processes
    Column("seen", Float, nullable=False),
    Column("wrong", Text, nullable=False),  # its problems; "" if there are none
)

# Revoked tokens: processes close the connections that were opened with them.
revocations = Table(
    "revocations",
    metadata,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),  # grows, as the log's does
    Column("token", String(64), nullable=False),  # a digest
    Column("at", Float, nullable=False),
    sqlite_autoincrement=True,
)

# One row for each boot of each machine; see boots.py.
boots = Table(
    "boots",
    metadata,
    Column("boot", String(60), primary_key=True),
    Column("offset", Float, nullable=False),  # what to add to the seconds since then
    Column("latest", Float, nullable=False),  # the latest time noted
)

# What an engine has said about the moves of matches, without words, which follow from it in any language.
remarks = Table(
    "remarks",
    metadata,
    Column("match", String(24), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("ply", Integer, primary_key=True),
    Column("way", String(64), nullable=False),  # a digest of all moves up to this one: some may be taken back
    Column("body", Text, nullable=False),  # JSON
    Column("at", Float, nullable=False),
    Index("remarks_by_at", "at"),
)

# The same about positions that somebody asked for.
evaluations = Table(
    "evaluations",
    metadata,
    Column("position", String(64), primary_key=True),  # a digest of its text
    Column("match", String(24), ForeignKey("matches.id", ondelete="CASCADE"), nullable=True),  # where it was found
    Column("body", Text, nullable=False),  # JSON
    Column("at", Float, nullable=False),
    Index("evaluations_by_match", "match"),
    Index("evaluations_by_at", "at"),
)

# Puzzles that visitors find wanting, for the operator to read. Nothing says who they are.
complaints = Table(
    "complaints",
    metadata,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("game", String(60), nullable=False),
    Column("puzzle", String(8), nullable=False),
    Column("reason", String(12), nullable=False),  # see web/routes/puzzles.py
    Column("note", String(300), nullable=False),  # in the visitor's own words
    Column("at", Float, nullable=False),
    Index("complaints_by_at", "at"),
)
