"""One message of a creating conversation: listened to, read, taken into the draft, answered."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from chat.guides import (
    GuideEvent,
    Part,
    StageDone,
    StageStarted,
    StateChanged,
    Text,
    Turn,
    Utterance,
)
from chat.models import Session
from chat.operations.queries import waiting_count
from futura.errors import FuturaError, ModelUnavailable
from futura.llm.parallel import Parallel
from futura.text import content_stems, words
from projects.agent.closing import Facts, facts_of, told
from projects.agent.create import adjusting, draft, questions, replies
from projects.agent.create.detection import relevant, scores_by_rules, scores_with_model
from projects.agent.create.first_tasks import first_tasks_by_rules, first_tasks_with_model
from projects.agent.create.reading import (
    Heard,
    Message,
    in_words,
    read_by_rules,
    read_with_model,
)
from projects.agent.create.replies import Plan
from projects.agent.create.state import SUGGEST_FINISH_FROM, Asked, CreateState
from projects.agent.doubles import AlreadyThere
from projects.agent.fencing import carried_texts, fence_of
from projects.agent.preview import preview_part
from projects.agent.state import Phase, from_words, shortened
from projects.agent.toolbox import Picture, ToolBox
from projects.agent.update.answer import Updating
from projects.dimensions import BY_FIELD
from projects.language import answers, cues
from projects.language import replies as replies_of_person
from projects.language.sentences import sentences
from projects.models import ProjectDraft

LISTENED_CHARS = 200
DUMP_CHARS = 500
Events = Iterator[GuideEvent]


class Creating:
    """One message being answered."""

    def __init__(self, turn: Turn[CreateState], message: Utterance) -> None:
        self.turn = turn
        self.state = turn.state
        self.message = message
        self.text = message.text.strip()
        self.files = carried_texts(message)
        self.box = ToolBox.of(turn)
        self.fence = fence_of(turn)
        self.state.turns += 1
        self.seed = f"{turn.session_id}:{self.state.turns}"

    def events(self) -> Events:
        """The answer, by phase."""
        self._see_what_was_undone()
        steps: dict[Phase, Callable[[], Events]] = {
            Phase.GATHERING: self._gather,
            Phase.CLARIFYING: self._clarify,
            Phase.FINALIZING: self._look_over,
            Phase.COMPLETED: self._go_on,
        }
        yield from steps[self.state.phase]()
        yield StateChanged("agent")

    def _see_what_was_undone(self) -> None:
        """A project that was taken back leaves its draft to be looked over again."""
        if self.state.phase != Phase.COMPLETED or self.box.project() is not None:
            return
        again = self.box.draft()
        if again is not None and again.status == ProjectDraft.Status.IN_PROGRESS:
            self.state.phase, self.state.project_id = Phase.FINALIZING, None
            self.state.previewed = ""

    # Listening --------------------------------------------------------------------------------
    def _gather(self) -> Events:
        if answers.is_greeting(self.text) and not self.files:
            yield Text(replies.hello(self.seed))
            return
        if self._is_only_a_start():
            picture = draft.ensured(self.box)
            heard = read_by_rules(self._asked(), picture, self.box.today)
            yield from self._take_in(heard)
            self.state.has_asked_for_more = True
            yield Text(replies.more(self.seed))
            return
        heard = yield from self._first_reading()
        yield from self._take_in(heard)
        self.state.phase = Phase.CLARIFYING
        yield StateChanged("agent")
        noted = replies.noted_words(
            list(heard.dimensions), len(self._picture().tasks), has_rest=bool(heard.rest)
        )
        if self._ends_questions(heard):
            yield from self._preview(noted)
            return
        yield from self._ask_next(noted or replies.thanks(self.seed))

    def _is_only_a_start(self) -> bool:
        is_short = len(sentences(self.text)) < 2 and len(self.text) < LISTENED_CHARS
        return is_short and not self.state.has_asked_for_more and not self.files

    def _first_reading(self) -> Generator[GuideEvent, None, Heard]:
        """Which dimensions matter, and what was said on them: with a model both at once."""
        whole = "\n".join(
            [*(one.text for one in self.turn.history if one.role == "user"), self.text]
        )
        yield StageStarted("dimension_detection", _("Sorting what you told"))
        picture = draft.ensured(self.box)
        if not self.turn.history and picture.covered:  # a draft that was begun elsewhere
            whole = f"{in_words(picture)}\n{whole}"
        if not self.turn.llm.is_configured:
            scores = scores_by_rules(whole)
            heard = read_by_rules(self._asked(), picture, self.box.today)
            yield self._detected(scores, "rules")
            return heard
        with Parallel(threads=2) as pool:
            detecting = pool.start(lambda: scores_with_model(whole, self.turn.llm, self.fence))
            reading = pool.start(lambda: self._read_by_model(picture))
            found, read = detecting(), reading()
        is_by_model = not isinstance(found, ModelUnavailable)
        scores = scores_by_rules(whole) if isinstance(found, ModelUnavailable) else found
        yield self._detected(scores, "model" if is_by_model else "rules")
        return self._or_rules(read, picture)

    def _detected(self, scores: Any, by: Any) -> StageDone:
        self.state.dimensions_detected = relevant(scores)
        failed = by == "rules" and self.turn.llm.is_configured
        detail = {"scores": dict(scores), "relevant": self.state.dimensions_detected}
        return StageDone(
            "dimension_detection", by, {**detail, "fallback": True} if failed else detail
        )

    # Asking -----------------------------------------------------------------------------------
    def _clarify(self) -> Events:
        if field := self._asked_for():
            self.state.wanted = [field]
            yield from self._ask_next(_("Gladly."), answers.asked_about(self.text))
            return
        if replies_of_person.is_finish(self._last_sentence()):
            yield from self._last_words()
            return
        picture = draft.ensured(self.box)
        heard = yield from self._read(picture, self.state.current)
        if heard.is_unknown:
            yield from self._left_open()
            return
        heard = self._made_definite(heard, picture)
        failure = yield from self._take_in(heard)
        if heard.corrections:
            yield from self._corrected(heard, failure)
            return
        self._remember(heard)
        if heard.wants_draft:
            yield from self._preview(failure)
            return
        if heard.ask_about:
            self.state.wanted = [heard.ask_about]
            yield from self._ask_next(failure or _("Gladly."))
            return
        if self.state.is_extra:
            self.state.is_extra = False
            yield from self._preview(failure or replies.thanks(self.seed))
            return
        if self._is_beside(heard):
            yield from self._ask_again(heard, failure)
            return
        lead = failure or replies.thanks(self.seed)
        if heard.is_vague and self.state.current and self.state.current not in self.state.probed:
            yield from self._probe(lead)
            return
        yield from self._ask_next(lead)

    def _is_beside(self, heard: Heard) -> bool:
        """Whether the answer told something, but not what was asked about."""
        field, told = self.state.current, heard.dimensions
        is_open = field and field not in self._picture().covered
        return bool(is_open and told and field not in told and field not in self.state.probed)

    def _ask_again(self, heard: Heard, failure: str) -> Events:
        field = self.state.current
        names = [str(BY_FIELD[one].name) for one in heard.dimensions]
        lead = failure or _("Good to know: I keep that under “%(name)s”.") % {"name": names[0]}
        self.state.probed.append(field)
        if self.state.questions_asked >= self.state.question_limit:
            yield from self._ask_next(lead)
            return
        asked = questions.question(field, self.state, self.seed)
        yield from self._put(lead, field, asked, is_probe=True)

    def _made_definite(self, heard: Heard, picture: Picture) -> Heard:
        """The answer to a probe stands in for the vague one before it."""
        field = self.state.current
        was_vague = field in self.state.probed and self.state.asked[-1].is_probe
        kept = shortened(picture.dimension(field)) if field else ""
        if was_vague and not heard.is_vague and kept == self.state.user_responses.get(field):
            return replace(heard, replaces=frozenset({field}))
        return heard

    def _last_words(self) -> Events:
        """“… and that's it”: what was said with it still counts."""
        rest = " ".join(
            one.text for one in sentences(self.text) if not replies_of_person.is_finish(one.text)
        )
        if len(content_stems(rest)) >= 2:
            asked = Message(rest, self.state.current, self._question(), self.files)
            yield from self._take_in(read_by_rules(asked, draft.ensured(self.box), self.box.today))
        yield from self._preview("")

    def _last_sentence(self) -> str:
        """What may end the questions: “… That's all.”; with a model a whole message alone."""
        parts = [one.text for one in sentences(self.text)]
        return self.text if self.turn.llm.is_configured or not parts else parts[-1]

    def _ends_questions(self, heard: Heard) -> bool:
        return heard.wants_draft or replies_of_person.is_finish(self._last_sentence())

    def _asked_for(self) -> str:
        """The dimension that the person wants to be asked about; a model hears that itself."""
        if self.turn.llm.is_configured:
            return ""
        about = answers.asked_about(self.text)
        return cues.dimension_named(words(about)) if about else ""

    def _left_open(self) -> Events:
        if self.state.current:
            self.state.later.append(self.state.current)
        yield from self._ask_next(replies.later(self.seed))

    def _corrected(self, heard: Heard, failure: str) -> Events:
        """A correction is no question: the one that was open is put again."""
        one = heard.corrections[0]
        lead = failure or _("Corrected: “%(new)s” instead of “%(old)s”.") % {
            "new": shortened(one.new, 80), "old": shortened(one.old, 80)
        }  # fmt: skip
        if self.state.phase == Phase.FINALIZING or not self.state.current:
            yield from self._preview(lead)
            return
        again = self._question() or questions.question(self.state.current, self.state, self.seed)
        yield from self._say(Plan(lead, again, purpose=self._purpose(self.state.current)))

    def _probe(self, lead: str) -> Events:
        field = self.state.current
        self.state.probed.append(field)
        if self.state.questions_asked >= self.state.question_limit:
            yield from self._ask_next(lead)
            return
        asked = questions.probe(field, self.state, self.seed)
        yield from self._put(lead, field, asked, is_probe=True)

    def _ask_next(self, lead: str, about: str = "") -> Events:
        field = questions.next_field(self.state, self._picture().covered)
        if not field:
            yield from self._preview(lead)
            return
        self.state.wanted = [one for one in self.state.wanted if one != field]
        asked = questions.question(field, self.state, self.seed, about)
        yield from self._put(lead, field, asked)

    def _put(self, lead: str, field: str, question: str, *, is_probe: bool = False) -> Events:
        state = self.state
        state.current = field
        state.questions_asked += 1
        place = len(state.asked)
        state.asked.append(Asked(field=field, text=question, is_probe=is_probe))
        tail = ""
        if state.questions_asked >= SUGGEST_FINISH_FROM and not state.has_suggested_finish:
            state.has_suggested_finish = True
            tail = replies.finish_hint()
        said = yield from self._say(Plan(lead, question, tail, self._purpose(field)))
        put = re.findall(r"[^.!?\n]*\?", said)
        if put and not state.has_untrusted_text:  # a wording that others' words may have shaped
            state.asked[place].text = put[-1].strip()

    def _say(self, plan: Plan) -> replies.Writing:
        said = yield from replies.spoken(self.turn, plan, self._facts)
        return said

    def _purpose(self, field: str) -> str:
        return str(BY_FIELD[field].about) if field else ""

    # Looking over and creating ----------------------------------------------------------------
    def _preview(self, lead: str) -> Events:
        """First tasks into the draft, then the draft as it would be created."""
        picture = draft.ensured(self.box)
        self.state.phase = Phase.FINALIZING
        self.state.current = ""
        yield StateChanged("agent")
        if not self.state.has_first_tasks:
            yield from self._add_first_tasks(picture)
            picture = self._picture()
        self.state.previewed = draft.mark_of(picture)
        between = "" if not lead or lead.endswith("\n") else " "
        yield Text(f"{lead}{between}{replies.ready(self.seed)}")
        if waiting_count(self.turn.session_id):
            yield Text("\n\n" + _("What still waits for you under Changes is not in it yet."))
        yield Part(preview_part(picture))

    def _add_first_tasks(self, picture: Picture) -> Events:
        self.state.has_first_tasks = True
        yield StageStarted("initial_tasks", _("Thinking of first steps"))
        by_rules = first_tasks_by_rules(picture, self.state.later)
        if self.turn.llm.is_configured:
            try:
                titles = first_tasks_with_model(picture, self.turn.llm, self.fence)
                yield StageDone("initial_tasks", "model", {"tasks": titles})
            except ModelUnavailable as error:
                titles = by_rules
                yield StageDone(
                    "initial_tasks", "rules", {"fallback": True, "because": error.reason}
                )
        else:
            titles = by_rules
            yield StageDone("initial_tasks", "rules", {"tasks": titles})
        if titles:
            with suppress(AlreadyThere):  # said meanwhile
                self.box.apply(
                    draft.suggested(titles, picture),
                    title=_("Suggested first steps"),
                    tool_call_id="first-tasks",
                )
            yield from self.box.ledger.parts(self.turn)

    def _look_over(self) -> Events:
        picture = draft.ensured(self.box)
        if replies_of_person.is_yes(self.text) and not self.files:
            yield from self._create(picture)
        elif replies_of_person.is_no(self.text):
            yield Text(_("All right. What would you like to adjust?"))
        elif field := self._asked_for():
            self.state.wanted, self.state.phase = [field], Phase.CLARIFYING
            self.state.is_extra = True
            yield from self._ask_next(_("Gladly."), answers.asked_about(self.text))
        else:
            yield from self._adjust(picture)

    def _create(self, picture: Picture) -> Events:
        if draft.mark_of(picture) != self.state.previewed:
            yield from self._preview(_("The draft is not quite as you last saw it."))
            return
        try:
            applied = draft.finalised(self.box, "finalize")
        except FuturaError as error:
            yield Text(_("That did not work: %(why)s") % {"why": error})
            return
        yield from self.box.ledger.parts(self.turn)
        if not applied.is_done:
            yield Text(_("That did not work: %(why)s") % {"why": applied.error})
            return
        self._completed()
        yield StateChanged("agent")
        yield Text(adjusting.created_words(applied.batches))

    def _completed(self) -> None:
        self.state.phase = Phase.COMPLETED
        name = self.box.picture().row.name
        Session.objects.filter(pk=self.turn.session_id).update(title=name)

    def _adjust(self, picture: Picture) -> Events:
        """Something shall be different: with tools by the model, else by the grammar of changes."""
        before = self.state.project_id
        if self.turn.llm.is_configured:
            is_by_model = yield from adjusting.by_model(self.turn, self.box)
        else:
            is_by_model = False
        if is_by_model:
            if self.state.project_id != before:
                self._completed()
            elif self.state.wanted:
                self.state.phase, self.state.is_extra = Phase.CLARIFYING, True
                yield from self._ask_next(_("Gladly."))
            elif self.box.ledger.applied:
                yield from self._preview(f"{told(self.box.ledger.batches)}\n\n")
            return
        yield from self._adjust_by_rules(picture)

    def _adjust_by_rules(self, picture: Picture) -> Events:
        """What is not read as a change leaves the draft alone and shows it again."""
        heard = read_by_rules(Message(self.text, files=self.files), picture, self.box.today)
        if heard.corrections:
            failure = yield from self._take_in(heard)
            yield from self._corrected(heard, failure)
            return
        read = yield from adjusting.by_rules(self.turn, self.box, heard, self._take_in)
        if read == "changed":
            yield from self._preview(f"{told(self.box.ledger.batches)}\n\n")
        elif read == "unread":
            yield from self._preview(replies.unread(self.seed))

    def _go_on(self) -> Events:
        """After the project was created: the conversation goes on updating it."""
        if replies_of_person.is_yes(self.text) and not self.state.update.questions:
            yield Text(_("It is created already; below you can open it. What shall be different?"))
            return
        yield from Updating(self.turn, self.message, self.box).events()

    # Reading and taking in --------------------------------------------------------------------
    def _asked(self, field: str = "") -> Message:
        return Message(self.text, field, self._question() if field else "", self.files)

    def _question(self) -> str:
        return next(
            (one.text for one in reversed(self.state.asked) if one.field == self.state.current), ""
        )

    def _read(self, picture: Picture, field: str) -> Generator[GuideEvent, None, Heard]:
        yield StageStarted("answer_reading", _("Reading"))
        if not self.turn.llm.is_configured:
            yield StageDone("answer_reading", "rules")
            return read_by_rules(self._asked(field), picture, self.box.today)
        try:
            heard = self._read_by_model(picture, field)
        except ModelUnavailable as error:
            heard = read_by_rules(self._asked(field), picture, self.box.today)
            yield StageDone("answer_reading", "rules", {"fallback": True, "because": error.reason})
        else:
            yield StageDone("answer_reading", "model")
        return heard

    def _read_by_model(self, picture: Picture, field: str = "") -> Heard:
        return read_with_model(
            self._asked(field), picture, self.box.today, self.turn.llm, self.fence
        )

    def _or_rules(self, read: Heard | ModelUnavailable, picture: Picture) -> Heard:
        if isinstance(read, ModelUnavailable):
            return read_by_rules(self._asked(), picture, self.box.today)
        return read

    def _take_in(self, heard: Heard) -> Generator[GuideEvent, None, str]:
        """One batch for one message; gives why it failed, or nothing."""
        picture = draft.ensured(self.box)
        failure = ""
        try:
            proposed = draft.changes_for(heard, picture, self.state.questions_asked)
            if proposed:
                applied = self.box.apply(
                    proposed,
                    title=from_words(self.text),
                    tool_call_id="message",
                    again=lambda: draft.changes_for(
                        heard, self._picture(), self.state.questions_asked
                    ),
                )
                failure = applied.error
        except FuturaError as error:
            failure = str(error)
        yield from self.box.ledger.parts(self.turn)
        self._name_session(heard)
        yield StateChanged("agent")
        return failure

    def _remember(self, heard: Heard) -> None:
        for field in heard.dimensions:
            self.state.user_responses[field] = shortened(heard.dimensions[field])

    def _name_session(self, heard: Heard) -> None:
        if heard.name and not self.state.has_untrusted_text:
            Session.objects.filter(pk=self.turn.session_id, title="").update(title=heard.name)

    def _picture(self) -> Picture:
        return self.box.draft_picture()

    def _facts(self) -> Facts:
        return facts_of(self.box.ledger.batches)
