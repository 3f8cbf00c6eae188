"""AGIEval: the means over its Chinese sets, its English ones, those of the Gaokao, and all."""

from tasks.spec import read_base

with read_base():
    from ...datasets.agieval.agieval_gen import (
        agieval_chinese_choice_sets,
        agieval_chinese_result_sets,
        agieval_english_choice_sets,
        agieval_english_result_sets,
        agieval_several_options_sets,
    )

_chinese = [*agieval_chinese_choice_sets, *agieval_several_options_sets, *agieval_chinese_result_sets]
_english = [*agieval_english_choice_sets, *agieval_english_result_sets]

agieval_summary_groups = [
    dict(name=f"agieval{part}", subsets=[f"agieval-{name}" for name in names])
    for part, names in {
        "-chinese": _chinese,
        "-english": _english,
        "-gaokao": [name for name in _chinese if name.startswith("gaokao")],
        "": [*_chinese, *_english],
    }.items()
]
