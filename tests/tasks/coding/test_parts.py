"""A talk that is read in parts: what a part loses, or says of another, is not lost, nor double."""

from __future__ import annotations

import json
import re

import pytest

from tasks.coding import run
from tasks.models import SurveyResponse
from tests.extent import some
from tests.tasks.coding.test_model import capitalised, found, merge, words_of

pytestmark = pytest.mark.django_db(transaction=True)

THINGS = ("letters", "offers", "tables", "plans", "minutes", "budgets", "notices", "rotas")
SAID = [
    f"I draft {thing} about the new hall. I also check {thing} that come from others."
    + " Really!" * 80
    for thing in THINGS
]
TASKS = [f"{verb} {thing}" for thing in THINGS for verb in ("draft", "check")]
LISTED = [task.capitalize() for task in TASKS]
WHOLE = 10**6


@pytest.fixture
def model(scripted):
    """A model whose wording and joining are right; tests script what it finds."""
    scripted.on("normalisation").json(capitalised)
    scripted.on("deduplication").json(merge())
    return scripted


@pytest.fixture
def talk(survey) -> SurveyResponse:
    """Eight messages, read in as many parts."""
    return survey([turn for text in SAID for turn in (("assistant", "And?"), ("user", text))])


def asked(request) -> tuple[int, int]:
    first, last = re.findall(r"messages (\d+) to (\d+)", request.text)[0]
    return int(first), int(last)


def told(request, first: int = 1, last: int = WHOLE, extra: str = "") -> dict:
    """Every task of these messages, and of no other."""
    lines = re.findall(r"^\[(\d+)\] PERSON: (.+)$", request.text, re.MULTILINE)
    return found(
        *(
            (task + extra, int(number), task)
            for number, text in lines
            if first <= int(number) <= last
            for task in re.findall(r"(?:draft|check) \w+", text)
        )
    )


def own(request) -> dict:
    return told(request, *asked(request))


def is_asked_about(request, thing: str) -> bool:
    first, _last = asked(request)
    return 2 * THINGS.index(thing) + 1 == first


def processed(response: SurveyResponse) -> SurveyResponse:
    run.process(response.pk)
    response.refresh_from_db()
    assert response.step == SurveyResponse.Step.DONE
    return response


def everything(request) -> dict:
    return told(request)


def everything_in_words_of_its_own(request) -> dict:
    """The whole talk at every call, worded otherwise each time."""
    return told(request, extra=f" {asked(request)[0]}")


def all_at_the_first(request) -> dict:
    return told(request) if is_asked_about(request, "letters") else found()


def all_at_two(request) -> dict:
    """Two calls name the whole talk, each in words of its own, the others nothing."""
    is_one = is_asked_about(request, "letters") or is_asked_about(request, "rotas")
    return everything_in_words_of_its_own(request) if is_one else found()


def of_the_next(request) -> dict:
    """What every call names belongs to the part after it."""
    first, last = asked(request)
    return told(request, first + 2, last + 2) if last < 16 else told(request, 1, 2)


@pytest.mark.parametrize(
    "answer",
    some(
        [
            own,
            everything,
            everything_in_words_of_its_own,
            all_at_the_first,
            all_at_two,
            of_the_next,
        ],
        3,
    ),
)
def test_no_task_is_lost_and_none_double_whatever_part_names_it(model, talk, answer):
    model.on("extraction").json(answer)
    response = processed(talk)
    assert response.basic_mode is False
    assert [re.sub(r" \d+$", "", words) for words in words_of(response)] == LISTED
    assert [task.quote for task in response.tasks.order_by("position")] == TASKS


def test_a_task_is_listed_that_the_model_puts_to_the_wrong_piece_of_a_message(survey, model):
    account = " ".join(f"Then I sell item {n} to all of our customers abroad." for n in range(60))

    def one_too_early(request) -> dict:
        first, last = asked(request)
        lines = re.findall(r"^\[(\d+)\] PERSON: (.+)$", request.text, re.MULTILINE)
        return found(
            *(
                (task, max(1, int(number) - 1), f"{task} to all")
                for number, text in lines
                if first <= int(number) <= last
                for task in re.findall(r"sell item \d+", text)
            )
        )

    model.on("extraction").json(one_too_early)
    response = processed(survey([("user", account)]))
    assert words_of(response) == [f"Sell item {n}" for n in range(60)]


