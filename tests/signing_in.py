"""Signs a test's browser in without the form: a session as Django's login leaves it, in one row."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.test import Client


def sign_in(client: Client, user: User) -> None:
    """The browser is signed in as `user`; what a session of it held before is left behind."""
    store = SessionStore()
    values = {
        SESSION_KEY: str(user.pk),
        BACKEND_SESSION_KEY: settings.AUTHENTICATION_BACKENDS[0],
        HASH_SESSION_KEY: user.get_session_auth_hash(),
    }
    key = secrets.token_hex(16)
    session = Session(
        session_key=key, session_data=store.encode(values), expire_date=store.get_expiry_date()
    )
    Session.objects.bulk_create([session])
    client.cookies[settings.SESSION_COOKIE_NAME] = key
