"""The public page: what is there for everybody, and what is there for nobody."""

from __future__ import annotations

import re

import pytest

from chat.models import Message, Participant, Run, Session
from chat.operations.changes import Update
from chat.operations.execute import execute
from chat.runs.perform import perform
from projects.portfolio.blocks import plain_text
from projects.portfolio.documents import document_of
from projects.portfolio.entries.limits import RESERVED
from projects.portfolio.index.refresh import refresh
from projects.portfolio.models import Entry, EntryImage, StoredImage
from projects.portfolio.urls import visitors as urlpatterns
from projects.portfolio.visitors.contract import KIND
from tests.markup import flat

pytestmark = pytest.mark.django_db

SECRETS = ("Secret margin", "Secret salary", "mara@example.org", "Hidden draft", "Half a thing")


def test_a_visitor_without_account_sees_what_is_public_and_nothing_private(opened, browser):
    for path in ("/p/mara", "/p/mara/work", "/p/mara/tram-times"):
        page = browser().get(path)
        html = page.content.decode()
        assert page.status_code == 200, path
        assert "Tram times" in html
        assert not [secret for secret in SECRETS if secret in html]
        assert "futura_participant" not in page.cookies
        assert not Participant.objects.exclude(pk=opened.owner_id).exists()


def test_nothing_is_there_before_it_is_published_nor_after_it_was_closed(opened, actor, browser):
    visitor = browser()
    execute(actor=actor, changes=[Update("portfolio", opened.pk, {"status": "draft"})])
    paths = ["", "/work", "/kept", "/tram-times", "/widget", "/widget.js"]
    assert {visitor.get(f"/p/mara{path}").status_code for path in paths} == {404}
    assert visitor.post("/p/mara/ask", {"text": "Have you used Go?"}).status_code == 404


def test_the_latest_of_education_awards_and_papers_comes_first(opened, make, browser):
    for which, month in (("First", "2009-06"), ("Second", "2014-06")):
        values = {"portfolio": opened.pk, "doc_id": month}
        make("portfolio_education", **values, institution=f"{which} School", ended=month)
        make("portfolio_award", **values, title=f"{which} Prize", date=month)
        make("portfolio_credential", **values, title=f"{which} Paper", date=month)
    html = browser().get("/p/mara/work").text
    for what in ("School", "Prize", "Paper"):
        assert html.index(f"Second {what}") < html.index(f"First {what}")


def test_what_is_known_of_a_publication_or_language_is_one_phrase(opened, make, browser):
    own = {"portfolio": opened.pk}
    make("portfolio_credential", **own, doc_id="a", title="Trams", issuer="Journal", date="2020-04")
    make("portfolio_credential", **own, doc_id="b", title="Czech", kind="language", level="C1")
    make("portfolio_credential", **own, doc_id="c", title="Rails. BTW 2021.", date="2021")
    page = flat(browser().get("/p/mara/work"))
    assert "<b>Trams</b>, Journal, 2020" in page
    assert "<b>Czech</b>(C1)" in page
    assert "<b>Rails. BTW 2021.</b></li>" in page  # its year stands there already


def test_what_visitors_may_be_told_of_a_degree_or_an_award_stands_on_the_page(
    opened, make, browser
):
    for entity, named in (
        ("portfolio_education", {"institution": "Chalmers"}),
        ("portfolio_award", {"title": "Tram Prize"}),
    ):
        make(entity, portfolio=opened.pk, doc_id=entity, bullets=[f"Point of {entity}"],
             skills=[f"Skill of {entity}"], summary=f"Summary of {entity}", **named)  # fmt: skip
    page = flat(browser().get("/p/mara/work"))
    for entity in ("portfolio_education", "portfolio_award"):
        assert f"<p>Summary of {entity}</p>" in page
        assert f"<li>Point of {entity}</li>" in page
        assert f"Skill of {entity}</p>" in page


def test_what_was_no_usual_job_says_what_it_was(opened, make, browser):
    make("portfolio_experience", portfolio=opened.pk, doc_id="dojo", company="CoderDojo",
         title="Coach", started="2018-04", is_current=True,
         experience_type="volunteer")  # fmt: skip
    assert "CoderDojo · since April 2018 · Volunteering" in flat(browser().get("/p/mara/work"))


def test_work_without_an_end_goes_on_wherever_it_is_told_of(opened, make, browser):
    row = make(
        "portfolio_entry", portfolio=opened.pk, doc_id="still", slug="still", title="Still on",
        status="published", started="2024-02",
    )  # fmt: skip
    for address in ("/p/mara", "/p/mara/still"):
        assert "since February 2024" in flat(browser().get(address))
    assert "2024-02 to present" in document_of(row).text