@pytest.mark.parametrize("nonsense", some(["no JSON at all", '{"extracted_tasks": 7}', "", "{"], 4))
def test_a_part_that_cannot_be_read_is_made_by_rules_and_the_others_stay(model, talk, nonsense):
    def but_one(request) -> str:
        return nonsense if is_asked_about(request, "plans") else json.dumps(own(request))

    model.on("extraction").text(but_one)
    response = processed(talk)
    assert response.basic_mode is True
    words = words_of(response)
    assert [item for item in words if "plans" not in item] == [
        item for item in LISTED if "plans" not in item
    ]
    place = LISTED.index("Draft plans")
    assert [item.split(" about")[0].split(" that")[0] for item in words[place : place + 2]] == [
        "Draft plans",
        "Check plans",
    ]
    assert response.tasks.filter(quote__contains="plans").count() == 2


def test_a_part_that_failed_is_asked_about_once_more_alone(model, talk):
    failed: list[str] = []

    def at_first_not(request) -> str:
        if is_asked_about(request, "plans") and len(failed) < 2:  # the answer and its repair
            failed.append(request.text)
            return "no JSON at all"
        return json.dumps(own(request))

    model.on("extraction").text(at_first_not)
    response = processed(talk)
    assert response.basic_mode is False
    assert words_of(response) == LISTED
    assert len(model.of("extraction")) == len(THINGS) + 2


def test_a_part_that_the_model_refused_is_asked_about_once_more(model, talk):
    model.on("extraction").refuse().json(own)
    response = processed(talk)
    assert response.basic_mode is False
    assert words_of(response) == LISTED


def test_what_another_part_names_of_one_that_failed_is_not_made_by_rules_again(model, talk):
    def but_one(request) -> str:
        return "no JSON" if is_asked_about(request, "plans") else json.dumps(told(request))

    model.on("extraction").text(but_one)
    response = processed(talk)
    assert response.basic_mode is False
    assert words_of(response) == LISTED


def test_what_another_part_invents_of_one_that_failed_takes_nothing_from_the_rules(model, talk):
    def but_one(request) -> str:
        if is_asked_about(request, "plans"):
            return "no JSON"
        answer = own(request)
        answer["extracted_tasks"] += found(("fly", 8, "I fly helicopters"))["extracted_tasks"]
        return json.dumps(answer)

    model.on("extraction").text(but_one)
    response = processed(talk)
    assert response.basic_mode is True
    assert response.tasks.filter(quote__contains="plans").count() == 2
    assert response.tasks.count() == len(LISTED)


def test_a_piece_of_a_message_that_cannot_be_read_is_made_by_rules_alone(survey, model):
    def but_one(request) -> str:
        first, last = asked(request)
        lines = re.findall(r"^\[(\d+)\] PERSON: (.+)$", request.text, re.MULTILINE)
        is_one = any(first <= int(n) <= last and "I draft plans" in text for n, text in lines)
        return "no JSON" if is_one else json.dumps(own(request))

    model.on("extraction").text(but_one)
    response = processed(survey([("user", " ".join(SAID))]))
    assert response.basic_mode is True
    assert [re.findall(r"[A-Z]\w+ \w+", text)[0] for text in words_of(response)] == LISTED


def test_doubles_are_looked_for_again_where_there_was_no_room_beside_the_wording(
    model, talk, settings
):
    model.on("extraction").json(own)
    joining = model.on("deduplication")
    for _attempt in range(3):
        joining.status(429, retry_after=0)
    joining.json(merge(("Draft and check letters", [1, 2])))
    response = processed(talk)
    assert response.basic_mode is False
    assert words_of(response) == ["Draft and check letters", *LISTED[2:]]


def test_a_merge_without_a_statement_of_its_own_takes_that_of_the_fullest(model, talk):
    model.on("extraction").json(own)
    model.on("deduplication").json(merge(("", [2, 1])))
    response = processed(talk)
    assert words_of(response) == LISTED[1:]
    (entry,) = response.tasks.get(statement="Check letters").merged_from
    assert entry["statement"] == "Draft letters"
