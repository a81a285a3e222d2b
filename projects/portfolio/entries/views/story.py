"""The story of an entry, block by block: a form for each kind, add, edit, move, delete."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext, gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chat.commands.base import build
from chat.commands.run import run_for
from chat.operations.models import OperationBatch
from futura import parameters
from futura.errors import BadInput, Conflict, NotFound
from projects.portfolio import blocks, queries
from projects.portfolio.article import owner_article, owner_url
from projects.portfolio.commands.story import TOP, ChangeBlocks
from projects.portfolio.entries.views.pages import page
from projects.portfolio.models import Entry, EntryImage
from projects.portfolio.schema.fields import ROW, ROWS, Field, choice, line, prose
from projects.portfolio.schema.forms import SchemaForm
from projects.views import answers

_CAPTION: Final = Field("caption", line(300), _("Caption"))
BLOCKS: Final[Mapping[str, tuple[Field, ...]]] = {
    "text": (
        Field("text", prose(10_000, 10), _("Text"), _("Supports Markdown."), is_required=True),
    ),
    "heading": (
        Field("text", line(200), _("Heading"), is_required=True),
        Field("level", choice({"2": _("Large"), "3": _("Small")}), _("Size")),
    ),
    "quote": (
        Field("text", prose(2_000, 4), _("Quote"), is_required=True),
        Field("said_by", line(200), _("Source of the quote")),
    ),
    "facts": (
        Field("facts", prose(10_000, 6), _("Facts"),
              _("One per line, for example: Kiln size: 2 cubic metres"), is_required=True),
    ),
    "gallery": (Field("images_shown", ROWS, _("Pictures"), is_required=True), _CAPTION),
    "before_after": (
        Field("before", ROW, _("Before"), is_required=True),
        Field("after", ROW, _("After"), is_required=True),
        _CAPTION,
    ),
}  # fmt: skip


class BlockForm(SchemaForm):
    """A block of a kind: `id` names it, empty for a new one, which comes to the place `at`."""

    kind = forms.CharField(widget=forms.HiddenInput)
    at = forms.IntegerField(widget=forms.HiddenInput, min_value=0, max_value=1_000)
    id = forms.CharField(widget=forms.HiddenInput, required=False)

    def __init__(
        self,
        name: str,
        data: Any = None,
        *,
        images: Sequence[EntryImage] = (),
        block: Mapping[str, Any] | None = None,
        **presets: Any,
    ) -> None:
        if name not in BLOCKS:
            raise BadInput(gettext("This block does not exist."), field="kind")
        stored = block or {}
        facts = (f"{fact['label']}: {fact['value']}" for fact in stored.get("facts", ()))
        typed = {"facts": "\n".join(facts), "images_shown": stored.get("images", [])}
        super().__init__(
            BLOCKS[name],
            data,
            initial={**stored, **typed, "kind": name, **presets},
            options=dict.fromkeys(("images_shown", "before", "after"), images),
        )
        self.name, self.images = name, images

    def block(self, former: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """What was typed, for the command that stores it; `former` is what it replaces.

        Raises BadInput.
        """
        values = self.values()
        match self.name:
            case "facts":
                values["facts"] = _facts(values["facts"])
            case "before_after":
                if values["before"] == values["after"]:
                    raise BadInput(gettext("Select two different pictures."), field="after")
            case "gallery":  # those that stand there keep their order
                chosen = values.pop("images_shown")
                standing = [key for key in (former or {}).get("images", ()) if key in chosen]
                own = [str(image.pk) for image in self.images if str(image.pk) in chosen]
                values["images"] = list(dict.fromkeys([*standing, *own]))
            case "heading":
                values["level"] = int(values.get("level") or 2)
        return {"type": self.name, **values}


def _facts(text: str) -> list[dict[str, str]]:
    facts = []
    for written in filter(None, map(str.strip, text.splitlines())):
        label, _colon, value = (part.strip() for part in written.partition(":"))
        if not (label and value):
            problem = gettext("“%(line)s” needs a colon between name and value.")
            raise BadInput(problem % {"line": written[:60]}, field="facts")
        facts.append({"label": label, "value": value})
    return facts


def _page(
    request: HttpRequest, entry: Entry, *, status: int = 200, problem: str = ""
) -> HttpResponse:
    """The blocks in order, beside what visitors will read."""
    images = {str(image.pk): image for image in queries.images_of(entry)}
    rows = []
    for place, block in enumerate(blocks.identified(entry.blocks)):
        row = {
            "place": place,
            "id": block["id"],
            "name": blocks.NAMES[block["type"]],
            "words": blocks.text_of([block]),
        }
        previews = [images[key] for key in blocks.pictures_in(block) if key in images][:4]
        rows.append((row, [(owner_url(image, 480), image.alt) for image in previews]))
    context = {
        "rows": rows, "kinds": list(blocks.NAMES.items()), "article": owner_article(entry),
        "problem": problem,
    }  # fmt: skip
    return page(request, entry, "story", context, status=status)


story = require_safe(_page)


@require_http_methods(["GET", "HEAD", "POST"])
def block(request: HttpRequest, entry: Entry) -> HttpResponse:
    """One block: `?at=2` an existing one, `?kind=quote&at=3` a new one before that place."""
    images = queries.in_order(entry)
    if request.method != "POST":
        return _block_page(request, entry, _requested(request, entry, images))
    form = BlockForm(request.POST.get("kind", ""), request.POST, images=images)
    if not form.is_valid():
        return _block_page(request, entry, form, status=422)
    try:
        batch = _save(request, entry, form)
    except Conflict as error:
        # saving once more puts it over what stands there now, or adds it where there is nothing
        entry.refresh_from_db()
        form.renew(entry)
        if form.data["id"] not in _keys(entry):
            form.data["id"] = ""  # type: ignore[index]
        form.add_error(None, str(error))
        return _block_page(request, entry, form, status=409)
    except BadInput as error:
        answers.refuse(form, error)
        return _block_page(request, entry, form, status=422)
    return answers.went(entry.url("story"), batch, at=f"block-{form.cleaned_data['at']}")


def _requested(request: HttpRequest, entry: Entry, images: Sequence[EntryImage]) -> BlockForm:
    at = parameters.whole(request.GET.get("at"), digits=3)
    place = len(entry.blocks) if at is None else at
    if "kind" in request.GET:
        return BlockForm(request.GET["kind"], images=images, at=place)
    if place >= len(entry.blocks):
        raise NotFound
    stored = blocks.identified(entry.blocks)[place]
    return BlockForm(stored["type"], images=images, block=stored, at=place, version=entry.version)


def _save(request: HttpRequest, entry: Entry, form: BlockForm) -> OperationBatch:
    """Stores the block that was typed. Raises BadInput, Conflict when the entry changed since."""
    place, key, seen = form.cleaned_data["at"], form.cleaned_data["id"], form.seen()
    if not key:
        after = _before(_keys(entry), place)
        return _change(request, entry, {"do": "insert", "blocks": [form.block()], "after": after})
    standing = blocks.identified(entry.blocks)
    former = next((item for item in standing if item["id"] == key), None)
    if seen != entry.version:
        raise Conflict(gettext("This entry was changed in the meantime. Your text is below."))
    return _change(request, entry, {"do": "set", "id": key, "block": form.block(former)})


def _keys(entry: Entry) -> list[str]:
    return [str(block["id"]) for block in blocks.identified(entry.blocks)]


def _before(keys: Sequence[str], place: int) -> str:
    return keys[min(place, len(keys)) - 1] if place and keys else TOP


def _change(request: HttpRequest, entry: Entry, edit: dict[str, Any]) -> OperationBatch:
    """Changes the story as it was read. Raises Conflict when somebody was faster."""
    values = {"id": entry.pk, "edits": [edit], "version": entry.version}
    return run_for(request, build(ChangeBlocks, values))


def _block_page(
    request: HttpRequest, entry: Entry, form: BlockForm, *, status: int = 200
) -> HttpResponse:
    context: dict[str, Any] = {
        "form": form,
        "kind": form.name,
        "kind_name": blocks.NAMES[form.name],
        "is_new": not form["id"].value(),
        "pictures": [(image, owner_url(image, 480)) for image in form.images],
        "chosen": form["images_shown"].value() or [] if "images_shown" in form.fields else [],
        "back": f"{entry.url('story')}#block-{form['at'].value()}",
    }
    return page(request, entry, "block", context, status=status)


@require_POST
def arrange(request: HttpRequest, entry: Entry) -> HttpResponse:
    """A step up or down, or away (`do`), of the block with this `id`."""
    do, key, keys = request.POST.get("do", ""), request.POST.get("id", ""), _keys(entry)
    if do not in {"up", "down", "delete"}:
        raise BadInput(gettext("Choose move up, move down or delete."), field="do")
    try:
        if key not in keys:
            raise Conflict(gettext("This block no longer exists."))
        place = keys.index(key)
        keys.remove(key)
        to = min(len(keys), max(0, place + {"up": -1, "down": 1, "delete": 0}[do]))
        edit: dict[str, Any] = {"do": "move", "id": key, "after": _before(keys, to)}
        if do == "delete":
            to, edit = max(0, min(to, len(keys) - 1)), {"do": "delete", "ids": [key]}
        batch = _change(request, entry, edit)
    except Conflict as error:
        entry.refresh_from_db()
        return _page(request, entry, status=409, problem=str(error))
    return answers.went(entry.url("story"), batch, at=f"block-{to}")
