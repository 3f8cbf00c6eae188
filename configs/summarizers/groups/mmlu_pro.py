"""MMLU-Pro: the mean over its 14 categories, and the same weighted by their questions."""

from tasks.spec import read_base

with read_base():
    from ...datasets.mmlu_pro.mmlu_pro_few_shot_gen import mmlu_pro_categories

_sets = [f"mmlu_pro_{category.replace(' ', '_')}" for category in mmlu_pro_categories]
_questions = [1351, 1299, 1132, 1101, 969, 924, 844, 818, 798, 789, 717, 499, 410, 381]
"""Of each category, in their order."""

mmlu_pro_summary_groups = [
    dict(name="mmlu_pro", subsets=_sets),
    dict(name="mmlu_pro-weighted", subsets=_sets, weights=dict(zip(_sets, _questions, strict=True))),
]
