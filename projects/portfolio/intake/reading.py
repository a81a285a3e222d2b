"""Reads one source: takes out or fetches its text, then understands it as drafts.

Nothing is stored here; what comes out waits to be checked.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from django.utils import timezone
from django.utils.translation import gettext as _

from futura.llm.client import ChatMessage, Llm
from projects.portfolio.intake import prompts, understanding
from projects.portfolio.intake.address import read_address
from projects.portfolio.intake.basic import persona as basic_persona
from projects.portfolio.intake.basic import profile as basic_profile
from projects.portfolio.intake.basic import readme as basic_readme
from projects.portfolio.intake.basic import resume as basic_resume
from projects.portfolio.intake.drafts import Draft, finished
from projects.portfolio.intake.extract import text_apart
from projects.portfolio.intake.failures import (
    Code,
    PreprocessError,
    Retries,
    Skipped,
    Warned,
    understood,
)
from projects.portfolio.intake.fetch import PUBLIC, UrlPolicy
from projects.portfolio.intake.git import Readme, find_readme
from projects.portfolio.intake.repositories import is_address
from projects.portfolio.models import Portfolio, Source

POLICY: UrlPolicy = PUBLIC
"""Addresses that people type lead to the public internet only."""
RETRIES: Final = Retries(maxRetries=1, retryDelayMs=500, retryBackoffMultiplier=2)
RESUME_CHARS: Final = 60_000
Kind = Source.Kind

AnswerT = TypeVar("AnswerT", bound=prompts.Answer)


@dataclass
class Reader:
    """Reads the sources of a portfolio, by a model or without.

    `token` and `api_url` are of the forge at which repositories lie, `model` is asked in place of
    the stages' own. `warnings` name what was left out.
    """

    portfolio: Portfolio
    policy: UrlPolicy
    is_by_rules: bool = False
    run_id: uuid.UUID = field(default_factory=uuid.uuid4)
    retries: Retries = RETRIES
    model: str = ""
    token: str = ""
    api_url: str = ""
    warnings: list[Warned] = field(default_factory=list)
    path: str = ""

    def __post_init__(self) -> None:
        self.llm = Llm(run_id=self.run_id)
        self.has_model = self.llm.is_configured and not self.is_by_rules

    @property
    def method(self) -> Source.Method:
        """Who understands what is read."""
        return Source.Method.MODEL if self.has_model else Source.Method.RULES

    def read(self, source: Source) -> list[Draft]:
        """Everything that a source says; its text and how it was read are noted on it, unsaved.

        Raises Skipped, PreprocessError.
        """
        source.method, source.prompt_version = self.method, ""
        if source.kind == Kind.README:
            drafts = self._entry(source)
        else:
            source.text, source.upload = self._text(source), None
            read = self._resume if source.kind == Kind.RESUME else self._profile
            drafts = read(source)
        return finished(drafts)

    def persona(self, source: Source, rows: Sequence[Any], voice: Sequence[str]) -> dict[str, Any]:
        """How the owner speaks, by the fields of its row. Raises Skipped, PreprocessError."""
        source.method, source.prompt_version = self.method, ""
        if self.has_model:
            owner = self.portfolio
            material = understanding.persona_material(rows, voice)
            messages = prompts.persona_messages(material, owner.owner_name, owner.domain_label)
            answer = self._ask(source, messages, prompts.PersonaAnswer, "the persona")
            values = {
                "system_persona": answer.system_persona[:4_000],
                "short_about": answer.short_about[:400],
                "style_guidelines": [rule[:300] for rule in answer.style_guidelines[:12]],
            }
        else:
            values = basic_persona.persona_of(self.portfolio, rows)
        return {**values, "voice_examples": list(voice), "generated_at": timezone.now()}

    def warn(self, code: Code, item: str, message: str) -> None:
        """Notes what was left out, cut or not found."""
        self.warnings.append(Warned(code, item, message))

    # Text ----------------------------------------------------------------------------------------
    def _text(self, source: Source) -> str:
        """What was pasted, stands in the file that was sent, or at the address."""
        if source.upload:
            return text_apart(bytes(source.upload), source.place)
        if is_address(source.place):
            return read_address(source.place, self.policy)
        return source.text

    def _readme(self, source: Source) -> tuple[Readme, dict[str, str]]:
        """The README of a repository, else the page at its address; and where that is seen."""
        branch = str(source.wish.get("branch", ""))
        try:
            readme = find_readme(
                source.place, self.policy, branch=branch, token=self.token, api_url=self.api_url
            )
        except Skipped as skipped:
            if skipped.failure != Code.REPO_NOT_FOUND or not is_address(source.place):
                raise
            try:
                text = read_address(source.place, self.policy)
            except PreprocessError as error:
                raise skipped from error
            return Readme(text, "", "", source.place), {"live_url": source.place}
        page = readme.place.removesuffix(".git") if is_address(readme.place) else ""
        return readme, {"repository_url": page}

    # Understanding -------------------------------------------------------------------------------
    def _entry(self, source: Source) -> list[Draft]:
        seen: dict[str, str] = {}
        if source.place:
            readme, seen = self._readme(source)
            source.text, source.commit, self.path = readme.text, readme.commit, readme.path
            if readme.is_truncated:
                message = _("Only the first 100 KB of the README were read.")
                self.warn(Code.README_TRUNCATED, source.doc_id, message)
        if not source.text.strip():
            raise PreprocessError(Code.EMPTY_README, _("There is no README."))
        name, text = str(source.wish.get("name", "")), source.text
        if self.has_model:
            messages = prompts.readme_messages(text, source.doc_id, name)
            answer = self._ask(source, messages, prompts.ReadmeAnswer, source.doc_id)
            draft = understanding.entry_draft(answer, text, self._drop(source.doc_id))
        else:
            draft = basic_readme.draft_of(text)
        draft.doc_id = source.doc_id
        draft.values["title"] = name or draft.values.get("title") or source.doc_id
        draft.values |= seen
        return [draft]

    def _resume(self, source: Source) -> list[Draft]:
        if self.has_model:
            messages = prompts.resume_messages(source.text[:RESUME_CHARS])
            answer = self._ask(source, messages, prompts.ResumeAnswer, _("The resume"))
            drafts = understanding.resume_drafts(answer, source.text, self._drop("resume"))
        else:
            drafts = basic_resume.drafts_of(source.text)
        if all(draft.kind in {"", "profile"} for draft in drafts):
            message = _(
                "No positions, schools or skills were found. Add headings such as “Experience”, "
                "“Education” and “Skills”, each on its own line."
            )
            raise PreprocessError(Code.NO_RESUME, message)
        return drafts

    def _profile(self, source: Source) -> list[Draft]:
        if not self.has_model:
            return [basic_profile.draft_of(source.text)]
        messages = prompts.profile_messages(source.text, self.portfolio.owner_name)
        answer = self._ask(source, messages, prompts.ProfileAnswer, _("The profile"))
        private = basic_profile.contacts_of(source.text)
        return [understanding.profile_draft(answer, source.text, private)]

    def _drop(self, item: str) -> understanding.Drop:
        return lambda words: self.warn(
            Code.LLM_UNGROUNDED,
            item,
            _("“%(words)s” does not stand in the source.") % {"words": words},
        )

    def _ask(
        self, source: Source, messages: list[ChatMessage], schema: type[AnswerT], what: str
    ) -> AnswerT:
        """One structured answer. Raises Skipped when the model refuses, PreprocessError."""
        source.prompt_version = schema.VERSION
        return understood(
            what,
            lambda: self.llm.structured(
                schema.STAGE, messages, schema, prompt_version=schema.VERSION, model=self.model
            ),
            self.retries,
        )


def contacts_of(source: Source) -> list[str]:
    """How somebody could be reached, which stays private; of a resume, what stands at its head."""
    if source.kind == Kind.RESUME:
        return basic_resume.contacts_of(source.text)
    return basic_profile.contacts_of(source.text)
