"""MMLU: the mean over its 57 subjects, the same weighted by their questions, and the four fields."""

from tasks.spec import read_base

with read_base():
    from ...datasets.mmlu.mmlu_gen import mmlu_all_sets, mmlu_fields

_questions = [
    100, 135, 152, 100, 265, 144, 100, 100, 100, 173, 102, 100, 235, 114, 145, 378, 126, 100, 310, 203, 100, 165,
    198, 193, 390, 270, 238, 151, 545, 216, 204, 237, 223, 131, 121, 108, 163, 112, 103, 234, 100, 783, 346, 895,
    306, 311, 324, 282, 1534, 272, 612, 110, 245, 201, 100, 166, 171,
]  # fmt: skip
"""Of each subject, in the order of `mmlu_all_sets`."""

mmlu_summary_groups = [
    *(
        dict(name=f"mmlu-{field}", subsets=[f"lukaemon_mmlu_{name}" for name in names.split()])
        for field, names in mmlu_fields.items()
    ),
    dict(name="mmlu", subsets=[f"lukaemon_mmlu_{name}" for name in mmlu_all_sets]),
    dict(
        name="mmlu-weighted",
        subsets=[f"lukaemon_mmlu_{name}" for name in mmlu_all_sets],
        weights={f"lukaemon_mmlu_{name}": count for name, count in zip(mmlu_all_sets, _questions, strict=True)},
    ),
]
