"""The guide of creating conversations: each message read, taken into the draft, and answered."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Final

from django.utils import formats
from django.utils.translation import gettext as _, gettext_lazy

from chat.assistant.cards import ledger_part
from chat.assistant.toolset import Toolset
from chat.guides import GuideEvent, Part, StageDone, StageStarted, StateChanged, Text, Turn
from chat.models import Session
from chat.operations.queries import waiting_count
from futura.errors import ModelUnavailable
from futura.limits import DIMENSION_CHARS
from futura.llm.client import Parallel
from futura.text import sentences, shortened
from projects.commands.drafts import CreateDraftTasks, NewDraftTask
from projects.commands.wording import label, with_parts
from projects.dimensions import BY_FIELD
from projects.models import ProjectDraft
from projects.modes import basic
from projects.modes.basic import Tap
from projects.modes.create import draft, guards, prompts
from projects.modes.create.reading import Check, Extract, TakeIn
from projects.modes.rows import Snapshot, carry_out, draft_text, error_of
from projects.modes.state import CREATE, AskedQuestion, CreateState, Phase
from projects.modes.talking import Answer, Events, ProjectGuide, fallen_back, staged, talk
from projects.modes.update import Updating

Reading = Generator[GuideEvent, None, Extract]
STAGE: Final = "agent_response"
READING: Final = "answer_reading"
STEP_CHARS: Final = 160
FIRST_TASKS: Final = 5
LEAST_FIRST_TASKS: Final = 2  # however many tasks were named
THANKS: Final = gettext_lazy("Noted.")


class Creating(Answer[CreateState]):
    """One message being answered, with a model or in basic mode."""

    taps: frozenset[Tap] = frozenset()  # the buttons that the message stands for
    has_line = False  # of the ledger, under this answer
    is_undone = False  # basic mode took changes back, or asks whether to

    def __init__(self, turn: Turn[CreateState]) -> None:
        super().__init__(turn)
        self.day = f"{self.rows.today:%A, %Y-%m-%d}"
        if turn.message is not None:
            self.taps = basic.taps_of(turn.message, has_model=self.llm.is_configured)

    def opening(self) -> Events:
        row = self.rows.draft()
        if row is not None and row.name:
            opening = _(
                "I have put what is known about **%(name)s** into a draft. Tell me what you want "
                "to achieve, in any order. I take notes first and ask questions afterwards."
            ) % {"name": row.name}
        else:
            opening = _(
                "What are you working on? Tell me everything you have in mind, in any order. I "
                "take notes first and ask questions afterwards."
            )
        yield Text(opening)

    def events(self) -> Events:
        self._reopen_what_was_undone()
        steps: dict[Phase, Callable[[], Events]] = {
            Phase.GATHERING: self._gather,
            Phase.CLARIFYING: self._clarify,
            Phase.FINALIZING: self._look_over,
            Phase.COMPLETED: self._go_on,
        }
        has_words = not self.llm.is_configured and self.state.phase != Phase.COMPLETED
        if not (has_words and (yield from self._undone())):
            yield from steps[self.state.phase]()
        if not self.has_line:
            yield Part(ledger_part(self.turn.run_id))

    def _reopen_what_was_undone(self) -> None:
        """A project that was taken back leaves its draft to be looked over again."""
        if self.state.phase != Phase.COMPLETED or self.rows.project() is not None:
            return
        again = self.rows.draft()
        if again is not None and again.status == ProjectDraft.Status.IN_PROGRESS:
            self.state.phase, self.state.project_id = Phase.FINALIZING, None
            self.state.previewed = ""

    def _undone(self) -> Generator[GuideEvent, None, bool]:
        """Basic mode's undo; then what is open is put again."""
        self.is_undone = self.has_line = yield from self.undone()
        if not self.is_undone or self.state.undo_question is not None:
            return self.is_undone
        if self.state.phase == Phase.FINALIZING and self.rows.draft() is not None:
            yield from self._show()
        elif self.state.phase == Phase.CLARIFYING and self._question():
            yield Text(f"\n\n{self._question()}")
            yield Part(guards.choices(self.state.questions_asked))
        return True

    # Listening and asking ---------------------------------------------------------------------
    def _gather(self) -> Events:
        is_start = guards.is_only_a_start(self.text) and not self.files
        if is_start and not self.state.has_asked_for_more:
            extract = yield from self._read()
            yield from self._take_in(extract)
            if not (yield from self._changed(extract)):
                self.state.has_asked_for_more = True
                yield from self._say(
                    "listen", _("Got it. Tell me everything else you have in mind for it.")
                )
            return
        extract = yield from self._first_reading()
        extract = basic.named(extract, self.text, self.rows.stored_draft())
        draft.ensured(self.rows)
        failure = yield from self._take_in(extract)
        self.state.phase = Phase.CLARIFYING
        yield StateChanged("agent")
        lead = failure or guards.taken(extract)
        if extract.wants_draft or Tap.FINISH in self.taps:
            yield from self._preview(lead, asks_for_change=extract.asks_for_change)
        elif not (yield from self._changed(extract)):
            if extract.ask_about:
                self.state.requested = [extract.ask_about]
            yield from self._ask_next(lead)

    def _changed(self, extract: Extract) -> Generator[GuideEvent, None, bool]:
        """Whether what is to be changed was carried out; then that is the answer."""
        if self.is_undone:
            return True
        if not extract.asks_for_change or extract.wants_draft or self.rows.draft() is None:
            return False
        is_adjusted = yield from self._adjusted(is_preview=False)
        return is_adjusted and not self.state.requested

    def _clarify(self) -> Events:
        if Tap.FINISH in self.taps:
            yield from self._preview("")
            return
        if Tap.LATER in self.taps:
            yield from self._leave_open()
            return
        extract = yield from self._read()
        if extract.question_about and self.state.asked:  # a model may have put another one
            self.state.asked[-1].field = self.state.current = extract.question_about
        failure = yield from self._take_in(extract)
        if (yield from self._changed(extract)):
            return
        if extract.does_not_know and extract.is_empty:
            yield from self._leave_open()
        elif extract.wants_draft:
            yield from self._preview(failure, asks_for_change=extract.asks_for_change)
        elif extract.ask_about:
            self.state.requested = [extract.ask_about]
            yield from self._ask_next(failure or str(THANKS))
        elif extract.is_correction and not extract.dimensions and self._question():
            yield from self._say("again", f"{THANKS} {self._question()}")
        elif extract.is_vague and guards.may_probe(self.state):
            yield from self._put("probe", self.state.current, failure)
        else:
            yield from self._ask_next(failure or guards.taken(extract))

    def _leave_open(self) -> Events:
        if self.state.current:
            self.state.later.append(self.state.current)
        yield from self._ask_next(_("That is fine, it can be decided later."))

    def _ask_next(self, lead: str) -> Events:
        stored = self.rows.stored_draft()
        covered = stored.covered if stored else []
        fields = guards.open_fields(self.state, covered)
        is_answered = self.state.is_extra and not self.state.requested
        if is_answered or not fields:
            yield from self._preview(lead)
            return
        self.state.requested = []
        yield from self._put("ask", fields[0], lead, fields)

    def _put(self, step: prompts.Step, field: str, lead: str, fields: Sequence[str] = ()) -> Events:
        """Puts a question: the model's own, or basic mode's on this dimension."""
        state = self.state
        state.current = field
        state.questions_asked += 1
        before = [question.text for question in state.asked]
        question = guards.question(field, before, f"{self.turn.session_id}:{state.turns}")
        text = yield from self._say(step, f"{lead} {question}".strip(), question, fields)
        put = [
            sentence.text
            for sentence in sentences(text)
            if sentence.text.rstrip().endswith(("?", "？"))
        ]
        question_text = put[-1] if put and not state.has_untrusted_text else question
        state.asked.append(AskedQuestion(field=field, text=question_text, is_probe=step == "probe"))
        yield Part(guards.choices(state.questions_asked))

    def _say(
        self, step: prompts.Step, fallback: str, question: str = "", fields: Sequence[str] = ()
    ) -> Generator[GuideEvent, None, str]:
        """What the model says at this step; without one, or where it fails at once, `fallback`.

        Raises ModelUnavailable when it breaks off later, Cancelled when the person stops it.
        """
        dimensions = "\n".join(f"{name}: {BY_FIELD[name].about}" for name in fields)
        is_fifth = self.state.questions_asked == guards.FINISH_HINT_FROM
        may_stop = is_fifth and step in {"ask", "probe"}
        assistant = yield from talk(
            self.turn,
            Toolset((), self.rows.scope),
            stage=STAGE,
            label=_("Writing"),
            instructions=prompts.replying(step, today=self.day, may_stop=may_stop),
            records=[
                ("draft", draft_text(self.rows.draft_snapshot()) if self.state.draft_id else ""),
                ("open dimensions", dimensions),
                ("question", question or self._question()),
            ],
            version=prompts.REPLY_VERSION,
        )
        if assistant is None:
            yield Text(fallback)
        return assistant.text if assistant is not None else fallback

    # Looking over and creating ----------------------------------------------------------------
    def _preview(self, lead: str, *, asks_for_change: bool = False) -> Events:
        """Shows the draft for confirmation, once it is changed as the same message asks."""
        draft.ensured(self.rows)
        self.state.phase, self.state.current, self.state.is_extra = Phase.FINALIZING, "", False
        yield StateChanged("agent")
        if asks_for_change and self.llm.is_configured:
            self.state.previewed = ""
            yield from self._add_first_tasks()
            yield from self._adjust()
            return
        ready = _("Please review the draft. Should I create the project like this?")
        yield from self._say("preview", f"{lead} {ready}".strip())
        yield from self._add_first_tasks()
        yield from self._show()

    def _show(self) -> Events:
        if waiting_count(self.turn.session_id):
            yield Text("\n\n" + _("Changes that you have not reviewed yet are not included."))
        snapshot = self.rows.draft_snapshot()
        self.state.previewed = draft.mark_of(snapshot)
        yield Part(draft.preview_part(snapshot))

    def _add_first_tasks(self) -> Events:
        if self.state.has_first_tasks or not self.llm.is_configured:
            return
        self.state.has_first_tasks = True
        snapshot = self.rows.draft_snapshot()
        titles = yield from staged(
            self.llm,
            "initial_tasks",
            _("Suggesting first steps"),
            lambda: self._first_titles(snapshot),
            lambda titles: {"tasks": titles},
        )
        if titles:
            tasks = tuple(NewDraftTask(title=title, is_suggested=True) for title in titles)
            command = CreateDraftTasks(draft=snapshot.row.pk, tasks=tasks)
            carry_out(self.rows.working(), [command])

    def _first_titles(self, snapshot: Snapshot) -> list[str]:
        """Titles that bring the list of the draft to five. Raises ModelUnavailable."""
        messages = self.delimiter.prompt(prompts.FIRST_TASKS, [("draft", draft_text(snapshot))])
        answer = self.llm.structured("initial_tasks", messages, prompts.FirstTasks)
        stored = {task.title.casefold() for task in snapshot.tasks}
        titles = [" ".join(task.title.split())[:STEP_CHARS] for task in answer.tasks]
        new = {item.casefold(): item for item in titles if item and item.casefold() not in stored}
        room = FIRST_TASKS - len(snapshot.tasks)
        return list(new.values())[: room if room > 0 else LEAST_FIRST_TASKS]

    def _look_over(self) -> Events:
        draft.ensured(self.rows)
        if Tap.YES in self.taps:
            yield from self._create()
        elif Tap.FINISH in self.taps:  # of an older message, or of another tab
            yield from self._show()
        elif self.taps:
            yield Text(_("All right. What would you like to change?"))
        elif self.llm.is_configured:
            yield from self._adjust()
        else:
            yield from self._adjust_basic()

    def _create(self) -> Events:
        if draft.mark_of(self.rows.draft_snapshot()) != self.state.previewed:
            yield Text(_("The draft has changed since you last saw it."))
            yield from self._show()
            return
        if failure := draft.finalised(self.rows):
            yield Text(_("That did not work: %(why)s") % {"why": failure})
            return
        self.state.phase = Phase.COMPLETED
        yield StateChanged("agent")
        name = {"name": self.rows.plan().row.name}
        yield Text(_("The project **%(name)s** is created.") % name + "\n\n")
        yield Text(_("Tell me here when something changes."))

    def _adjusted(self, *, is_preview: bool) -> Generator[GuideEvent, None, bool]:
        """Whether the model carried it out; then the ledger's line stands below its words.

        Raises ModelUnavailable when it breaks off after its first words or changes.
        """
        self.has_line = True
        snapshot = self.rows.draft_snapshot()
        assistant = yield from talk(
            self.turn,
            draft.toolset(self.rows, is_preview=is_preview),
            label=_("Editing the draft"),
            instructions=prompts.adjusting(self.day, is_preview=is_preview),
            records=[("draft", draft_text(snapshot)), *self.files],
            version=prompts.TOOLS_VERSION,
            snapshot=snapshot,
        )
        self.has_line = assistant is not None
        if assistant is not None:
            draft.remember_project(self.rows, assistant.working.written)
        return self.has_line

    def _adjust(self) -> Events:
        is_adjusted = yield from self._adjusted(is_preview=True)
        if self.state.project_id is not None:
            self.state.phase = Phase.COMPLETED
        elif self.state.requested:
            self.state.phase, self.state.is_extra = Phase.CLARIFYING, True
            yield Text("\n\n")
            yield from self._ask_next("")
        elif not is_adjusted:
            yield from self._adjust_basic()
        # a form or a review may have changed it, too
        elif waiting_count(self.turn.session_id) or (
            draft.mark_of(self.rows.draft_snapshot()) != self.state.previewed
        ):
            yield from self._show()

    def _adjust_basic(self) -> Events:
        """Lines with a dash are tasks; all else leaves the draft as it is, and shows it again."""
        if (yield from self._undone()):
            return
        extract = Extract(tasks=basic.tasks_in(self.text, self.rows.today))
        failure = yield from self._take_in(extract)
        unread = _(
            "Nothing was created or changed. Use the button when the draft is ready, edit the "
            "draft in its form, or add to-dos as lines that begin with a dash."
        )
        yield Text(failure or guards.taken(extract) or unread)
        yield from self._show()

    def _go_on(self) -> Events:
        """After the project was created: the conversation goes on updating it."""
        if Tap.YES in self.taps and not self.state.update.questions:
            yield Text(
                _("The project already exists; you can open it below. What should be different?")
            )
            return
        self.has_line = True
        yield from Updating(self.turn).events()

    # Reading and taking in --------------------------------------------------------------------
    def _read(self) -> Reading:
        """What the message says; word for word where no model answers."""
        extract = yield from staged(self.llm, READING, _("Reading"), self._read_with_model)
        if extract is None and (yield from self._undone()):
            return Extract()
        stored, today = self.rows.stored_draft(), self.rows.today
        return extract or basic.read(self.text, self.files, self.state.current, stored, today)

    def _read_with_model(self) -> Extract:
        """What has its quote in the message. Raises ModelUnavailable."""
        snapshot, question = self.rows.stored_draft(), self._question()
        if question:
            current = BY_FIELD[self.state.current]
            question = f"{question}\n({current.field}: {current.about})"
        material = [
            ("draft", draft_text(snapshot) if snapshot else ""),
            ("last reply", self.last_reply), ("question", question),
            *self.files, ("message", self.text[: prompts.DUMP_CHARS]),
        ]  # fmt: skip
        messages = self.delimiter.prompt(prompts.READING.format(today=self.day), material)
        check = Check([self.text, *(file for _name, file in self.files)], snapshot)
        extract = check.extract(self.llm.structured(READING, messages, prompts.Reading))
        self.llm.checked(READING, used=check.used, refused=check.refused)
        return extract

    def _first_reading(self) -> Reading:
        """Which dimensions matter, and what is said on them: with a model both at once."""
        self.state.dimensions_detected = guards.EVERYTHING
        if not self.llm.is_configured:
            extract = yield from self._read()
            return extract
        yield StageStarted("dimension_detection", _("Sorting what you wrote"))
        values = [item.text for item in self.turn.history if item.role == "user"]
        text = "\n".join([*values, self.text])[: prompts.DUMP_CHARS]
        messages = self.delimiter.prompt(prompts.DETECTION, [("told", text)])
        with Parallel(threads=2) as pool:
            detecting = pool.start(
                lambda: self.llm.structured("dimension_detection", messages, prompts.Relevance)
            )
            extract = yield from self._read()
            relevance = detecting()
        if isinstance(relevance, ModelUnavailable):
            yield fallen_back("dimension_detection", relevance)
            return extract
        scores = relevance.model_dump()
        self.state.dimensions_detected = guards.relevant(scores)
        detail = {"scores": scores, "relevant": self.state.dimensions_detected}
        yield StageDone("dimension_detection", "model", detail)
        return extract

    def _take_in(self, extract: Extract) -> Generator[GuideEvent, None, str]:
        """One round for one message; gives why it failed, or nothing."""
        if extract.is_empty:
            return ""
        snapshot = draft.ensured(self.rows)
        command = TakeIn(
            draft=snapshot.row.pk,
            text=self.text,
            extract=extract,
            question_count=self.state.questions_asked,
        )
        failure = error_of(carry_out(self.rows.working(), [command]))
        for field, text in extract.dimensions.items():
            self.state.user_responses[field] = shortened(text)
        name = extract.fields.get("name")
        if name and not self.state.has_untrusted_text:
            Session.objects.filter(pk=self.turn.session_id, title="").update(title=name)
        for field, text in with_parts(snapshot.row, {}, extract.parts).items():
            if len(text) > DIMENSION_CHARS:  # `TakeIn` has cut it there
                full = _(
                    "“%(name)s” is full: it holds %(n)s characters. The rest of your message is "
                    "only in this conversation."
                )
                values = {"name": label(field), "n": formats.number_format(DIMENSION_CHARS)}
                yield Text(full % values + "\n\n")
        yield StateChanged("agent")
        return failure

    def _question(self) -> str:
        """The question that is open, in the words in which it was put."""
        current = self.state.current
        put = (item.text for item in reversed(self.state.asked) if item.field == current)
        return next(put, "") if current else ""


class CreateGuide(ProjectGuide[CreateState]):
    """Listens, asks, keeps a draft, and makes a project of it."""

    kind = CREATE
    state_model = CreateState
    answer = Creating
