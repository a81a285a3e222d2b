"""The JSON API: every app's router under `/api/`, one shape for errors, one page of reference."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError
from ninja.openapi.docs import DocsBase
from ninja.openapi.schema import REF_TEMPLATE, OpenAPISchema
from ninja.parser import Parser

from chat.commands.api import ErrorOut
from chat.commands.tokens import door_of, ways_through
from futura.errors import BadInput, FuturaError, TooLong
from futura.faults import sentence
from futura.limits import REQUEST_BODY_BYTES, UNSTORABLE, is_storable
from futura.middleware import answer


class ReferencePage(DocsBase):
    """The reference as a plain page made from the OpenAPI document: no scripts, prints well."""

    def render_page(self, request: HttpRequest, api: NinjaAPI, **kwargs: Any) -> HttpResponse:
        schema: Any = api.get_openapi_schema()
        models = schema["components"]["schemas"]
        context = {
            "paths": schema["paths"],
            "models": [
                (name, model, list(model.get("properties", {}).items()))
                for name, model in models.items()
            ],
            "refusal": REFUSAL,
            "openapi_url": self.get_openapi_url(api, kwargs),
        }
        return render(request, "api_docs.html", context)


TOKEN_SCHEME: Final = {
    "type": "http",
    "scheme": "bearer",
    "description": "An access token, made at /account/tokens with the scopes it needs.",
}
REFUSALS: Final = (400, 401, 403, 404, 409, 413, 415, 422, 429, 503)
REFUSAL: Final = {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorOut"}}}


class _Api(NinjaAPI):
    """Makes its document once: it says the same to everybody, and costs a third of a second."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._documents: dict[str, OpenAPISchema] = {}

    def get_openapi_schema(
        self, *, path_prefix: str | None = None, path_params: dict[str, Any] | None = None
    ) -> OpenAPISchema:
        if path_prefix is None:
            path_prefix = self.get_root_path(path_params or {})
        if path_prefix not in self._documents:
            document = super().get_openapi_schema(path_prefix=path_prefix)
            _tell_of_tokens(document)
            _tell_of_refusals(document)
            self._documents[path_prefix] = document
        return self._documents[path_prefix]


def _tell_of_tokens(document: Any) -> None:
    """Who may call what: with a token of these scopes, or without one, as a browser does."""
    document["components"]["securitySchemes"] = {"token": TOKEN_SCHEME}
    for path, operations in document["paths"].items():
        door = door_of(path)
        for method, operation in operations.items():
            ways = [] if door is None else ways_through(door, method.upper())
            operation["security"] = [*({"token": sorted(scopes)} for scopes in ways), {}]


def _tell_of_refusals(document: Any) -> None:
    """Every address refuses in one shape, whatever the status."""
    refusals: dict[int | str, str] = {status: HTTPStatus(status).phrase for status in REFUSALS}
    refusals["default"] = "Any other refusal"
    shape = ErrorOut.model_json_schema(ref_template=REF_TEMPLATE)
    document["components"]["schemas"].update(shape.pop("$defs"), ErrorOut=shape)
    for operations in document["paths"].values():
        for operation in operations.values():
            for status, phrase in refusals.items():
                described = {"description": phrase, "content": REFUSAL}
                operation["responses"].setdefault(status, described)


class _Parser(Parser):
    """Reads bodies; one with text that cannot be stored is refused with its place."""

    def parse_body(self, request: HttpRequest) -> Any:
        body = super().parse_body(request)
        if b"\\u" in request.body or b"\xed" in request.body:  # escaped, or a half as it is
            _refuse_unstorable(body, ())
        return body


def _refuse_unstorable(value: Any, path: tuple[str, ...]) -> None:
    if isinstance(value, str):
        if not is_storable(value):
            field = ".".join(path) or None
            raise BadInput(str(UNSTORABLE), field=field)
        return
    if isinstance(value, list):
        value = dict(enumerate(value))
    for key, part in value.items() if isinstance(value, dict) else ():
        _refuse_unstorable(str(key), path)
        _refuse_unstorable(part, (*path, str(key)))


api = _Api(
    title="Futura",
    parser=_Parser(),
    version="1",
    description="The same rules, ownership and limits as the pages. A change that is sent again "
    "with the same header `Idempotency-Key` is made once. Moments are UTC; one that is sent "
    "without an offset is by its owner's clock.",
    docs=ReferencePage(),
    urls_namespace="api",
)


@api.exception_handler(FuturaError)
def _futura_error(request: HttpRequest, error: FuturaError) -> HttpResponse:
    return answer(request, error)


@api.exception_handler(ValidationError)
def _wrong_shape(request: HttpRequest, error: ValidationError) -> HttpResponse:
    """422 with the first field that does not fit."""
    first = error.errors[0] if error.errors else {}
    field = ".".join(_place_of(first)) if first else ""
    problem = BadInput(
        sentence(first) if first else _("The format is not valid."), field=field or None
    )
    problem.code, problem.status = "wrong_shape", 422
    return answer(request, problem)


def _place_of(fault: Mapping[str, Any]) -> list[str]:
    """Steps to a value as a program named them: without the view's name of the body, and without
    the tag by which one of several shapes was chosen.
    """
    source, *place = (str(step) for step in fault.get("loc", ()))
    place = place[1:] if source == "body" else place
    place = [step for step in place[:-1] if step not in {"start", "message"}] + place[-1:]
    if str(fault["type"]).startswith("union_tag"):
        place.append(str(fault["ctx"]["discriminator"]).strip("'"))
    return place


@api.exception_handler(HttpError)
def _http_error(request: HttpRequest, error: HttpError) -> HttpResponse:
    if isinstance(error.__cause__, FuturaError):  # what the parser says of a body
        return answer(request, error.__cause__)
    if isinstance(error.__cause__, ValueError):
        return answer(request, BadInput(_("The body is not valid JSON.")))
    problem = BadInput(str(error))
    problem.status = error.status_code
    return answer(request, problem)


@api.exception_handler(RequestDataTooBig)
def _too_big(request: HttpRequest, _error: RequestDataTooBig) -> HttpResponse:
    length = int(request.headers.get("Content-Length") or REQUEST_BODY_BYTES + 1)
    return answer(request, TooLong(limit=REQUEST_BODY_BYTES, length=length))


for _module in (
    *("onet.api", "chat.api", "chat.operations.api", "chat.commands.api", "tasks.api"),
    *("tasks.datasets.api", "projects.api.todos", "projects.api.notes", "projects.api.projects"),
    *("projects.api.drafts", "projects.api.search", "projects.api.forecasts"),
    *("projects.concierge.preview", "projects.modes.api", "projects.concierge.api"),
    *("projects.portfolio.builder.api", "projects.portfolio.entries.api"),
    "projects.portfolio.visitors.api",
):
    api.add_router("", f"{_module}.router")
