"""Scores answers that are neither right nor wrong by asking judges: one by one, or next to those of other models."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from tasks.data.interface import Row
from tasks.score.components import step_of
from tasks.score.interface import BaseEvaluator
from tasks.score.judging.llm_judge import LLMJudge
from tasks.score.judging.pair_judges import Judges
from tasks.score.score_error import ScoreError
from tasks.score.subjective.combined_verdicts import mean_metrics
from tasks.score.subjective.contest import Side, contests
from tasks.score.subjective.contest_details import details, told
from tasks.score.subjective.contest_judge import Bench, PanelJudge
from tasks.score.subjective.contest_verdict import Hearing, Pool
from tasks.score.subjective.opponents import opponent_side
from tasks.score.subjective.postprocessors import VerdictPostprocessor
from tasks.spec.specs import SubjectiveSpec

Config = Mapping[str, Any]


class LMEvaluator(BaseEvaluator):
    """Asks judges about every answer, or about every two answers to the same row."""

    def __init__(  # noqa: PLR0913, PLR0917 the options are OpenCompass's
        self,
        prompt_template: Config | Sequence[Config],
        judge_cfg: Config | Sequence[Config] | None = None,
        dict_postprocessor: Config | None = None,
        pool: Pool = "mean",
        meta_review_prompt_template: Config | None = None,
        pred_postprocessor: Config | None = None,
        keep_predictions: bool = False,
        dataset_cfg: Config | None = None,
        output_path: str = "",
        pack_all_predictions: bool = False,
        multi_eval: bool = False,
    ) -> None:
        """Options as in OpenCompass, and `pool`.

        Args:
            prompt_template: What the judge is asked; a list has one prompt for each turn that is judged. It can name
                the row's columns, `prediction` (of two models `prediction2` as well) and rounds of it, `prediction_r1`.
            judge_cfg: The judge, or several; a partitioner's `judge_models` come before it.
            dict_postprocessor: Turns what the judge said into metrics.
            pool: Of several judges, the mean of their metrics, or the metrics of the verdicts that most gave.
            meta_review_prompt_template: What a partitioner's `meta_judge_model` is asked; it can name `judgement`.
            pred_postprocessor: What the answers go through before they are judged.
            keep_predictions: Whether the judges' files hold the answers as well.
            dataset_cfg: Accepted for compatibility, as are the following: the rows that were asked are shown.
            output_path: The judges' files have their places in the run folder.
            pack_all_predictions: A template can name all rounds together and each of them.
            multi_eval: Turns are judged if `prompt_template` is a list.
        """
        self.prompt_template = prompt_template
        self.judge_cfg = judge_cfg
        self.dict_postprocessor = dict_postprocessor
        self.pool: Pool = pool
        self.meta_review_prompt_template = meta_review_prompt_template
        self.pred_postprocessor = pred_postprocessor
        self.keep_predictions = keep_predictions
        self.dataset_cfg = dataset_cfg
        self.output_path = output_path
        self.pack_all_predictions = pack_all_predictions
        self.multi_eval = multi_eval

    def score(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, predictions: Sequence[Any], test_set: Sequence[Row], judges: Judges
    ) -> dict[str, Any]:
        """Metrics are means over judges and opponents; ScoreError where a judge gave no verdict at all."""
        spec = judges.pair.dataset.subjective or SubjectiveSpec()
        hearing = self._hearing(spec, judges, test_set)
        subject, pair = Side(judges.pair.pair.model, predictions), judges.pair
        opponents = [
            opponent_side(opponent, judges.view, pair.folder, pair.dataset, pair.data, pair.search_path)
            for opponent in spec.opponents
        ]
        held = [hearing.hold(contest, spec.infer_order) for contest in contests(subject, opponents, spec)]
        result = mean_metrics([contest.result for contest in held])
        return result | told(held, hearing.scale) | {"details": details(held, hearing, len(predictions))}

    def _hearing(self, spec: SubjectiveSpec, judges: Judges, test_set: Sequence[Row]) -> Hearing:
        if not self.dict_postprocessor:
            raise ScoreError("LMEvaluator has no dict_postprocessor, which makes scores of verdicts")
        templates = _as_list(self.prompt_template)
        panel = [_judge(config, templates) for config in spec.judges or _as_list(self.judge_cfg) or [None]]
        meta = None
        if spec.meta_judge is not None:
            if self.meta_review_prompt_template is None:
                raise ScoreError("there is a meta judge, but LMEvaluator has no meta_review_prompt_template")
            meta = _judge(spec.meta_judge, [self.meta_review_prompt_template] * len(templates))
        count = step_of(dict(self.dict_postprocessor), judges.pair.search_path)
        scale = count.function.scale if isinstance(count.function, VerdictPostprocessor) else None
        return Hearing(panel, meta, count, self.pool, self.keep_predictions, Bench(judges, test_set, scale))


def _judge(config: Config | None, templates: Sequence[Config]) -> PanelJudge:
    return PanelJudge(tuple(LLMJudge.of(template, config, None) for template in templates))


def _as_list(value: Any) -> list[Config]:
    if not value:
        return []
    return list(cast(Sequence[Config], value)) if isinstance(value, list | tuple) else [cast(Config, value)]
