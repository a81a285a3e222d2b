"""The product's settings, with the bench's own kind of conversation added."""

from futura.settings import *  # noqa: F403
from futura.settings import INSTALLED_APPS as _APPS

INSTALLED_APPS = [*_APPS, "tests.bench.app.apps.BenchConfig"]
# a burst comes from one address
RATE_LIMITS = False
