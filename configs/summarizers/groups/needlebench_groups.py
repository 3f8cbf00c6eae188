"""NeedleBench: per length, the means over one fact, several facts and chains, and their weighted mean (2 : 1 : 1)."""

_depths = range(0, 101, 10)
_languages = ("en", "zh")
_weights = {"origin": 2, "parallel": 1, "multi": 1}
_names = {
    f"{size}k": {
        "origin": [f"Length{size * 250 * quarter}Depth{depth}_origin" for quarter in (1, 2, 3, 4) for depth in _depths],
        "parallel": [f"Length{size * 250 * quarter}_parallel" for quarter in (1, 2, 3, 4)],
        "multi": [f"Length{size * 1000}Depth{depth}_{count}needle" for count in (2, 3, 4, 5) for depth in _depths],
    }
    for size in (4, 8, 32, 128)
}

needlebench_summary_groups = [
    dict(
        name=f"needlebench_{kind}_{size}",
        subsets=[[f"{name}_{code}_{size}", "score"] for name in names for code in _languages],
    )
    for size, kinds in _names.items()
    for kind, names in kinds.items()
]
needlebench_summary_groups += [
    dict(
        name=f"needlebench_{size}",
        subsets=[[f"needlebench_{kind}_{size}", "naive_average"] for kind in _weights],
        weights={f"needlebench_{kind}_{size}@naive_average": weight for kind, weight in _weights.items()},
    )
    for size in _names
]
