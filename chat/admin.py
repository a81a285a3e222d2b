"""Django admin of the engine: everything can be looked up, conversations are not edited here."""

from __future__ import annotations

from typing import Any, Final

from allauth.account.admin import EmailAddressAdmin
from allauth.account.models import EmailAddress
from django import forms
from django.contrib import admin
from django.contrib.auth import get_permission_codename
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, Permission, User
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_lazy as _, pgettext_lazy

from chat.actions.participants import erase_people
from chat.actions.sessions import erase
from chat.models import Message, Participant, Run, Session
from chat.operations.models import Operation, OperationBatch
from chat.operations.registry import all_operables
from chat.staff import audit
from chat.staff.audit import reviewable
from futura import roles
from futura.admin import ReadOnlyAdmin

ACTIONS: Final = {
    "add": pgettext_lazy("permission", "add"),
    "change": pgettext_lazy("permission", "change"),
    "delete": pgettext_lazy("permission", "delete"),
    "view": pgettext_lazy("permission", "view"),
}
OF_SUPERUSERS: Final = ("add_group", "change_group", "delete_group")
DEFAULT_PERMISSION: Final = f"^({'|'.join(ACTIONS)})_"  # those that Django makes of every table


class ErasingAdmin(admin.ModelAdmin[Any]):
    """Deletes by the product's own actions, which blank the ledger, too."""

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return admin.ModelAdmin.has_delete_permission(self, request, obj)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> tuple[Any, Any, Any, Any]:
        """How many of what; names of private things stay private."""
        counts = super().get_deleted_objects(objs, request)[1]
        return [str(item) for item in objs], counts, set(), []

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        self.delete_queryset(request, self.model._default_manager.filter(pk=obj.pk))


class PeopleAdmin(ErasingAdmin):
    """Deletes people as they delete themselves: with all they made."""

    owner = "pk"  # what a participant's row says about whose it is

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> tuple[Any, Any, Any, Any]:
        names, counts, *rest = super().get_deleted_objects(objs, request)
        people = self._people([item.pk for item in objs])
        for operable in all_operables().values():
            if number := operable.model._default_manager.filter(owner__in=people).count():
                counts[str(operable.model._meta.verbose_name_plural)] = number
        return names, counts, *rest

    @transaction.atomic
    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        keys = list(queryset.values_list("pk", flat=True))
        erase_people(self._people(keys), reason=gettext("Deleted by an administrator"))
        super().delete_queryset(request, queryset.filter(pk__in=keys))

    def _people(self, keys: list[Any]) -> QuerySet[Participant]:
        return Participant.objects.filter(**{f"{self.owner}__in": keys})


def _name_of(group: Group) -> str:
    return str(roles.NAMES.get(group.name, group.name))


Group.add_to_class("__str__", _name_of)  # no other place serves lists, filters and titles


class RightsField(forms.ModelMultipleChoiceField[Any]):
    """Groups or permissions, called in the reader's language what they let people do."""

    def label_from_instance(self, obj: Any) -> str:
        if isinstance(obj, Group):
            return str(obj)
        table, (action, *_rest) = obj.content_type, obj.codename.split("_")
        if table.app_label == "futura" and action in roles.RIGHTS:
            return capfirst(str(roles.WORDS[action]))
        model = table.model_class()
        if model is None or action not in ACTIONS:
            return str(obj)
        return f"{capfirst(str(model._meta.verbose_name_plural))}: {ACTIONS[action]}"


class JoinedForm(forms.ModelForm[Any]):
    """Keeps what somebody else changed since the form was opened; refuses what both changed."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.show_hidden_initial = bool(self.instance.pk) and not field.disabled

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        contested = []
        seen = [name for name in self.fields if self.add_initial_prefix(name) in self.data]
        for name, field in self.fields.items() if seen else ():
            if field.disabled or name not in cleaned:
                continue
            opened = field.hidden_widget().value_from_datadict(
                self.data, self.files, self.add_initial_prefix(name)
            )
            stored = self.initial.get(name)
            if not field.has_changed(stored, opened):
                continue
            if name not in self.changed_data:
                cleaned[name] = stored
            elif field.has_changed(stored, self[name].data):
                contested.append(str(field.label))
        if contested:
            for field in self.fields.values():  # what is sent again is meant
                field.show_hidden_initial = False
            text = gettext("Someone else has changed: %(fields)s. Save again to replace theirs.")
            raise forms.ValidationError(text % {"fields": ", ".join(contested)})
        return cleaned


class JoiningAdmin(admin.ModelAdmin[Any]):
    """Rows that several administrators may have open at once."""

    def get_form(  # type: ignore[override]
        self, request: HttpRequest, obj: Any = None, **kwargs: Any
    ) -> Any:
        """`UserAdmin` takes `change` by name only."""
        form = super().get_form(request, obj, **kwargs)
        return type(form.__name__, (JoinedForm, form), {}) if obj else form


class RightsAdmin(JoiningAdmin):
    """What holds permissions; those of staff pages are offered first, then the admin's own.

    They are ticked: Django's pair of lists is not translated into every language of ours.
    """

    filter_horizontal = ()

    def formfield_for_manytomany(self, db_field: Any, request: Any = None, **kwargs: Any) -> Any:
        kwargs |= {"form_class": RightsField, "widget": forms.CheckboxSelectMultiple}
        if db_field.related_model is Permission:
            kwargs["queryset"] = _permissions(request)
        return super().formfield_for_manytomany(db_field, request, **kwargs)


def _permissions(request: HttpRequest) -> QuerySet[Permission]:
    """All but those for changes that nobody makes in the admin, or superusers only."""
    counting = ~Q(codename__regex=DEFAULT_PERMISSION)
    for table in (table for app in admin.site.get_app_list(request) for table in app["models"]):
        names = table["model"]._meta
        codenames = [
            get_permission_codename(action, names) for action in ACTIONS if table["perms"][action]
        ]
        counting |= Q(content_type__app_label=names.app_label, codename__in=codenames)
    permissions = Permission.objects.filter(counting).exclude(codename__in=OF_SUPERUSERS)
    permissions = permissions.annotate(is_of_staff=Q(content_type__app_label="futura"))
    return permissions.order_by("-is_of_staff", "content_type__app_label", "codename")


for _model in (User, Group, EmailAddress):
    admin.site.unregister(_model)


@admin.register(Group)
class RoleAdmin(RightsAdmin, GroupAdmin):
    """Groups; what is added to a group of one's own would be added to oneself."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_superuser)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_superuser)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_superuser)


