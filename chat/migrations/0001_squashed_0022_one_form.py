"""All tables of conversations and of the ledger at once, for a database that has none yet."""

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.contrib.postgres.search
import django.db.models.deletion
import django.db.models.functions.datetime
import django.utils.timezone
import uuid
from django.conf import settings
from django.db import migrations, models

# Punctuation parts words here, so that mail addresses and file names are found by their pieces.
SEARCH = r"""
CREATE FUNCTION chat_search_words(said text) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT pg_catalog.to_tsvector('pg_catalog.simple'::pg_catalog.regconfig, told)
        || pg_catalog.to_tsvector('pg_catalog.english'::pg_catalog.regconfig, told)
    FROM (
        SELECT pg_catalog.translate(
            pg_catalog.left(said, 100000),
            '.,:;!?@/\_-+*=#&%$|~^<>()[]{}"''`’‘“”–—…',
            '                                          '
        ) AS told
    ) AS plain
$$
"""

# erasure blanks the words of a batch, too: they may hold what somebody wants forgotten
FUNCTIONS = """
CREATE FUNCTION chat_ledger_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF coalesce(current_setting('futura.ledger', true), '') <> txid_current()::text THEN
        RAISE EXCEPTION 'rows of % change through operations only', TG_TABLE_NAME
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION chat_facts_stay() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    fact text;
    was jsonb := to_jsonb(OLD);
    is_now jsonb;
BEGIN
    IF TG_OP = 'DELETE' THEN
        RAISE EXCEPTION 'rows of % are facts', TG_TABLE_NAME
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    is_now := to_jsonb(NEW);
    FOREACH fact IN ARRAY TG_ARGV LOOP
        IF was -> fact IS DISTINCT FROM is_now -> fact
            AND NOT (fact IN ('title', 'reason') AND is_now ->> fact = '') THEN
            RAISE EXCEPTION 'the % of % is a fact', fact, TG_TABLE_NAME
                USING ERRCODE = 'insufficient_privilege';
        END IF;
    END LOOP;
    RETURN NEW;
END $$;

CREATE FUNCTION chat_done_is_done() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.executed_at IS NOT NULL AND (
        OLD.executed_at, OLD.base_version, OLD.result_version, OLD.changed_fields, OLD.error
    ) IS DISTINCT FROM (
        NEW.executed_at, NEW.base_version, NEW.result_version, NEW.changed_fields, NEW.error
    ) THEN
        RAISE EXCEPTION 'an executed operation is a fact' USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION chat_values_go_only() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    executed timestamptz;
BEGIN
    IF TG_OP = 'DELETE' THEN
        RAISE EXCEPTION 'values are erased, their row stays'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    SELECT executed_at INTO executed FROM chat_operation WHERE id = OLD.operation_id;
    IF executed IS NULL AND OLD.erased_at IS NULL THEN
        RETURN NEW;
    END IF;
    IF NEW.erased_at IS NULL OR NEW.requested IS NOT NULL
        OR NEW.before IS NOT NULL OR NEW.after IS NOT NULL THEN
        RAISE EXCEPTION 'values of an executed operation are facts'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER facts_stay BEFORE UPDATE OR DELETE ON chat_operationbatch FOR EACH ROW
    EXECUTE FUNCTION chat_facts_stay(
        'id', 'owner_id', 'actor', 'title', 'reason', 'tool_call_id',
        'undoes_id', 'amends_id', 'is_atomic', 'created_at'
    );
CREATE TRIGGER facts_stay BEFORE UPDATE OR DELETE ON chat_operation FOR EACH ROW
    EXECUTE FUNCTION chat_facts_stay(
        'id', 'batch_id', 'sequence', 'type', 'entity', 'entity_id',
        'undoes_id', 'amends_id', 'because_of_id', 'created_at'
    );
CREATE TRIGGER done_is_done BEFORE UPDATE ON chat_operation FOR EACH ROW
    EXECUTE FUNCTION chat_done_is_done();
CREATE TRIGGER values_go_only BEFORE UPDATE OR DELETE ON chat_operationpayload FOR EACH ROW
    EXECUTE FUNCTION chat_values_go_only();
"""

