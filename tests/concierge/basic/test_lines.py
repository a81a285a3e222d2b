"""What holds for every line without a model: no foreign id, no change that was not meant."""

from __future__ import annotations

import datetime as dt
import json
import uuid
from time import process_time

import pytest
from hypothesis import given, settings, strategies as st

from projects.concierge.basic.lines import understand
from projects.concierge.state import Memory, Option, Pending
from projects.concierge.toolset import json_of, task_ids, tool_of
from projects.models import Project, Task
from projects.todos.basic import NameableRows
from tests.extent import examples

NOW = dt.datetime(2026, 11, 25, 10, 0, tzinfo=dt.UTC)
FRIDAY = dt.date(2026, 11, 27)
LAUNCH, SITE = uuid.UUID(int=101), uuid.UUID(int=102)
TITLES = (
    "Review weekly metrics", "Prepare board presentation", "Fix production bug", "Order tiles",
    "Order taps", "Buy milk", "Delete old backups", "Call with Sarah", "Mark the pitch as done",
)  # fmt: skip
TASKS = [
    Task(id=uuid.UUID(int=number), title=title, due_date=FRIDAY if number in {4, 5} else None)
    for number, title in enumerate(TITLES, start=1)
]
KNOWN = NameableRows(
    TASKS, [Project(id=LAUNCH, name="Q4 Launch"), Project(id=SITE, name="Website Redesign")]
)
IDS = {str(item.id) for item in TASKS} | {str(project.id) for project in KNOWN.projects}

_words = st.sampled_from(
    """lösche erledigt alle zeige auf morgen borrar todo mover al lunes supprimer toutes déplacer à
    add create mark done delete rename to move it that both the second one order tiles taps
    metrics board presentation and , . ; ! ? don't not if maybe yes no undo priority high critical
    friday tomorrow by on due in two weeks note project launch website : “quoted text” 'x y' "a"
    all everything from overdue show list what which how many start forecast audit survey please
    thanks remind me task called I finished is blocked reopen drop #launch !high 🎉
    12/5 3pm""".split()
)
_messages = st.one_of(st.text(max_size=200), st.lists(_words, max_size=16).map(" ".join))
_memories = st.sampled_from(
    [
        Memory(),
        Memory(listed=[item.id for item in TASKS[:3]]),
        Memory(suggestions=["Show my tasks", "Undo that"]),
        Memory(
            pending=Pending(
                kind="tick",
                calls=[{"tool": "complete_task", "ids": [str(item.id)]} for item in TASKS[3:5]],
                options=[Option(id=item.id, label=item.title) for item in TASKS[3:5]],
            )
        ),
        Memory(pending=Pending(kind="offer", calls=[{"tool": "create_task", "title": "Rest"}])),
    ]
)


def read(text, earlier=None, known=KNOWN, language="en"):
    memory = earlier or Memory()
    return understand(text, now=NOW, briefing=known, earlier=memory, language=language)


def writes(found):
    reads = {"list_tasks", "find_projects"}
    return [json_of(call) for call in found.calls if tool_of(call) not in reads]


@settings(max_examples=examples(200), deadline=None)
@given(_messages, _memories, st.sampled_from(["en", "de", "es", "fr"]))
def test_calls_name_only_rows_of_the_person(text, memory, language):
    found = read(text, memory, language=language)
    for call in found.calls:
        for name in ("project", "id", "row"):
            named = getattr(call, name, None)
            assert named is None or str(named) in IDS
        assert {str(key) for key in task_ids(call)} <= IDS
    again = Memory(pending=found.pending)
    assert Memory.model_validate_json(again.model_dump_json()) == again


@pytest.mark.parametrize(
    "text",
    [
        "Should I delete {}?", "What happens if I complete {}?", "Is {} done?", "Who can do {}?",
        "Don't delete {}", "please do not mark {} as done", "I haven't finished {}",
        "{} is not done", "I never finished {}", "Ben wants me to delete {}", "“delete {}”",
        "Maybe delete {}", "If I have time, complete {}", "delete {}… no wait, don't",
        "I was told to mark {} as done", "You could have deleted {}", "{} is almost done",
        "Why did you complete {}?", "when {} is done, delete it", "{}", "I might drop {}",
        "delete {} if it rains", "delete {}?", "complete {} unless Ana does",
    ],
)  # fmt: skip
def test_questions_negations_conditions_and_mentions_change_nothing(text):
    assert not [title for title in TITLES if writes(read(text.format(title)))]


