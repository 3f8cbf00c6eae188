"""The loaders of data sets, and where OpenCompass has them."""

from tasks.spec.type_entry import TypeEntry

_LOADERS = (
    ("arc", "arc", "ARCDataset"),
    ("bbh", "bbh", "BBHDataset"),
    ("chatml", "chatml", "ChatMLDataset"),
    ("circular", "circular", "CircularARCDataset CircularOBQADataset CircularCSQADataset CircularHSWAGDataset"),
    ("circular", "circular", "CircularPIQADataset CircularSIQADataset CircularCustomDataset"),
    ("commonsenseqa", "commonsenseqa", "commonsenseqaDataset"),
    ("cruxeval", "cruxeval", "CRUXEvalDataset"),
    ("custom", "custom", "CustomDataset"),
    ("gsm8k", "gsm8k", "GSM8KDataset"),
    ("hellaswag", "hellaswag", "HellaswagDataset HellaswagDataset_V2"),
    ("hendrycks_math", "math", "MATHDataset"),
    ("humaneval", "humaneval", "HumanevalDataset"),
    ("humanevalx", "humanevalx", "HumanevalXDataset"),
    ("ifeval", "IFEval", "IFEvalDataset"),
    ("lawbench", "lawbench", "LawBenchDataset"),
    ("mbpp", "mbpp", "MBPPDataset MBPPDatasetV2 SanitizedMBPPDataset"),
    ("mmlu_pro", "mmlu_pro", "MMLUProDataset"),
    ("openbookqa", "obqa", "OBQADataset"),
    ("piqa", "piqa", "PIQADataset PIQADatasetV2"),
    ("siqa", "siqa", "siqaDataset_V3"),
    ("truthfulqa", "truthfulqa", "TruthfulQADataset"),
    ("winograd", "winograd", "winogradDataset"),
    ("winogrande", "winogrande", "WinograndeDataset WinograndeDatasetV2"),
)
"""Module of ours, module of OpenCompass's package of data sets, names of the classes, divided by blanks."""

DATASETS: tuple[TypeEntry, ...] = tuple(
    TypeEntry("dataset", f"tasks.data.{ours}.{name}", "datasets", theirs)
    for ours, theirs, names in _LOADERS
    for name in names.split()
)