@admin.register(EmailAddress)
class AddressAdmin(JoiningAdmin, EmailAddressAdmin):  # type: ignore[misc]
    """Mail addresses; whoever is no superuser has those of ordinary people.

    With an address of their own a colleague's password, and all rights, would be reset to theirs.
    """

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        addresses: QuerySet[Any] = super().get_queryset(request)
        return addresses if request.user.is_superuser else addresses.filter(user__is_staff=False)

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if not request.user.is_superuser:
            kwargs["queryset"] = User.objects.filter(is_staff=False)
        return super().formfield_for_foreignkey(db_field, request, **kwargs)


@admin.register(User)
class AccountAdmin(PeopleAdmin, RightsAdmin, UserAdmin[Any]):
    """Accounts; whoever is no superuser has those of ordinary people, and gives no rights here."""

    owner = "user"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """With a new password a colleague's account, and all its rights, would be one's own."""
        accounts = super().get_queryset(request)
        return accounts if request.user.is_superuser else accounts.filter(is_staff=False)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        times = ("last_login", "date_joined")  # else a form opened before would set them back
        rights = ("is_staff", "is_superuser", "groups", "user_permissions")
        return times if request.user.is_superuser else (*times, *rights)


@admin.register(Participant)
class ParticipantAdmin(PeopleAdmin, ReadOnlyAdmin):
    """Owners; deleting one deletes everything it owns."""

    list_display = ("id", "user", "created_at", "claimed_at")
    list_select_related = ("user",)
    list_filter = (("user", admin.EmptyFieldListFilter), "created_at")
    search_fields = ("id", "user__email", "user__username")
    exclude = ("key_hash",)


class SurveysAdmin(ReadOnlyAdmin):
    """Rows of surveys; those of private talks open on the staff's pages, for a stated reason."""

    kind = "session__kind"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Not even superusers find the others here."""
        return super().get_queryset(request).filter(reviewable(self.kind))


class TranscriptAdmin(SurveysAdmin):
    """What was said can be read here, too; that is logged as on the staff's pages."""

    def get_object(
        self, request: HttpRequest, object_id: str, from_field: str | None = None
    ) -> Any:
        result = super().get_object(request, object_id, from_field)
        if result is not None and self.has_view_permission(request, result):
            session = result if isinstance(result, Session) else result.session
            audit.read(user=request.user, session=session)
        return result


@admin.register(Session)
class SessionAdmin(ErasingAdmin, TranscriptAdmin):
    """Deleting one deletes it for good, as its owner does."""

    kind = "kind"
    list_display = ("title", "kind", "status", "phase", "participant", "created_at", "updated_at")
    list_select_related = ("participant__user",)
    list_filter = ("kind", "status", "created_at")
    search_fields = ("id", "title", "participant__user__email")
    date_hierarchy = "created_at"

    @transaction.atomic
    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        for session in queryset:
            erase(session)


@admin.register(Message)
class MessageAdmin(TranscriptAdmin):
    list_display = ("session", "seq", "role", "status", "beginning", "created_at")
    list_select_related = ("session",)
    list_filter = ("role", "status", "created_at")
    search_fields = ("id", "session__id", "session__title")

    @admin.display(description=_("text"))
    def beginning(self, message: Message) -> str:
        return message.text[:80]


@admin.register(Run)
class RunAdmin(SurveysAdmin):
    list_display = (
        "id",
        "session",
        "status",
        "attempt",
        "basic_mode",
        "error_code",
        "created_at",
        "finished_at",
    )
    list_select_related = ("session",)
    list_filter = ("status", "basic_mode", "error_code", "created_at")
    search_fields = ("id", "session__id", "session__title")


@admin.register(OperationBatch)
class OperationBatchAdmin(ReadOnlyAdmin):
    list_display = ("id", "title", "actor", "status", "owner_id", "session", "created_at")
    list_select_related = ("session",)
    list_filter = ("actor", "status", "created_at")
    search_fields = ("id", "owner_id", "session__id", "title")
    date_hierarchy = "created_at"


@admin.register(Operation)
class OperationAdmin(ReadOnlyAdmin):
    """Single changes; their values stand on the staff's pages."""

    list_display = ("id", "type", "entity", "entity_id", "status", "sequence", "executed_at")
    list_select_related = ("batch",)
    list_filter = ("type", "entity", "status", "created_at")
    search_fields = ("id", "entity_id", "batch__id", "batch__owner_id")
