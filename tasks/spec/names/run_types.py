"""Partitioners, runners, tasks and summarizers, and where OpenCompass has them."""

from tasks.spec.names.type_entry import TypeEntry

RUN_PARTS: tuple[TypeEntry, ...] = (
    TypeEntry("partitioner", "tasks.plan.partitioners.NaivePartitioner", "partitioners", "naive"),
    TypeEntry("partitioner", "tasks.plan.partitioners.NumWorkerPartitioner", "partitioners", "num_worker"),
    TypeEntry("partitioner", "tasks.plan.partitioners.SizePartitioner", "partitioners", "size"),
    TypeEntry("runner", "blocks.clusters.local.LocalRunner", "runners", "local"),
    TypeEntry("runner", "blocks.clusters.local.LocalAPIRunner", "runners", "local_api"),
    TypeEntry("runner", "blocks.clusters.slurm.runner.SlurmRunner", "runners", "slurm"),
    TypeEntry("runner", "blocks.clusters.slurm.runner.SlurmSequentialRunner", "runners", "slurm_sequential"),
    TypeEntry("runner", "blocks.clusters.dlc.runner.DLCRunner", "runners", "dlc"),
    TypeEntry("runner", "blocks.clusters.volc.runner.VOLCRunner", "runners", "volc"),
    TypeEntry("runner", "blocks.clusters.rjob.runner.RJOBRunner", "runners", "rjob"),
    TypeEntry("runner", "blocks.clusters.dask.runner.DaskRunner", "runners", "dask"),
    TypeEntry("task", "tasks.infer.kinds.OpenICLInferTask", "tasks", "openicl_infer"),
    TypeEntry("task", "tasks.infer.kinds.OpenICLInferConcurrentTask", "tasks", "openicl_infer_concurrent"),
    TypeEntry("task", "tasks.score.kinds.OpenICLEvalTask", "tasks", "openicl_eval"),
    TypeEntry("task", "tasks.score.kinds.OpenICLEvalWatchTask", "tasks", "openicl_eval_watch"),
    TypeEntry("summarizer", "tasks.report.summary.summarizer.DefaultSummarizer", "summarizers", "default"),
    TypeEntry("summarizer", "tasks.report.summary.column_summarizers.CircularSummarizer", "summarizers", "circular"),
    TypeEntry(
        "summarizer", "tasks.report.summary.column_summarizers.MultiFacetedSummarizer", "summarizers", "multi_faceted",
    ),
    TypeEntry("summarizer", "tasks.report.summary.needlebench.NeedleBenchSummarizer", "summarizers", "needlebench"),
)  # fmt: skip
