"""Every setting, read from the environment once; production is the default, wrong values stop."""

from __future__ import annotations

import logging
from pathlib import Path
from urllib.parse import urlsplit

import django_stubs_ext
from django.core.exceptions import ImproperlyConfigured

from futura import guide_packages
from futura.embedded import addresses
from futura.env import (
    PROJECT_DIR,
    address,
    env,
    local_secret,
    mail_server,
    monthly_cap,
    secret,
)
from futura.limits.addresses import networks

# ModelAdmin[...] and the like can be written at run time
django_stubs_ext.monkeypatch()

BASE_DIR = PROJECT_DIR
DATA_DIR = Path(env.str("FUTURA_DATA_DIR", "") or BASE_DIR / ".futura").expanduser().absolute()

# Embedded means: no address was given, this machine runs that service by itself.
DATABASE_URL = address("DATABASE_URL", schemes={"postgres", "postgresql"})
REDIS_URL = address("REDIS_URL", schemes={"redis", "rediss", "unix"})
EMBEDDED = not DATABASE_URL
EMBEDDED_PARTS = [
    name for name, url in (("PostgreSQL", DATABASE_URL), ("Redis", REDIS_URL)) if not url
]
DATABASE_URL = DATABASE_URL or addresses.database_url(DATA_DIR)
REDIS_URL = REDIS_URL or addresses.redis_url(DATA_DIR)

DEBUG = env.bool("FUTURA_DEBUG", False)
_EXAMPLE_SECRETS = {"change-me", "changeme", "secret"}
SECRET_KEY = secret("SECRET_KEY") or (local_secret(DATA_DIR) if EMBEDDED else "")
if not SECRET_KEY or SECRET_KEY in _EXAMPLE_SECRETS or (not EMBEDDED and len(SECRET_KEY) < 32):
    raise ImproperlyConfigured(
        "SECRET_KEY is missing, too short or the example's. "
        "Set SECRET_KEY or SECRET_KEY_FILE to a random text of 50 characters."
    )
# Cookies, links and sessions that an earlier key signed go on counting.
SECRET_KEY_FALLBACKS = secret("SECRET_KEY_FALLBACKS").split()

PORT = env.int("FUTURA_PORT", 8000)
SITE_URL = env.str("FUTURA_URL", "") or (f"http://localhost:{PORT}" if EMBEDDED else "")
if not SITE_URL:
    raise ImproperlyConfigured(
        "FUTURA_URL is missing. Set it to the public address, such as https://futura.example."
    )
_site = urlsplit(SITE_URL)
if _site.scheme not in {"http", "https"} or not _site.hostname or _site.path.strip("/"):
    raise ImproperlyConfigured(
        "FUTURA_URL must be an address that starts with http(s):// and has no path: "
        "Futura needs a host name of its own."
    )
SITE_URL = f"{_site.scheme}://{_site.netloc}"
HTTPS = _site.scheme == "https"
ALLOWED_HOSTS = env.list("FUTURA_HOSTS", []) or [_site.hostname]
if EMBEDDED:
    ALLOWED_HOSTS = [*ALLOWED_HOSTS, "localhost", "127.0.0.1", "[::1]"]
CSRF_TRUSTED_ORIGINS = [SITE_URL]
# Whose X-Forwarded headers are believed (futura/proxies.py).
try:
    PROXIES = networks(env.list("FUTURA_PROXIES", ["127.0.0.0/8", "::1"]))
except ValueError as error:
    raise ImproperlyConfigured(f"FUTURA_PROXIES holds no network address: {error}.") from error
RATE_LIMITS = env.bool("FUTURA_RATE_LIMITS", True)

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "django.forms",
    "allauth",
    "allauth.account",
    "channels",
    "csp",
    "django_htmx",
    "futura.apps.FuturaConfig",
    "futura.llm.apps.LlmConfig",
    "onet.apps.OnetConfig",
    "chat.apps.ChatConfig",
    "tasks.apps.TasksConfig",
    "projects.apps.ProjectsConfig",
    "projects.portfolio.apps.PortfolioConfig",
    *guide_packages.app_configs(),
]

MIDDLEWARE = [
    "futura.middleware.Observed",
    "django.middleware.security.SecurityMiddleware",
    "futura.static.StaticFiles",
    "futura.middleware.StorableText",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "chat.commands.tokens.TokenDoor",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "chat.zones.InTheirZone",
    "chat.identity.RememberedIdentity",
    "futura.middleware.WrongMethods",
    "futura.middleware.ErrorPages",
    "futura.middleware.ApiDoor",
]

