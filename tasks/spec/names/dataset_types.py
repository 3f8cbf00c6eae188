"""The loaders of datasets, and where OpenCompass has them."""

from tasks.spec.names.type_entry import TypeEntry

_BENCHMARKS = (
    ("agieval", "agieval", "AGIEvalDataset_v2"),
    ("aime", "aime2024", "Aime2024Dataset"),
    ("aime", "aime2025", "Aime2025Dataset"),
    ("alpaca_eval", "subjective.alpacaeval", "AlpacaEvalDataset"),
    ("arc", "arc", "ARCDataset"),
    ("arena_hard", "subjective.arena_hard", "ArenaHardDataset"),
    ("bbh", "bbh", "BBHDataset"),
    ("ceval", "ceval", "CEvalDataset"),
    ("circular", "circular", "CircularARCDataset CircularOBQADataset CircularCSQADataset CircularHSWAGDataset"),
    ("circular", "circular", "CircularPIQADataset CircularSIQADataset CircularCustomDataset"),
    ("clue", "cmnli", "CMNLIDatasetV2 OCNLIDataset"),
    ("clue", "cmrc", "CMRCDataset"),
    ("cmmlu", "cmmlu", "CMMLUDataset"),
    ("commonsenseqa", "commonsenseqa", "commonsenseqaDataset"),
    ("cruxeval", "cruxeval", "CRUXEvalDataset"),
    ("flores", "flores", "FloresFirst100Dataset"),
    ("gaokao_bench", "GaokaoBench", "GaokaoBenchDataset"),
    ("gpqa", "gpqa", "GPQADataset GPQASimpleEvalDataset"),
    ("gsm8k", "gsm8k", "GSM8KDataset"),
    ("gsm_hard", "gsm_hard", "GSMHardDataset"),
    ("hellaswag", "hellaswag", "HellaswagDataset HellaswagDataset_V2"),
    ("hendrycks_math", "math", "MATHDataset"),
    ("humaneval", "humaneval", "HumanevalDataset"),
    ("humanevalx", "humanevalx", "HumanevalXDataset"),
    ("ifbench", "IFBench", "IFBenchDataset"),
    ("ifeval", "IFEval", "IFEvalDataset"),
    ("lambada", "lambada", "lambadaDataset"),
    ("lawbench", "lawbench", "LawBenchDataset"),
    ("longbench", "longbench", "LongBenchDataset"),
    ("mbpp", "mbpp", "MBPPDataset MBPPDatasetV2 SanitizedMBPPDataset"),
    ("mgsm", "mgsm", "MGSMSDataset"),
    ("mmlu", "mmlu", "MMLUDataset"),
    ("mmlu_pro", "mmlu_pro", "MMLUProDataset"),
    ("open_questions", "drop_simple_eval", "DropOpenAIDataset"),
    ("open_questions", "natural_question", "NaturalQuestionDataset NQOpenDataset"),
    ("open_questions", "simpleqa", "SimpleQADataset"),
    ("open_questions", "strategyqa", "StrategyQADataset"),
    ("open_questions", "triviaqa", "TriviaQADataset TriviaQADatasetV2"),
    ("mtbench", "subjective.mtbench", "MTBenchDataset"),
    ("openbookqa", "obqa", "OBQADataset"),
    ("piqa", "piqa", "PIQADataset PIQADatasetV2"),
    ("race", "race", "RaceDataset"),
    ("siqa", "siqa", "siqaDataset_V3"),
    ("superglue", "boolq", "BoolQDataset BoolQDatasetV2 BoolQDatasetV3"),
    ("superglue", "copa", "COPADataset COPADataset_V2"),
    ("superglue", "wic", "WiCDataset WiCDatasetV2"),
    ("superglue", "wsc", "WSCDataset WSCDatasetV2 WSCDatasetV3"),
    ("svamp", "svamp", "SVAMPDataset"),
    ("theoremqa", "TheoremQA", "TheoremQADatasetV3"),
    ("truthfulqa", "truthfulqa", "TruthfulQADataset"),
    ("winograd", "winograd", "winogradDataset"),
    ("winogrande", "winogrande", "WinograndeDataset WinograndeDatasetV2"),
)
"""Module of ours, module of OpenCompass's package of datasets, names of the classes, divided by blanks."""

_GENERAL = (
    ("chatml", "chatml", "ChatMLDataset"),
    ("custom", "custom", "CustomDataset"),
    ("generated.needlebench", "needlebench_v2", "NeedleBenchOriginDataset NeedleBenchParallelDataset"),
    ("generated.needlebench", "needlebench_v2", "NeedleBenchMultiDataset"),
    ("generated.ruler", "ruler", "RulerNiahDataset RulerVtDataset RulerCweDataset RulerFweDataset RulerQaDataset"),
)

DATASETS: tuple[TypeEntry, ...] = tuple(
    TypeEntry("dataset", f"tasks.data.{folder}{ours}.{name}", "datasets", theirs)
    for folder, loaders in (("benchmarks.", _BENCHMARKS), ("", _GENERAL))
    for ours, theirs, names in loaders
    for name in names.split()
)
