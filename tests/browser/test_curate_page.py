"""The page of questions in a real browser: answered by key, undone, exported; nothing in a text is read as a program."""

from __future__ import annotations

import json
import re
from urllib.parse import quote
from urllib.request import urlopen

import pytest

pytest.importorskip("playwright", reason="playwright is not installed (.ci/run does)")
pytest.importorskip("fastapi", reason="the extra [web] is not installed")

from relhash.visible import visible
from tests.browser.curating import HOSTILE, Curating, Watched, chromium, write_text
from tests.browser.test_report_page import CHROMIUM

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed, or does not start"),
]

UNNAMED = """() => [...document.querySelectorAll("a, button, input, select, summary, [role=button], [tabindex='0']")]
  .filter((one) => !(one.textContent.trim() || one.getAttribute("aria-label") || one.labels?.[0]?.textContent.trim()))
  .map((one) => one.outerHTML)"""
"""What can be reached by keyboard and has no name for a screen reader."""
PHONE = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    folder = tmp_path_factory.mktemp("curate")
    write_text(folder / "text.jsonl")
    curating = Curating(folder)
    try:
        curating.start()
        yield curating
    finally:
        curating.end()


@pytest.fixture(scope="module")
def browser():
    with chromium() as found:
        yield found


@pytest.fixture
def watched(browser):
    pages = []

    def opened(**context) -> Watched:
        pages.append(Watched(browser, **context))
        return pages[-1]

    yield opened
    for page in pages:
        page.close()


def question(page) -> str:
    return page.locator("#question").get_attribute("data-key")


def press(page, key: str) -> str:
    """Answer the question that is shown; returns its key when the answer is saved and another is shown."""
    answered, n = question(page), saved(page)
    page.keyboard.press(key)
    # no wait_for_function here: it evaluates text as a program, which the policy of the page forbids
    page.wait_for_selector(f"#question:not([data-key='{answered}'])[data-key][data-unsaved='0'][data-saved='{n + 1}']")
    return answered


def saved(page) -> int:
    return int(page.locator("#question").get_attribute("data-saved") or 0)


def lines_of(text: str) -> list[dict]:
    return [json.loads(line) for line in text.split("\n") if line]  # splitlines also cuts at what the hostile texts hold


def exported(served) -> list[dict]:
    with urlopen(f"{served.address}/api/export?format=jsonl") as reply:
        return lines_of(reply.read().decode("utf-8"))


def test_a_hostile_text_is_only_text(served, watched):
    """The first test of the file: nothing is answered yet."""
    one = watched()
    page = one.page
    shown = {}
    for identifier in HOSTILE:
        page.goto(f"{served.address}/?order=confident&document={quote(identifier, safe='')}")
        page.wait_for_selector("#question .sentence")
        shown[identifier] = page.locator("#question .sentence").inner_text()
        page.goto(f"{served.address}/documents/{quote(identifier, safe='')}")
        page.wait_for_selector("#text .line")
    assert "<script>alert(2)</script>" in shown["<img src=x onerror=alert(1)>"]
    assert "⟨U+202E⟩" in shown["bidi"]
    assert "␛" in shown["ansi"]  # of two sentences with one either may be the surest
    assert "\x1b" not in shown["ansi"]
    assert "{{7*7}}" in shown['quotes" onload="alert(5)']
    for view, wanted in (("documents", "#documents li"), ("pairs", "#pairs li"), ("api", ".operation")):
        page.goto(f"{served.address}/{view}")
        page.wait_for_selector(wanted)
    assert page.locator("img, script:not([src]):not([type='application/json'])").count() == 0
    assert one.complaints == []


