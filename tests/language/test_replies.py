"""Stop and confirmation phrases: only as a clause of their own about the conversation."""

import pytest

from futura.language.replies import (
    Stop,
    accepts_offer,
    has_nothing_to_add,
    is_clear_no,
    is_clear_yes,
    stop_intent,
)
from futura.language.task_phrases.answers import answer_to, options_taken, question_of
from futura.language.tokens import tokens_of

STOPS = """\
done
Done.
I'm done
I’m done!
im done
all done
All done, thanks!
finished
I'm finished
I am finished now
that's all
That’s all.
thats all
that's all I do
that's all for me
That's all from my side, thank you
that's it
That's it really
that’s pretty much it
That's basically it.
nothing else
Nothing else, thanks
there's nothing else
nothing else to add
nothing more
Nothing more to add.
no more
no more, thanks
no more tasks
complete
I think my list is complete
that covers it
I think that covers it
That pretty much covers everything
that covers everything I do
I think that's everything
I think that's everything!
I think that’s everything, thanks
that's everything
Yes, that's everything.
I'm good
im good
I’m good, thanks
No, I'm good
we're good
ok I think we're done here
No, that's all
nope that's it
I write invoices too. That's all.
I also order paper for the printers, and that's it.
I answer the phone and book rooms. I think that's everything!
- order stock
- count the till
That's all
"""
# the last three lines are one message
STOP_SENTENCES = [*STOPS.splitlines()[:-3], "\n".join(STOPS.splitlines()[-3:])]

GOES_ON = """\
I make sure reports are complete
not done yet
I'm not done
No, I'm not finished
when the report is done I send it
When the report is done, I send it.
Once the audit is finished, I file it
Once everything is signed, I'm done.
no more than ten invoices a day
I'm good at negotiating
I’m good with numbers
I am good at calming people down
I check that the forms are complete and sign them
I complete tax returns
I finished my training last year and now I run the till
Nothing else matters as much as the morning round
nothing more complicated than invoices
that's it for the mornings; in the afternoons I teach
that's all I do on Mondays
That's all handled by my boss
I get things done
I need to get the payroll done by Friday
the work is done by noon
my shift is done at six
I have a finished goods warehouse to look after
we track completed orders
I do a complete stocktake every month
I make sure nothing else is left on the line
I check there's nothing else in the van
there is no more stock so I order it
If there's no more paper I order some
I tell them that's all we can offer
I ask the customer if that's everything
I ring up the items, ask "is that everything?" and take the money
until the job is done I stay on site
As soon as the weld is finished, I grind it
I hand over when all done with the patients
I'm good friends with the suppliers and negotiate prices
done right, an audit takes two weeks
the paperwork that covers it gets filed by me
insurance that covers everything is what I sell
I have not finished telling you about the lab
well, that's not all
That's not everything, I also do payroll
nothing else gets done until I approve the plan
I wouldn't say that's it
I coordinate everything
How complete does this have to be? I also train people
We are done with school visits so I plan the next term
finishing touches, polishing and painting
I wrap up the evening by counting the till
""".splitlines()

IN_DOUBT = [
    "I collect the samples, label them and I'm done",
    "I review, approve, done",
    "That's it. Oh, and I also train the apprentices.",
    "That's all, except that I also order the chemicals.",
    "are we done?",
    "Is that everything?",
    "That's all?",
]


def test_the_lists_are_long_enough_to_mean_something():
    assert len(STOP_SENTENCES) >= 40
    assert len(GOES_ON) >= 40


@pytest.mark.parametrize("text", STOP_SENTENCES)
def test_a_stop_phrase_of_its_own_ends_the_conversation(text):
    assert stop_intent(text) is Stop.YES


@pytest.mark.parametrize("text", GOES_ON)
def test_words_about_work_do_not_even_bring_an_offer(text):
    assert stop_intent(text) is Stop.NO


@pytest.mark.parametrize("text", IN_DOUBT)
def test_in_doubt_it_is_neither_yes_nor_no(text):
    assert stop_intent(text) is Stop.MAYBE


QUESTION = "Do you also plan schedules, order supplies, or train new colleagues?"

