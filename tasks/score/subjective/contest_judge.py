"""A judge of subjective answers: words the questions of a contest, asks them, and keeps what was said."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tasks.data.interface import Row
from tasks.score.judging.judgments import JudgePrompt, report
from tasks.score.judging.llm_judge import LLMJudge
from tasks.score.judging.pair_judges import Judges
from tasks.score.subjective.contest import Contest, Question
from tasks.score.subjective.dialogue_text import columns
from tasks.score.subjective.verdict import Scale, Verdict
from tasks.spec.specs import ModelSpec
from tasks.spec.storage.run_folder import Pair

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
class Bench:
    """What every judge of a pair sees and is read by."""

    judges: Judges
    test_set: Sequence[Row]
    scale: Scale | None
    """The verdicts there are; None for a post-processor of the user's, which reads them itself."""


@dataclass(frozen=True)
class PanelJudge:
    """One judge with one prompt for each turn."""

    prompts: tuple[LLMJudge, ...]

    @property
    def spec(self) -> ModelSpec:
        return self.prompts[0].spec

    def hear(
        self, contest: Contest, asked: Sequence[Question], bench: Bench, more: MoreColumns = lambda _number: {}
    ) -> Heard:
        """Asks the questions whose verdict is not certain; an answer that says nothing loses without a judge."""
        certain = _certain(asked, bench.scale)
        left = [number for number in range(len(asked)) if number not in certain]
        judges = bench.judges
        folder = judges.pair.folder.judge_ledger(Pair(contest.name, judges.pair.pair.dataset), self.spec.abbr)
        prompts = self._prompts([(number, asked[number]) for number in left], bench, more)
        judgments = judges.session.ask(self.spec, folder, prompts, lambda text: self._is_valid(text, bench))
        if contest.is_told:
            judges.pair.add(report(self.spec, judgments))
        records: dict[int, Record] = {
            number: {"prediction": None, "verdict": f"[[{verdict.label}]]"} for number, verdict in certain.items()
        }
        gaps: dict[int, str] = {}
        for number, judgment in zip(left, judgments, strict=True):
            if judgment.gap is None:
                text = self.prompts[0].read(judgment.text or "", judges)
                records[number] = {"origin_prompt": judgment.prompt, "prediction": text}
            else:
                gaps[number] = judgment.gap
        golds = {number: _gold(asked[number], contest, bench.test_set) for number in records}
        kept = {str(number): records[number] | {"gold": golds[number]} for number in sorted(records)}
        return Heard(self.spec.abbr, contest, kept, gaps)

    def _prompts(self, asked: Sequence[tuple[int, Question]], bench: Bench, more: MoreColumns) -> Iterator[JudgePrompt]:
        wording = bench.judges.wording(self.spec)
        for number, question in asked:
            shown = dict(columns([side.answers[question.sample] for side in question.shown]))
            row = {**bench.test_set[question.sample], **shown, **more(number)}
            filled = self.prompts[question.turn].template.fill(row, {})
            sample = bench.judges.samples[question.sample]
            yield JudgePrompt(sample, wording.prompt(filled, generating=True), question.label)

    def _is_valid(self, text: str, bench: Bench) -> bool:
        read = self.prompts[0].read(text, bench.judges)
        return bool(read.strip()) if bench.scale is None else bench.scale.read(read) is not None


def _certain(asked: Sequence[Question], scale: Scale | None) -> dict[int, Verdict]:
    """The verdicts that need no judge, by number of the question."""
    if scale is None:
        return {}
    verdicts = {number: scale.without_asking.get(question.empty) for number, question in enumerate(asked)}
    return {number: verdict for number, verdict in verdicts.items() if verdict is not None}


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