def test_twenty_answers_by_keyboard_one_undone_and_nineteen_exported(served, watched):
    one = watched()
    page = one.page
    page.goto(served.address)
    page.wait_for_selector("#question[data-key]")
    given, lines = {}, []
    for number in range(20):
        key = "ynyng"[number % 5]
        given[press(page, key)] = {"y": "yes", "n": "no", "g": "entity"}[key]
        lines.append(page.locator("#change").inner_text())
    assert len(given) == 20
    page.wait_for_selector("#change:has-text('→')")  # on a busy machine the model learns after the reply
    last_line = page.locator("#change").inner_text()
    assert all(re.search(r"\d\.\d\d( → \d\.\d\d|, saved)", line) for line in lines)
    assert page.locator("#progress h2").inner_text().startswith("20 answers")

    last = list(given)[-1]
    page.keyboard.press("u")
    page.wait_for_selector(f"#question[data-key='{last}']")
    del given[last]
    page.reload()
    page.wait_for_selector("#question[data-key]")
    assert page.locator("#progress h2").inner_text().startswith("19 answers")
    moved = [re.search(r"(\d\.\d\d) → (\d\.\d\d)", line) for line in (*lines, last_line)]
    assert any(found and found[1] != found[2] for found in moved)  # the model has changed its mind
    is_said = "without answers" in page.locator(".belief").inner_text()
    assert is_said == (page.locator(".belief .before").count() == 1)  # of this question it may have not

    page.click("#files summary")
    with page.expect_download() as download:
        page.click("#formats a[data-format=jsonl]")
    lines = lines_of(download.value.path().read_text(encoding="utf-8"))
    said = {line["key"]: line["answer"].removesuffix(" wrong") for line in lines}
    assert said == given
    assert len(lines) == 19
    assert one.complaints == []


def test_the_page_shows_unseen_characters_as_everything_else_does(served, watched):
    page = watched().page
    page.goto(f"{served.address}/api")
    shown = page.evaluate("""async () => {
      const { visible } = await import("/static/visible.js");
      const codes = [...Array(0x10000).keys()];
      return codes.map((code) => [code, visible(String.fromCodePoint(code))])
        .filter(([code, text]) => text !== String.fromCodePoint(code));
    }""")
    expected = [[code, visible(chr(code))] for code in range(0x10000) if visible(chr(code)) != chr(code)]
    assert shown == [one for one in expected if chr(one[0]) not in "\t\n\r"]  # for a reader these are space


def test_all_views_fit_a_phone_and_nothing_complains(served, watched):
    one = watched(**PHONE)
    page = one.page
    page.goto(served.address)
    page.wait_for_selector("#question[data-key]")
    page.keyboard.press("e")
    page.wait_for_selector("#evidence .reasons")
    page.keyboard.press("m")
    page.wait_for_selector("#similar .alike")
    overflows = {"questions": one.overflow}
    assert page.evaluate(UNNAMED) == []
    page.tap("#files summary")
    overflows["files"] = one.overflow
    first = quote("demo 1")
    views = (("documents", "#documents li"), (f"documents/{first}", ".line"), ("pairs", "#pairs li"), ("api", ".operation"))
    for view, wanted in views:
        page.goto(f"{served.address}/{view}")
        page.wait_for_selector(wanted)
        if wanted == ".line":
            page.fill("input[name=from]", "0")
            page.wait_for_selector("svg.arcs path")
        page.evaluate("document.querySelectorAll('details').forEach((one) => one.open = true)")
        overflows[view] = one.overflow
        assert page.evaluate(UNNAMED) == []
    assert {view: overflow for view, overflow in overflows.items() if overflow > 0} == {}
    assert one.complaints == []


def test_similar_sentences_are_answered_alike_only_after_a_confirmation(served, watched):
    page = watched().page
    page.goto(served.address)
    page.wait_for_selector("#question[data-key]")
    page.keyboard.press("m")
    page.wait_for_selector("#similar .alike input")
    page.evaluate("document.querySelectorAll('#similar input').forEach((box, n) => box.checked = n < 3 && !box.disabled)")
    ticked = page.locator("#similar input:checked").count()
    before = len(exported(served))
    page.click("#similar .buttons .no")
    page.click("#confirm button[value=no]")
    assert len(exported(served)) == before
    page.click("#similar .buttons .no")
    page.click("#confirm button[value=yes]")
    page.wait_for_selector("#change:has-text('saved')")
    assert len(exported(served)) == before + ticked
    page.keyboard.press("u")
    page.wait_for_selector("#change:has-text('taken back')")
    assert len(exported(served)) == before