CONFIRMS = """\
yes
Yes.
Yes!
yeah
yeah, sure
yep
yup
correct
Correct.
right
That's right
exactly
Exactly, every week
all of those
All of those!
yes, all of those
all of them
Yes, all of them
i do those
I do those
I do all
I do all of those
yes I do all of those
those apply
those all apply
that applies
those are right
all three
all three of them
Yes, all three
all of the above
definitely
Definitely, most days
absolutely
Absolutely!
for sure
yes for sure
I do them all
sure
oh yes, absolutely
yes, I do
everything you said
""".splitlines()

CONFIRMS_NOT = """\
no
not really
Right now I mostly answer mails
right after lunch I check the stock
Correct the invoices and send them out
correct mistakes in the ledger
Right, but I don't order supplies
yes, but only the schedules
yes except the supplies
Yes, only the first one
just the schedules
definitely not
Absolutely not
exactly none of them
exactly zero
yeah no
yeah, not me
sure, but my boss plans them
all four
all two
all three of my colleagues do that
all my colleagues do that
All of our supplies come from one shop
both
the first two
the last one
none of those
I do payroll
I answer the phones all day
I think so many things
maybe
sometimes schedules
I make sure everything is right
that is not right
I check whether all of those forms are signed
we got all of them last year
my boss says yes
they said absolutely
ask for sure things
I used to, yes
Righting capsized boats
yes?
""".splitlines()


def taken(text: str, question: str = QUESTION) -> list[str]:
    answer = answer_to(text, tokens_of(text), question_of(question))
    return [words for _start, _end, words in answer.tasks]


@pytest.mark.parametrize("text", CONFIRMS)
def test_a_reply_that_starts_with_a_confirmation_takes_what_was_offered(text):
    assert taken(text) == ["plan schedules", "order supplies", "train new colleagues"]


@pytest.mark.parametrize("text", CONFIRMS_NOT)
def test_other_replies_do_not_take_everything(text):
    assert len(taken(text)) < 3


def test_nothing_is_taken_when_no_tasks_were_named():
    assert taken("yes", "What else fills your week?") == []
    assert taken("yes, all of those", "Thanks, noted.") == []


@pytest.mark.parametrize(
    "text",
    ["yes", "Yes please", "sure", "ok", "let's go", "Let's move on", "go ahead", "continue",
     "yes, show me the list", "I'm ready", "sounds good", "Yes, that's all", "Great, thanks"],
)  # fmt: skip
def test_agreeing_to_go_on(text):
    assert accepts_offer(text)


@pytest.mark.parametrize(
    "text",
    ["no", "not yet", "yes, and I also train people", "Sure, I order the parts too", "wait",
     "go through invoices", "show people round the building", "next week I plan the rota",
     "ok but one more thing", "yes?", "I continue to weld", "good question"],
)  # fmt: skip
def test_saying_more_is_not_agreeing_to_go_on(text):
    assert not accepts_offer(text)


@pytest.mark.parametrize(
    "text",
    ["no", "Not that I can think of.", "Not really", "nope", "I can't think of anything else",
     "nothing comes to mind", "I don't think so", "Not that I can think of. Maybe the odd call."],
)  # fmt: skip
def test_having_nothing_to_add(text):
    assert has_nothing_to_add(text)


@pytest.mark.parametrize(
    "text",
    ["no clients without a contract, I check that", "nothing leaves the lab unsigned", "I weld"],
)
def test_work_is_not_nothing_to_add(text):
    assert not has_nothing_to_add(text)


def test_clear_answers_and_vague_ones():
    assert is_clear_no("No, I don't do that")
    assert is_clear_no("never")
    assert not is_clear_no("not really")
    assert not is_clear_no("some stuff")
    assert is_clear_yes("yeah sometimes presentations")
    assert is_clear_yes("yes from sql databases")
    assert not is_clear_yes("right now nothing")


@pytest.mark.parametrize(
    "text",
    [
        "first I had coffee",
        "The first snow fell today",
        "last week was mad",
        "Second shift is quiet",
        "Everything is fine",
        "Either way I like it",
        "the lot of paper",
    ],
)
def test_words_of_a_choice_that_go_on_as_a_sentence_take_nothing(text):
    assert options_taken(text, ["plan", "teach", "weld"], by_yes=False) == ([], 0)