def test_a_draft_entry_has_no_page(opened, browser):
    assert browser().get("/p/mara/half").status_code == 404


@pytest.mark.django_db(transaction=True)
def test_what_was_unpublished_is_not_told_on_before_its_index_was_built(opened, browser, alice):
    question = {"text": "How long did it take from vehicle to sign?"}

    def answer() -> str:
        visitor = browser()
        assert visitor.post("/p/mara/ask", question).status_code == 303
        perform(Run.objects.get(status=Run.Status.QUEUED).pk)
        return str(visitor.get("/p/mara").text)

    refresh(opened.pk)  # nothing waits of what was made so far
    assert "under four seconds" in answer()
    tram = Entry.objects.get(slug="tram-times")
    url = f"/portfolio/{opened.pk}/entries/{tram.pk}/status"
    assert browser(alice).post(url, {"do": "unpublish"}).status_code < 400
    after = answer()  # no worker has had the time
    assert "under four seconds" not in after
    assert "Tram times" not in after


def test_the_page_offers_a_question_of_each_kind_that_it_can_answer(opened, browser):
    html = browser().get("/p/mara").content.decode()
    asked = re.findall(r'name="text" value="([^"]+)"', html)
    assert asked == [
        "Have you used Go at work?",
        "Which projects did you do with Kafka?",
        "Tell me about your time at Acme Corp.",
        "How does this work?",
    ]


def test_an_entry_shows_its_blocks_and_where_it_stands(opened, browser):
    html = browser().get("/p/mara/tram-times").content.decode()
    assert "<strong>tram operator</strong>" in html
    assert "How it went" in html
    assert "It just works." in html
    assert "March 2021 to February 2024" in html
    assert '<link rel="canonical" href="' in html
    assert "/p/mara/tram-times" in html
    assert '<meta property="og:type" content="article">' in html


def test_no_text_of_an_owner_can_end_what_search_engines_are_told(opened, actor, browser):
    entry = opened.pk and next(item for item in _entries(opened) if item.slug == "depot")
    words = "</script><script>alert(1)</script>"
    execute(actor=actor, changes=[Update("portfolio_entry", entry.pk, {"seo_title": words})])
    html = browser().get("/p/mara/depot").content.decode()
    assert "<script>alert" not in html
    assert '<meta property="og:title" content="&lt;/script&gt;' in html


def _entries(portfolio):
    from projects.portfolio.queries import published_entries

    return published_entries(portfolio)


def test_pictures_are_shown_to_visitors_only_while_their_entry_is_public(
    opened, actor, make, browser, settings, tmp_path
):
    settings.MEDIA_ROOT = tmp_path
    (tmp_path / "tram.png").write_bytes(b"\x89PNG")
    entry = next(item for item in _entries(opened) if item.slug == "tram-times")
    stored = StoredImage.objects.create(
        portfolio=opened, sha256="a" * 64, file="tram.png", media_type="image/png",
        width=400, height=300,
    )  # fmt: skip
    make("portfolio_image", entry=str(entry.pk), image=str(stored.pk), alt="A tram", is_hero=True)
    placed = EntryImage.objects.get()
    html = browser().get("/p/mara/tram-times").content.decode()
    path = f"/p/mara/image/{placed.pk}?w=1600"
    assert f'src="{path}" alt="A tram"' in html
    assert re.search(r'property="og:image" content="http[^"]+/p/mara/image/', html)
    shown = browser().get(path)
    assert shown.headers["Content-Type"] == "image/png"
    assert b"".join(shown) == b"\x89PNG"
    execute(actor=actor, changes=[Update("portfolio_entry", entry.pk, {"status": "draft"})])
    assert browser().get(path).status_code == 404


def test_a_question_begins_a_conversation_that_its_browser_alone_sees(opened, browser, drain):
    visitor = browser()
    sent = visitor.post("/p/mara/ask", {"text": "Have you used Go at work?"})
    assert (sent.status_code, sent.headers["Location"]) == (303, "/p/mara")
    drain()
    html = visitor.get("/p/mara").content.decode()
    assert "Have you used Go at work?" in html
    assert 'class="claim"' in html
    assert "Built the payment service in Go" in html
    assert "payment service" not in re.sub(
        r"(?s)<section.*?</section>", "", browser().get("/p/mara").content.decode()
    )
    visit = Session.objects.get(kind=KIND)
    assert visitor.get(f"/visits/{visit.pk}").headers["Location"] == "/p/mara"
    assert browser().get(f"/visits/{visit.pk}").status_code == 404


