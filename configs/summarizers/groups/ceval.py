"""C-Eval: the mean over its subjects, its four fields, and the eight hard subjects."""

from tasks.spec import read_base

with read_base():
    from ...datasets.ceval.ceval_gen import ceval_subjects

_hard = (
    "advanced_mathematics discrete_mathematics probability_and_statistics college_chemistry college_physics "
    "high_school_mathematics high_school_chemistry high_school_physics"
)

ceval_summary_groups = [
    *(
        dict(name=f"ceval-{field}", subsets=[f"ceval-{name}" for name in subjects])
        for field, subjects in ceval_subjects.items()
    ),
    dict(name="ceval-hard", subsets=[f"ceval-{name}" for name in _hard.split()]),
    dict(name="ceval", subsets=[f"ceval-{name}" for subjects in ceval_subjects.values() for name in subjects]),
]
