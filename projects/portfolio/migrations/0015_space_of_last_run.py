from django.db import migrations

LEXICAL = "lexical"  # no choice: vectors come with a model


def take_over(apps, _editor):
    """The space of a portfolio's last run of the command becomes the one of its index."""
    runs = apps.get_model("portfolio", "PreprocessRun").objects.filter(status="completed")
    states = apps.get_model("portfolio", "IndexState").objects
    last = runs.order_by("portfolio_id", "-started_at").distinct("portfolio_id")
    for portfolio_id, metrics in last.values_list("portfolio_id", "metrics"):
        space = str(metrics.get("embeddingSpace", ""))
        if space and space != LEXICAL:
            states.update_or_create(portfolio_id=portfolio_id, defaults={"space": space})


class Migration(migrations.Migration):
    dependencies = [("portfolio", "0014_named_space")]

    operations = [migrations.RunPython(take_over, migrations.RunPython.noop)]
