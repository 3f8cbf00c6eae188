"""A judge of subjective answers: words the questions of a contest, asks them, and keeps what was said."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tasks.data.interface import Row
from tasks.score.judging.judgments import JudgedSample, JudgePrompt, report
from tasks.score.judging.llm_judge import LLMJudge
from tasks.score.judging.pair_judges import Judges
from tasks.score.subjective.contest import Contest, Question
from tasks.score.subjective.rounds import columns
from tasks.score.subjective.verdict import Scale
from tasks.spec.run_folder import Pair
from tasks.spec.specs import ModelSpec

Record = dict[str, Any]
MoreColumns = Callable[[int], Mapping[str, str]]
"""Columns besides those of the row and of the answers, by the number of the question."""


@dataclass(frozen=True)
class Heard:
    """What one judge said in one contest."""

    judge: str
    contest: Contest
    records: dict[str, Record]
    """By number of the question: `origin_prompt`, `prediction`, `gold`, and a `verdict` that was certain unasked."""
    gaps: dict[int, str]
    """Why questions have no verdict: `invalid` or `error`; by number."""

    def with_answers(self, asked: Sequence[Question]) -> "Heard":
        """The same with the answers that were judged in every record."""
        records = {
            number: record | {"predictions": _answers(asked[int(number)])} for number, record in self.records.items()
        }
        return replace(self, records=records)

    @property
    def counts(self) -> dict[str, int]:
        counted = Counter(self.gaps.values())
        return {"invalid": counted["invalid"], "errors": counted["error"]}


@dataclass(frozen=True)
class PanelJudge:
    """One judge with one prompt for each turn."""

    prompts: tuple[LLMJudge, ...]

    @property
    def spec(self) -> ModelSpec:
        return self.prompts[0].spec

    def hear(
        self,
        contest: Contest,
        asked: Sequence[Question],
        test_set: Sequence[Row],
        judges: Judges,
        scale: Scale | None,
        more: MoreColumns = lambda _number: {},
    ) -> Heard:
        """Asks the questions whose verdict is not certain; an answer that says nothing loses without a judge."""
        certain = {
            number: verdict
            for number, question in enumerate(asked)
            if scale is not None and (verdict := scale.without_asking.get(question.empty)) is not None
        }
        open_questions = [number for number in range(len(asked)) if number not in certain]
        wording = judges.wording(self.spec)

        def prompts() -> Iterator[JudgePrompt]:
            for number in open_questions:
                question = asked[number]
                shown = dict(columns([side.answers[question.sample] for side in question.shown]))
                row = {**test_set[question.sample], **shown, **more(number)}
                filled = self.prompts[question.turn].template.fill(row, {})
                sample: JudgedSample = judges.samples[question.sample]
                yield JudgePrompt(sample, wording.prompt(filled, generating=True), question.label)

        def is_valid(text: str) -> bool:
            read = self.prompts[0].read(text, judges)
            return bool(read.strip()) if scale is None else scale.read(read) is not None

        folder = judges.pair.folder.judge_ledger(Pair(contest.name, judges.pair.pair.dataset), self.spec.abbr)
        judgments = judges.session.ask(self.spec, folder, prompts(), is_valid)
        if contest.is_told:
            judges.pair.add(report(self.spec, judgments))
        records: dict[str, Record] = {}
        gaps: dict[int, str] = {}
        said = dict(zip(open_questions, judgments, strict=True))
        for number, question in enumerate(asked):
            gold = _gold(question, contest, test_set)
            if number in certain:
                records[str(number)] = {"prediction": None, "gold": gold, "verdict": f"[[{certain[number].label}]]"}
                continue
            judgment = said[number]
            if judgment.gap is not None:
                gaps[number] = judgment.gap
                continue
            text = self.prompts[0].read(judgment.text or "", judges)
            records[str(number)] = {"origin_prompt": judgment.prompt, "prediction": text, "gold": gold}
        return Heard(self.spec.abbr, contest, records, gaps)


def _answers(question: Question) -> dict[str, Any]:
    return {side.model: side.answers[question.sample] for side in question.shown}


def _gold(question: Question, contest: Contest, test_set: Sequence[Row]) -> dict[str, Any]:
    shown = {f"answer{number}": side.model for number, side in enumerate(question.shown, 1)}
    return {
        "sample": question.sample,
        "turn": question.turn + 1,
        "capability": test_set[question.sample].get("capability"),
        **shown,
        "model": contest.subject,
    }
