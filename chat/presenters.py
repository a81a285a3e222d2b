"""How a feature's conversations look: one presenter per session kind, registered in `ready()`.

For pages that show a conversation (the templates are the engine's, the page is the feature's):

    context = {**chat.render.page_context(request, session), ...}

    {% include "chat/_strip.html" %}         above everything: "You are offline…", hidden till then
    {% include "chat/_conversation.html" %}  the scroller with the log; carries the socket
    {% include "chat/_composer.html" %}      the dock with status, text field, Send/Stop, voice
    {% include "chat/_scripts.html" %}       in the head, after htmx and its `ws` extension

Other pages that only follow a session's events (the review page) put this where they like:

    {% include "chat/_follow.html" with follow=chat_follow %}
    context from chat.render.follow_context(session, view="tasks")

Every fragment a presenter hands out must have one or more root elements with `hx-swap-oob`.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final

import nh3
from django.utils.functional import Promise
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _
from markdown_it import MarkdownIt

from chat import rates
from chat.events.kinds import Reference, declare
from chat.identity import Identity
from chat.models import Message, Run, Session
from chat.pasted import ranges_in
from futura import limits


@dataclass(frozen=True)
class Rendered:
    template: str
    context: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Mark:
    """A stretch of a person's text under the marker, as [start, end) characters.

    With an address it can be switched: `url` takes the POST and shows the same without scripts,
    `is_on` says how it stands, `says` what came of a switch, for those who hear the page.
    """

    start: int
    end: int
    is_on: bool = True
    url: str = ""
    title: str = ""
    says: str = ""
    is_pasted: bool = False


@dataclass(frozen=True)
class Notes:
    """What was noted of a message: marks in a person's text, and a quiet line under it.

    `url` is where that line leads, to change what was noted; empty leads nowhere.
    """

    marks: Sequence[Mark] = ()
    foot: str = ""
    url: str = ""

    def to_read(self) -> Notes:
        return Notes([replace(mark, url="") for mark in self.marks], self.foot)


REASONS: Final[Mapping[str, str | Promise]] = {
    "missed": _("It ignored what I said"),
    "wrong": _("It contains an error"),
    "repeated": _("It repeated a question"),
    "unclear": _("It is hard to understand"),
    "tone": _("I do not like the tone"),
}


class Presenter:
    """Defaults for a session kind; a feature overrides what it has to say.

    Methods get the session already read and are called in rendering loops: take what you need
    from `session.state` and `message.parts`, and query only in `fragments` and `snapshot`.
    """

    kind: str = ""
    #: the longest message a person may send
    message_chars: int = 10_000
    #: kinds of this feature's own events; `StateChanged(what)` is one of them
    event_kinds: frozenset[str] = frozenset()
    #: the one of them that says: the state changed; used when a turn is set back
    state_event: str = ""
    #: what a person may tick when an answer was not good: codes, and the words for them
    reasons: Mapping[str, str | Promise] = REASONS
    #: words in and around the composer
    composer_label: str | Promise = _("Your answer")
    composer_placeholder: str | Promise = _("Answer in your own words")
    #: whether its page has the panel of changes (see chat/operations/rendering.py)
    has_operations: bool = False
    #: whether something can be changed from it; where not, nobody is asked how to apply changes
    changes_things: bool = True
    #: whether the person may have its changes wait for review
    has_policy: bool = True
    #: whether a model may be asked to sum up what was said long ago; first sentences where not
    remembers_with_model: bool = True
    #: what a conversation of this kind is called in lists and exports
    name: str | Promise = _("Conversation")

    def page_url(self, session: Session) -> str:
        """The page that shows this conversation; forms without JavaScript return there."""
        raise NotImplementedError

    def language(self, session: Session, *, chosen: str) -> str:
        """The language that a conversation is held in; empty for the person's own.

        `chosen` is what they chose by hand, empty where they did not. May query.
        """
        return ""

    def part(
        self, part: Mapping[str, Any], *, message: Message, session: Session
    ) -> Rendered | None:
        """How one record of a message is shown below its text; None hides it."""
        return None

    def part_words(self, part: Mapping[str, Any], *, message: Message) -> str:
        """One record of a message in plain words, for exports; empty leaves it out."""
        return ""

    def html(self, message: Message) -> SafeString:
        """A finished answer as HTML: its Markdown, sanitised. What overrides it must be as safe."""
        return to_html(message.text)

    def notes(self, messages: Sequence[Message], *, session: Session) -> Mapping[uuid.UUID, Notes]:
        """What was noted of messages, by their id; asked once for all that are shown; may query."""
        return {}

    def fragments(self, event: Reference, *, session: Session, view: str) -> Sequence[Rendered]:
        """What an event of this feature changes on a page (`view` is "chat" or the page's own)."""
        return ()

    def snapshot(self, *, session: Session, view: str) -> Sequence[Rendered]:
        """All of this feature's changing fragments of a page, for a reader that lost its place."""
        return ()

    def refusal(self, session: Session) -> str:
        """Why nothing more can be said or picked here; empty while the conversation may go on.

        Asked under the session's lock before each message and each retry.
        """
        return ""

    def admit(self, identity: Identity, *, session: Session) -> None:
        """Counts one turn that its person asks for. Raises TooMany, and Unavailable where a rate
        that fails closed cannot be counted.
        """
        rates.check(limits.SEND, identity)

    def rewind_refusal(self, session: Session, message: Message | None) -> str:
        """Why the turn that answers this message can no longer be done anew; empty while it can.

        Asked under the session's lock. None stands for the opening.
        """
        return ""

    def written(self, run: Run, *, session: Session) -> Sequence[str]:
        """What a run that broke off had already kept, in a few words each.

        It is listed where the answer stands, beside the offers to go on or to try again.
        """
        return ()

    def ended_url(self, session: Session) -> str:
        """Where an open page goes when the conversation has ended; empty stays."""
        return ""

    def deletion(self, session: Session) -> str:
        """What goes with a deleted conversation, in a sentence; empty when it is the talk alone.

        May query; asked for one session at a time.
        """
        return ""

    def erase(self, session: Session) -> None:
        """Takes away what cannot go by itself when a conversation is deleted for good.

        Called in the transaction that deletes it, right before; rows of the ledger are erased.
        """

    def records(self, session: Session) -> Mapping[str, Any]:
        """What the conversation is about as it stands now, for programs; empty for nothing.

        May query; asked for one session at a time.
        """
        return {}


_presenters: dict[str, Presenter] = {}


def register(presenter: Presenter) -> None:
    """Adds a presenter and declares its event kinds; two of one kind are a ValueError."""
    if presenter.kind in _presenters:
        raise ValueError(f"There already is a presenter for {presenter.kind!r}.")
    declare(presenter.event_kinds)
    _presenters[presenter.kind] = presenter


def remembers_with_model(kind: str) -> bool:
    """Whether a model may sum up conversations of a kind; also for one that no app registered."""
    presenter = _presenters.get(kind)
    return presenter is None or presenter.remembers_with_model


def presenter_for(kind: str) -> Presenter:
    """The presenter of a session kind; KeyError when no app registered one."""
    return _presenters[kind]


def all_presenters() -> Sequence[Presenter]:
    return [_presenters[kind] for kind in sorted(_presenters)]


_TAGS: Final = frozenset(
    "p br strong em del ul ol li code pre blockquote a hr table thead tbody tr th td".split()
)
_renderer = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable(
    ["table", "strikethrough"]
)
# a reply is a turn of a conversation: its headings are emphasised lines
_renderer.add_render_rule("heading_open", lambda *_: "<p><strong>")
_renderer.add_render_rule("heading_close", lambda *_: "</strong></p>\n")
_cleaner = nh3.Cleaner(
    tags=set(_TAGS),
    attributes={"a": {"href"}, "ol": {"start"}},
    url_schemes={"http", "https", "mailto"},
    link_rel="noopener noreferrer nofollow",
)


def to_html(text: str) -> SafeString:
    """HTML of untrusted Markdown: an allow-list of tags, links only to the web and to mail."""
    return mark_safe(_cleaner.clean(_renderer.render(text)))  # noqa: S308 - sanitised right here


def marked(message: Message, marks: Sequence[Mark]) -> SafeString:
    text = message.text
    out, at = "", 0
    pasted = [Mark(start, end, is_pasted=True) for start, end in ranges_in(message.parts)]
    for mark in sorted((*marks, *pasted), key=lambda mark: mark.start):
        if at <= mark.start < mark.end <= len(text):
            out += escape(text[at : mark.start])
            pieces = text[mark.start : mark.end].split("\n\n")
            key = f"mark-{message.pk}-{mark.start}"
            keys = [key, *(f"{key}-{number}" for number in range(2, len(pieces) + 1))]
            out += "\n\n".join(map(partial(_mark_html, mark), pieces, keys))
            at = mark.end
    out += escape(text[at:])
    paragraphs = (part.replace("\n", "<br>") for part in out.split("\n\n") if part)
    return mark_safe("".join(f"<p>{part}</p>" for part in paragraphs))  # noqa: S308 - escaped above


def _mark_html(mark: Mark, words: str, key: str) -> str:
    """Marked words; those that can be switched are a button that wraps like words."""
    if mark.is_pasted:
        return format_html('<span class="pasted-words">{}</span>', words)
    if not mark.url:
        return format_html("<mark>{}</mark>", words) if mark.is_on else escape(words)
    place = {"start": mark.start, "end": mark.end, "is_task": "" if mark.is_on else "1"}
    button = format_html(
        '<a class="mark-switch" id="{}" role="button" aria-pressed="{}" href="{}" '
        'hx-post="{}" hx-vals="{}" hx-swap="none" title="{}" data-said="{}" draggable="false">'
        "{}</a>",
        key,
        "true" if mark.is_on else "false",
        mark.url,
        mark.url,
        json.dumps(place),
        mark.title,
        mark.says,
        words,
    )
    return format_html("<mark>{}</mark>", button) if mark.is_on else button