NO_FUNCTIONS = """
DROP TRIGGER values_go_only ON chat_operationpayload;
DROP TRIGGER done_is_done ON chat_operation;
DROP TRIGGER facts_stay ON chat_operation;
DROP TRIGGER facts_stay ON chat_operationbatch;
DROP FUNCTION chat_values_go_only();
DROP FUNCTION chat_done_is_done();
DROP FUNCTION chat_facts_stay();
DROP FUNCTION chat_ledger_only();
"""


class Migration(migrations.Migration):

    replaces = [
        ('chat', '0001_start'),
        ('chat', '0002_engine'),
        ('chat', '0003_branches_feedback_context'),
        ('chat', '0004_sessions_list_search'),
        ('chat', '0005_seen_so_far'),
        ('chat', '0006_run_finished'),
        ('chat', '0007_run_created_by_database'),
        ('chat', '0008_operations'),
        ('chat', '0009_session_quiet'),
        ('chat', '0010_policy_and_erasure'),
        ('chat', '0011_time_zone'),
        ('chat', '0012_review'),
        ('chat', '0013_access_reason'),
        ('chat', '0014_access_tokens'),
        ('chat', '0015_draft_pasted'),
        ('chat', '0016_log_of_changes'),
        ('chat', '0017_language'),
        ('chat', '0018_language_chosen'),
        ('chat', '0019_names'),
        ('chat', '0020_zone_told'),
        ('chat', '0021_names_of_all'),
        ('chat', '0022_one_form'),
    ]

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunSQL(SEARCH, "DROP FUNCTION chat_search_words(text)"),
        migrations.CreateModel(
            name='Participant',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('key_hash', models.CharField(blank=True, max_length=64, null=True, unique=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('claimed_at', models.DateTimeField(blank=True, null=True)),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='participants', to=settings.AUTH_USER_MODEL)),
                ('time_zone', models.CharField(blank=True, help_text="Of the IANA database; the server's while empty.", max_length=64)),
                ('language', models.CharField(blank=True, help_text="Of the interface: chosen, or the first browser's.", max_length=10)),
                ('is_language_chosen', models.BooleanField(default=False, help_text="Chosen by the person: a portfolio's own language yields to it.")),
            ],
            options={
                'verbose_name': 'person',
                'verbose_name_plural': 'people',
            },
        ),
        migrations.CreateModel(
            name='Access',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('reading', 'Read'), ('replay', 'Replayed'), ('export', 'Exported'), ('change', 'Changed')], max_length=8)),
                ('user_name', models.CharField(help_text='As it was called then.', max_length=254)),
                ('session_id', models.UUIDField(blank=True, null=True)),
                ('owner_id', models.UUIDField(blank=True, help_text="Whose: a participant's id.", null=True)),
                ('group_id', models.UUIDField(blank=True, help_text='Of which campaign.', null=True)),
                ('what', models.CharField(blank=True, help_text='What was exported.', max_length=200)),
                ('about', models.JSONField(blank=True, default=dict, help_text='With which filters.')),
                ('rows', models.PositiveIntegerField(blank=True, null=True)),
                ('times', models.PositiveIntegerField(default=1, help_text='Pages opened in one sitting.')),
                ('began_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('last_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('reason', models.CharField(blank=True, help_text='Why, where it is private.', max_length=500)),
            ],
            options={
                'verbose_name': 'access',
                'verbose_name_plural': 'log of readings and exports',
                'indexes': [models.Index(fields=['-began_at'], name='chat_access_newest'), models.Index(fields=['session_id', 'user', '-last_at'], name='chat_access_session'), models.Index(fields=['owner_id', '-began_at'], name='chat_access_owner')],
            },
        ),
        migrations.CreateModel(
            name='AccessToken',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=80)),
                ('digest', models.CharField(help_text='SHA-256 of the token.', max_length=64, unique=True)),
                ('scopes', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=20), size=None)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('used_at', models.DateTimeField(blank=True, null=True)),
                ('expires_at', models.DateTimeField()),
                ('revoked_at', models.DateTimeField(blank=True, null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='access_tokens', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'access token',
                'verbose_name_plural': 'access tokens',
            },
        ),
        migrations.CreateModel(
            name='Session',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(max_length=40)),
                ('title', models.CharField(blank=True, max_length=200)),
                ('status', models.CharField(choices=[('active', 'Active'), ('ended', 'Ended')], default='active', max_length=10)),
                ('phase', models.CharField(blank=True, max_length=40)),
                ('state', models.JSONField(default=dict)),
                ('summary', models.TextField(blank=True, help_text='Rolling, of what is older than the window.')),
                ('key_facts', models.JSONField(default=list)),
                ('token_count', models.PositiveIntegerField(default=0, help_text='Of the current branch, parts and tool payloads included.')),
                ('draft', models.TextField(blank=True, help_text='Text typed and not yet sent.')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('archived_at', models.DateTimeField(blank=True, null=True)),
                ('participant', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sessions', to='chat.participant')),
                ('deleted_at', models.DateTimeField(blank=True, help_text='In the bin; deleted permanently after a while.', null=True)),
                ('seen_seq', models.PositiveIntegerField(default=0, help_text='Last message its owner had on a page; newer answers are unread.')),
                ('summarised_at', models.DateTimeField(blank=True, null=True)),
                ('summary_seq', models.PositiveIntegerField(default=0, help_text='Last message that the summary covers; 0 before the first one.')),
                ('policy', models.CharField(choices=[('auto', 'apply automatically'), ('review', 'review first')], default='auto', help_text='Whether changes by the assistant are made at once or reviewed first.', max_length=8)),
                ('draft_pasted', models.JSONField(blank=True, default=list, help_text='Stretches of the draft that were pasted.')),
            ],
            options={
                'indexes': [models.Index(fields=['participant', '-updated_at'], name='chat_session_list'), models.Index(fields=['kind', '-created_at'], name='chat_session_kind'), models.Index(condition=models.Q(('deleted_at__isnull', False)), fields=['deleted_at'], name='chat_session_bin'), models.Index(fields=['updated_at'], name='chat_session_quiet')],
                'verbose_name': 'conversation',
                'verbose_name_plural': 'conversations',
            },
        ),
        migrations.CreateModel(
            name='Message',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('seq', models.PositiveIntegerField()),
                ('role', models.CharField(choices=[('user', 'Person'), ('assistant', 'Assistant')], max_length=10)),
                ('text', models.TextField(blank=True)),
                ('parts', models.JSONField(default=list)),
                ('status', models.CharField(choices=[('queued', 'Queued'), ('streaming', 'Streaming'), ('complete', 'Complete'), ('stopped', 'Stopped'), ('interrupted', 'Interrupted'), ('failed', 'Failed')], default='complete', max_length=12)),
                ('client_id', models.UUIDField(blank=True, null=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='messages', to='chat.session')),
                ('superseded_at', models.DateTimeField(blank=True, help_text='Replaced by a later attempt; kept for staff.', null=True)),
                ('replaces', models.ForeignKey(blank=True, help_text="The person's earlier wording that this message stands in for.", null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='replaced_by', to='chat.message')),
                ('token_count', models.PositiveIntegerField(default=0, help_text='As a model would count it, parts included; 0 while not counted.')),
            ],
            options={
                'ordering': ['session', 'seq'],
                'indexes': [django.contrib.postgres.indexes.GinIndex(models.Func(models.F('text'), function='chat_search_words', output_field=django.contrib.postgres.search.SearchVectorField()), condition=models.Q(('superseded_at__isnull', True), models.Q(('status', 'streaming'), _negated=True)), name='chat_message_words')],
                'constraints': [models.UniqueConstraint(fields=('session', 'seq'), name='chat_message_seq'), models.UniqueConstraint(condition=models.Q(('client_id__isnull', False)), fields=('session', 'client_id'), name='chat_message_client_id')],
                'verbose_name': 'message',
                'verbose_name_plural': 'messages',
            },
        ),
        migrations.CreateModel(
            name='Review',
            fields=[
                ('session', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='review', serialize=False, to='chat.session')),
                ('kind', models.CharField(max_length=40)),
                ('started_at', models.DateTimeField()),
                ('turns', models.PositiveIntegerField(default=0, help_text='Messages of the person.')),
                ('has_failed', models.BooleanField(default=False, help_text='An answer failed or broke off.')),
                ('is_basic', models.BooleanField(default=False, help_text='Some answer came without a model.')),
                ('is_ready', models.BooleanField(default=True, help_text='The person is done with it.')),
                ('results', models.PositiveIntegerField(default=0, help_text='What came of it: tasks.')),
                ('doubts', models.PositiveIntegerField(default=0, help_text='Results that want a look.')),
                ('group_id', models.UUIDField(blank=True, help_text='What it belongs to: a campaign.', null=True)),
                ('looked_at', models.DateTimeField(blank=True, null=True)),
                ('assigned_at', models.DateTimeField(blank=True, null=True)),
                ('flagged_at', models.DateTimeField(blank=True, null=True)),
                ('flag_reason', models.CharField(blank=True, max_length=500)),
                ('reviewed_at', models.DateTimeField(blank=True, null=True)),
                ('tags', models.JSONField(blank=True, default=list)),
                ('assignee', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('flagged_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('reviewed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'review',
                'indexes': [models.Index(condition=models.Q(('reviewed_at__isnull', True)), fields=['-started_at', 'session'], name='chat_review_queue'), models.Index(fields=['-started_at', 'session'], name='chat_review_all'), models.Index(fields=['group_id', '-started_at'], name='chat_review_group')],
                'verbose_name_plural': 'reviews',
            },
        ),
        migrations.CreateModel(
            name='Run',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('status', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('completed', 'Completed'), ('stopped', 'Stopped'), ('failed', 'Failed'), ('interrupted', 'Interrupted')], default='queued', max_length=12)),
                ('lease', models.UUIDField(blank=True, null=True)),
                ('attempt', models.PositiveSmallIntegerField(default=0)),
                ('heartbeat_at', models.DateTimeField(blank=True, null=True)),
                ('stop_requested_at', models.DateTimeField(blank=True, null=True)),
                ('basic_mode', models.BooleanField(default=False)),
                ('state_before', models.JSONField(default=dict)),
                ('trace', models.JSONField(default=list, help_text='Stages with times and outcomes, in order.')),
                ('error_code', models.CharField(blank=True, max_length=40)),
                ('error_text', models.TextField(blank=True)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('enqueued_at', models.DateTimeField(blank=True, null=True)),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('message', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='runs', to='chat.message')),
                ('reply', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='answered_by', to='chat.message')),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='runs', to='chat.session')),
                ('log_cursor', models.CharField(blank=True, help_text='Place in the event log that the saved text reaches.', max_length=80)),
                ('retry_of', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='retries', to='chat.run')),
                ('stage', models.CharField(blank=True, help_text='What it is doing right now.', max_length=200)),
                ('cause', models.CharField(choices=[('sent', 'a message was sent'), ('retry', 'the answer failed and was asked for again'), ('regenerate', 'another answer was asked for'), ('continue', 'an interrupted answer is continued'), ('edit', 'the message was reworded')], default='sent', max_length=12)),
            ],
            options={
                'indexes': [models.Index(fields=['status', 'created_at'], name='chat_run_sweep'), models.Index(fields=['session', '-created_at'], name='chat_run_newest'), models.Index(fields=['finished_at'], name='chat_run_finished')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('status', 'running')), fields=('session',), name='chat_one_running_run')],
                'verbose_name': 'run',
                'verbose_name_plural': 'runs',
            },
        ),
        migrations.CreateModel(
            name='Feedback',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('rating', models.CharField(choices=[('good', 'Good'), ('bad', 'Bad')], max_length=4)),
                ('reasons', models.JSONField(default=list, help_text='Codes of the reasons selected.')),
                ('comment', models.TextField(blank=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('message', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='feedback', to='chat.message')),
                ('participant', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='feedback', to='chat.participant')),
            ],
            options={
                'verbose_name_plural': 'feedback',
                'constraints': [models.UniqueConstraint(fields=('message', 'participant'), name='chat_feedback_one_each')],
                'verbose_name': 'feedback',
            },
        ),
        migrations.CreateModel(
            name='ReviewNote',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('text', models.TextField()),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('author', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('message', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='chat.message')),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='review_notes', to='chat.session')),
            ],
            options={
                'verbose_name': 'note of the review',
                'ordering': ['created_at'],
                'indexes': [models.Index(fields=['session', 'created_at'], name='chat_review_notes')],
                'verbose_name_plural': 'notes of the review',
            },
        ),
        migrations.CreateModel(
            name='OperationBatch',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('owner_id', models.UUIDField(editable=False)),
                ('actor', models.CharField(choices=[('person', 'Person'), ('agent', 'Agent'), ('staff', 'Staff'), ('program', 'program (API)'), ('system', 'System')], max_length=8)),
                ('title', models.CharField(blank=True, max_length=200)),
                ('reason', models.TextField(blank=True, help_text='In words, where somebody gave one.')),
                ('tool_call_id', models.CharField(blank=True, max_length=100)),
                ('is_atomic', models.BooleanField(default=False)),
                ('status', models.CharField(choices=[('review', 'waits for review'), ('executing', 'Executing'), ('completed', 'Completed'), ('failed', 'Failed'), ('rejected', 'Rejected'), ('rolled_back', 'Undone')], default='executing', max_length=12)),
                ('review_reasons', models.JSONField(blank=True, default=list)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('amends', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='amended_by', to='chat.operationbatch')),
                ('message', models.ForeignKey(blank=True, help_text="The person's message that caused it.", null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='caused_batches', to='chat.message')),
                ('run', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='batches', to='chat.run')),
                ('session', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='operation_batches', to='chat.session')),
                ('undoes', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='undone_by', to='chat.operationbatch')),
                ('user', models.ForeignKey(blank=True, help_text='The account that did it, where there is one.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name_plural': 'groups of changes',
                'indexes': [models.Index(fields=['session', '-created_at'], name='chat_batch_session'), models.Index(fields=['owner_id', '-created_at'], name='chat_batch_owner')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('tool_call_id', ''), _negated=True), fields=('run', 'tool_call_id'), name='chat_batch_tool_call')],
                'verbose_name': 'group of changes',
            },
        ),
        migrations.CreateModel(
            name='Operation',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('sequence', models.PositiveIntegerField()),
                ('type', models.CharField(choices=[('create', 'Create'), ('update', 'Update'), ('delete', 'Delete'), ('restore', 'Restore'), ('erase', 'Delete permanently')], max_length=8)),
                ('entity', models.CharField(help_text='Name of the operable model.', max_length=40)),
                ('entity_id', models.UUIDField()),
                ('base_version', models.PositiveIntegerField(blank=True, help_text='The version that the change was made from.', null=True)),
                ('result_version', models.PositiveIntegerField(blank=True, null=True)),
                ('changed_fields', models.JSONField(blank=True, default=list)),
                ('status', models.CharField(choices=[('pending', 'Pending'), ('executing', 'Executing'), ('completed', 'Completed'), ('failed', 'Failed'), ('rolled_back', 'Undone'), ('rejected', 'Rejected')], default='pending', max_length=12)),
                ('error', models.TextField(blank=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('executed_at', models.DateTimeField(blank=True, null=True)),
                ('duration_ms', models.PositiveIntegerField(blank=True, null=True)),
                ('amends', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='amended_by', to='chat.operation')),
                ('because_of', models.ForeignKey(blank=True, help_text='The deletion that took this row along.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='entails', to='chat.operation')),
                ('undoes', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='undone_by', to='chat.operation')),
                ('batch', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='operations', to='chat.operationbatch')),
            ],
            options={
                'ordering': ['batch', 'sequence'],
                'indexes': [models.Index(fields=['entity', 'entity_id', 'created_at'], name='chat_operation_row')],
                'constraints': [models.UniqueConstraint(fields=('batch', 'sequence'), name='chat_operation_sequence')],
                'verbose_name': 'change',
                'verbose_name_plural': 'changes',
            },
        ),
        migrations.CreateModel(
            name='OperationPayload',
            fields=[
                ('operation', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='payload', serialize=False, to='chat.operation')),
                ('requested', models.JSONField(help_text='The values as they were asked for.', null=True)),
                ('before', models.JSONField(null=True)),
                ('after', models.JSONField(null=True)),
                ('digest', models.CharField(help_text='SHA-256 that an approval is bound to.', max_length=64)),
                ('erased_at', models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.RunSQL(FUNCTIONS, NO_FUNCTIONS),
    ]
