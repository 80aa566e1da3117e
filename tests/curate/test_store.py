from __future__ import annotations

import sqlite3
import time
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa

from relhash.curate.store import AnswerStore, DatabaseGoneError, Given, StoreError, identity_of_text
from relhash.model.answers.answer import Answer
from tests.curate.postgresql import postgresql_server


@pytest.fixture(scope="module")
def postgresql():
    with postgresql_server() as address:
        yield address


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path):
    """A new database, once in a file and once on a real server."""
    if request.param == "sqlite":
        return sqlite_url(tmp_path)
    address = request.getfixturevalue("postgresql")
    name = f"t{uuid.uuid4().hex}"
    engine = sa.create_engine(address.format("postgres"), isolation_level="AUTOCOMMIT")
    until = time.monotonic() + 120
    while True:
        try:
            with engine.connect() as connection:
                connection.execute(sa.text(f"CREATE DATABASE {name}"))
            break
        except sa.exc.OperationalError:  # it is still starting
            if time.monotonic() > until:
                raise
            time.sleep(0.1)
    engine.dispose()
    return address.format(name)


def sqlite_url(folder):
    return f"sqlite:///{folder / 'answers.sqlite'}"


def given(key="k", curator="ann", answer=Answer.YES, **more):
    return Given(key, curator, answer, **more)


def test_answers_are_there_when_the_database_is_opened_again(url):
    store, before = AnswerStore(url, {"text": "a"}), time.time()
    [written] = store.add([given(relation="binds", draw=0.1, seconds=2.5)])
    after = time.time()
    again = AnswerStore(url, {"text": "a"})
    assert again.standing() == [written]
    assert written.id == 1
    assert before - 600 <= written.time <= after + 600  # the clock may be set meanwhile, but in no other zone


def test_commits_wait_for_the_disk(tmp_path):
    store = AnswerStore(sqlite_url(tmp_path), {"text": "a"})
    with store._engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2  # FULL
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"


def test_undo_takes_back_the_last_of_one_person(url):
    store = AnswerStore(url, {"text": "a"})
    store.add([given("k1")])
    store.add([given("k2", "bob")])
    store.add([given("k3")])
    assert [one.key for one in store.undo_last("ann")] == ["k3"]
    assert [one.key for one in store.undo_last("ann")] == ["k1"]
    assert store.undo_last("ann") == []
    assert [one.key for one in store.standing()] == ["k2"]
    assert store.add([given("k4")])[0].id == 4  # numbers are not given twice


def test_answers_given_at_once_are_taken_back_at_once(url):
    store = AnswerStore(url, {"text": "a"})
    store.add([given("k0")])
    store.add([given("k1"), given("k2"), given("k3")])
    assert [one.key for one in store.undo_last("ann")] == ["k1", "k2", "k3"]
    assert [one.key for one in store.standing()] == ["k0"]


def test_a_second_answer_takes_the_place_of_the_first_for_good(url):
    """Undo after a change of mind leaves the question open, not answered as before."""
    store = AnswerStore(url, {"text": "a"})
    store.add([given()])
    store.add([given(answer=Answer.NO)])
    assert [one.answer for one in store.standing()] == [Answer.NO]
    store.undo_last("ann")
    assert store.standing() == []


def test_many_threads_write_at_once(url):
    store = AnswerStore(url, {"text": "a"})
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: store.add([given(f"k{number}")]), range(40)))
    found = store.standing()
    assert {one.key for one in found} == {f"k{number}" for number in range(40)}
    assert len({one.id for one in found}) == 40
    store.check()
    store.close()


def test_all_or_none(url):
    store = AnswerStore(url, {"text": "a"})
    with pytest.raises(sa.exc.IntegrityError):
        store.add([given("k1"), given(None)])
    assert store.standing() == []


def test_a_database_of_another_text_or_model_is_refused(url):
    AnswerStore(url, {"text": "a", "model": "m"})
    with pytest.raises(StoreError, match=r"another text.*another --db"):
        AnswerStore(url, {"text": "b", "model": "m"})
    with pytest.raises(StoreError, match=r"another model \(m\)"):
        AnswerStore(url, {"text": "a", "model": "n"})


def test_a_database_of_another_version_is_refused(tmp_path):
    url = sqlite_url(tmp_path)
    AnswerStore(url, {"text": "a"}).close()
    with sqlite3.connect(tmp_path / "answers.sqlite") as connection:
        connection.execute("UPDATE relhash_about SET value = '99' WHERE name = 'schema'")
    with pytest.raises(StoreError, match="schema 99"):
        AnswerStore(url, {"text": "a"})


@pytest.mark.parametrize(
    ("url", "said"),
    [("sqlite:////nowhere/at/all.sqlite", "does not exist"),
     ("mysql://me@host/db", "neither sqlite nor postgresql"),
     ("no url://", "--db"),
     ("postgresql+psycopg://me:secret@127.0.0.1:1/db", "check that the server runs")],
)  # fmt: skip
def test_a_database_that_cannot_be_had(url, said):
    with pytest.raises(StoreError, match=said) as caught:
        AnswerStore(url, {})
    assert "secret" not in str(caught.value)


def test_a_file_that_is_no_database(tmp_path):
    (tmp_path / "x.sqlite").write_text("Dear diary, " * 200)
    with pytest.raises(StoreError, match="not a database"):
        AnswerStore(f"sqlite:///{tmp_path / 'x.sqlite'}", {})


def test_the_identity_of_a_text(teaching):
    own = identity_of_text(teaching.model, teaching.candidates)
    assert own == identity_of_text(teaching.model, teaching.candidates)
    assert own["text"] != identity_of_text(teaching.model, teaching.candidates[1:])["text"]
    assert own["model"]


@pytest.mark.parametrize("put_back", [False, True])
def test_an_answer_is_not_taken_where_its_file_is_gone(tmp_path, put_back):
    """SQLite wrote into the file without a name, and every answer was acknowledged, to be lost at the end."""
    store = AnswerStore(sqlite_url(tmp_path), {"text": "abc"})
    store.add([Given("d|T1|T2", "ann", Answer.YES)])
    store.check()
    (file,) = tmp_path.glob("*.sqlite")
    content = file.read_bytes()
    file.rename(tmp_path / "moved")
    if put_back:
        file.write_bytes(content)  # as a program does that restores files
    for act in (store.check, lambda: store.add([Given("d|T1|T3", "ann", Answer.NO)]), lambda: store.undo_last("ann")):
        with pytest.raises(DatabaseGoneError, match="removed or replaced"):
            act()
    store.close()
