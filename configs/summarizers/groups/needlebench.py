"""NeedleBench: by length, the means of one fact, of several and of chains, and their weighted mean (2 : 1 : 1)."""

_languages = ("en", "zh")
_kinds = {
    "origin": (["origin"], 2),
    "parallel": (["parallel"], 1),
    "multi": (["multi_2needle", "multi_3needle", "multi_4needle", "multi_5needle"], 1),
}
_lengths = ("4k", "8k", "32k", "128k")

needlebench_summary_groups = [
    dict(
        name=f"needlebench_{kind}_{length}",
        subsets=[[f"needlebench_{part}_{code}_{length}", "score"] for part in parts for code in _languages],
    )
    for length in _lengths
    for kind, (parts, _weight) in _kinds.items()
]
needlebench_summary_groups += [
    dict(
        name=f"needlebench_{length}",
        subsets=[[f"needlebench_{kind}_{length}", "naive_average"] for kind in _kinds],
        weights={f"needlebench_{kind}_{length}@naive_average": weight for kind, (_parts, weight) in _kinds.items()},
    )
    for length in _lengths
]
