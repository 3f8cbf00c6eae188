"""NeedleBench: one row per task and length, the means of its kinds, and score files by length and depth."""

from tasks.report.summary.needlebench import NeedleBenchSummarizer
from tasks.spec import read_base

with read_base():
    from .groups.needlebench_groups import needlebench_summary_groups

summarizer = dict(type=NeedleBenchSummarizer, summary_groups=needlebench_summary_groups)