ROOT_URLCONF = "futura.urls"
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": ["futura.templatetags.icons"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "csp.context_processors.nonce",
                "futura.views.site",
                "chat.library.navigation",
                "tasks.context.catalogue",
                "projects.navigation.navigation",
            ],
        },
    },
]

# Data -----------------------------------------------------------------------------------------
DATABASES = {
    "default": addresses.django_database(
        DATABASE_URL, pool_size=env.int("FUTURA_DB_POOL", addresses.POOL_SIZE)
    )
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
CACHES = {
    "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL}
}

# Accounts -------------------------------------------------------------------------------------
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
ACCOUNT_LOGIN_METHODS = {"email", "username"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Futura: "
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"

# Mail -----------------------------------------------------------------------------------------
_mail = mail_server("EMAIL_URL")
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if _mail else 'console'}.EmailBackend"
EMAIL_HOST = _mail.host if _mail else ""
EMAIL_PORT = _mail.port if _mail else 0
EMAIL_HOST_USER = _mail.user if _mail else ""
EMAIL_HOST_PASSWORD = _mail.password if _mail else ""
EMAIL_USE_TLS = bool(_mail and _mail.security == "starttls")
EMAIL_USE_SSL = bool(_mail and _mail.security == "tls")
EMAIL_TIMEOUT = 15
# Who is mailed when a budget runs short; every superuser with an address when not set. Not
# called ADMINS, whom Django would mail what people sent with a request that failed.
ADMIN_ADDRESSES: list[str] = env.list("FUTURA_ADMINS", [])
DEFAULT_FROM_EMAIL = env.str("FUTURA_MAIL_FROM", "Futura <futura@localhost>")

# Work in the background -----------------------------------------------------------------------
# What runs when is declared beside the jobs, by `periodic` of futura/celery.py.
CELERY_BROKER_URL = addresses.celery_url(REDIS_URL)
# Redis gives an unacknowledged message to another worker after this time. Messages are
# acknowledged when taken (the row is the queue, a sweep finds what was lost), so it is rarely met.
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 3600, "socket_keepalive": True}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a worker waits for Redis as long as it takes
CELERY_TASK_IGNORE_RESULT = True
CELERY_RESULT_BACKEND_THREAD_SAFE = True  # there is none: no thread has to find that out again
CELERY_TASK_DEFAULT_QUEUE = "jobs"
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 2, "interval_start": 0, "interval_max": 0.5}
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
# How long a worker that is asked to end lets its answers finish (chat/runs/lease_renewal.py).
GRACE_S = env.float("FUTURA_GRACE_S", 25.0)
CELERY_BEAT_SCHEDULE_FILENAME = str(DATA_DIR / "beat")

# Pages ----------------------------------------------------------------------------------------
LANGUAGE_CODE = "en"
LANGUAGE_COOKIE_AGE = 400 * 24 * 3600  # the longest that browsers keep
LANGUAGES = [("en", "English"), ("de", "Deutsch"), ("es", "Español"), ("fr", "Français")]
LOCALE_PATHS = [BASE_DIR / "futura" / "locale"]
FORMAT_MODULE_PATH = "futura.formats"
TIME_ZONE = "UTC"
STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = Path(env.str("FUTURA_STATIC_ROOT", "") or DATA_DIR / "static")
# Collected, hashed files by default; straight from `static/` when set to false (tests, drawing).
STATIC_MANIFEST = env.bool("FUTURA_STATIC_MANIFEST", True)
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = not STATIC_MANIFEST
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if STATIC_MANIFEST
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
MEDIA_ROOT = Path(env.str("FUTURA_MEDIA_ROOT", "") or DATA_DIR / "media")

# Safety ---------------------------------------------------------------------------------------
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = ["^healthz$", "^readyz$", "^metrics$"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
SECURE_HSTS_PRELOAD = HTTPS
SESSION_COOKIE_SECURE = HTTPS
SESSION_COOKIE_AGE = 90 * 24 * 3600  # of who asks to be remembered; of all others the browser's
CSRF_COOKIE_SECURE = HTTPS
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "font-src": ["'self'"],
        "connect-src": ["'self'"],
        "media-src": ["'self'", "blob:"],
        "manifest-src": ["'self'"],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
    }
}

# The model ------------------------------------------------------------------------------------
OPENAI_API_KEY = secret("OPENAI_API_KEY")
OPENAI_BASE_URL = address("OPENAI_BASE_URL", schemes={"http", "https"})
LLM_WIRE = env.str("FUTURA_WIRE", "responses")
if LLM_WIRE not in {"responses", "chat"}:
    raise ImproperlyConfigured("FUTURA_WIRE must be 'responses' or 'chat'.")
