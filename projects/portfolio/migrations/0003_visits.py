"""An index by which the conversations with one portfolio are found among all of them."""

from __future__ import annotations

from django.db import migrations

MAKE = """
CREATE INDEX portfolio_visits ON chat_session ((state -> 'portfolio_id'), created_at)
WHERE kind = 'portfolio_visit'
"""


class Migration(migrations.Migration):
    dependencies = [("portfolio", "0002_reading_and_refresh"), ("chat", "0012_review")]

    operations = [migrations.RunSQL(MAKE, "DROP INDEX portfolio_visits")]
