"""The platform's own records: none of them has a table; roles are Django's groups."""

from __future__ import annotations

from django.contrib.auth.models import Group


class Role(Group):
    """A group of staff as the permissions of staff pages hang on it (see `futura.roles`)."""

    class Meta:
        proxy = True
        default_permissions = ()
        permissions = [
            ("review", "Can read surveys and correct what came of them"),
            ("conversations", "Can open private conversations for a reason"),
            ("campaigns", "Can set up surveys and invite people"),
            ("insights", "Can see what surveys add up to"),
            ("export", "Can take answers out as files"),
            ("changes", "Can see and undo changes of conversations open to them"),
            ("figures", "Can see calls to models, their cost, and how the agent does"),
            ("audit", "Can see who read and exported what, and give roles"),
            ("settings", "Can set up the language model"),
        ]
