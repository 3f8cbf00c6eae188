"""CMMLU: the mean over its subjects, its four fields, and the subjects that are about China."""

from tasks.spec import read_base

with read_base():
    from ...datasets.cmmlu.cmmlu_gen import cmmlu_subjects

_china_specific = (
    "ancient_chinese chinese_civil_service_exam chinese_driving_rule chinese_food_culture chinese_foreign_policy "
    "chinese_history chinese_literature chinese_teacher_qualification construction_project_management "
    "elementary_chinese elementary_commonsense ethnology high_school_politics modern_chinese "
    "traditional_chinese_medicine"
)

cmmlu_summary_groups = [
    *(
        dict(name=f"cmmlu-{field}", subsets=[f"cmmlu-{name}" for name in subjects])
        for field, subjects in cmmlu_subjects.items()
    ),
    dict(name="cmmlu-china-specific", subsets=[f"cmmlu-{name}" for name in _china_specific.split()]),
    dict(name="cmmlu", subsets=[f"cmmlu-{name}" for subjects in cmmlu_subjects.values() for name in subjects]),
]
