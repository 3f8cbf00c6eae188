"""Where version 0.1 had its classes and modules: its names stand in keys, stored runs and own code for good."""

TYPES = {
    "tasks.models.openai_chat": "OpenAISDK",
    "tasks.models.openai_responses": "OpenAISDKResponse",
    "tasks.models.openai_stream": "OpenAISDKStreaming",
    "tasks.models.openai_http": "OpenAI",
    "tasks.models.openai_completion": "OpenAISDKCompletion",
    "tasks.models.gemini": "GeminiSDK",
    "tasks.models.claude": "ClaudeSDK",
    "tasks.models.litellm_api": "LiteLLMAPI",
    "tasks.models.turbomind_api": "TurboMindAPIModel",
    "tasks.models.huggingface": "HuggingFace HuggingFaceCausalLM HuggingFaceBaseModel HuggingFacewithChatTemplate",
    "tasks.models.vllm_engine": "VLLM VLLMwithChatTemplate",
    "tasks.models.lmdeploy_engine": "TurboMindModel TurboMindModelwithChatTemplate",
    "tasks.models.gguf_model": "GGUFModel",
    "tasks.data.agieval": "AGIEvalDataset_v2",
    "tasks.data.aime": "Aime2024Dataset Aime2025Dataset",
    "tasks.data.alpaca_eval": "AlpacaEvalDataset",
    "tasks.data.arc": "ARCDataset",
    "tasks.data.arena_hard": "ArenaHardDataset",
    "tasks.data.bbh": "BBHDataset",
    "tasks.data.ceval": "CEvalDataset",
    "tasks.data.chatml": "ChatMLDataset",
    "tasks.data.circular": (
        "CircularARCDataset CircularOBQADataset CircularCSQADataset CircularHSWAGDataset CircularPIQADataset "
        "CircularSIQADataset CircularCustomDataset"
    ),
    "tasks.data.clue": "CMNLIDatasetV2 OCNLIDataset CMRCDataset",
    "tasks.data.cmmlu": "CMMLUDataset",
    "tasks.data.commonsenseqa": "commonsenseqaDataset",
    "tasks.data.cruxeval": "CRUXEvalDataset",
    "tasks.data.custom": "CustomDataset",
    "tasks.data.flores": "FloresFirst100Dataset",
    "tasks.data.gaokao_bench": "GaokaoBenchDataset",
    "tasks.data.gpqa": "GPQADataset GPQASimpleEvalDataset",
    "tasks.data.generated.needlebench": "NeedleBenchOriginDataset NeedleBenchParallelDataset NeedleBenchMultiDataset",
    "tasks.data.generated.ruler": "RulerNiahDataset RulerVtDataset RulerCweDataset RulerFweDataset RulerQaDataset",
    "tasks.data.gsm8k": "GSM8KDataset",
    "tasks.data.gsm_hard": "GSMHardDataset",
    "tasks.data.hellaswag": "HellaswagDataset HellaswagDataset_V2",
    "tasks.data.hendrycks_math": "MATHDataset",
    "tasks.data.humaneval": "HumanevalDataset",
    "tasks.data.humanevalx": "HumanevalXDataset",
    "tasks.data.ifbench": "IFBenchDataset",
    "tasks.data.ifeval": "IFEvalDataset",
    "tasks.data.lambada": "lambadaDataset",
    "tasks.data.lawbench": "LawBenchDataset",
    "tasks.data.longbench": "LongBenchDataset",
    "tasks.data.mbpp": "MBPPDataset MBPPDatasetV2 SanitizedMBPPDataset",
    "tasks.data.mgsm": "MGSMSDataset",
    "tasks.data.mmlu": "MMLUDataset",
    "tasks.data.mmlu_pro": "MMLUProDataset",
    "tasks.data.open_questions": (
        "DropOpenAIDataset NaturalQuestionDataset NQOpenDataset SimpleQADataset StrategyQADataset TriviaQADataset "
        "TriviaQADatasetV2"
    ),
    "tasks.data.mtbench": "MTBenchDataset",
    "tasks.data.openbookqa": "OBQADataset",
    "tasks.data.piqa": "PIQADataset PIQADatasetV2",
    "tasks.data.race": "RaceDataset",
    "tasks.data.siqa": "siqaDataset_V3",
    "tasks.data.superglue": (
        "BoolQDataset BoolQDatasetV2 BoolQDatasetV3 COPADataset COPADataset_V2 WiCDataset WiCDatasetV2 WSCDataset "
        "WSCDatasetV2 WSCDatasetV3"
    ),
    "tasks.data.svamp": "SVAMPDataset",
    "tasks.data.theoremqa": "TheoremQADatasetV3",
    "tasks.data.truthfulqa": "TruthfulQADataset",
    "tasks.data.winograd": "winogradDataset",
    "tasks.data.winogrande": "WinograndeDataset WinograndeDatasetV2",
    "tasks.prompts.templates": "PromptTemplate RawPromptTemplate",
    "tasks.prompts.retrievers": "ZeroRetriever FixKRetriever RandomRetriever SlidingWindowRetriever",
    "tasks.prompts.bm25_retriever": "BM25Retriever",
    "tasks.prompts.embedding_retrievers": "TopkRetriever DPPRetriever VotekRetriever",
    "tasks.prompts.mdl_retriever": "MDLRetriever",
    "tasks.infer.inferencers": (
        "GenInferencer PPLInferencer PPLOnlyInferencer InferencePPLOnlyInferencer MinKPercentInferencer "
        "SWCELossInferencer LLInferencer CLPInferencer ChatInferencer ChatMLInferencer SCInferencer "
        "ParallelGenInferencer ParallelChatInferencer ParallelChatMLInferencer"
    ),
    "tasks.score.evaluators": "Gsm8kEvaluator AccEvaluator AccwithDetailsEvaluator",
    "tasks.score.lawbench_evaluators": "ConsultationEvaluator EntityEvaluator",
    "tasks.score.lawbench_labels": (
        "LawBenchEvaluator_1_2 LawBenchEvaluator_2_2 LawBenchEvaluator_2_3 LawBenchEvaluator_2_8 "
        "LawBenchEvaluator_2_9 LawBenchEvaluator_3_3 LawBenchEvaluator_3_6"
    ),
    "tasks.score.lawbench_texts": (
        "LawBenchEvaluator_1_1 LawBenchEvaluator_2_5 LawBenchEvaluator_2_7 LawBenchEvaluator_2_10 "
        "LawBenchEvaluator_3_2 LawBenchEvaluator_3_8"
    ),
    "tasks.score.lawbench_numbers": (
        "LawBenchEvaluator_3_1 LawBenchEvaluator_3_4 LawBenchEvaluator_3_5 LawBenchEvaluator_3_7"
    ),
    "tasks.score.longbench_evaluators": (
        "LongBenchF1Evaluator LongBenchCountEvaluator LongBenchRetrievalEvaluator LongBenchRougeEvaluator "
        "LongBenchCodeSimEvaluator LongBenchClassificationEvaluator"
    ),
    "tasks.score.recall_evaluators": (
        "RulerNiahEvaluator RulerVtEvaluator RulerCweEvaluator RulerFweEvaluator RulerQaEvaluator "
        "NeedleBenchOriginEvaluator NeedleBenchParallelEvaluator NeedleBenchMultiEvaluator"
    ),
    "tasks.score.ifeval_evaluator": "IFEvaluator",
    "tasks.score.ifbench_evaluator": "IFBenchEvaluator",
    "tasks.score.bbh_evaluators": "BBHEvaluator BBHEvaluator_mcq",
    "tasks.score.truthfulqa_evaluator": "TruthfulQAEvaluator",
    "tasks.score.humaneval_evaluators": "HumanEvalEvaluator HumanevalXEvaluator",
    "tasks.score.mbpp_evaluators": "MBPPEvaluator MBPPPassKEvaluator",
    "tasks.score.cruxeval_evaluator": "CRUXEvalEvaluator",
    "tasks.score.postprocessors": (
        "gsm8k_postprocess gsm8k_dataset_postprocess first_option_postprocess extract_non_reasoning_content"
    ),
    "tasks.score.bbh_answer": "bbh_mcq_postprocess bbh_freeform_postprocess",
    "tasks.score.mmlu_pro_answer": "mmlu_pro_postprocess",
    "tasks.score.open_answer_evaluators": (
        "NQEvaluator TriviaQAEvaluator DropOpenAIEvaluator LambadaEvaluator EMEvaluator SquadEvaluator"
    ),
    "tasks.score.math_evaluators": "MATHEvaluator MATHVerifyEvaluator",
    "tasks.score.mgsm_evaluator": "MGSM_Evaluator mgsm_postprocess",
    "tasks.score.theoremqa_evaluator": "TheoremQAEvaluatorV3 TheoremQA_postprocess_v3",
    "tasks.score.gaokao_bench_evaluators": (
        "GaokaoSingleChoiceEvaluator GaokaoMultiChoiceEvaluator GaokaoMultiQuestionChoiceEvaluator "
        "GaokaoFiveOutOfSevenEvaluator"
    ),
    "tasks.score.circular_evaluator": "CircularEvaluator",
    "tasks.score.option_evaluators": "GPQAEvaluator OptionSimAccEvaluator EDAccEvaluator AccContaminationEvaluator",
    "tasks.score.judging.generic_evaluator": "GenericLLMEvaluator",
    "tasks.score.judging.cascade_evaluator": "CascadeEvaluator",
    "tasks.score.judging.grades": "generic_llmjudge_postprocess generic_llmjudge_academic_postprocess",
    "tasks.score.class_evaluators": "MccEvaluator AUCROCEvaluator",
    "tasks.score.overlap_evaluators": (
        "RougeEvaluator BleuEvaluator BleuFloresEvaluator TranslationEvaluator JiebaRougeEvaluator"
    ),
    "tasks.score.likelihood_evaluators": (
        "AveragePPLEvaluator AverageMinKEvaluator AverageInferencePPLEvaluator BPCEvaluator"
    ),
    "tasks.score.math_postprocessors": "math_postprocess math_postprocess_v2 normalize_final_answer",
    "tasks.score.dataset_postprocessors": (
        "Xsum_postprocess lcsts_postprocess flores_postprocess flores_postprocess_chinese triviaqa_postprocess "
        "GPQA_Simple_Eval_postprocess cmrc_postprocess first_line_postprocess strategyqa_pred_postprocess "
        "strategyqa_dataset_postprocess"
    ),
    "tasks.score.text_postprocessors": (
        "general_postprocess general_cn_postprocess first_capital_postprocess last_capital_postprocess "
        "first_capital_postprocess_multi multiple_select_postprocess last_option_postprocess "
        "first_number_postprocess match_answer_pattern think_pred_postprocess xml_tag_postprocessor "
        "general_eval_wrapper_postprocess"
    ),
    "tasks.score.code_postprocessors": "humaneval_postprocess_v2 humaneval_postprocess_v3 cruxeval_postprocess",
    "tasks.plan.partitioners": "NaivePartitioner NumWorkerPartitioner SizePartitioner",
    "blocks.clusters.local": "LocalRunner LocalAPIRunner",
    "blocks.clusters.slurm": "SlurmRunner SlurmSequentialRunner",
    "blocks.clusters.dlc": "DLCRunner",
    "blocks.clusters.volc": "VOLCRunner",
    "blocks.clusters.rjob": "RJOBRunner",
    "blocks.clusters.dask_runner": "DaskRunner",
    "tasks.infer.kinds": "OpenICLInferTask OpenICLInferConcurrentTask",
    "tasks.score.kinds": "OpenICLEvalTask OpenICLEvalWatchTask SubjectiveEvalTask",
    "tasks.report.summarizer": "DefaultSummarizer",
    "tasks.score.subjective.lm_evaluator": "LMEvaluator",
    "tasks.plan.subjective_partitioners": (
        "SubjectiveNaivePartitioner SubjectiveNumWorkerPartitioner SubjectiveSizePartitioner"
    ),
    "tasks.score.subjective.postprocessors": (
        "mtbench_postprocess alpacaeval_postprocess alpacaeval_bradleyterry_postprocess arenahard_postprocess "
        "arenahard_bradleyterry_postprocess"
    ),
    "tasks.report.subjective": (
        "SubjectiveSummarizer DefaultSubjectiveSummarizer MTBenchSummarizer AlpacaSummarizer ArenaHardSummarizer"
    ),
    "tasks.report.column_summarizers": "CircularSummarizer MultiFacetedSummarizer",
    "tasks.report.needlebench_summarizer": "NeedleBenchSummarizer",
}
"""Names of classes and functions by their module then. Keys are made of these names: nothing here ever changes."""

