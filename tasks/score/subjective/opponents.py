"""The answers of the models that one is compared with: from the run's predictions, or from files that are given."""

from collections.abc import Sequence

from tasks.data.interface import LoadedDataset
from tasks.score.files.predictions import check_predictions, read_predictions
from tasks.score.files.samples import SampleView
from tasks.score.metrics.totals import Totals
from tasks.score.read_samples import SampleReader
from tasks.score.score_error import ScoreError
from tasks.score.subjective.contest import Side
from tasks.score.subjective.given_answers import given_answers, given_file
from tasks.spec.specs import DatasetSpec, Opponent
from tasks.spec.storage.run_folder import Pair, RunFolder


def opponent_side(
    opponent: Opponent,
    samples: SampleView,
    folder: RunFolder,
    dataset: DatasetSpec,
    data: LoadedDataset,
    search_path: Sequence[str],
) -> Side:
    """The opponent's answers to the samples' rows; ScoreError naming what is missing."""
    planned = [samples.samples.rows[position] for position in samples.positions]
    if opponent.given is not None:
        file = given_file(opponent.given, dataset.abbr)
        return Side(opponent.abbr, given_answers(file, [item.row for item in planned], data))
    if opponent.model is None:
        raise ScoreError(f"{opponent.abbr}, which it is compared with, is not a model of the run")
    pair = Pair(opponent.abbr, dataset.abbr)
    try:
        check_predictions(folder, pair)
        records = read_predictions(folder, pair)
        read = SampleReader(opponent.model, dataset, search_path, wanted=()).read(
            records, samples.samples.rows, Totals()
        )
    except ScoreError as error:
        raise ScoreError(f"{opponent.abbr}, which it is compared with: {error}") from error
    if len(read) < len(samples.samples.rows):
        missing = f"{len(read)} of {len(samples.samples.rows)} samples have predictions"
        raise ScoreError(f"{opponent.abbr}, which it is compared with, is not complete: {missing}")
    answers = [
        read.extracted[position].handed if read.statuses[position].in_denominator else None
        for position in samples.positions
    ]
    return Side(opponent.abbr, answers)
