"""Sentences that speak of others, of the past, of wishes and of facts hold no task."""

import pytest

from futura.language.task_phrases import tasks_in

NOT_MINE_NOW = [
    "My boss signs off the budget and hires people.",
    "The cleaners empty the bins at night.",
    "HR does the contracts.",
    "We have a guy who fixes the printers.",
    "Our accountant files the taxes every year",
    "Patients complain a lot",
    "Customers usually order online and pick it up here.",
    "A colleague of mine designs the flyers",
    "Somebody else orders the paper.",
    "The night shift restocks the shelves",
    "IT maintains the servers, thank god",
    "I don't really do any coding",
    "I have never written a report",
    "No cleaning for me",
    "I stopped doing payroll last year",
    "Until 2019 I taught maths",
    "Back when I was a waiter I carried plates all day",
    "I was a nurse for ten years before this",
    "I hope to manage a team one day",
    "Next month I will start leading the project",
    "They asked me to take over the newsletter but I said no",
    "If I had time I would redo the website",
    "I love my job",
    "I have a degree in chemistry",
    "I know Excel and Photoshop",
    "The office is in Berlin and we are twelve people",
    "It is a family business founded in 1980",
    "My day starts at six",
    "I get paid weekly",
    "People think we just drink coffee all day",
    "My manager wants me to sell more",
    "Not me, Anna handles the phones.",
    "The machines cut the boards automatically",
    "Deliveries come in around noon and the warehouse team unloads them",
    "My wife does the books",
    "Everyone else answers emails, I don't",
    "Cleaning: the night team",
    "Cleaning (a contractor does it)",
    "Payroll, but that's Anna's job",
    "Accounting handles invoices",
    "someone from IT resets passwords",
    "the nurses on my ward give the injections",
    "drivers pick up the parcels at noon",
    "I was asked to write a report last year",
]


@pytest.mark.parametrize("text", NOT_MINE_NOW)
def test_nothing_is_claimed(text):
    assert [phrase.raw for phrase in tasks_in(text)] == []


@pytest.mark.parametrize(
    ("text", "tasks"),
    [
        ("The chef cooks and I plate and serve", ["plate", "serve"]),
        ("Students write essays and I grade them", ["grade them"]),
        ("I used to drive trucks, now I plan their routes", ["plan their routes"]),
        ("Sales brings in the clients; I just write the contracts.", ["write the contracts"]),
    ],
)
def test_only_the_own_part_is_taken(text, tasks):
    assert [phrase.raw for phrase in tasks_in(text)] == tasks


@pytest.mark.parametrize(
    ("text", "tasks"),
    [
        ("Mornings I give out medication", ["give out medication"]),
        ("Evenings we lock up", ["lock up"]),
        ("Monday mornings I count the till", ["count the till"]),
        ("Weekends only", []),
    ],
)
def test_a_time_is_no_task(text, tasks):
    assert [phrase.raw for phrase in tasks_in(text)] == tasks


@pytest.mark.parametrize(
    "text",
    [
        "dispatch plans the routes, not me",
        "Dispatch plans the routes, that's not my job.",
        "Ordering stock, that is not me though",
        "payroll runs the numbers – never us",
        "the invoices are done by accounting, not by me",
    ],
)
def test_what_the_end_gives_away_is_not_claimed(text):
    assert tasks_in(text) == []
