"""Evaluators and post-processors, and where OpenCompass has them."""

from tasks.spec.names.type_entry import Kind, TypeEntry


def _text(name: str, registered: str = "") -> TypeEntry:
    """A post-processor for texts of any kind."""
    path = f"tasks.score.answers.text_postprocessors.{name}"
    return TypeEntry("postprocessor", path, "utils.text_postprocessors", registered=registered)


def _of_dataset(kind: Kind, module: str, *names: tuple[str, str, str]) -> tuple[TypeEntry, ...]:
    """What OpenCompass has in its package of datasets: name, module there, registered name."""
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


SCORERS: tuple[TypeEntry, ...] = (
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
    TypeEntry("postprocessor", "tasks.score.answers.mmlu_pro.mmlu_pro_published_postprocess", "datasets", "mmlu_pro"),
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
)  # fmt: skip
