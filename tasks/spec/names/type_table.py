"""The one table of names: our classes and functions, and what OpenCompass calls them.

One entry per class: kind, our dotted path, where OpenCompass has it, and its other names. Nothing is imported.
"""

from functools import cache
from typing import Any

from tasks.spec.names.dataset_types import DATASETS
from tasks.spec.names.subjective_types import SUBJECTIVE
from tasks.spec.names.type_entry import Kind, TypeEntry

_OPENAI: dict[str, Any] = {"key_variable": "OPENAI_API_KEY", "url_variable": "OPENAI_BASE_URL"}


def _inferencers(*names: tuple[str, str]) -> list[TypeEntry]:
    """Entries by class name and the module that OpenCompass defines it in."""
    ours, package = "tasks.infer.inferencers.names", "openicl.icl_inferencer"
    return [TypeEntry("inferencer", f"{ours}.{name}", package, module) for name, module in names]


def _text(name: str, registered: str = "") -> TypeEntry:
    """A post-processor for texts of any kind."""
    path = f"tasks.score.answers.text_postprocessors.{name}"
    return TypeEntry("postprocessor", path, "utils.text_postprocessors", registered=registered)


def _of_dataset(kind: Kind, module: str, *names: tuple[str, str, str]) -> tuple[TypeEntry, ...]:
    """What OpenCompass has in its package of data sets: name, module there, registered name."""
    return tuple(
        TypeEntry(kind, f"tasks.score.{module}.{name}", "datasets", theirs, registered)
        for name, theirs, registered in names
    )


def _icl(module: str, *names: tuple[str, str]) -> tuple[TypeEntry, ...]:
    """Evaluators of OpenCompass's package for in-context learning: name and module there."""
    return tuple(
        TypeEntry("evaluator", f"tasks.score.{module}.{name}", "openicl.icl_evaluator", theirs)
        for name, theirs in names
    )


