"""Reads what an owner gives: the queue of sources, and how each becomes drafts that are checked.

The row is the queue (`futura.durable`). The command reads by the same Reader and stores by itself.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from django.db import transaction
from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet, Sum
from django.utils import timezone, translation
from django.utils.translation import gettext as _, gettext_lazy, ngettext

from chat.zones import place_of
from futura.durable import LeaseLost, Work
from futura.errors import FuturaError
from futura.llm.client import Llm
from futura.llm.models import ModelCall
from projects.portfolio.contact import find_contacts
from projects.portfolio.documents import Doc
from projects.portfolio.index import building
from projects.portfolio.intake import prompts, understanding
from projects.portfolio.intake.basic import markdown, resume
from projects.portfolio.intake.config import GitHub
from projects.portfolio.intake.drafts import Draft, as_json, finished
from projects.portfolio.intake.extract import CHARS, text_apart
from projects.portfolio.intake.failures import (
    Code,
    PreprocessError,
    Retries,
    Skipped,
    Warned,
    answered,
)
from projects.portfolio.intake.fetch import PUBLIC, UrlPolicy, is_address, read_address
from projects.portfolio.intake.git import find_readme
from projects.portfolio.intake.plan import apply_persona, without_deleted
from projects.portfolio.models import Persona, Portfolio, Profile, Source

log = logging.getLogger(__name__)

POLICY: UrlPolicy = PUBLIC
"""Addresses that people type lead to the public internet only."""
RETRIES: Final = Retries(maxRetries=1, retryDelayMs=500, retryBackoffMultiplier=2)
PAGE_CHARS: Final = 100_000
RESUME_CHARS: Final = 60_000
MATERIAL_CHARS: Final = 40_000
Kind, Outcome = Source.Kind, Source.Outcome
NOTES: Final = 20
# what to do about a failure, beyond its reason
ADVICE: Final[Mapping[str, Any]] = {
    Code.REPO_NOT_FOUND: gettext_lazy(
        "Only public repositories can be read. Paste the README of a private one."
    ),
    Code.EMPTY_README: gettext_lazy(
        "Add a README to the repository and read it again, or paste one."
    ),
    Code.PAGE_UNAVAILABLE: gettext_lazy("Check the address, or paste the text of the page."),
    Code.ADDRESS_REFUSED: gettext_lazy("Check the address, or paste the text of the page."),
}
ATTEMPTS: Final = 3

# after these the owner's voice is looked for again
VOICED: Final = frozenset({Kind.PROFILE, Kind.RESUME})


READ: Final = Work(
    "portfolio.read_source",
    Source,
    waits=Q(outcome__in=[Outcome.WAITING, Outcome.READING])
    & Q(Exists(Portfolio.objects.filter(pk=OuterRef("portfolio_id"), deleted_at=None))),
    announced="read_at",
)


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
        source.text = self._begun(source.doc_id, source.text, CHARS)
        source.upload = None
        is_resume = source.kind == Kind.RESUME
        return finished(self._resume(source) if is_resume else [self._profile(source)])

    def persona(self, source: Source, docs: Sequence[Doc], voice: Sequence[str]) -> dict[str, Any]:
        """How the owner speaks, by the fields of its row; found in what visitors may be told.

        Raises Skipped, PreprocessError.
        """
        source.method, source.prompt_version = self.method, ""
        owner = self.portfolio
        if self.has_model:
            texts = [*voice, *(doc.text for doc in docs)]
            material = self._begun("persona", "\n".join(texts), MATERIAL_CHARS)
            names = {"owner_name": owner.owner_name, "domain_label": owner.domain_label}
            answer = self._ask(source, prompts.PersonaAnswer, material, "the persona", **names)
            values = {
                "system_persona": answer.system_persona[:4_000],
                "short_about": answer.short_about[:400],
                "style_guidelines": [rule[:300] for rule in answer.style_guidelines[:12]],
            }
        else:
            values = markdown.persona_of(owner)
        return {**values, "voice_examples": list(voice), "generated_at": timezone.now()}

    def warn(self, code: Code, item: str, message: str) -> None:
        self.warnings.append(Warned(code, item, message))

    def _begun(self, item: str, text: str, most: int) -> str:
        """The text as far as it is read; the page of its source says where that is not all."""
        if len(text) > most:
            message = _("Only the first %(n)d characters were read.")
            self.warn(Code.PARTLY_READ, item, message % {"n": most})
        return text[:most]

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
                    text = read_address(place, self.policy)
                    source.text, source.commit = self._begun(source.doc_id, text, PAGE_CHARS), ""
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
            text = self._begun("resume", source.text, RESUME_CHARS)
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
        return understanding.profile_draft(answer, source.text, contacts_of(source))

    # The model -----------------------------------------------------------------------------------
    def _drop(self, item: str) -> understanding.Drop:
        message = _("“%(words)s” does not stand in the source.")
        return lambda words: self.warn(Code.LLM_UNGROUNDED, item, message % {"words": words})

    def _ask(
        self, source: Source, schema: type[AnswerT], text: str, what: str, **values: str
    ) -> AnswerT:
        """One structured answer. Raises Skipped when the model refuses, PreprocessError."""
        source.prompt_version = schema.VERSION
        messages = prompts.messages(schema, source.doc_id, text, **values)
        return answered(
            what,
            lambda: self.llm.structured(schema.STAGE, messages, schema, model=self.model),
            self.retries,
        )


def contacts_of(source: Source) -> list[str]:
    """How somebody could be reached, which stays private; of a resume, what stands at its head."""
    text = resume.head_of(source.text) if source.kind == Kind.RESUME else source.text
    return list(dict.fromkeys(contact.text for contact in find_contacts(text)))


def spent(run_id: uuid.UUID, after: int = 0) -> dict[str, Any]:
    """What the gateway's ledger says of a run after this call: its model, calls, tokens, dollars.

    What nobody knows is None. Two queries at most.
    """
    calls = ModelCall.objects.filter(run_id=run_id, pk__gt=after)
    sums = calls.aggregate(
        calls=Count("pk"),
        inputTokens=Sum("input_tokens"),
        outputTokens=Sum("output_tokens"),
        costUsd=Sum("cost_usd"),
        last=Max("pk"),
    )
    last = calls.filter(pk=sums["last"]).first() if sums["last"] else None
    cost = sums["costUsd"]
    return {
        **sums,
        "model": (last.model_returned or last.model_asked) if last else "",
        "costUsd": None if cost is None else float(cost),
        "last": sums["last"] or after,
    }


# The worker --------------------------------------------------------------------------------------
def read(source_id: uuid.UUID) -> bool:
    """Reads a source that waits; False when none does, or somebody else is at it."""
    return READ.perform(
        source_id, _read, outcome=Outcome.READING, attempts=F("attempts") + 1, code="", note=""
    )


def _read(claim: QuerySet[Source]) -> None:
    source = claim.select_related("portfolio").first()
    if source is None:
        raise LeaseLost
    with translation.override(place_of(source.portfolio.owner_id)[1]):
        if source.attempts > ATTEMPTS:
            note = _("Reading failed several times. Paste its text as another source.")
            _end(claim, Outcome.FAILED, code="BROKE_OFF", note=note)
            return
        reader = Reader(source.portfolio, POLICY, source.is_by_rules)
        try:
            _read_and_store(claim, source, reader)
        except FuturaError as error:
            code, note = error.code.upper(), str(error)
            if isinstance(error, PreprocessError):
                code = error.failure.value
                note = f"{error.reason} {ADVICE.get(code, '')}".strip()
            else:
                log.warning("source %s not stored: %s", source.pk, error)
            account = _account(source, reader)
            _end(claim, Outcome.FAILED, code=code[:60], note=note, **account)


def _read_and_store(claim: QuerySet[Source], source: Source, reader: Reader) -> None:
    """Stores it all in one transaction. Raises Conflict when others write at the same time."""
    portfolio = source.portfolio
    persona: Mapping[str, Any] | None = None
    read: list[Draft] = []
    if source.kind == Kind.CORPUS:
        docs = building.current_documents(portfolio)
        persona = reader.persona(source, docs, _voice_of(portfolio))
    else:
        read = reader.read(source)
    account, drafts = _account(source, reader), without_deleted(portfolio, read)
    if n := len(read) - len(drafts):
        skipped = ngettext(
            "%(n)d skipped because you deleted it", "%(n)d skipped because you deleted it", n
        )
        account["told"]["notes"].append(skipped % {"n": n})
    with transaction.atomic():
        if not claim.select_for_update(of=("self",)).exists():
            raise LeaseLost
        if persona is not None:
            apply_persona(source, persona)
        outcome = Outcome.CHECK if drafts else Outcome.READ
        _end(claim, outcome, drafts=as_json(drafts), attempts=0, **account)
        if source.kind in VOICED and not drafts:
            ask_for_voice(portfolio)


def _end(claim: QuerySet[Source], outcome: Source.Outcome, **values: Any) -> None:
    claim.update(outcome=outcome, lease=None, read_at=timezone.now(), **values)


def _account(source: Source, reader: Reader) -> dict[str, Any]:
    cost = spent(reader.run_id)
    notes = [warned.message for warned in reader.warnings[:NOTES]]
    counts = {"notes": notes, "calls": cost["calls"], "cost_usd": cost["costUsd"]}
    names = ("text", "upload", "commit", "method", "prompt_version")
    values = {name: getattr(source, name) for name in names}
    return {**values, "model": cost["model"][:120], "told": counts}


def _voice_of(portfolio: Portfolio) -> list[str]:
    """Examples of the owner's voice: those of the profile read last, and those that it has."""
    persona = Persona.objects.filter(portfolio=portfolio, deleted_at=None).first()
    profiles = Source.objects.filter(portfolio=portfolio, kind=Kind.PROFILE, outcome=Outcome.READ)
    profile = profiles.order_by("-given_at", "-read_at").first()
    read = markdown.voice_in(profile.text) if profile else []
    return list(dict.fromkeys([*read, *(persona.voice_examples if persona else ())]))


# What waits --------------------------------------------------------------------------------------
def wait(source: Source, *, is_by_rules: bool = False) -> Source:
    """Saves a source as one that waits, and asks a worker on commit.

    A worker that is just reading it stores nothing.
    """
    now = timezone.now()
    source.outcome, source.lease, source.attempts = Outcome.WAITING, None, 0
    source.code = source.note = ""
    source.is_by_rules, source.read_at = is_by_rules, now
    source.given_at = source.given_at or now
    source.save()
    READ.announce(source.pk)
    return source


def ask_for_voice(portfolio: Portfolio) -> None:
    """Looks for the owner's voice again, once everything else that waits was read."""
    sources = Source.objects.filter(portfolio=portfolio)
    open_ones = sources.filter(kind__in=VOICED, outcome__in=[Outcome.WAITING, Outcome.READING])
    has_profile = Profile.objects.filter(portfolio=portfolio, deleted_at=None).exists()
    if has_profile and not open_ones.exists():
        whole = sources.filter(kind=Kind.CORPUS).exclude(given_at=None).first()
        wait(whole or Source(portfolio=portfolio, kind=Kind.CORPUS))


def sweep() -> int:
    """Announces again what waits and nobody reads; how many."""
    return READ.sweep()
