"""Of the runs of the command only their space was ever read, which the state of the index has now.

The table and the column stay for one release, for processes of the version before, with the space
alone. They refer to nothing any more: what they name may go.
"""

from django.db import migrations

UNTIED = """
DO $$
DECLARE reference record;
BEGIN
    FOR reference IN
        SELECT conrelid::regclass AS holder, conname FROM pg_constraint
        WHERE contype = 'f' AND 'portfolio_preprocessrun'::regclass IN (conrelid, confrelid)
    LOOP
        EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', reference.holder, reference.conname);
    END LOOP;
END $$;
UPDATE portfolio_preprocessrun SET error = '', label = '',
    metrics = jsonb_build_object('embeddingSpace', metrics -> 'embeddingSpace');
"""


class Migration(migrations.Migration):
    dependencies = [("portfolio", "0015_space_of_last_run")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveField(model_name="source", name="run"),
                migrations.DeleteModel(name="PreprocessRun"),
            ],
            database_operations=[migrations.RunSQL(UNTIED, migrations.RunSQL.noop)],
        ),
    ]