TABLE: tuple[TypeEntry, ...] = (
    TypeEntry("model", "tasks.models.services.openai_chat.OpenAISDK", "models", "openai_api", **_OPENAI),
    TypeEntry(
        "model", "tasks.models.services.openai_responses.OpenAISDKResponse", "models", "openai_response", **_OPENAI,
    ),
    TypeEntry(
        "model", "tasks.models.services.openai_stream.OpenAISDKStreaming", "models", "openai_streaming", **_OPENAI,
    ),
    TypeEntry("model", "tasks.models.services.openai_http.OpenAI", "models", "openai_api", **_OPENAI),
    TypeEntry(
        "model", "tasks.models.services.openai_completion.OpenAISDKCompletion", "models", "openai_api", **_OPENAI,
    ),
    TypeEntry(
        "model", "tasks.models.vendors.gemini.GeminiSDK", "models", "gemini_sdk_api",
        key_variable="GOOGLE_API_KEY GEMINI_API_KEY", url_variable="GEMINI_BASE_URL",
    ),
    TypeEntry(
        "model", "tasks.models.vendors.claude.ClaudeSDK", "models", "claude_sdk_api",
        key_variable="ANTHROPIC_API_KEY", url_variable="ANTHROPIC_BASE_URL",
    ),
    TypeEntry("model", "tasks.models.vendors.litellm_api.LiteLLMAPI", "models", "litellm_api"),
    TypeEntry("model", "tasks.models.services.turbomind_api.TurboMindAPIModel", "models", "turbomind_api"),
    TypeEntry(
        "model", "tasks.models.engines.huggingface.HuggingFace", "models", "huggingface", loads_weights=True
    ),
    TypeEntry(
        "model", "tasks.models.engines.huggingface.HuggingFaceCausalLM", "models", "huggingface", loads_weights=True
    ),
    TypeEntry(
        "model", "tasks.models.engines.huggingface.HuggingFaceBaseModel", "models", "huggingface_above_v4_33",
        loads_weights=True,
    ),
    TypeEntry(
        "model", "tasks.models.engines.huggingface.HuggingFacewithChatTemplate", "models", "huggingface_above_v4_33",
        loads_weights=True,
    ),
    TypeEntry("model", "tasks.models.engines.vllm_engine.VLLM", "models", "vllm", loads_weights=True),
    TypeEntry(
        "model", "tasks.models.engines.lmdeploy_engine.TurboMindModel", "models", "turbomind", loads_weights=True,
    ),
    TypeEntry("model", "tasks.models.engines.gguf_model.GGUFModel", "models", loads_weights=True),
    TypeEntry(
        "model", "tasks.models.engines.vllm_engine.VLLMwithChatTemplate", "models", "vllm_with_tf_above_v4_33",
        loads_weights=True,
    ),
    TypeEntry(
        "model", "tasks.models.engines.lmdeploy_engine.TurboMindModelwithChatTemplate", "models",
        "turbomind_with_tf_above_v4_33", loads_weights=True,
    ),
    *DATASETS,
    TypeEntry("template", "tasks.prompts.templates.PromptTemplate", "openicl.icl_prompt_template"),
    TypeEntry("template", "tasks.prompts.templates.RawPromptTemplate", "openicl.icl_raw_prompt_template"),
    TypeEntry("retriever", "tasks.prompts.retrievers.ZeroRetriever", "openicl.icl_retriever", "icl_zero_retriever"),
    TypeEntry("retriever", "tasks.prompts.retrievers.FixKRetriever", "openicl.icl_retriever", "icl_fix_k_retriever"),
    TypeEntry("retriever", "tasks.prompts.retrievers.RandomRetriever", "openicl.icl_retriever", "icl_random_retriever"),
    TypeEntry(
        "retriever", "tasks.prompts.retrievers.SlidingWindowRetriever", "openicl.icl_retriever",
        "icl_sliding_k_retriever",
    ),
    TypeEntry("retriever", "tasks.prompts.bm25_retriever.BM25Retriever", "openicl.icl_retriever", "icl_bm25_retriever"),
    TypeEntry(
        "retriever", "tasks.prompts.embedding_retrievers.TopkRetriever", "openicl.icl_retriever", "icl_topk_retriever"
    ),
    TypeEntry(
        "retriever", "tasks.prompts.embedding_retrievers.DPPRetriever", "openicl.icl_retriever", "icl_dpp_retriever"
    ),
    TypeEntry(
        "retriever", "tasks.prompts.embedding_retrievers.VotekRetriever", "openicl.icl_retriever", "icl_votek_retriever"
    ),
    TypeEntry("retriever", "tasks.prompts.mdl_retriever.MDLRetriever", "openicl.icl_retriever", "icl_mdl_retriever"),
    TypeEntry(
        "inferencer", "tasks.infer.inferencers.names.GenInferencer", "openicl.icl_inferencer", "icl_gen_inferencer",
    ),
    *_inferencers(
        ("PPLInferencer", "icl_ppl_inferencer"),
        ("PPLOnlyInferencer", "icl_ppl_only_inferencer"),
        ("InferencePPLOnlyInferencer", "icl_inference_ppl_only_inferencer"),
        ("MinKPercentInferencer", "icl_mink_percent_inferencer"),
        ("SWCELossInferencer", "icl_sw_ce_loss_inferencer"),
        ("LLInferencer", "icl_ll_inferencer"),
        ("CLPInferencer", "icl_clp_inferencer"),
        ("ChatInferencer", "icl_chat_inferencer"),
        ("ChatMLInferencer", "icl_chatml_inferencer"),
        ("SCInferencer", "icl_sc_inferencer"),
        ("ParallelGenInferencer", "icl_gen_inferencer"),
        ("ParallelChatInferencer", "icl_chat_inferencer"),
        ("ParallelChatMLInferencer", "icl_chatml_inferencer"),
    ),
    TypeEntry("evaluator", "tasks.score.evaluators.exact.Gsm8kEvaluator", "datasets", "gsm8k"),
    TypeEntry(
        "evaluator", "tasks.score.benchmarks.lawbench.evaluators.ConsultationEvaluator", "datasets", "lawbench",
        registered="LawBenchEvaluator_2_4",
    ),
    TypeEntry(
        "evaluator", "tasks.score.benchmarks.lawbench.evaluators.EntityEvaluator", "datasets", "lawbench",
        registered="LawBenchEvaluator_2_6",
    ),
    *(
        TypeEntry("evaluator", f"tasks.score.{module}.LawBenchEvaluator_{task}", "datasets", "lawbench")
        for module, tasks in (
            ("benchmarks.lawbench.labels", "1_2 2_2 2_3 2_8 2_9 3_3 3_6"),
            ("benchmarks.lawbench.texts", "1_1 2_5 2_7 2_10 3_2 3_8"),
            ("benchmarks.lawbench.numbers", "3_1 3_4 3_5 3_7"),
        )
        for task in tasks.split()
    ),
    *_of_dataset(
        "evaluator", "benchmarks.longbench",
        *(
            (f"LongBench{kind}Evaluator", "longbench", "")
            for kind in ("F1", "Count", "Retrieval", "Rouge", "CodeSim", "Classification")
        ),
    ),
    *_of_dataset(
        "evaluator", "evaluators.recall",
        *((f"Ruler{task}Evaluator", "ruler", "") for task in ("Niah", "Vt", "Cwe", "Fwe", "Qa")),
        *((f"NeedleBench{kind}Evaluator", "needlebench_v2", "") for kind in ("Origin", "Parallel", "Multi")),
    ),
    TypeEntry("evaluator", "tasks.score.benchmarks.ifeval.evaluator.IFEvaluator", "datasets", "IFEval"),
    TypeEntry("evaluator", "tasks.score.benchmarks.ifbench.evaluator.IFBenchEvaluator", "datasets", "IFBench"),
    TypeEntry("evaluator", "tasks.score.benchmarks.bbh.BBHEvaluator", "datasets", "bbh"),
    TypeEntry("evaluator", "tasks.score.benchmarks.bbh.BBHEvaluator_mcq", "datasets", "bbh"),
    TypeEntry("evaluator", "tasks.score.benchmarks.truthfulqa.TruthfulQAEvaluator", "datasets", "truthfulqa"),
    TypeEntry("evaluator", "tasks.score.benchmarks.humaneval.HumanEvalEvaluator", "datasets", "humaneval"),
    TypeEntry("evaluator", "tasks.score.benchmarks.humaneval.HumanevalXEvaluator", "datasets", "humanevalx"),
    TypeEntry("evaluator", "tasks.score.benchmarks.mbpp.MBPPEvaluator", "datasets", "mbpp"),
    TypeEntry("evaluator", "tasks.score.benchmarks.mbpp.MBPPPassKEvaluator", "datasets", "mbpp"),
    TypeEntry("evaluator", "tasks.score.benchmarks.cruxeval.CRUXEvalEvaluator", "datasets", "cruxeval"),
    TypeEntry("evaluator", "tasks.score.evaluators.exact.AccEvaluator", "openicl.icl_evaluator", "icl_hf_evaluator"),
    TypeEntry(
        "evaluator", "tasks.score.evaluators.exact.AccwithDetailsEvaluator", "openicl.icl_evaluator", "icl_hf_evaluator"
    ),
    TypeEntry("postprocessor", "tasks.score.answers.postprocessors.gsm8k_postprocess", "datasets", "gsm8k", "gsm8k"),
    TypeEntry("postprocessor", "tasks.score.answers.bbh.bbh_mcq_postprocess", "datasets", "bbh", "bbh-mcq"),
    TypeEntry("postprocessor", "tasks.score.answers.bbh.bbh_freeform_postprocess", "datasets", "bbh", "bbh-freeform"),
    TypeEntry("postprocessor", "tasks.score.answers.mmlu_pro.mmlu_pro_postprocess", "datasets", "mmlu_pro"),
    TypeEntry(
        "postprocessor", "tasks.score.answers.postprocessors.gsm8k_dataset_postprocess", "datasets", "gsm8k",
        "gsm8k_dataset"
    ),
    TypeEntry(
        "postprocessor", "tasks.score.answers.postprocessors.first_option_postprocess", "utils.text_postprocessors",
        registered="first-option",
    ),
    TypeEntry(
        "postprocessor", "tasks.score.answers.postprocessors.extract_non_reasoning_content",
        "utils.text_postprocessors",
        registered="extract-non-reasoning-content",
    ),
    *_of_dataset(
        "evaluator", "evaluators.open_answers", ("NQEvaluator", "natural_question", ""),
        ("TriviaQAEvaluator", "triviaqa", ""), ("DropOpenAIEvaluator", "drop_simple_eval", ""),
        ("LambadaEvaluator", "lambada", ""),
    ),
    *_of_dataset("evaluator", "evaluators.mathematics", ("MATHEvaluator", "math", "")),
    *_of_dataset("evaluator", "benchmarks.mgsm", ("MGSM_Evaluator", "mgsm", "")),
    *_of_dataset("evaluator", "benchmarks.theoremqa", ("TheoremQAEvaluatorV3", "TheoremQA", "")),
    *_of_dataset(
        "evaluator", "benchmarks.gaokao_bench",
        ("GaokaoSingleChoiceEvaluator", "GaokaoBench", "GaokaoBenchEvaluator_single_choice"),
        ("GaokaoMultiChoiceEvaluator", "GaokaoBench", "GaokaoBenchEvaluator_multi_choice"),
        ("GaokaoMultiQuestionChoiceEvaluator", "GaokaoBench", "GaokaoBenchEvaluator_multi_question_choice"),
        ("GaokaoFiveOutOfSevenEvaluator", "GaokaoBench", "GaokaoBenchEvaluator_five_out_of_seven"),
    ),
    *_of_dataset("postprocessor", "benchmarks.mgsm", ("mgsm_postprocess", "mgsm", "mgsm")),
    *_of_dataset("postprocessor", "benchmarks.theoremqa", ("TheoremQA_postprocess_v3", "TheoremQA", "")),
    *_of_dataset("evaluator", "evaluators.circular", ("CircularEvaluator", "circular", "")),
    *_of_dataset(
        "evaluator", "evaluators.options", ("GPQAEvaluator", "gpqa", ""), ("OptionSimAccEvaluator", "custom", "")
    ),
    TypeEntry("evaluator", "tasks.score.evaluators.mathematics.MATHVerifyEvaluator", "evaluator", "math_evaluator"),
    TypeEntry(
        "evaluator", "tasks.score.judging.generic_evaluator.GenericLLMEvaluator", "evaluator", "generic_llm_evaluator"
    ),
    TypeEntry("evaluator", "tasks.score.judging.cascade_evaluator.CascadeEvaluator", "evaluator", "cascade_evaluator"),
    *_of_dataset(
        "postprocessor", "judging.grades", ("generic_llmjudge_postprocess", "generic", ""),
        ("generic_llmjudge_academic_postprocess", "generic", ""),
    ),
    *_icl("evaluators.open_answers", ("EMEvaluator", "icl_em_evaluator"), ("SquadEvaluator", "icl_hf_evaluator")),
    *_icl("evaluators.circular", ("CircularEvaluator", "icl_circular_evaluator")),
    *_icl(
        "evaluators.options", ("EDAccEvaluator", "icl_hf_evaluator"),
        ("AccContaminationEvaluator", "icl_hf_evaluator"),
    ),
    *_icl(
        "evaluators.classification", ("MccEvaluator", "icl_hf_evaluator"), ("AUCROCEvaluator", "icl_aucroc_evaluator")
    ),
    *_icl(
        "evaluators.overlap", ("RougeEvaluator", "icl_hf_evaluator"), ("BleuEvaluator", "icl_hf_evaluator"),
        ("BleuFloresEvaluator", "icl_hf_evaluator"), ("TranslationEvaluator", ""),
        ("JiebaRougeEvaluator", "icl_jieba_rouge_evaluator"),
    ),
    *_icl(
        "evaluators.likelihood", ("AveragePPLEvaluator", "icl_misc_evaluator"),
        ("AverageMinKEvaluator", "icl_misc_evaluator"), ("AverageInferencePPLEvaluator", "icl_misc_evaluator"),
        ("BPCEvaluator", "icl_bpc_evaluator"),
    ),
    *_of_dataset(
        "postprocessor", "answers.math_postprocessors", ("math_postprocess", "math", "math_postprocess"),
        ("math_postprocess_v2", "math", "math_postprocess_v2"), ("normalize_final_answer", "math", ""),
    ),
    *_of_dataset(
        "postprocessor", "answers.dataset_postprocessors", ("Xsum_postprocess", "xsum", "Xsum"),
        ("lcsts_postprocess", "lcsts", "lcsts"), ("flores_postprocess", "flores", "flores"),
        ("flores_postprocess_chinese", "flores", "flores-chinese"), ("triviaqa_postprocess", "triviaqa", "triviaqa"),
        ("GPQA_Simple_Eval_postprocess", "gpqa", ""), ("cmrc_postprocess", "cmrc", "cmrc"),
        ("first_line_postprocess", "longbench", ""),
        ("strategyqa_pred_postprocess", "strategyqa", "strategyqa"),
        ("strategyqa_dataset_postprocess", "strategyqa", "strategyqa_dataset"),
    ),
    _text("general_postprocess", "general"),
    _text("general_cn_postprocess", "general_cn"),
    _text("first_capital_postprocess", "first-capital"),
    _text("last_capital_postprocess", "last-capital"),
    _text("first_capital_postprocess_multi", "first-capital-multi"),
    _text("multiple_select_postprocess", "multiple-select"),
    _text("last_option_postprocess", "last-option"),
    _text("first_number_postprocess", "first-number"),
    _text("match_answer_pattern"),
    _text("think_pred_postprocess", "think_pred"),
    _text("xml_tag_postprocessor", "specific-xml-tag"),
    _text("general_eval_wrapper_postprocess", "general_eval_wrapper"),
    TypeEntry(
        "postprocessor", "tasks.score.answers.code_postprocessors.humaneval_postprocess_v2", "datasets", "humaneval",
    ),
    TypeEntry(
        "postprocessor", "tasks.score.answers.code_postprocessors.humaneval_postprocess_v3", "datasets", "humaneval",
    ),
    TypeEntry("postprocessor", "tasks.score.answers.code_postprocessors.cruxeval_postprocess", "datasets", "cruxeval"),
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
    *SUBJECTIVE,
    TypeEntry("summarizer", "tasks.report.summary.column_summarizers.CircularSummarizer", "summarizers", "circular"),
    TypeEntry(
        "summarizer", "tasks.report.summary.column_summarizers.MultiFacetedSummarizer", "summarizers", "multi_faceted",
    ),
    TypeEntry("summarizer", "tasks.report.summary.needlebench.NeedleBenchSummarizer", "summarizers", "needlebench"),
)  # fmt: skip


