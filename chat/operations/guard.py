"""Database triggers: operable tables change in ledger transactions only, facts never.

operations = [..., guard.table("projects_project")]      # in a feature's migration
"""

from __future__ import annotations

from django.db.migrations import RunSQL

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
        IF was -> fact IS DISTINCT FROM is_now -> fact THEN
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


def functions() -> RunSQL:
    """The functions, and the triggers of the ledger's own tables."""
    return RunSQL(FUNCTIONS, NO_FUNCTIONS)


def table(name: str) -> RunSQL:
    """Guards one operable table, or the link table of its many-to-many field."""
    return RunSQL(
        f"CREATE TRIGGER ledger_only BEFORE INSERT OR UPDATE OR DELETE ON {name} "
        "FOR EACH STATEMENT EXECUTE FUNCTION chat_ledger_only()",
        f"DROP TRIGGER ledger_only ON {name}",
    )


WORDS_MAY_GO = """
CREATE OR REPLACE FUNCTION chat_facts_stay() RETURNS trigger LANGUAGE plpgsql AS $$
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
"""


def words_may_go() -> RunSQL:
    """Lets erasure blank the words of a batch, which may hold what somebody wants forgotten."""
    start = FUNCTIONS.index("CREATE FUNCTION chat_facts_stay")
    end = FUNCTIONS.index("CREATE FUNCTION chat_done_is_done")
    before = FUNCTIONS[start:end].replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION")
    return RunSQL(WORDS_MAY_GO, before)
