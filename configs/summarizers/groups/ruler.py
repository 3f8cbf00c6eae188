"""RULER: the mean over its thirteen tasks, by length."""

_tasks = (
    "niah_single_1 niah_single_2 niah_single_3 niah_multikey_1 niah_multikey_2 niah_multikey_3 niah_multivalue "
    "niah_multiquery vt cwe fwe qa_1 qa_2"
)
_lengths = ("4k", "8k", "16k", "32k", "64k", "128k")

ruler_summary_groups = [
    dict(name=f"ruler_{length}", subsets=[[f"ruler_{task}_{length}", "score"] for task in _tasks.split()])
    for length in _lengths
]
