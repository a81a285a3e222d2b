"""Budgets: never overspent however many ask, told of once, refilled each month."""

from __future__ import annotations

import threading
from datetime import date, timedelta
from decimal import Decimal

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.utils import timezone

from futura.env import monthly_cap
from futura.errors import ModelUnavailable
from futura.llm import budget
from futura.llm.models import BudgetMonth, BudgetNotice, BudgetReservation, ModelCall
from tests.llm.conftest import GOOD, HELLO, Verdict, outcomes

USAGE = {"input": 1000, "output": 100}  # of gpt-4o: 0.0025 + 0.001 USD


@pytest.fixture
def capped(settings):
    """Sets the cap of the default budget."""

    def cap(amount, **more):
        made = monthly_cap("FUTURA_BUDGET", cap=str(amount), **more)
        settings.LLM_BUDGETS = {**settings.LLM_BUDGETS, "default": made}

    return cap


def told():
    """The levels that were noted for the admins, in their order."""
    return [budget.LEVELS[notice.level] for notice in BudgetNotice.objects.order_by("pk")]


@pytest.mark.django_db
def test_a_call_is_held_back_before_and_settled_with_its_real_cost(scripted, llm):
    scripted.on("response").text("Bread.", usage=USAGE)
    assert list(llm.stream_text("response", HELLO)) == ["Bread."]
    found = budget.state("default")
    assert usd(found.spent, found.reserved) == ["0.0035", "0"]
    assert found.level == "ok"
    assert found.spent == ModelCall.objects.get().cost_usd
    assert usd(found.cap, found.warn_at, found.critical_at) == ["10", "8", "9.5"]


@pytest.mark.django_db
def test_while_a_call_is_under_way_the_most_it_can_cost_is_held_back(scripted, llm):
    scripted.on("response").stall(after=1, text="Bread.")
    texts = llm.stream_text("response", HELLO)
    assert next(texts) == "Bread."
    held = budget.state("default")
    assert held.spent == 0
    assert held.reserved > Decimal("0.005"), "the answer's limit of 500 tokens at least"
    texts.close()
    after = budget.state("default")
    assert after.reserved == 0
    assert 0 < after.spent < held.reserved


@pytest.mark.django_db
@pytest.mark.usefixtures("either_wire")
@pytest.mark.parametrize("cap", ["0.001", "0"])
def test_without_money_no_call_goes_out_and_the_ledger_says_so(scripted, llm, capped, cap):
    capped(cap)
    scripted.on().json(GOOD)
    with pytest.raises(ModelUnavailable) as caught:
        llm.structured("tool_selection", HELLO, Verdict)
    assert caught.value.reason == "budget"
    with pytest.raises(ModelUnavailable):
        next(llm.stream_text("response", HELLO))
    assert scripted.requests == []
    assert outcomes() == ["over_budget"] * 2
    assert budget.state("default").level == "exceeded"
    assert not BudgetReservation.objects.exists()


@pytest.mark.django_db
def test_of_two_calls_at_once_near_the_cap_only_one_goes_out(scripted, llm, capped):
    capped("0.008")
    scripted.on("response").stall(after=1, text="Bread.")
    first = llm.stream_text("response", HELLO)
    assert next(first) == "Bread."
    assert Decimal("0.004") < budget.state("default").reserved < Decimal("0.008")
    with pytest.raises(ModelUnavailable) as caught:
        next(llm.stream_text("response", HELLO))
    assert caught.value.reason == "budget"
    assert len(scripted.of("response")) == 1
    first.close()


@pytest.mark.django_db
def test_without_a_cap_everything_goes_out_and_is_still_counted(scripted, llm, capped):
    capped("none")
    scripted.on("response").text("Bread.", usage={"input": 10_000_000, "output": 1})
    assert list(llm.stream_text("response", HELLO)) == ["Bread."]
    found = budget.state("default")
    assert (found.cap, found.level) == (None, "ok")
    assert found.spent > 25


@pytest.mark.django_db
def test_an_unknown_price_holds_nothing_back_and_counts_as_unknown(scripted, llm, monkeypatch):
    scripted.on("embedding").text("")
    llm.embed(["a"], model="house-model")
    found = budget.state("default")
    assert usd(found.spent, found.estimated) == ["0", "0"]
    assert found.unknown_calls == 1


@pytest.mark.django_db
def test_an_unknown_price_does_not_pass_a_budget_that_is_used_up(capped):
    capped("1")
    held = budget.reserve("default", Decimal("0.4"))
    assert held is not None
    assert budget.reserve("default", None) is not None
    budget.settle(held, Decimal("1.2"))
    assert budget.reserve("default", None) is None


@pytest.mark.django_db
def test_a_stream_that_breaks_off_is_paid_for_by_estimate(scripted, llm):
    scripted.on("response").cut(after=3, text="One two three four five")
    with pytest.raises(ModelUnavailable):
        list(llm.stream_text("response", HELLO))
    found = budget.state("default")
    assert found.spent == found.estimated > 0
    assert found.unknown_calls == 1
    assert ModelCall.objects.get().cost_usd is None, "the ledger does not guess"


@pytest.mark.django_db
@pytest.mark.parametrize("tokens", [-1_000_000_000, 10**12, 2**63])
def test_figures_that_no_call_can_have_are_replaced_by_an_estimate(scripted, llm, tokens):
    scripted.on("response").text("Bread.", usage={"input": tokens, "output": 100})
    assert list(llm.stream_text("response", HELLO)) == ["Bread."]
    state = budget.state("default")
    assert 0 < state.spent == state.estimated < Decimal("0.01")
    assert ModelCall.objects.get().input_tokens is None