def test_a_second_question_goes_on_in_the_same_conversation_until_it_is_begun_anew(opened, browser):
    visitor = browser()
    for text in ("Have you used Go?", "And Kafka?"):
        visitor.post("/p/mara/ask", {"text": text})
    assert Session.objects.filter(kind=KIND).count() == 1
    visitor.post("/p/mara/new")
    assert "And Kafka?" not in visitor.get("/p/mara").content.decode()
    visitor.post("/p/mara/ask", {"text": "Have you used Python?"})
    assert Session.objects.filter(kind=KIND).count() == 2


def test_the_sixth_question_within_a_minute_waits_and_its_words_are_kept(opened, browser, settings):
    settings.RATE_LIMITS = True
    for number in range(5):  # one address, whoever sits there
        browser().post("/p/mara/ask", {"text": f"Question {number}?"})
    refused = browser().post("/p/mara/ask", {"text": "One more & more?"})
    assert refused.status_code == 429
    assert int(refused.headers["Retry-After"]) > 0
    assert "One more &amp; more?" in refused.content.decode()
    assert Message.objects.filter(role="user").count() == 5


def test_five_quick_questions_in_one_conversation_are_all_answered(
    opened, browser, settings, drain
):
    settings.RATE_LIMITS = True
    visitor = browser()
    visitor.post("/p/mara/ask", {"text": "Have you used Go?"})
    session = Session.objects.get(kind=KIND)
    for number in range(1, 5):
        sent = visitor.post(f"/chat/sessions/{session.pk}/messages", {"text": f"And {number}?"})
        assert sent.status_code < 400
    late = visitor.post(f"/chat/sessions/{session.pk}/messages", {"text": "And more?"})
    assert late.status_code == 429
    drain()
    assert session.messages.filter(role=Message.Role.ASSISTANT, status="complete").count() == 5


@pytest.mark.thorough
def test_five_quick_questions_in_the_widget_are_all_answered(opened, browser, settings, drain):
    settings.RATE_LIMITS = True
    frame = browser()
    token = re.search(r'name="visitor" value="([^"]+)"', frame.get("/p/mara/widget").text)[1]
    for number in range(5):
        sent = {"visitor": token, "text": f"Question {number}?"}
        assert frame.post("/p/mara/widget/ask", sent).status_code == 200
    late = frame.post("/p/mara/widget/ask", {"visitor": token, "text": "One more?"})
    assert late.status_code == 429
    drain()
    assert Message.objects.filter(role=Message.Role.ASSISTANT, status="complete").count() == 5


def test_nobody_is_let_in_when_questions_cannot_be_counted(opened, browser, settings):
    settings.RATE_LIMITS = True
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    refused = browser().post("/p/mara/ask", {"text": "Have you used Go?"})
    assert refused.status_code == 503
    assert not Session.objects.filter(kind=KIND).exists()
    assert not Participant.objects.exclude(pk=opened.owner_id).exists()


def test_a_question_that_is_too_long_comes_back_whole(opened, browser):
    long = "why " * 600
    refused = browser().post("/p/mara/ask", {"text": long})
    assert refused.status_code == 413
    assert long.strip() in refused.content.decode()


def test_every_word_of_an_address_here_is_reserved():
    paths = [str(route.pattern) for route in urlpatterns]
    words = {path.split("/")[2] for path in paths if path[:2] == "p/" and path.count("/") >= 2}
    assert {word for word in words if "<" not in word} <= RESERVED


def test_the_page_asks_the_database_as_often_for_many_entries_as_for_few(
    opened, make, browser, django_assert_num_queries
):
    visitor = browser()
    visitor.get("/p/mara")
    with django_assert_num_queries(11) as few:
        visitor.get("/p/mara")
    for number in range(12):
        make(
            "portfolio_entry", portfolio=str(opened.pk), doc_id=f"e{number}", slug=f"e-{number}",
            title=f"Entry {number}", status="published",
        )  # fmt: skip
    with django_assert_num_queries(len(few.captured_queries)):
        visitor.get("/p/mara")


@pytest.mark.parametrize(
    ("markdown", "words"),
    [
        ("I **built** the `feed` of [trams](https://example.org).", "I built the feed of trams."),
        ("## Why\n\n- one\n- two\n\n> so it goes", "Why\none\ntwo\nso it goes"),
        ("C# & <T>, snake_case, 2 * 3 * 4", "C# & <T>, snake_case, 2 * 3 * 4"),
    ],
)
def test_what_is_quoted_of_a_story_has_no_signs_of_markup(markdown, words):
    assert plain_text(markdown) == words
