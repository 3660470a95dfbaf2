from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("tracker", "0008_planned_rounds")]

    operations = [migrations.RemoveField(model_name="season", name="points")]