IN_OTHER_LANGUAGES = {
    "de": (
        "Soll ich {} löschen?", "Lösche {} nicht", "bitte {} nicht als erledigt markieren",
        "{} ist nicht erledigt", "{} ist fast fertig", "Ben will, dass ich {} lösche",
        "„lösche {}“", "Vielleicht lösche {}", "wenn {} erledigt ist, lösche es", "lösche {}?",
        "lösche {}, wenn es regnet", "erledigt: {} außer Ana macht es", "Ist {} erledigt?",
        "Warum ist {} erledigt?", "sobald {} fertig ist", "ob {} erledigt ist",
        "dass {} fertig ist", "noch nicht erledigt: {}", "ich habe {} nicht erledigt",
        "nie ist {} fertig", "wer sagt, {} ist fertig", "hoffentlich ist {} erledigt",
    ),
    "es": (
        "¿Debo borrar {}?", "No borrar {}", "no borres {}", "por favor no marcar {} como hecho",
        "{} no está hecho", "{} está casi hecho", "Ben quiere que borre {}", "«borrar {}»",
        "Quizás borrar {}", "si {} está hecho, bórralo", "¿borrar {}?", "borrar {} si llueve",
        "completar {} a menos que Ana", "¿Está hecho {}?", "¿Por qué está hecho {}?",
        "cuando {} está hecho", "espero que {} está hecho", "todavía no está hecho {}",
        "ojalá {} está hecho",
    ),
    "fr": (
        "Dois-je supprimer {} ?", "Ne supprime pas {}", "ne pas supprimer {}",
        "s’il te plaît ne marque pas {} comme fait", "{} n’est pas terminé",
        "{} est presque terminé", "Ben veut que je supprime {}", "« supprimer {} »",
        "Peut-être supprimer {}", "si {} est terminé, supprime-le", "supprimer {} ?",
        "supprimer {} s’il pleut", "terminer {} sauf si Ana le fait",
        "Est-ce que {} est terminé ?", "Pourquoi {} est terminé ?", "quand {} est terminé",
        "j’espère que {} est terminé", "supprime pas {}",
    ),
}  # fmt: skip


@pytest.mark.parametrize("language", IN_OTHER_LANGUAGES)
def test_in_other_languages_they_change_nothing_either(language):
    lines = [line.format(title) for line in IN_OTHER_LANGUAGES[language] for title in TITLES]
    assert not [line for line in lines if writes(read(line, language=language))]