@pytest.mark.django_db
def test_what_never_reached_a_model_costs_nothing(scripted, llm):
    scripted.on("response").status(401)
    with pytest.raises(ModelUnavailable):
        list(llm.stream_text("response", HELLO))
    found = budget.state("default")
    assert usd(found.spent, found.reserved) == ["0", "0"]
    assert found.unknown_calls == 0


@pytest.mark.django_db(transaction=True)
def test_however_many_ask_at_once_no_more_goes_out_than_the_cap_allows(capped):
    capped("1", warn_at="0.5", critical_at="0.9")
    granted: list[budget.Reservation] = []

    def ask():
        try:
            for _ in range(4):
                held = budget.reserve("default", Decimal("0.1"))
                if held is not None:
                    granted.append(held)
        finally:
            connection.close()

    together(ask, 12)
    assert len(granted) == 10
    assert budget.state("default").reserved == 1

    def pay(held):
        try:
            budget.settle(held, Decimal("0.1"))
        finally:
            connection.close()

    threads = [threading.Thread(target=pay, args=[held]) for held in granted]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    row = BudgetMonth.objects.get()
    assert usd(row.spent_usd, row.reserved_usd) == ["1", "0"]
    assert sorted(told()) == ["critical", "exceeded", "warn"]
    assert not BudgetReservation.objects.exists()


def usd(*amounts):
    """Amounts as plain texts."""
    return [f"{amount:.8f}".rstrip("0").rstrip(".") for amount in amounts]


def held_back(amount):
    """A reservation that is granted."""
    made = budget.reserve("default", Decimal(amount))
    assert made is not None
    return made


def together(work, count):
    threads = [threading.Thread(target=work) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@pytest.mark.django_db
def test_each_threshold_is_told_once_and_in_order(capped):
    capped("1")
    for cost in ("0.5", "0.31", "0.02", "0.13", "0.01", "0.2"):
        held = budget.reserve("default", Decimal("0.001"))
        if held is not None:
            budget.settle(held, Decimal(cost))
    assert told() == ["warn", "critical", "exceeded"]
    assert BudgetNotice.objects.earliest("pk").spent_usd == Decimal("0.81")


@pytest.mark.django_db
def test_one_dear_call_passes_several_thresholds_at_once(capped):
    capped("1")
    budget.settle(held_back("0.1"), Decimal(3))
    assert told() == ["warn", "critical", "exceeded"]


@pytest.mark.django_db
def test_what_a_crashed_process_held_back_comes_free_again(capped):
    capped("1")
    lost = budget.reserve("default", Decimal("0.9"))
    assert lost is not None
    assert budget.reserve("default", Decimal("0.2")) is None
    assert budget.state("default").level == "ok", "what is held back may come free again"
    BudgetReservation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert budget.state("default").reserved == 0
    assert budget.reserve("default", Decimal("0.2")) is not None
    budget.settle(lost, Decimal("0.05"))
    row = BudgetMonth.objects.get()
    assert usd(row.spent_usd, row.reserved_usd) == ["0.05", "0.2"]


@pytest.mark.django_db
def test_a_new_month_begins_with_a_full_budget(capped, monkeypatch):
    capped("1")
    old = held_back("0.9")
    monkeypatch.setattr(budget, "this_month", lambda: date(2099, 1, 1))
    assert budget.reserve("default", Decimal("0.9")) is not None
    budget.settle(old, Decimal("0.5"))
    assert budget.state("default", old.month).spent == Decimal("0.5"), (
        "paid by the month it began in"
    )
    assert budget.state("default", date(2099, 1, 20)).spent == 0


@pytest.mark.django_db
def test_a_raised_cap_lets_calls_out_again(capped):
    capped("0.001")
    assert budget.reserve("default", Decimal("0.01")) is None
    assert budget.state("default").level == "exceeded"
    capped("1")
    assert budget.state("default").level == "ok"
    assert budget.reserve("default", Decimal("0.01")) is not None


@pytest.mark.django_db
def test_money_that_ends_between_two_attempts_ends_the_attempts(scripted, llm, capped):
    capped("0.1")
    scripted.on("tool_selection").json({"no": 1}, usage={"input": 100_000, "output": 1}).json(GOOD)
    with pytest.raises(ModelUnavailable) as caught:
        llm.structured("tool_selection", HELLO, Verdict)
    assert caught.value.reason == "budget"
    assert outcomes() == ["wrong_schema", "over_budget"]


def test_an_unknown_budget_is_a_programming_error():
    with pytest.raises(KeyError):
        budget.reserve("petty cash", None)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"cap": "ten"}, "FUTURA_BUDGET_USD must be an amount"),
        ({"cap": "-1"}, "FUTURA_BUDGET_USD must be an amount"),
        ({"cap": "inf"}, "FUTURA_BUDGET_USD must be an amount"),
        ({"cap": "10", "warn_at": "much"}, "FUTURA_BUDGET_WARN_USD must be an amount"),
        ({"cap": "10", "warn_at": "11"}, "must rise"),
        ({"cap": "10", "critical_at": "7"}, "must rise"),
    ],
)
def test_amounts_that_make_no_sense_stop_the_start(given, sentence):
    with pytest.raises(ImproperlyConfigured, match=sentence):
        monthly_cap("FUTURA_BUDGET", **given)


def test_thresholds_follow_the_cap_where_they_are_not_given():
    found = monthly_cap("FUTURA_BUDGET", cap="100")
    assert usd(found.cap, found.warn_at, found.critical_at) == ["100", "80", "95"]
    assert monthly_cap("FUTURA_BUDGET", cap="None").cap is None
