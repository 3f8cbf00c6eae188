"""What an evaluator gets whose `score` has a parameter `judges`: the way to ask judges about the samples it scores."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tasks.data.interface import LoadedDataset
from tasks.data.rows import RowIdentities, row_identities
from tasks.prompts.model_prompt import Wording
from tasks.score.files.samples import SampleView
from tasks.score.judging.judgments import IsValid, JudgedSample, JudgePrompt, JudgeReport, Judgment, report
from tasks.score.judging.session import JudgeSession
from tasks.score.score_error import ScoreError
from tasks.spec.specs import DatasetSpec, ModelSpec
from tasks.spec.storage.run_folder import Pair, RunFolder


@dataclass
class PairJudges:
    """The judges of one pair: whom they judge, where their answers are kept, and what they did."""

    session: JudgeSession | None
    folder: RunFolder
    pair: Pair
    dataset: DatasetSpec
    data: LoadedDataset
    search_path: Sequence[str] = ()
    reports: dict[str, JudgeReport] = field(default_factory=dict[str, JudgeReport])
    """By abbreviation of the judge."""
    _rows: RowIdentities | None = None

    def of(self, samples: SampleView) -> "Judges":
        """The judges for these samples; ScoreError where nobody can be asked."""
        if self.session is None:
            raise ScoreError("a judge has to be asked, which only a run can")
        if self._rows is None:
            self._rows = row_identities(self.dataset, self.data)
        planned = [samples.samples.rows[position] for position in samples.positions]
        judged = [JudgedSample(self._rows[item.row], item.repeat) for item in planned]
        return Judges(self, self.session, judged, [item.row for item in planned], samples)

    def add(self, done: JudgeReport) -> None:
        """Counts what a judge did."""
        known = self.reports.get(done.judge)
        self.reports[done.judge] = known + done if known else done

    def to_json(self) -> dict[str, Any]:
        """What judges did, as it stands in the results file; nothing if none was asked."""
        return {"judges": [asdict(done) for done in self.reports.values()]} if self.reports else {}


@dataclass(frozen=True)
class Judges:
    """The judges of the samples that an evaluator scores; all columns are in the order of its predictions."""

    pair: PairJudges
    session: JudgeSession
    samples: Sequence[JudgedSample]
    rows: Sequence[int]
    """Index of each sample's row in the whole test split."""
    view: SampleView
    """The samples themselves."""

    @property
    def replica(self) -> int:
        """Which pass over the rows it is."""
        return self.samples[0].repeat if self.samples else 0

    def wording(self, judge: ModelSpec) -> Wording:
        """How the judge's model wants its prompts."""
        return self.session.wording(judge)

    def ask(self, judge: ModelSpec, prompts: Iterable[JudgePrompt], is_valid: IsValid) -> list[Judgment]:
        """See `JudgeSession.ask`; the answers are kept in the pair's ledger of this judge."""
        ledger = self.pair.folder.judge_ledger(self.pair.pair, judge.abbr)
        judgments = self.session.ask(judge, ledger, prompts, is_valid)
        self.pair.add(report(judge, judgments))
        return judgments

    def raw_file(self, name: str) -> Path:
        """Where OpenCompass keeps what a judge said, e.g. `<dataset>_replica0.json`; `name` is `replica`."""
        results = self.pair.folder.results(self.pair.pair)
        return results.with_name(f"{results.name.removesuffix('.json')}_{name}{self.replica}.json")
