"""What CLPInferencer stores is scored by plain accuracy and by AUC, with labels or their positions as references."""

from pathlib import Path
from typing import Any

import pytest
from support.specs import dataset_spec, model_spec, write_rows

from tasks.infer.collect import write_predictions
from tasks.report.summary.scores import mode_of
from tasks.score.evaluation import likeliest
from tasks.score.scoring import score_pair
from tasks.spec.config.lookup import load_named
from tasks.spec.storage.run_folder import Pair, RunFolder

CLP = {"type": "tasks.infer.inferencers.next_token.CLPInferencer"}
ACCURACY = "tasks.score.evaluators.exact.AccEvaluator"
AUC = "tasks.score.evaluators.classification.AUCROCEvaluator"
PROBABILITIES = ([0.9, 0.1], [0.2, 0.8], [0.6, 0.4], [0.3, 0.7])


@pytest.mark.parametrize("evaluator", [ACCURACY, AUC])
@pytest.mark.parametrize("golds", [["A", "B", "B", "B"], [0, 1, 1, 1], ["0", "1", "1", "1"]])
def test_plain_accuracy_and_auc_take_labels_and_positions(tmp_path: Path, evaluator: str, golds: list[Any]):
    if evaluator == AUC:
        pytest.importorskip("sklearn")
    rows = [{"question": f"q{number}", "answer": gold} for number, gold in enumerate(golds)]
    dataset = dataset_spec(write_rows(tmp_path / "rows.jsonl", rows), "d", inferencer=CLP)
    dataset = dataset.model_copy(update={"eval_cfg": {"evaluator": {"type": evaluator}}})
    folder = RunFolder(tmp_path / "run")
    records = (
        {"prompt": f"q{n}", "choices": [" A", " B"], "prediction": p, "pred_label": p.index(max(p)), "status": "ok"}
        for n, p in enumerate(PROBABILITIES)
    )
    write_predictions(folder.predictions(Pair("m", "d")), records)
    score = score_pair(model_spec("m"), dataset, folder)
    assert score.metrics["accuracy"] == 75.0 and mode_of(dataset) == "clp"
    if evaluator == AUC:
        assert score.metrics["auc_score"] == 100.0


@pytest.mark.parametrize("prediction", ["A", None, ["A", "B"], [0.5]])
def test_what_is_no_list_of_probabilities_stays(prediction: Any):
    assert likeliest(prediction, ["A", "B"], "A") is prediction


def test_a_config_that_asks_so_ships():
    [dataset] = load_named("datasets", ["siqa_clp"], None)
    assert dataset.infer_cfg.inferencer.choices == [" A", " B", " C"]