def test_imported_answers_of_somebody_else_and_where_the_two_disagree(served, watched, tmp_path):
    anna = [line for line in exported(served) if line["answer"] == "yes"][:2]
    lines = [{"key": line["key"], "answer": answer} for line, answer in zip(anna, ("no", "yes"), strict=True)]
    file = tmp_path / "bob.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in [*lines, {"key": "nowhere", "answer": "no"}]), encoding="utf-8")
    page = watched().page
    page.goto(served.address)
    page.wait_for_selector("#question[data-key]")
    page.fill("#curator", "bob")
    page.click("#files summary")
    page.set_input_files("#import input[type=file]", file)
    page.click("#import button")
    page.wait_for_selector("#imported:has-text('2 answers taken, 1 other')")
    page.keyboard.press("Escape")
    page.select_option("#queue select[name=order]", "disagreements")
    page.wait_for_selector(f"#question[data-key={json.dumps(anna[0]['key'])}]")
    assert page.locator(".opinions").inner_text() == "Answered: yes by anna, no by bob"
    assert "on 2 answered twice" in page.locator("#progress").inner_text()
    page.keyboard.press("y")
    page.wait_for_selector("#question:has-text('No disagreements')")


def test_a_name_is_corrected_on_the_page(served, watched):
    one = watched()
    page = one.page
    page.goto(f"{served.address}/?order=confident")
    page.wait_for_selector("#question[data-key]")
    page.keyboard.press("c")
    name = page.locator(".correction input[name=words0]")
    right = name.input_value()[:-1]
    name.fill("words that are not there")
    page.click(".correction button[type=submit]")
    assert "overlap" in name.evaluate("(field) => field.validationMessage")
    name.fill(right)
    page.fill(".correction input[name=id0]", "HGNC:1")
    page.click(".correction button[type=submit]")
    assert page.locator("#question .sentence mark.e1").inner_text() == right
    answered = press(page, "y")
    [line] = [line for line in exported(served) if line["key"] == answered]
    assert f"{right} [HGNC:1]" in line["answers"][-1]["names"]
    assert right in (line["entity1"], line["entity2"])
    assert one.complaints == []


def test_keys_do_nothing_while_somebody_types_or_reads_the_help(served, watched):
    page = watched().page
    page.goto(served.address)
    page.wait_for_selector("#question[data-key]")
    before = question(page)
    page.keyboard.press("?")
    assert page.locator("#help").is_visible()
    page.keyboard.press("y")
    page.keyboard.press("Escape")
    assert not page.locator("#help").is_visible()
    page.focus("#curator")
    page.keyboard.type("yn")
    page.keyboard.press("Control+y")
    assert question(page) == before


def test_answers_wait_while_the_server_is_gone_and_none_is_lost(served, watched):
    """The last test of the file: it kills the server, and starts it again on the same database."""
    page = watched().page
    page.goto(served.address)
    page.wait_for_selector("#question[data-key]")
    keys = [press(page, "y")]
    served.kill()
    keys.append(question(page))
    page.keyboard.press("n")  # the next question is here already
    page.wait_for_selector("#waiting:not([hidden])")
    assert "kept in this browser" in page.locator("#waiting").inner_text()
    page.wait_for_selector("#question[data-unsaved='1']", state="attached")
    with page.expect_download() as download:
        page.click("#waiting button:has-text('Save to a file')")
    assert [line["key"] for line in lines_of(download.value.path().read_text(encoding="utf-8"))] == keys[1:]
    served.start()
    # the page tries by itself as well: if it was first, the button is there still, but hidden
    page.dispatch_event("#waiting button:has-text('Try now')", "click")
    page.wait_for_selector("#question[data-unsaved='0']", state="attached")
    assert page.locator("#waiting").is_hidden()
    assert {line["key"]: line["answer"] for line in exported(served)}.items() >= {keys[0]: "yes", keys[1]: "no"}.items()
    assert "Traceback" not in served.problems
