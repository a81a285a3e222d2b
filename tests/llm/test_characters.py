"""Characters that no database takes, wherever a model may say them: they end at the gateway."""

from __future__ import annotations

import pytest

from futura.llm.tools import CallFinished, Tool
from tests.llm.conftest import GOOD, HELLO, Verdict, outcomes
from tests.llm.test_tools import Find, Shed
from tests.scripted import ScriptedCall

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("either_wire")]
BAD = "ba\x00ke\ud800!"
FIT = "bake\ufffd!"


def test_in_a_streamed_text(scripted, llm):
    scripted.on("response").text(f"We {BAD} bread")
    assert "".join(llm.stream_text("response", HELLO)) == f"We {FIT} bread"
    assert outcomes() == ["ok"]


def test_in_a_form(scripted, llm):
    scripted.on("tool_selection").json(GOOD | {"word": BAD})
    assert llm.structured("tool_selection", HELLO, Verdict).word == FIT
    assert outcomes() == ["ok"]


def test_in_a_form_that_spells_them_out(scripted, llm):
    scripted.on("tool_selection").text('{"word": "ba\\u0000ke\\ud800!", "certainty": "high"}')
    assert llm.structured("tool_selection", HELLO, Verdict).word == FIT


def test_in_a_streamed_field(scripted, llm):
    scripted.on("portfolio_answer").json(GOOD | {"word": f"We {BAD} bread and \x00more"})
    *pieces, whole = llm.stream_structured("portfolio_answer", HELLO, Verdict, field="word")
    assert "".join(pieces) == whole.word == f"We {FIT} bread and more"


def test_in_the_arguments_the_name_and_the_id_of_a_call(scripted, llm):
    shed = Shed()
    tool = Tool("find", "Finds.", Find, shed.find)
    scripted.on("response").calls(ScriptedCall("fi\x00nd", {"words": BAD}, "c\x001")).text("Done.")
    events = list(llm.run_tools("response", HELLO, [tool]))
    [call] = [event for event in events if isinstance(event, CallFinished)]
    assert (call.status, call.call.id, call.call.name) == ("done", "c1", "find")
    assert shed.done == [FIT]
    assert "\\u0000" not in scripted.requests[-1].raw.decode()
