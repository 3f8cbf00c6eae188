"""FLORES: the mean BLEU from English, into English, and of both."""

from tasks.spec import read_base

with read_base():
    from ...datasets.flores.flores_gen import flores_languages

flores_summary_groups = [
    dict(name="flores_100_eng-x", subsets=[[f"flores_100_eng-{name}", "score"] for name in flores_languages]),
    dict(name="flores_100_x-eng", subsets=[[f"flores_100_{name}-eng", "score"] for name in flores_languages]),
    dict(
        name="flores_100",
        subsets=[["flores_100_eng-x", "naive_average"], ["flores_100_x-eng", "naive_average"]],
    ),
]
