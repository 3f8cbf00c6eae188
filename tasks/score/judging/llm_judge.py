"""A judge with its prompt: words the questions about samples and asks them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tasks.data.interface import Row
from tasks.data.loading import load_dataset
from tasks.prompts.templates import Template
from tasks.score.answers.extraction import extract
from tasks.score.components import step_of
from tasks.score.interface import ExtractionStatus
from tasks.score.judging.judgments import IsValid, JudgePrompt, Judgment
from tasks.score.judging.pair_judges import Judges
from tasks.score.score_error import ScoreError
from tasks.spec.call_checks import check_arguments
from tasks.spec.findings import UserError
from tasks.spec.judge_specs import judge_spec
from tasks.spec.names.type_loading import import_type
from tasks.spec.specs import DatasetSpec, ModelSpec, ReaderSpec


@dataclass(frozen=True)
class LLMJudge:
    """Built once per evaluator; asks about the samples of one pass over the rows at a time."""

    spec: ModelSpec
    template: Template
    dataset_cfg: Mapping[str, Any] | None
    """Where the rows come from that the prompt shows; None: the rows that were asked."""

    @classmethod
    def of(
        cls, prompt_template: Mapping[str, Any], judge_cfg: Mapping[str, Any] | None, dataset_cfg: Any
    ) -> "LLMJudge":
        """ScoreError if the judge or its prompt cannot be built."""
        try:
            return cls(judge_spec(judge_cfg), _template(prompt_template), dataset_cfg)
        except UserError as error:
            raise ScoreError(str(error)) from error

    def ask(
        self,
        judges: Judges,
        predictions: Sequence[Any],
        golds: Sequence[Any],
        test_set: Sequence[Row],
        is_valid: IsValid,
        positions: Sequence[int],
    ) -> list[Judgment]:
        """A judgment of each sample at `positions`, in their order."""
        rows = self._rows(judges, test_set)
        wording = judges.wording(self.spec)

        def prompts() -> Iterator[JudgePrompt]:
            for position in positions:
                gold = golds[position] or ""
                shown = {"prediction": predictions[position], "obj_gold": gold, "reference": gold}
                filled = self.template.fill({**rows[position], **shown}, {})
                yield JudgePrompt(judges.samples[position], wording.prompt(filled, generating=True))

        return judges.ask(self.spec, prompts(), lambda text: is_valid(self.read(text, judges)))

    def read(self, text: str, judges: Judges) -> str:
        """What the judge's own post-processor leaves of its answer; empty where that finds nothing."""
        if not self.spec.pred_postprocessor:
            return text
        extracted = extract(text, [step_of(self.spec.pred_postprocessor, judges.pair.search_path)], 0)
        return str(extracted.handed) if extracted.extraction.status is ExtractionStatus.FOUND else ""

    def _rows(self, judges: Judges, test_set: Sequence[Row]) -> Sequence[Row]:
        """The rows of `dataset_cfg` where that is another dataset than the one that was asked."""
        own = judges.pair.dataset
        other = _dataset(self.dataset_cfg, own) if self.dataset_cfg else own
        if (other.type, other.arguments, other.reader.test_split) == (own.type, own.arguments, own.reader.test_split):
            return test_set
        try:
            data = load_dataset(other, judges.pair.search_path)
        except UserError as error:
            raise ScoreError(f"the evaluator's dataset_cfg: {error}") from error
        if len(data.test) != len(judges.pair.data.test):
            raise ScoreError(
                f"the evaluator's dataset_cfg has {len(data.test)} rows, the dataset {len(judges.pair.data.test)}"
            )
        return [data.test[row] for row in judges.rows]


def _template(config: Mapping[str, Any]) -> Template:
    arguments = {key: value for key, value in config.items() if key != "type"}
    factory = import_type(config["type"])
    check_arguments(factory, arguments, "the judge's prompt_template")
    return factory(**arguments)


def _dataset(config: Mapping[str, Any], own: DatasetSpec) -> DatasetSpec:
    """Where the rows lie; only whole splits are of interest."""
    splits = {"train_split": own.reader.train_split, "test_split": own.reader.test_split}
    written = config.get("reader_cfg") or {}
    left_out = ("type", "abbr", "reader_cfg", "infer_cfg", "eval_cfg", "n", "k")
    return DatasetSpec(
        abbr=own.abbr,
        type=config["type"],
        written_type=str(config["type"]).rpartition(".")[2],
        arguments={key: value for key, value in config.items() if key not in left_out},
        reader=ReaderSpec(input_columns=(), **{name: written.get(name, split) for name, split in splits.items()}),
        infer_cfg={},
        place=own.place,
    )
