"""What fields are called on pages, in the history and in the admin: one word for one attribute.

A field has the name that its model gives it; else it is looked up in the `labels` of its app (there
also as `Model.field`), then here.
"""

from __future__ import annotations

from importlib import import_module
from typing import Final

from django.apps import apps
from django.utils.functional import Promise
from django.utils.module_loading import module_has_submodule
from django.utils.translation import gettext_lazy as _

FIELDS: Final = {
    "basic_mode": _("basic mode"),
    "code": _("code"),
    "context": _("context"),
    "created_at": _("created"),
    "deleted_at": _("deleted"),
    "description": _("description"),
    "dimension": _("dimensions of a vector"),
    "draft": _("draft"),
    "error": _("error"),
    "finished_at": _("finished"),
    "group": _("group"),
    "heartbeat_at": _("last sign of the worker"),
    "id": _("ID"),
    "is_active": _("in use"),
    "kind": _("kind"),
    "language": _("language"),
    "lease": _("lease"),
    "message": _("message"),
    "method": _("method"),
    "name": _("name"),
    "owner": _("owner"),
    "participant": _("person"),
    "position": _("order"),
    "project": _("project"),
    "reason": _("reason"),
    "role": _("role"),
    "run": _("run"),
    "score": _("score"),
    "session": _("conversation"),
    "slug": _("short name in the address"),
    "source": _("source"),
    "space": _("embedding space"),
    "started_at": _("started"),
    "status": _("status"),
    "summary": _("summary"),
    "tags": _("tags"),
    "text": _("text"),
    "title": _("title"),
    "told": _("content"),
    "updated_at": _("updated"),
    "version": _("version"),
}
"""Attributes of several apps."""


def name_fields() -> None:
    """Gives the fields of all apps that have `labels` their names; for `ready`, with all models."""
    for app in apps.get_app_configs():
        if not app.module or not module_has_submodule(app.module, "labels"):
            continue
        names = {**FIELDS, **import_module(f"{app.name}.labels").FIELDS}
        for model in app.get_models():
            for field in (*model._meta.fields, *model._meta.many_to_many):
                name = names.get(f"{model.__name__}.{field.name}", names.get(field.name))
                if name is not None and not isinstance(field.verbose_name, Promise):
                    field.verbose_name = name
