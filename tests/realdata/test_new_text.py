"""Text that a model knows, and news, on a real corpus."""

from __future__ import annotations

import re

import pytest

from relhash.corpus import Document, Mention, read
from relhash.learn import LinearClassifier
from relhash.model import RelationExtractor

pytestmark = pytest.mark.realdata

NEWS = """
[Maria Lopez] beat [Anna Schmidt] in straight sets on Sunday and will meet [Julia Park] in the final.
The mayor, [Tom Reilly], told reporters that [Northgate Bank] had refused to lend money to [Harbour Homes].
[Acme Corp] said it would buy [Globex] for two billion dollars, a week after [Initech] had walked away from the talks.
Police in [Lyon] arrested a man who had driven from [Marseille] without a licence.
After the storm, trains between [Hamburg] and [Berlin] were late, and flights to [Vienna] were cancelled.
[Peter Novak] sued his former employer, [Vistula Airlines], because it had not paid him since the strike.
The film by [Sofia Ricci] won three prizes, while [Daniel Okoye] went home with nothing.
In the second half [Kovac] passed to [Mbeki], whose shot hit the post.
Voters in [Ohio] and [Texas] go to the polls today; in [Utah] the count has begun.
[Elena Petrova], who teaches history in [Sofia], wrote a letter to [President Dimitrov].
The ministers of [France], [Spain] and [Italy] met in [Brussels] to talk about fish.
Shares of [Blue Ocean Foods] fell by nine per cent when [Greta Lind] left the board.
The choir of [St Mary] sang with the orchestra of [Leipzig] for the first time.
[Carlos Mendes] drove the last lap with a broken wing, but [Yuki Tanaka] could not pass him.
A spokeswoman for [Orion Energy] denied that the firm had paid [Senator Blake].
The bridge between [Malmo] and [Copenhagen] stays closed until Friday, the company said.
[Rosa Klein] and [Ben Carter] opened a bakery next to the station in [Leeds].
In a speech in [Geneva], [Amina Diallo] asked rich countries to send more tents to [Chad].
[United] drew with [City] after a late goal, and [Rovers] lost at home.
Critics of [Judge Moreno] say that he is a friend of [Victor Salas], the owner of the newspaper.
The court in [Madrid] heard that [Luis Vega] had sold the painting to [Hotel Miramar] twice.
[Karen Wood] gave the keys of the town hall to [Omar Haddad], who won the vote in May.
"""


def documents(text: str) -> list[Document]:
    """A document per line, names in brackets as proteins."""
    made = []
    for number, line in enumerate(text.strip().splitlines()):
        plain, mentions = "", []
        for piece in re.split(r"(\[[^\]]*\])", line):
            name = piece.strip("[]")
            if piece.startswith("["):
                span = (len(plain), len(plain) + len(name))
                mentions.append(Mention(f"T{len(mentions)}", "protein", (span,), name))
            plain += name
        made.append(Document(f"news{number}", plain, mentions=tuple(mentions)))
    return made


@pytest.fixture(scope="module")
def hprd50(data_root):
    return list(read(data_root / "ppi" / "HPRD50.xml"))


@pytest.fixture(scope="module")
def model(hprd50):
    """Labels of every third document; adapted to the second third."""
    small = {"learner": {"n_bits": 100}, "views": ("path+edges", "between", "window(3,3)", "descriptors")}
    extractor = RelationExtractor("KLSH-NU-RF", classifier=LinearClassifier(0.1), parses="embedded", **small)
    return extractor.fit(hprd50[::3], adapt_to=hprd50[1::3]).model_


def said(model, text):
    found = model.candidates(text)
    return model.unlike(found, model.scores(text))


def test_more_of_the_same_text_is_known(model, hprd50):
    assert said(model, hprd50[1::3]) == ""
    assert said(model, hprd50[2::3]) == ""


def test_news_is_not(model):
    assert "other contexts" in said(model, documents(NEWS))