@cache
def _by_path() -> dict[str, TypeEntry]:
    paths = {entry.ours: entry for entry in TABLE}
    for entry in TABLE:
        paths[entry.opencompass] = entry
        if entry.module:
            paths[f"opencompass.{entry.package}.{entry.module}.{entry.name}"] = entry
    return paths


@cache
def _by_area() -> dict[tuple[str, str], TypeEntry | None]:
    """Entries by package (`opencompass.models`, `tasks.models`) and name; None where two share both."""
    areas: dict[tuple[str, str], TypeEntry | None] = {}
    for entry in TABLE:
        for path in (entry.ours, entry.opencompass):
            key = (_area(path), entry.name)
            other = areas.get(key, entry)
            areas[key] = entry if other and other.ours == entry.ours else None
    return areas


@cache
def _by_short_name() -> dict[str, tuple[TypeEntry, ...]]:
    names: dict[str, tuple[TypeEntry, ...]] = {}
    for entry in TABLE:
        for name in {entry.name, entry.registered or entry.name}:
            names[name] = (*names.get(name, ()), entry)
    return names


def _area(path: str) -> str:
    return ".".join(path.split(".")[:2])


def entry_of(path: str) -> TypeEntry | None:
    """The entry that a dotted path of ours or of OpenCompass means, whichever module of the package it names."""
    return _by_path().get(path) or _by_area().get((_area(path), path.rpartition(".")[2]))


def entries_named(name: str) -> tuple[TypeEntry, ...]:
    """The entries with this short or registered name."""
    return _by_short_name().get(name, ())


def short_names(kind: Kind) -> list[str]:
    """All short names of one kind."""
    return [name for name, entries in _by_short_name().items() if any(entry.kind == kind for entry in entries)]
