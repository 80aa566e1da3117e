"""Answers in a database: SQLite or PostgreSQL by the same code, written before the next question is shown.

Nothing is ever overwritten: an answer that is taken back, or in whose place the same person gave another, is marked so. A
database belongs to one text as one model reads it; any other is refused.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from relhash.candidates import Candidate
from relhash.errors import RelHashError
from relhash.files import check_place
from relhash.model.answers.answer import Answer
from relhash.model.fitted import FittedModel
from relhash.model.prediction import identity_of

SCHEMA = 1
"""Version of the tables."""

_tables = sa.MetaData()
_about = sa.Table(
    "relhash_about",
    _tables,
    sa.Column("name", sa.String(40), primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
_answers = sa.Table(
    "relhash_answers",
    _tables,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("key", sa.Text, nullable=False),
    sa.Column("curator", sa.String(80), nullable=False),
    sa.Column("answer", sa.String(20), nullable=False),
    sa.Column("relation", sa.Text),
    sa.Column("draw", sa.Float),
    sa.Column("seconds", sa.Float),
    sa.Column("at", sa.String(32), nullable=False),
    sa.Column("batch", sa.Integer),
    sa.Column("undone", sa.String(32)),
    sa.Column("names", sa.Text),
    sa.Index("relhash_answers_of", "key", "curator"),
    sqlite_autoincrement=True,  # a number is never given twice, also not after an answer was taken back
)


class StoreError(RelHashError):
    """A database that cannot be opened, or that belongs to something else."""


@dataclass(frozen=True, slots=True)
class Given:
    """An answer: to which question, by whom, what; ``relation`` is a type that was chosen, ``draw`` the probability with which
    the question was drawn, ``seconds`` how long the person looked, ``at`` when (UTC), ``id`` the number in the database (0: not
    there yet), ``batch`` that of the first of several given at once, ``names`` what the names should be where they are wrong.
    """

    key: str
    curator: str
    answer: Answer
    relation: str | None = None
    draw: float | None = None
    seconds: float | None = None
    at: str = ""
    id: int = 0
    batch: int | None = None
    names: tuple[str, ...] = ()

    @property
    def time(self) -> float:
        """When, in seconds since 1970."""
        return datetime.fromisoformat(self.at).timestamp()


class DatabaseGoneError(sa.exc.SQLAlchemyError):
    """What was written is in no file that can be found."""


class AnswerStore:
    """The answers on one text, at a URL of SQLAlchemy (``sqlite:///answers.sqlite``, ``postgresql+psycopg://me@host/db``).

    ``belongs_to`` is what the answers are about (:func:`identity_of_text`); a database with other values is refused.

    >>> store = AnswerStore("sqlite://", {"text": "abc"})
    >>> [first] = store.add([Given("d|T1|T2", "ann", Answer.YES)])
    >>> [one.answer.value for one in store.standing()]
    ['yes']
    >>> [one.key for one in store.undo_last("ann")], store.standing()
    (['d|T1|T2'], [])
    """

    def __init__(self, url: str | sa.URL, belongs_to: dict[str, str]) -> None:
        with _problems_in_words(url):
            self.url = sa.make_url(url)
            self._engine = _engine(self.url)
            with self._engine.begin() as connection:
                _tables.create_all(connection)
                if "names" not in {column["name"] for column in sa.inspect(connection).get_columns(_answers.name)}:  # of 0.3
                    connection.execute(sa.text(f"ALTER TABLE {_answers.name} ADD COLUMN names TEXT"))
                self._check(connection, belongs_to)
            self._file = _file_of(self.url)

    def _check(self, connection: sa.Connection, belongs_to: dict[str, str]) -> None:
        wanted = {"schema": str(SCHEMA), **belongs_to}
        found = {row.name: row.value for row in connection.execute(sa.select(_about))}
        if not found:
            connection.execute(sa.insert(_about), [{"name": name, "value": value} for name, value in wanted.items()])
            return
        shown = self.url.render_as_string(hide_password=True)
        if found.get("schema") != wanted["schema"]:
            raise StoreError(
                f"{shown}: made by another version of RelHash (schema {found.get('schema')}, not {SCHEMA}); give another --db"
            )
        differing = [name for name, value in wanted.items() if found.get(name) != value]
        if differing:
            was = found.get(f"{differing[0]}", "?")
            raise StoreError(
                f"{shown}: its answers belong to another {differing[0]} ({was[:24]}); give the model and the text that it was "
                "made with, or another --db (answers of an export can be imported there)"
            )

    @contextmanager
    def _writing(self) -> Iterator[sa.Connection]:
        with self._engine.begin() as connection:
            yield connection
        self._check_file()

    def _check_file(self) -> None:
        """SQLite goes on writing, and says that all is well, where its file was removed or another put in its place."""
        if _file_of(self.url) != self._file:
            raise DatabaseGoneError(f"{self.url.database}: the file of answers was removed or replaced")

    def add(self, answers: Sequence[Given]) -> list[Given]:
        """Write answers, all or none; when this returns they are on the disk. Several at once are taken back at once.

        Each takes the place of what the same person said of the same question before.
        """
        now = _now()
        written: list[Given] = []
        with self._writing() as connection:
            batch: int | None = None
            for one in answers:
                before = sa.and_(_answers.c.key == one.key, _answers.c.curator == one.curator, _answers.c.undone.is_(None))
                connection.execute(sa.update(_answers).where(before).values(undone=now))
                values = {
                    "key": one.key, "curator": one.curator, "answer": str(one.answer), "relation": one.relation,
                    "draw": one.draw, "seconds": one.seconds, "at": one.at or now, "batch": batch,
                    "names": json.dumps(one.names) if any(one.names) else None,
                }  # fmt: skip
                result = connection.execute(sa.insert(_answers).values(**values))
                (number,) = result.inserted_primary_key or (0,)
                if len(answers) > 1 and batch is None:
                    batch = number
                    connection.execute(sa.update(_answers).where(_answers.c.id == number).values(batch=batch))
                written.append(_given({**values, "id": number, "batch": batch}))
        return written

    def undo_last(self, curator: str) -> list[Given]:
        """Take back the last answer of a person, or all that were given with it at once; empty if there is none."""
        standing = sa.select(_answers).where(_answers.c.curator == curator, _answers.c.undone.is_(None))
        with self._writing() as connection:
            last = connection.execute(standing.order_by(_answers.c.id.desc()).limit(1)).mappings().first()
            if last is None:
                return []
            same = _answers.c.id == last["id"] if last["batch"] is None else _answers.c.batch == last["batch"]
            rows = connection.execute(standing.where(same).order_by(_answers.c.id)).mappings().all()
            numbers = [row["id"] for row in rows]
            connection.execute(sa.update(_answers).where(_answers.c.id.in_(numbers)).values(undone=_now()))
        return [_given(row) for row in rows]

    def standing(self) -> list[Given]:
        """All answers that were not taken back, in their order."""
        with self._engine.connect() as connection:
            chosen = sa.select(_answers).where(_answers.c.undone.is_(None)).order_by(_answers.c.id)
            return [_given(row) for row in connection.execute(chosen).mappings()]

    def check(self) -> None:
        """Raise what SQLAlchemy raises if nothing could be written now: the database is gone, or its disk is full."""
        with self._writing() as connection:
            connection.execute(sa.update(_about).where(_about.c.name == "schema").values(value=str(SCHEMA)))

    def close(self) -> None:
        self._engine.dispose()


def identity_of_text(model: FittedModel, candidates: Iterable[Candidate]) -> dict[str, str]:
    """What answers belong to: the candidates, by their keys and names, and the model that is taught."""
    digest = hashlib.sha256()
    for candidate in candidates:
        names = "\t".join(mention.text for mention in candidate.mentions)
        digest.update(f"{candidate.key}\t{names}\n".encode("utf-8", "surrogatepass"))
    made_by = identity_of(model)
    return {"text": digest.hexdigest(), "model": f"{made_by.name} {made_by.version}"}


def database_url(given: str) -> sa.URL:
    """The URL that is meant: a plain name is a SQLite file, whatever signs are in it.

    >>> database_url("what?.sqlite").database, str(database_url("postgresql://me@host/db"))
    ('what?.sqlite', 'postgresql+psycopg://me@host/db')
    """
    if "://" not in given:
        return sa.URL.create("sqlite", database=given)
    with _problems_in_words(given):
        url = sa.make_url(given)
    return url.set(drivername="postgresql+psycopg") if url.drivername in ("postgresql", "postgres") else url


def check_database(url: sa.URL) -> None:
    """Refuse a database that cannot be opened, before any work is done for it; nothing is made."""
    with _problems_in_words(url):
        is_sqlite = url.get_backend_name() == "sqlite"
        if is_sqlite and not _is_in_memory(url) and not Path(str(url.database)).exists():
            check_place(str(url.database))
            return
        engine = _engine(url)
        with engine.connect() as connection:
            connection.execute(sa.text("SELECT name FROM sqlite_master" if is_sqlite else "SELECT 1"))
        engine.dispose()


def _is_in_memory(url: sa.URL) -> bool:
    return url.database in (None, "", ":memory:")


def _file_of(url: sa.URL) -> tuple[int, int] | None:
    """Which file a database is in, whatever its name: device and number; ``None`` if in none."""
    if url.get_backend_name() != "sqlite" or _is_in_memory(url):
        return None
    try:
        status = Path(str(url.database)).stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _engine(url: sa.URL) -> sa.Engine:
    backend = url.get_backend_name()
    if backend not in ("sqlite", "postgresql"):
        raise ValueError(f"{backend} is neither sqlite nor postgresql")
    if backend == "postgresql":
        return sa.create_engine(url, pool_pre_ping=True, connect_args={"connect_timeout": 10})
    if _is_in_memory(url):  # one connection, or every thread would have a database of its own
        return sa.create_engine(url, poolclass=sa.StaticPool, connect_args={"check_same_thread": False})
    folder = Path(str(url.database)).parent
    if not folder.is_dir():
        raise ValueError(f"the folder {folder} does not exist")
    if not Path(str(url.database)).exists():
        os.close(os.open(str(url.database), os.O_CREAT | os.O_WRONLY, 0o600))  # answers are private
    engine = sa.create_engine(url, connect_args={"timeout": 30})

    @sa.event.listens_for(engine, "connect")
    def durable(connection: Any, record: Any) -> None:
        """Write-ahead log, so that reading never waits for writing; FULL: a commit is on the disk when it returns."""
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute("PRAGMA synchronous=FULL")
        cursor.close()

    return engine


def _given(row: Any) -> Given:
    return Given(
        row["key"], row["curator"], Answer(row["answer"]), row["relation"], row["draw"], row["seconds"], row["at"], row["id"],
        row["batch"], tuple(json.loads(row["names"] or "[]")),
    )  # fmt: skip


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


@contextmanager
def _problems_in_words(url: str | sa.URL) -> Iterator[None]:
    """What goes wrong with a database as a :class:`StoreError` with a remedy."""
    try:
        yield
    except (sa.exc.SQLAlchemyError, ImportError, ValueError, OSError) as error:
        if isinstance(error, ImportError):
            remedy = "pip install '.[web]'"
        elif str(url).startswith("postgres"):
            remedy = "check that the server runs, and the name, password and database of the URL"
        else:
            remedy = "give the name of a file in a folder that you may write to, or a URL of PostgreSQL"
        said = " ".join(str(getattr(error, "orig", None) or error).split())[:300]
        raise StoreError(f"--db: {said}; {remedy}") from error
