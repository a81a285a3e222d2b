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

from futura.llm.client import Llm
from projects.portfolio.intake import prompts, understanding
from projects.portfolio.intake.address import is_address, read_address
from projects.portfolio.intake.basic import markdown, resume
from projects.portfolio.intake.config import GitHub
from projects.portfolio.intake.drafts import Draft, finished
from projects.portfolio.intake.extract import text_apart
from projects.portfolio.intake.failures import (
    LLM,
    Code,
    PreprocessError,
    Retries,
    Skipped,
    Warned,
    answered,
)
from projects.portfolio.intake.fetch import PUBLIC, UrlPolicy
from projects.portfolio.intake.git import find_readme
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

    `model` is asked in place of the stages' own; `token` is for the forge of `github`, which the
    command names. `warnings` name what was left out.
    """

    portfolio: Portfolio
    policy: UrlPolicy
    is_by_rules: bool = False
    run_id: uuid.UUID = field(default_factory=uuid.uuid4)
    retries: Retries = RETRIES
    model: str = ""
    github: GitHub | None = None
    token: str = ""
    warnings: list[Warned] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.llm = Llm(run_id=self.run_id)
        self.has_model = self.llm.is_configured and not self.is_by_rules
        self.method = Source.Method.MODEL if self.has_model else Source.Method.RULES

    def read(self, source: Source) -> list[Draft]:
        """Everything that a source says; its text and how it was read are noted on it, unsaved.

        Raises Skipped, PreprocessError.
        """
        source.method, source.prompt_version = self.method, ""
        if source.kind == Kind.README:
            return finished([self._entry(source)])
        if source.upload:
            source.text = text_apart(bytes(source.upload), source.place)
        elif is_address(source.place):
            source.text = read_address(source.place, self.policy)
        source.upload = None
        is_resume = source.kind == Kind.RESUME
        return finished(self._resume(source) if is_resume else [self._profile(source)])

    def persona(self, source: Source, rows: Sequence[Any], voice: Sequence[str]) -> dict[str, Any]:
        """How the owner speaks, by the fields of its row. Raises Skipped, PreprocessError."""
        source.method, source.prompt_version = self.method, ""
        owner = self.portfolio
        if self.has_model:
            material = understanding.persona_material(rows, voice)
            names = {"owner_name": owner.owner_name, "domain_label": owner.domain_label}
            answer = self._ask(source, prompts.PersonaAnswer, material, "the persona", **names)
            values = {
                "system_persona": answer.system_persona[:4_000],
                "short_about": answer.short_about[:400],
                "style_guidelines": [rule[:300] for rule in answer.style_guidelines[:12]],
            }
        else:
            values = markdown.persona_of(owner, rows)
        return {**values, "voice_examples": list(voice), "generated_at": timezone.now()}

    def warn(self, code: Code, item: str, message: str) -> None:
        """Notes what was left out, cut or not found."""
        self.warnings.append(Warned(code, item, message))

    # Kinds ---------------------------------------------------------------------------------------
    def _entry(self, source: Source) -> Draft:
        """What a README says of a project, or the page at an address without a repository."""
        place, seen = source.place, {}
        if place:
            try:
                self._readme(source)
                seen = {"repository_url": place.removesuffix(".git") if is_address(place) else ""}
            except Skipped as skipped:
                if skipped.failure != Code.REPO_NOT_FOUND or not is_address(place):
                    raise
                try:
                    source.text, source.commit = read_address(place, self.policy), ""
                except PreprocessError as error:
                    raise skipped from error
                seen = {"live_url": place}
        if not source.text.strip():
            raise PreprocessError(Code.EMPTY_README, _("There is no README."))
        name, text = str(source.wish.get("name", "")), source.text
        if self.has_model:
            called = f" It is called {name!r} on the owner's page." if name else ""
            answer = self._ask(source, prompts.ReadmeAnswer, text, source.doc_id, called=called)
            draft = understanding.entry_draft(answer, text, self._drop(source.doc_id))
        else:
            draft = markdown.entry_draft(text)
        draft.doc_id = source.doc_id
        draft.values["title"] = name or draft.values.get("title") or source.doc_id
        draft.values |= seen
        return draft

    def _readme(self, source: Source) -> None:
        """The README of a repository; the command notes where it lies there."""
        github, place = self.github, source.place
        forge = github if github and place.startswith(github.clone_base) else None
        readme = find_readme(
            place,
            self.policy,
            branch=str(source.wish.get("branch", "")),
            token=self.token if forge else "",
            api_url=forge.api_url if forge else "",
        )
        source.text, source.commit = readme.text, readme.commit
        if github is not None:
            source.place = f"{place}#{readme.path}"[:500]
        if readme.is_truncated:
            message = _("Only the first 100 KB of the README were read.")
            self.warn(Code.README_TRUNCATED, source.doc_id, message)

    def _resume(self, source: Source) -> list[Draft]:
        if self.has_model:
            text = source.text[:RESUME_CHARS]
            answer = self._ask(source, prompts.ResumeAnswer, text, _("The resume"))
            drafts = understanding.resume_drafts(answer, source.text, self._drop("resume"))
        else:
            drafts = resume.drafts_of(source.text)
        if all(draft.kind in {"", "profile"} for draft in drafts):
            message = _(
                "No positions, schools or skills were found. Add headings such as “Experience”, "
                "“Education” and “Skills”, each on its own line."
            )
            raise PreprocessError(Code.NO_RESUME, message)
        return drafts

    def _profile(self, source: Source) -> Draft:
        if not self.has_model:
            return markdown.profile_draft(source.text)
        name, what = self.portfolio.owner_name, _("The profile")
        answer = self._ask(source, prompts.ProfileAnswer, source.text, what, owner_name=name)
        private = markdown.contacts_of(source.text)
        return understanding.profile_draft(answer, source.text, private)

    # The model -----------------------------------------------------------------------------------
    def _drop(self, item: str) -> understanding.Drop:
        message = _("“%(words)s” does not stand in the source.")
        return lambda words: self.warn(Code.LLM_UNGROUNDED, item, message % {"words": words})

    def _ask(
        self, source: Source, schema: type[AnswerT], text: str, what: str, **values: str
    ) -> AnswerT:
        """One structured answer. Raises Skipped when the model refuses, PreprocessError."""
        source.prompt_version = version = schema.VERSION
        messages = prompts.messages(schema, source.doc_id, text, **values)
        return answered(
            what,
            lambda: self.llm.structured(
                schema.STAGE, messages, schema, prompt_version=version, model=self.model
            ),
            self.retries,
            LLM,
        )


def contacts_of(source: Source) -> list[str]:
    """How somebody could be reached, which stays private; of a resume, what stands at its head."""
    if source.kind == Kind.RESUME:
        return resume.contacts_of(source.text)
    return markdown.contacts_of(source.text)