# First pause before a failed call is made again; doubles with each attempt.
LLM_BACKOFF_S = env.float("FUTURA_LLM_BACKOFF_S", 0.4)
# How long a turn waits for its first word over all its calls; then rules answer, within a second.
LLM_FIRST_WORD_S = env.float("FUTURA_LLM_FIRST_WORD_S", 19.0)
# What this wait and those of the stages are multiplied by; 0: as the server's place says.
LLM_PATIENCE = env.float("FUTURA_LLM_PATIENCE", 0.0)
# After so many failures in a row a server is left alone for a while (futura/llm/breaker.py).
LLM_BREAKER_FAILURES = env.int("FUTURA_LLM_BREAKER_FAILURES", 5)
LLM_BREAKER_OPEN_S = env.float("FUTURA_LLM_BREAKER_OPEN_S", 20.0)
# What model calls may cost in a calendar month, by budget; a stage names its own (default).
LLM_BUDGETS = {
    "default": monthly_cap(
        "FUTURA_BUDGET",
        cap=env.str("FUTURA_BUDGET_USD", "") or "10",
        warn_at=env.str("FUTURA_BUDGET_WARN_USD", ""),
        critical_at=env.str("FUTURA_BUDGET_CRITICAL_USD", ""),
    ),
    # what visitors of portfolios cost is apart from everything else (DECISIONS 38)
    "portfolio": monthly_cap(
        "FUTURA_PORTFOLIO_BUDGET",
        cap=env.str("FUTURA_PORTFOLIO_BUDGET_USD", "") or "10",
        warn_at=env.str("FUTURA_PORTFOLIO_BUDGET_WARN_USD", ""),
        critical_at=env.str("FUTURA_PORTFOLIO_BUDGET_CRITICAL_USD", ""),
    ),
}
# Whether rules answer visitors of a portfolio when the model does not (DECISIONS 37).
PORTFOLIO_BASIC_MODE = env.bool("FUTURA_PORTFOLIO_BASIC_MODE", True)
# Days after its last question that a visitor's conversation is kept; 0 keeps it for good.
PORTFOLIO_VISIT_DAYS = env.int("FUTURA_PORTFOLIO_VISIT_DAYS", 180)
if not 0 <= PORTFOLIO_VISIT_DAYS <= 36_500:
    raise ImproperlyConfigured("FUTURA_PORTFOLIO_VISIT_DAYS must be between 0 and 36500.")
# A file `o200k_base.tiktoken`: prompts are then counted exactly (chat/memory/tokens.py).
TOKENISER = env.str("FUTURA_TOKENISER", "")
# Empty: words alone in the catalogue; in portfolios vectors of the configured server's model.
EMBEDDINGS = env.str("FUTURA_EMBEDDINGS", "")
ONET_SOURCE = env.str("FUTURA_ONET", "")

# Looking closer -------------------------------------------------------------------------------
# Whoever asks for /metrics shows this; without it nothing is there.
METRICS_TOKEN = secret("FUTURA_METRICS_TOKEN")
# Collector of OpenTelemetry spans (OTLP over HTTP); nothing is traced without one.
OTLP_ENDPOINT = address("FUTURA_OTLP_ENDPOINT", schemes={"http", "https"})
# Whether spans hold what was said, too; never on by itself.
TELEMETRY_CONTENTS = env.bool("FUTURA_TELEMETRY_CONTENTS", False)
LOG_LEVEL = env.log_level("FUTURA_LOG_LEVEL", logging.INFO)
LOG_FORMAT = env.str("FUTURA_LOG_FORMAT", "") or ("text" if EMBEDDED or DEBUG else "json")
if LOG_FORMAT not in {"text", "json"}:
    raise ImproperlyConfigured("FUTURA_LOG_FORMAT must be 'text' or 'json'.")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "text": {"()": "futura.logs.TextFormat", "contents": LOG_LEVEL <= logging.DEBUG},
        "json": {"()": "futura.logs.JsonFormat", "contents": LOG_LEVEL <= logging.DEBUG},
    },
    "filters": {
        "not_readiness": {"()": "futura.logs.NotReadiness"},
        "ids": {"()": "futura.logs.WithIds"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": LOG_FORMAT,
            "filters": ["not_readiness", "ids"],
        }
    },
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
    "loggers": {
        name: {"level": "WARNING"}
        for name in (
            *("django.server", "daphne", "celery.app.trace", "celery.beat"),
            *("celery.worker.strategy", "httpx", "httpx2", "openai"),
        )
    },
}
