"""One contest before all judges: what each says, and what holds."""

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from tasks.score.components import Step
from tasks.score.score_error import ScoreError
from tasks.score.subjective.combined_verdicts import majority_records, mean_metrics
from tasks.score.subjective.contest import Contest, Order, Question, questions
from tasks.score.subjective.contest_judge import Bench, Heard, PanelJudge
from tasks.score.subjective.judged_files import JUDGED, SUMMARIZED, write_judged
from tasks.score.subjective.verdict import Scale

Pool = Literal["mean", "majority"]


@dataclass(frozen=True)
class Held:
    """A contest with its outcome."""

    contest: Contest
    asked: Sequence[Question]
    heard: Sequence[Heard]
    """Of each judge, the meta judge last."""
    deciding: Sequence[Mapping[str, Mapping[str, Any]]]
    """The records that the result is made of."""
    result: Mapping[str, Any]
    by_judge: Mapping[str, Mapping[str, Any]]
    """What each judge's own verdicts come to."""


@dataclass(frozen=True)
class Hearing:
    """Who judges, and how verdicts are counted."""

    panel: Sequence[PanelJudge]
    meta: PanelJudge | None
    count: Step
    """The `dict_postprocessor`."""
    pool: Pool
    keep_predictions: bool
    bench: Bench

    @property
    def scale(self) -> Scale | None:
        """The verdicts there are, where that is known."""
        return self.bench.scale

    def hold(self, contest: Contest, order: Order) -> Held:
        """ScoreError where a judge gave no verdict that can be read, or no row has both answers."""
        asked = list(questions(contest, self.bench.judges.rows, len(self.panel[0].prompts), order))
        if not asked:
            raise ScoreError(f"there is no row that both {' and '.join(side.model for side in contest.sides)} answered")
        heard = [judge.hear(contest, asked, self.bench) for judge in self.panel]
        by_judge = {said.judge: self._counted(said, asked, JUDGED) for said in heard}
        records = [said.records for said in heard]
        if self.meta is not None:
            last = self._review(self.meta, contest, asked, heard)
            result = self._counted(last, asked, SUMMARIZED)
            return Held(contest, asked, [*heard, last], [last.records], result, by_judge)
        if self.pool == "majority" and len(heard) > 1 and self.scale is not None:
            merged = majority_records(records, self.scale)
            return Held(contest, asked, heard, [merged], self._metrics(merged, "the judges together"), by_judge)
        return Held(contest, asked, heard, records, mean_metrics(list(by_judge.values())), by_judge)

    def _review(self, meta: PanelJudge, contest: Contest, asked: Sequence[Question], heard: Sequence[Heard]) -> Heard:
        def judgements(number: int) -> Mapping[str, str]:
            said = [str(other.records.get(str(number), {}).get("prediction") or "") for other in heard]
            together = "\n\n".join(f"[{index}] {text}" for index, text in enumerate(said, 1))
            return {"judgement": together, **{f"judgement{index}": text for index, text in enumerate(said, 1)}}

        return meta.hear(contest, asked, self.bench, judgements)

    def _counted(self, heard: Heard, asked: Sequence[Question], way: str) -> Mapping[str, Any]:
        result = self._metrics(heard.records, f"the judge {heard.judge}")
        kept = heard.with_answers(asked) if self.keep_predictions else heard
        write_judged(kept, result, self.bench.judges, way)
        return result

    def _metrics(self, records: Mapping[str, Mapping[str, Any]], whose: str) -> Mapping[str, Any]:
        if not records:
            raise ScoreError(f"{whose} gave no verdict that can be read")
        function: Any = self.count.function
        options = {"dataset": self.bench.test_set} if "dataset" in inspect.signature(function).parameters else {}
        result = function(records, "", **self.count.options, **options)
        if not isinstance(result, Mapping):
            raise ScoreError(f"{self.count.name} returned {type(result).__name__}, not a dict of metrics")
        return result
