"""MGSM: the means over the languages in Latin script, over the others, and over all."""

from tasks.spec import read_base

with read_base():
    from ...datasets.mgsm.mgsm_gen import mgsm_instructions

_latin = ["de", "en", "es", "fr", "sw"]

mgsm_summary_groups = [
    dict(name=f"mgsm{part}", subsets=[f"mgsm_{language}" for language in languages])
    for part, languages in {
        "_latin": _latin,
        "_non_latin": [language for language in mgsm_instructions if language not in _latin],
        "": list(mgsm_instructions),
    }.items()
]
