"""What the evaluation of subjective datasets is made of, and where OpenCompass has it."""

from tasks.spec.names.type_entry import TypeEntry

_PARTITIONERS = (
    ("SubjectiveNaivePartitioner", "sub_naive"),
    ("SubjectiveNumWorkerPartitioner", "sub_num_worker"),
    ("SubjectiveSizePartitioner", "sub_size"),
)
_POSTPROCESSORS = (
    ("mtbench_postprocess", "mtbench"),
    ("alpacaeval_postprocess", "alpacaeval"),
    ("alpacaeval_bradleyterry_postprocess", "alpacaeval"),
    ("arenahard_postprocess", "arena_hard"),
    ("arenahard_bradleyterry_postprocess", "arena_hard"),
)
_SUMMARIZERS = (
    ("SubjectiveSummarizer", "subjective"),
    ("DefaultSubjectiveSummarizer", "default_subjective"),
    ("MTBenchSummarizer", "subjective.mtbench"),
    ("AlpacaSummarizer", "subjective.alpacaeval"),
    ("ArenaHardSummarizer", "subjective.arenahard"),
)

SUBJECTIVE: tuple[TypeEntry, ...] = (
    TypeEntry("evaluator", "tasks.score.subjective.lm_evaluator.LMEvaluator", "openicl.icl_evaluator", "lm_evaluator"),
    TypeEntry("task", "tasks.score.kinds.SubjectiveEvalTask", "tasks", "subjective_eval"),
    *(
        TypeEntry("partitioner", f"tasks.plan.subjective_partitioners.{name}", "partitioners", module)
        for name, module in _PARTITIONERS
    ),
    *(
        TypeEntry("postprocessor", f"tasks.score.subjective.postprocessors.{name}", "datasets", f"subjective.{module}")
        for name, module in _POSTPROCESSORS
    ),
    *(
        TypeEntry("summarizer", f"tasks.report.summary.subjective.{name}", "summarizers", module)
        for name, module in _SUMMARIZERS
    ),
)