MODULES = (
    ("blocks.clusters", "blocks.clusters", "calls:command_calls launched:user_runner needs:requirements"),
    ("blocks.clusters", "blocks.clusters.dask", "dask_cluster:cluster dask_job:job dask_runner:runner"),
    ("blocks.clusters", "blocks.clusters.dlc", "dlc:runner dlc_command:command dlc_sdk:sdk dlc_states:states"),
    ("blocks.clusters", "blocks.clusters.rjob", "rjob:runner rjob_command:command"),
    (
        "blocks.clusters",
        "blocks.clusters.slurm",
        "slurm:runner slurm_batch:batch slurm_options:options slurm_srun:srun slurm_states:states",
    ),
    (
        "blocks.clusters",
        "blocks.clusters.volc",
        "volc:runner volc_command:command volc_file:file volc_sdk:sdk volc_states:states",
    ),
    ("tasks.data", "tasks.data", "spool:disk_store"),
    (
        "tasks.data",
        "tasks.data.benchmarks",
        (
            "agieval aime alpaca_eval arc arena_hard bbh ceval circular clue cmmlu code_files commonsenseqa "
            "cruxeval exam_options flores gaokao_bench gpqa gsm8k gsm_hard hellaswag hendrycks_math humaneval "
            "humanevalx ifbench ifeval lambada lawbench lettered longbench mbpp mgsm mmlu mmlu_pro mtbench "
            "open_questions openbookqa piqa race siqa superglue svamp theoremqa truthfulqa winograd winogrande"
        ),
    ),
    (
        "tasks.infer",
        "tasks.infer",
        (
            "collected:predictions_record parts:part_manifests slots:request_slots spending:budget "
            "state:pair_state work_log:task_log"
        ),
    ),
    (
        "tasks.infer",
        "tasks.infer.inferencers",
        (
            "chatting:chat generating:generation inferencer:interface inferencers:names next_token perplexity "
            "scoring_asks:likelihood_requests shared_context text_losses"
        ),
    ),
    (
        "tasks.infer",
        "tasks.infer.ledger",
        "adopt:opencompass_predictions ledger ledger_index:index records shared_answers",
    ),
    ("tasks.models", "tasks.models", "thinking:reasoning_text"),
    (
        "tasks.models",
        "tasks.models.engines",
        (
            "batches engine:interface engine_backend:backend engine_client:client engine_process:process "
            "engine_replica:replica gguf_model gguf_server gpu_turn:gpu_allocation hf_engine hf_generation "
            "hf_loading hf_scoring huggingface lmdeploy_engine lmdeploy_steps prompt_tokens serve_options "
            "served:model_server vllm_engine vllm_steps"
        ),
    ),
    (
        "tasks.models",
        "tasks.models.http",
        (
            "api_service endpoints event_stream failures http_options:options io_thread keys limiter "
            "outcomes:answer_status redirects replies:json_bodies retrying:retries shared_rate streaming "
            "untrusted:reply_checks wire:client"
        ),
    ),
    (
        "tasks.models",
        "tasks.models.services",
        (
            "chat_pieces:chat_chunks chat_reply echoed:echoed_logprobs openai_chat openai_completion openai_http "
            "openai_names openai_responses openai_service openai_stream response_pieces:response_chunks "
            "scoring_service turbomind_api"
        ),
    ),
    ("tasks.models", "tasks.models.vendors", "claude gemini gemini_reply litellm_api sdk_service"),
    (
        "tasks.plan",
        "tasks.plan.checks",
        (
            "addresses checks:general judge_checks:judges missing_data model_needs prompt_checks:prompts "
            "scoring_checks:scoring"
        ),
    ),
    ("tasks.plan", "tasks.plan.source", "accelerator chatml custom_dataset hf_model overrides source:configuration"),
    ("tasks.prompts", "tasks.prompts", "building:factory text:placeholders wording:model_prompt"),
    ("tasks.report", "tasks.report", "libraries:optional_libraries metrics:result_metrics verdicts:sample_values"),
    (
        "tasks.report",
        "tasks.report.comparison",
        "comparison comparison_text flips:changed_verdicts leaderboard",
    ),
    ("tasks.report", "tasks.report.repetition", "repeat_analysis:analysis repetition:rules"),
    (
        "tasks.report",
        "tasks.report.summary",
        (
            "arithmetic column_summarizers foreign_results:opencompass_certainty groups layout "
            "needlebench_summarizer:needlebench numbers sample_counts scores spent:usage subjective summarizer "
            "summary summary_files:files workbook"
        ),
    ),
    ("tasks.report.page", "tasks.report.page", "blocks:sample_blocks serving:page_server writing:page_file"),
    ("tasks.report.stats", "tasks.report.stats", "many:multiple_comparisons power:detectable_difference"),
    (
        "tasks.score",
        "tasks.score.answers",
        (
            "answer_pattern:configured_pattern answer_words:words bbh_answer:bbh chinese_words "
            "code_answer:program code_postprocessors dataset_postprocessors decimal_value extracting:extraction "
            "latex math_answer:math_statement math_form math_postprocessors mbpp_answer:mbpp "
            "mmlu_pro_answer:mmlu_pro number_text numeric_answer:number option_answer:option option_patterns "
            "option_set postprocessors reasoning role_cut sections:next_question_cut short_answer:short_text "
            "text_postprocessors user_pattern:timed_search"
        ),
    ),
    (
        "tasks.score",
        "tasks.score.benchmarks",
        (
            "bbh_evaluators:bbh cruxeval_evaluator:cruxeval gaokao_bench_evaluators:gaokao_bench "
            "humaneval_evaluators:humaneval ifbench ifeval longbench_evaluators:longbench mbpp_evaluators:mbpp "
            "mgsm_evaluator:mgsm theoremqa_evaluator:theoremqa truthfulqa_evaluator:truthfulqa"
        ),
    ),
    ("tasks.score", "tasks.score.benchmarks.ifbench", "ifbench_evaluator:evaluator"),
    ("tasks.score", "tasks.score.benchmarks.ifeval", "ifeval_evaluator:evaluator"),
    (
        "tasks.score",
        "tasks.score.benchmarks.lawbench",
        "lawbench_evaluators:evaluators lawbench_labels:labels lawbench_numbers:numbers lawbench_texts:texts",
    ),
    (
        "tasks.score",
        "tasks.score.evaluators",
        (
            "circular_evaluator:circular class_evaluators:classification comparison evaluators:exact "
            "judged_programs:programs likelihood_evaluators:likelihood math_equality math_evaluators:mathematics "
            "math_verification open_answer_evaluators:open_answers option_evaluators:options "
            "overlap_evaluators:overlap recall_evaluators:recall rouge"
        ),
    ),
    (
        "tasks.score",
        "tasks.score.files",
        ("predictions record_slices references results results_seal:results_checksum samples stored_details"),
    ),
    ("tasks.score", "tasks.score", "details:result_details sample_reader:read_samples"),
    ("tasks.score", "tasks.score.metrics", "pair_metrics pass_at_k repeats replicas standard_error totals"),
    ("tasks.score.sandbox", "tasks.score.sandbox", "view:visible_files"),
    (
        "tasks.score.subjective",
        "tasks.score.subjective",
        (
            "hearing:contest_verdict panel:contest_judge pool:combined_verdicts rounds:dialogue_text "
            "told:contest_details"
        ),
    ),
    (
        "tasks.spec",
        "tasks.spec",
        "calling:call_checks config_values:values placing:finding_places sharing:shared_limits",
    ),
    (
        "tasks.spec",
        "tasks.spec.config",
        (
            "config_bases:bases config_data_files:data_files config_dump:dump config_file:file "
            "config_outline:outline config_syntax:syntax key_values lookup"
        ),
    ),
    (
        "tasks.spec",
        "tasks.spec.names",
        (
            "dataset_types installed_names refused_types stand_ins:opencompass_modules subjective_types "
            "type_entry type_loading type_table"
        ),
    ),
    ("tasks.spec", "tasks.spec.secrets", "secret_names:names secret_scrubber:scrubber secrets:redaction"),
    (
        "tasks.spec",
        "tasks.spec.storage",
        (
            "canonical disk given_paths:user_paths held_folder:temporary_folder json_text plain:jsonable "
            "printable run_folder seal:checksum"
        ),
    ),
)
"""Package then, package now, and the modules, `then:now` where the name is another one too."""