@pytest.mark.parametrize(
    "text",
    [
        "please do not create it yet", "Of course not", "ok, rename it to Garden", "not yet",
        "Yes, only the wireframes", "Ana takes over design", "Ja, aber nicht heute", "later maybe",
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["nothing", "an offer"])
def test_what_is_no_exact_yes_creates_nothing(text, kind):
    offer = Pending(
        kind="offer", calls=[{"tool": "create_task", "title": "Rest"}], question="Shall I add it?"
    )
    memory = Memory(pending=offer) if kind == "an offer" else Memory()
    assert writes(read(text, memory)) == []


def test_what_somebody_takes_over_is_offered_whole():
    found = read("Ana takes over design")
    assert [json_of(call)["title"] for call in found.pending.calls] == ["Ana takes over design"]


@pytest.mark.parametrize(
    ("text", "tool"),
    [
        ("mark {} as done", "complete_task"), ("complete {}", "complete_task"),
        ("done {}", "complete_task"), ("“{}” is done", "complete_task"),
        ("delete “{}”", "delete_tasks"), ("delete the {} task", "delete_tasks"),
        ("rename “{}” to Sleep", "change_tasks"), ("make {} critical", "change_tasks"),
        ("block {}", "change_tasks"), ("move {} to Friday", "change_tasks"),
        ("set the priority of {} to low", "change_tasks"), ("please drop {}", "change_tasks"),
        ("remove the due date from {}", "change_tasks"),
        ("move {} to #Q4 Launch", "change_tasks"), ("delete „{}“", "delete_tasks"),
        ("delete «{}»", "delete_tasks"), ("delete «\u00a0{}\u00a0»", "delete_tasks"),
    ],
)  # fmt: skip
def test_a_task_named_by_its_title_is_the_one(text, tool):
    for task in TASKS:
        found = read(text.format(task.title))
        assert [tool_of(call) for call in found.calls] == [tool], found
        assert list(task_ids(found.calls[0])) == [task.id]


def test_everything_from_friday_is_fridays_rows_to_tick():
    found = read("move everything from Friday to Monday")
    assert not found.calls
    assert [option.label.split(",")[0] for option in found.pending.options] == [
        "Order tiles", "Order taps",
    ]  # fmt: skip
    assert found.pending.is_ticked
    assert {str(call.due_date) for call in found.pending.calls} == {"2026-11-30"}


@pytest.mark.parametrize(
    "text",
    ["complete everything that Ana waits for", "drop every task that is not urgent", "delete old"],
)
def test_a_condition_that_is_not_read_shows_rows_unticked(text):
    found = read(text)
    assert not found.calls or text == "delete old"
    if found.pending:
        assert not found.pending.is_ticked


@pytest.mark.parametrize(
    ("answer", "ids"),
    [
        ("the second one", [5]), ("both", [4, 5]), ("1", [4]), ("1 and 2", [4, 5]),
        ("neither", []), ("no", []), ("not the taps", []), ("yes", []),
    ],
)  # fmt: skip
def test_a_question_is_answered_by_a_place_all_or_a_no(answer, ids):
    asked = read("complete the order")
    labels = [option.label.partition(",")[0] for option in asked.pending.options]
    assert labels == ["Order tiles", "Order taps"]
    found = read(answer, Memory(pending=asked.pending))
    assert [call.ids for call in found.calls] == [(uuid.UUID(int=item),) for item in ids]


def test_what_is_quoted_is_only_a_title():
    found = read("add “Order tiles and delete everything” to my list")
    assert writes(found) == [{"tool": "create_task", "title": "Order tiles and delete everything"}]


@pytest.mark.parametrize(
    ("text", "last"), [("take back the last five changes", 5), ("undo the last 3 changes", 3)]
)
def test_the_last_changes_are_undone_by_number(text, last):
    assert writes(read(text)) == [{"tool": "undo", "last": last}]


def test_a_list_is_offered_as_its_items():
    found = read("Please add:\n- milk by Friday\n- eggs\n- salt !high")
    assert not found.calls
    assert [json_of(call) for call in found.pending.calls] == [
        {"tool": "create_task", "title": "Milk", "due_date": "2026-11-27"},
        {"tool": "create_task", "title": "Eggs"},
        {"tool": "create_task", "title": "Salt", "priority": "high"},
    ]


@pytest.mark.parametrize("piece", ["add ", "and delete it, ", "the second one ", "“", "🎉", "x"])
def test_a_very_long_message_is_read_at_once(piece):
    before = process_time()
    read((piece * 20_000)[:20_000])
    assert process_time() - before < 5


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("add salt and mark buy milk done",
         [{"tool": "create_task", "title": "Salt"}, {"tool": "complete_task", "ids": [TASKS[5]]}]),
        ("add salt; add eggs",
         [{"tool": "create_task", "title": "Salt"}, {"tool": "create_task", "title": "Eggs"}]),
        ("complete buy milk and rename order taps to Taps",
         [{"tool": "complete_task", "ids": [TASKS[5]]},
          {"tool": "change_tasks", "ids": [TASKS[4]], "title": "Taps"}]),
        ("add salt and finish the milk",
         [{"tool": "create_task", "title": "Salt and finish the milk"}]),
        ("add salt and pepper", [{"tool": "create_task", "title": "Salt and pepper"}]),
    ],
)  # fmt: skip
def test_several_commands_in_one_line_are_read_where_each_is_sure(text, expected):
    rows = [json.loads(json.dumps(call, default=lambda task: str(task.id))) for call in expected]
    assert writes(read(text)) == rows
