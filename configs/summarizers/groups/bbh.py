"""BIG-Bench Hard: the mean over its 27 tasks."""

from tasks.spec import read_base

with read_base():
    from ...datasets.bbh.bbh_gen import bbh_free_form_sets, bbh_multiple_choice_sets

bbh_summary_groups = [
    dict(name="bbh", subsets=[f"bbh-{name}" for name in (*bbh_multiple_choice_sets, *bbh_free_form_sets)])
]
