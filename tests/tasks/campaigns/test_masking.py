"""What leaves for a model when a campaign masks, and what comes back."""

import pytest
from hypothesis import given, strategies as st
from pydantic import BaseModel

from futura.llm import redaction
from futura.llm.client import Llm
from tasks.campaigns.masking import Mask
from tests.tasks.campaigns.conftest import talk

NAMES = ["Anna Schmidt", "Globex", "Jo"]
TEXT = "I call Anna  Schmidt (+49 30 1234567) and jo@globex.example for Globex."


class Found(BaseModel):
    """An answer with texts at two depths."""

    word: str
    words: list[str]


def test_names_addresses_and_numbers_are_hidden_and_put_back():
    mask = Mask("one", NAMES)
    told = mask.hide(TEXT)
    for word in ("Anna", "Schmidt", "1234567", "jo@", "Globex"):
        assert word not in told
    assert mask.show(told) == TEXT
    assert Mask("one", NAMES).hide(TEXT) == told  # the same in every call
    assert Mask("two", NAMES).hide(TEXT) != told  # and another elsewhere


@pytest.mark.parametrize(
    "text",
    ["15-2051.00", "2027-03-01", "2019-2023", "4.A.2.b.1", "room 12, 10:30-12:30", "1,000,000.00",
     "Join the joint team", "3f2504e0-4f89-41d3-9a0c-0305e82c3301", "14:20", "50 % of 2000"],
)  # fmt: skip
def test_what_is_no_name_and_no_number_stays(text):
    assert Mask("one", NAMES).hide(text) == text


@pytest.mark.parametrize(
    "text", ["030 1234567", "(030) 123 45 67", "+1-202-555-0143", "555-0199", "0049.30.123456"]
)
def test_telephone_numbers_are_known_by_their_looks(text):
    assert Mask("one", []).hide(f"Ring {text}, please.").startswith("Ring [phone-")


@given(st.text(max_size=80))
def test_nothing_is_lost_that_was_never_hidden(text):
    mask = Mask("one", [])
    again = mask.show(mask.hide(text))
    assert again.casefold() == text.casefold()


@pytest.mark.django_db(transaction=True)
def test_every_kind_of_call_of_a_talk_passes_through_the_veil(campaign, client, scripted):
    made = campaign(asked=False, masks=True, known_names=NAMES)
    taken = talk(client, made, tasks=0)
    llm = Llm(session_id=taken.response_id)
    hidden = Mask(str(made.pk), NAMES).hide("Globex")
    asked = [{"role": "user", "content": TEXT}]
    scripted.on("response").text(f"What do you do for {hidden}, and who is [person-aaaaa]?")
    said = "".join(llm.stream_text("response", asked))
    assert said == "What do you do for Globex, and who is [person-aaaaa]?"
    scripted.on("message_analysis").json({"word": hidden, "words": [f"call {hidden}"]})
    found = llm.structured("message_analysis", asked, Found)
    assert found == Found(word="Globex", words=["call Globex"])
    for stage in ("response", "message_analysis"):
        body = str(scripted.of(stage)[-1].body)
        assert hidden in body
        assert "Globex" not in body
        assert "Schmidt" not in body


@pytest.mark.django_db(transaction=True)
def test_a_campaign_that_does_not_mask_changes_nothing(campaign, client, scripted):
    made = campaign(asked=False, known_names=NAMES)
    taken = talk(client, made, tasks=0)
    scripted.on("response").text("All right.")
    llm = Llm(session_id=taken.response_id)
    assert "".join(llm.stream_text("response", [{"role": "user", "content": TEXT}])) == "All right."
    assert "Anna  Schmidt" in str(scripted.of("response")[-1].body)


@pytest.mark.django_db
def test_what_is_searched_for_on_the_way_is_hidden_too(campaign, client):
    made = campaign(asked=False, masks=True, known_names=NAMES)
    taken = talk(client, made, tasks=0)
    assert redaction.redaction_of(None) is None
    with redaction.working_for(taken.response_id):
        veil = redaction.redaction_of(None)
    assert veil is not None
    assert "Globex" not in veil.hide("Call Globex")
    assert redaction.redaction_of(None) is None, "what this process does next is nobody's"


@pytest.mark.django_db(transaction=True)
def test_a_streamed_field_comes_back_with_its_words(campaign, client, scripted):
    made = campaign(asked=False, masks=True, known_names=NAMES)
    taken = talk(client, made, tasks=0)
    hidden = Mask(str(made.pk), NAMES).hide("Globex")
    scripted.on("response").json({"word": f"Ask {hidden} then.", "words": [hidden]})
    asked = [{"role": "user", "content": TEXT}]
    llm = Llm(session_id=taken.response_id)
    *pieces, whole = llm.stream_structured("response", asked, Found, field="word")
    assert "".join(pieces) == "Ask Globex then."
    assert whole == Found(word="Ask Globex then.", words=["Globex"])
