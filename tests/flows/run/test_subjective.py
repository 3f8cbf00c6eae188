"""Whole runs whose answers are compared and rated by judges."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.repository import ROOT
from support.scripted_server import Call, Turn
from support.subjective_workspace import ROWS, SubjectiveWorkspace

from flows.terminal.cli import main

M2N = "essays | dict(eval_cfg=pair, mode='m2n', base_models=['base'], given_pred={given}, {more})"
ALLPAIR = "essays | dict(eval_cfg=pair, mode='allpair', infer_order='random')"
RATED = "essays | dict(abbr='rated', eval_cfg=single)"


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[SubjectiveWorkspace]:
    workspace = SubjectiveWorkspace(tmp_path)
    with workspace.server:
        yield workspace


def run(workspace: SubjectiveWorkspace, *arguments: str) -> int:
    return main([str(workspace.config), "--inline", "--no-progress", *arguments])


def against_base(workspace: SubjectiveWorkspace, more: str = "") -> str:
    return M2N.format(given=workspace.given, more=more)


def prefers(name: str) -> Callable[[str, str, str], str]:
    """A judge to whom this model's essays are better, whatever the order."""
    return lambda _judge, first, _second: "[[m]]" if first.startswith(name) else "[[M]]"


def partitioner(**arguments: str) -> str:
    """The evaluation of a configuration of OpenCompass for judged datasets; values are expressions."""
    written = "".join(f", {name}={value}" for name, value in arguments.items())
    return (
        f"eval = dict(partitioner=dict(type=SubjectiveNaivePartitioner{written}), "
        "runner=dict(type='LocalRunner', task=dict(type=SubjectiveEvalTask)))\n"
    )


def result(workspace: SubjectiveWorkspace, model: str = "writer", dataset: str = "essays") -> dict[str, Any]:
    return workspace.read(f"results/{model}/{dataset}.json")


def test_one_run_scores_right_answers_essays_and_ratings_each_its_own_way(
    workspace: SubjectiveWorkspace, capsys: pytest.CaptureFixture[str]
):
    workspace.write_essays(f"[sums, {against_base(workspace)}, {RATED}]")
    workspace.judge = lambda _, first, second: (
        "[[M]]" if second.startswith("writer") else "[[m]]" if second else "[[7]]"
    )
    assert run(workspace) == 0
    shown = capsys.readouterr().out
    assert re.search(r"sums +\w+ +accuracy +gen +100\.00 +100\.00", shown)
    assert re.search(r"essays +\w+ +win_rate +gen +0\.00 +100\.00", shown)
    assert re.search(r"rated +\w+ +average +gen +7\.00 +7\.00", shown)
    assert result(workspace)["by_capability"] == [{"even": 100.0, "odd": 100.0}]
    assert re.search(r"writer +essays +win_rate +100\.00 ± 0\.00 +60\.97 to 100\.00", shown), "six wins prove little"


def test_the_judges_file_stands_where_users_of_opencompass_look_for_it(workspace: SubjectiveWorkspace):
    workspace.write_essays(f"[{against_base(workspace)}, {RATED}]")
    workspace.judge = lambda _, first, second: "Both are fine. [[T]]" if second else "Rating: [[7]]"
    assert run(workspace) == 0
    compared = workspace.read("results/base_writer_judged-by--judge/essays.json")
    assert (compared["win_rate"], compared["model"], compared["against"]) == (50.0, "writer", "base")
    record = compared["details"]["3"]
    assert record["prediction"] == "Both are fine. [[T]]"
    assert (record["gold"]["answer1"], record["gold"]["answer2"]) == ("base", "writer")
    rated = workspace.read("results/writer_judged-by--judge/rated.json")
    assert rated["average"] == 7.0 and "against" not in rated


def test_resuming_asks_nothing_and_a_changed_judge_asks_only_judge_calls(workspace: SubjectiveWorkspace):
    workspace.write_essays(f"[sums, {against_base(workspace)}]")
    assert run(workspace) == 0
    asked = workspace.server.requests
    assert run(workspace, "-r") == 0
    assert run(workspace, "-m", "eval", "-r") == 0
    assert workspace.server.requests == asked and workspace.asked["judge"] == 2 * len(ROWS)
    workspace.write_essays(f"[sums, {against_base(workspace)}]", max_seq_len=4096)
    assert run(workspace, "-r") == 0
    assert workspace.asked["judge"] == 4 * len(ROWS)
    assert workspace.server.requests == asked + 2 * len(ROWS)


def test_other_answers_of_the_base_model_are_compared_again(workspace: SubjectiveWorkspace):
    workspace.write_essays(f"[{against_base(workspace)}]")
    assert run(workspace) == 0
    file = workspace.folder / "base" / "essays.json"
    file.write_text(file.read_text().replace("base about essay 2", "another essay"))
    assert run(workspace, "-r") == 0
    assert workspace.asked["judge"] == 2 * len(ROWS) + 2


def test_both_orders_cancel_a_judges_liking_for_what_it_sees_first(workspace: SubjectiveWorkspace):
    workspace.write_essays(f"[{against_base(workspace, 'infer_order=' + repr('double'))}]")
    workspace.judge = lambda *_: "[[m]]"
    assert run(workspace) == 0
    assert result(workspace)["win_rate"] == 50.0
    assert workspace.asked["judge"] == 2 * 2 * len(ROWS)
    judgments = result(workspace)["details"][0]["judgments"][0]
    assert [judgment["shown"] for judgment in judgments] == [["base", "writer"], ["writer", "base"]]


def test_a_random_order_is_the_same_in_every_run_and_mixes_both(workspace: SubjectiveWorkspace):
    workspace.write_essays(f"[{against_base(workspace, 'infer_order=' + repr('random'))}]")
    workspace.judge = prefers("writer")
    assert run(workspace) == 0
    details = result(workspace)["details"]
    firsts = [detail["judgments"][0][0]["shown"][0] for detail in details]
    assert set(firsts) == {"base", "writer"} and result(workspace)["win_rate"] == 100.0
    assert run(workspace) == 0
    again = [detail["judgments"][0][0]["shown"][0] for detail in result(workspace)["details"]]
    assert again == firsts


def test_all_models_are_compared_with_all_and_no_verdict_is_asked_for_twice(workspace: SubjectiveWorkspace):
    workspace.write_essays(f"[{ALLPAIR}]", ("ann", "bob"), extra="models = models[1:]\n")
    workspace.judge = prefers("bob")
    assert run(workspace) == 0
    assert (result(workspace, "ann")["win_rate"], result(workspace, "bob")["win_rate"]) == (0.0, 100.0)
    assert workspace.asked["judge"] == len(ROWS)
    assert workspace.read("results/ann_bob_judged-by--judge/essays.json")["invalid_count"] == 0
    told = [
        judge["verdicts"] for name in ("ann", "bob") for judge in result(workspace, name)["compass"].get("judges", ())
    ]
    assert told == [len(ROWS)], "what is asked once is counted once"


def test_a_base_model_of_the_run_is_asked_and_gets_no_score(
    workspace: SubjectiveWorkspace, capsys: pytest.CaptureFixture[str]
):
    dataset = "essays | dict(eval_cfg=pair, mode='m2n', base_models=['old'])"
    workspace.write_essays(f"[{dataset}]", ("old", "new"), extra="models = models[1:]\n")
    workspace.judge = prefers("new")
    assert run(workspace) == 0
    shown = capsys.readouterr().out
    assert re.search(r"essays +\w+ +win_rate +gen +- +100\.00", shown) and "others are compared with it" in shown
    assert "PARTIAL" not in shown
    assert run(workspace, "-r") == 0
    assert workspace.server.requests == 3 * len(ROWS)


def test_comparisons_beside_inference_wait_for_both_models(workspace: SubjectiveWorkspace):
    watching = "eval = dict(runner=dict(task=dict(type='OpenICLEvalWatchTask')))\n"
    workspace.write_essays(f"[sums, {ALLPAIR}]", ("ann", "bob"), extra=watching + "models = models[1:]\n")
    workspace.judge = prefers("ann")
    assert run(workspace) == 0
    assert (result(workspace, "ann")["win_rate"], result(workspace, "bob")["win_rate"]) == (100.0, 0.0)
    assert workspace.asked["judge"] == len(ROWS)


def test_several_judges_are_pooled_and_their_agreement_is_told(
    workspace: SubjectiveWorkspace, capsys: pytest.CaptureFixture[str]
):
    judges = "[api('judge-a'), api('judge-b'), api('judge-c')]"
    workspace.write_essays(f"[{against_base(workspace)}]", extra=partitioner(models="models[1:]", judge_models=judges))

    def judge(name: str, _first: str, second: str) -> str:
        if name == "judge-c":
            return "[[m]]"
        return "[[M]]" if second.endswith(("0", "1", "2")) or name == "judge-b" else "[[m]]"

    workspace.judge = judge
    assert run(workspace) == 0
    found = result(workspace)
    assert found["win_rate"] == pytest.approx((50 + 100 + 0) / 3)
    assert {name: metrics["win_rate"] for name, metrics in found["judges"][0].items()} == {
        "judge-a": 50.0, "judge-b": 100.0, "judge-c": 0.0,
    }  # fmt: skip
    agreement = {tuple(entry["judges"]): entry for entry in found["agreement"][0]}
    assert agreement["judge-a", "judge-b"]["equal"] == 50.0 and agreement["judge-a", "judge-b"]["kappa"] == 0.0
    assert agreement["judge-b", "judge-c"]["equal"] == 0.0
    assert "essays: the judges judge-a and judge-b agree with kappa 0.00" in capsys.readouterr().out
    assert not (workspace.run_folder / "results/adder/essays.json").exists(), "the partitioner leaves the adder out"


def test_the_majority_of_judges_decides_where_that_is_wanted(workspace: SubjectiveWorkspace):
    judges = "[api('judge-a'), api('judge-b'), api('judge-c')]"
    workspace.write_essays(
        f"[{against_base(workspace)}]",
        extra="pair['evaluator']['pool'] = 'majority'\n" + partitioner(models="models[1:]", judge_models=judges),
    )
    workspace.judge = lambda name, *_: "[[m]]" if name == "judge-a" else "[[M]]"
    assert run(workspace) == 0
    assert result(workspace)["win_rate"] == 100.0


def test_a_meta_judge_reads_all_verdicts_and_decides(workspace: SubjectiveWorkspace):
    judging = partitioner(
        models="models[1:]", judge_models="[api('judge-a'), api('judge-b')]", meta_judge_model="api('judge-meta')"
    )
    review = "pair['evaluator']['meta_review_prompt_template'] = REVIEW\n"
    workspace.write_essays(f"[{against_base(workspace)}]", extra=review + judging)
    read: list[str] = []

    def judge(name: str, first: str, _second: str) -> str:
        if name == "judge-meta":
            read.append(first)
            return "[[M]]"
        return f"{name} says [[m]]"

    workspace.judge = judge
    assert run(workspace) == 0
    assert result(workspace)["win_rate"] == 100.0
    assert read[0] == "[1] judge-a says [[m]]\n\n[2] judge-b says [[m]]"
    reviewed = workspace.read("results/base_writer_summarized-by--judge-meta/essays.json")
    assert reviewed["win_rate"] == 100.0
    assert workspace.read("results/base_writer_judged-by--judge-a/essays.json")["win_rate"] == 0.0


def test_an_unreadable_verdict_is_asked_for_again_then_left_out_and_counted(workspace: SubjectiveWorkspace):
    workspace.write_essays(f"[{RATED}]", extra="models = models[1:]\n")
    workspace.judge = lambda _, first, _second: "I would rather not." if first.endswith("essay 4") else "[[9]]"
    assert run(workspace) == 0
    found = result(workspace, dataset="rated")
    assert found["average"] == 9.0, "it is no lowest grade"
    assert workspace.asked["judge"] == len(ROWS) + 1
    assert found["compass"]["samples"]["no_verdict"] == 1 and found["details"][4]["no_verdict"] == ["invalid"]
    assert workspace.read("results/writer_judged-by--judge/rated.json")["invalid_count"] == 1


def test_an_empty_answer_loses_without_a_judge(workspace: SubjectiveWorkspace):
    workspace.write_essays(f"[{against_base(workspace)}, {RATED}]", extra="models = models[1:]\n")
    workspace.write_essay = lambda model, topic: "" if topic == "essay 1" else f"{model} about {topic}"
    workspace.judge = lambda _, first, second: "[[M]]" if second else "[[10]]"
    assert run(workspace) == 0
    assert result(workspace)["win_rate"] == pytest.approx(100 * 5 / 6)
    assert result(workspace, dataset="rated")["average"] == pytest.approx((5 * 10 + 1) / 6)
    assert workspace.asked["judge"] == 2 * 5


def test_what_cannot_be_compared_is_told_before_anything_is_asked(
    workspace: SubjectiveWorkspace, capsys: pytest.CaptureFixture[str]
):
    for dataset, message in {
        "essays | dict(eval_cfg=pair, mode='m2n')": "mode 'm2n' compares with base models, and there are none",
        "essays | dict(eval_cfg=pair, mode='m2n', base_models=['nobody'])": "nobody says what nobody answers",
        "essays | dict(eval_cfg=pair, mode='allpairs')": "did you mean 'allpair'",
        "essays | dict(eval_cfg=pair, mode='m2n', base_models=['base'], given_pred=[dict(abbr='base', path='x/y')])": (
            "there are no answers of base at x/y"
        ),
    }.items():
        workspace.write_essays(f"[{dataset}]")
        assert run(workspace) == 2
        assert message in capsys.readouterr().err
    workspace.write_essays(f"[{ALLPAIR}]", extra="models = models[1:]\n")
    assert run(workspace) == 2
    assert "compares at least two models" in capsys.readouterr().err
    assert workspace.server.requests == 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("pair['evaluator']['prompt_template'] = SINGLE", "the judge's prompt does not show the second answer"),
        ("del pair['evaluator']['dict_postprocessor']", "nothing makes scores of verdicts"),
        (partitioner(meta_judge_model="api('judge')"), "nothing says what the meta judge is asked"),
        (partitioner(judge_models="[api('judge'), api('judge')]"), "two judges are called 'judge'"),
        ("pair['evaluator']['pol'] = 'mean'", "LMEvaluator has no option 'pol'"),
        ("pair['evaluator']['pool'] = 'median'", "'pool'"),
    ],
)
def test_judges_that_cannot_be_asked_are_found_before_anything_is_asked(
    workspace: SubjectiveWorkspace, capsys: pytest.CaptureFixture[str], change: str, message: str
):
    workspace.write_essays(f"[{against_base(workspace)}]", extra=f"{change}\n")
    assert run(workspace) == 2
    assert message in capsys.readouterr().err
    assert workspace.server.requests == 0


def test_a_dry_run_counts_what_judges_will_be_asked(workspace: SubjectiveWorkspace, capsys: pytest.CaptureFixture[str]):
    order = "infer_order=" + repr("double")
    workspace.write_essays(f"[{against_base(workspace, order)}, {ALLPAIR}, {RATED}]")
    text = workspace.config.read_text().replace("mode='allpair'", "abbr='all', mode='allpair'")
    workspace.config.write_text(text)
    assert run(workspace, "--dry-run") == 0
    asked = len(ROWS) * (2 * 2 + 1 + 2)
    assert f"judge judge: {asked} requests at most" in capsys.readouterr().out
    workspace.judge = lambda _, _first, second: "[[T]]" if second else "[[5]]"
    assert run(workspace) == 0
    assert workspace.asked["judge"] == asked


def test_a_file_of_other_questions_is_no_base_model(workspace: SubjectiveWorkspace, capsys: pytest.CaptureFixture[str]):
    workspace.write_essays(f"[{against_base(workspace)}]", extra="models = models[1:]\n")
    (workspace.folder / "base" / "essays.json").write_text(
        "[" + ", ".join('{"instruction": "something else", "output": "x"}' for _ in ROWS) + "]"
    )
    assert run(workspace) == 1
    assert "answers another question than row 0 asks" in capsys.readouterr().out


def test_summarizers_of_the_run_and_of_a_dataset_write_their_files(workspace: SubjectiveWorkspace):
    arena = (
        "from opencompass.datasets import arenahard_postprocess\n"
        "from opencompass.summarizers import ArenaHardSummarizer, MTBenchSummarizer\n"
        "pair['evaluator']['dict_postprocessor'] = dict(type=arenahard_postprocess)\n"
        "datasets[0]['summarizer'] = dict(type=ArenaHardSummarizer)\n"
        "datasets[1]['summarizer'] = dict(type=MTBenchSummarizer, judge_type='single')\n"
        "summarizer = dict(type=SubjectiveSummarizer, function='subjective')\n"
    )
    workspace.write_essays(
        f"[{against_base(workspace)}, {RATED}]", ("ann", "bob"), extra=arena + "models = models[1:]\n"
    )

    def judge(_name: str, first: str, second: str) -> str:
        if not second:
            return "[[8]]"
        return "[[B>>A]]" if second.startswith("bob") or second.endswith(("0", "1", "2")) else "[[A>B]]"

    workspace.judge = judge
    assert run(workspace) == 0
    folder = next(path for path in (workspace.run_folder / "summary").iterdir() if path.is_dir())
    assert (folder / "Subjective_all_results-judged-by--judge.csv").read_text().splitlines() == [
        "model,essays,rated", "ann,75.00,8.00", "bob,100.00,8.00",
    ]  # fmt: skip
    assert (folder / "MTBench_rated.csv").read_text().splitlines()[1] == "ann,8.00,8.00,8.00"
    [heading, best, middle, last] = (folder / "ArenaHard_essays.csv").read_text().splitlines()
    assert heading.startswith("model,rating") and best.startswith("bob,")
    assert middle.startswith("ann,") and float(middle.split(",")[-1]) == pytest.approx(75.0, abs=0.01)
    assert last.startswith("base,1000.00,")


def test_the_example_runs_as_it_is(
    workspace: SubjectiveWorkspace, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    for name, value in {"BASE_URL": workspace.server.url, "API_KEY": "EMPTY", "MODEL": "a-model"}.items():
        monkeypatch.setenv(f"OPENAI_{name}", value)
    monkeypatch.setenv("JUDGE_MODEL", "the-judge")

    def answer(call: Call) -> Turn:
        if call.body["model"] == "a-model":
            return Turn(text="a fine text")
        return Turn(text="[[9]]" if "from 1" in call.last_user else "[[T]]")

    workspace.server.decide = answer
    example = str(ROOT / "configs/examples/eval_subjective.py")
    assert main([example, "--inline", "--no-progress", "--limit", "4", "--work-dir", str(workspace.work_dir)]) == 0
    shown = capsys.readouterr().out
    assert re.search(r"demo_writing +\w+ +average +gen +9\.00", shown)
    assert re.search(r"demo_writing_compare +\w+ +win_rate +gen +50\.00", shown)
    [table] = (workspace.run_folder / "summary").rglob("Subjective_all_results-judged-by--judge.csv")
    assert table.read_text().splitlines()[1] == "a-model,9.00,50.00"


def test_pairs_of_models_can_be_named(workspace: SubjectiveWorkspace):
    naming = partitioner(model_pairs="[('ann', 'bob'), ('bob', 'cid')]", judge_models="[api('judge-a')]")
    dataset = "essays | dict(eval_cfg=pair, mode='m2n')"
    workspace.write_essays(f"[{dataset}]", ("ann", "bob", "cid"), extra=naming + "models = models[1:]\n")
    workspace.judge = prefers("bob")
    assert run(workspace) == 0
    assert (result(workspace, "bob")["win_rate"], result(workspace, "cid")["win_rate"]) == (100.0, 0.0)
    assert not (workspace.run_folder / "results/ann/essays.json").exists()
    assert workspace.asked["judge-a"] == 2 * len(ROWS)


def test_a_postprocessor_of_ones_own_gets_the_records_and_the_answers_are_kept(workspace: SubjectiveWorkspace):
    (workspace.folder / "own_counting.py").write_text(
        "def count(output, output_path, dataset):\n"
        "    said = [record['prediction'] for record in output.values()]\n"
        "    return {'firsts': 100 * said.count('the first') / len(dataset), 'words': len(said[0].split())}\n"
    )
    own = "pair['evaluator'] |= dict(dict_postprocessor=dict(type='own_counting.count'), keep_predictions=True)\n"
    workspace.write_essays(f"[{against_base(workspace)}]", extra=own + "models = models[1:]\n")
    workspace.judge = lambda _, _first, second: "the first" if second.endswith(("0", "1")) else "the other one"
    assert run(workspace) == 0
    assert result(workspace)["firsts"] == pytest.approx(100 / 3) and result(workspace)["words"] == 2
    record = workspace.read("results/base_writer_judged-by--judge/essays.json")["details"]["5"]
    assert record["predictions"] == {"base": "base about essay 5", "writer": "writer about essay 5"}


def test_repeats_are_judged_one_by_one(workspace: SubjectiveWorkspace):
    workspace.write_essays(f"[{against_base(workspace, 'n=2')}]", extra="models = models[1:]\n")
    workspace.judge = prefers("writer")
    assert run(workspace) == 0
    assert result(workspace)["win_rate (2 runs average)"] == 100.0
    assert workspace.asked["judge"] == 2 * len(ROWS)
    assert workspace.read("results/base_writer_judged-by--judge/essays_replica1.json")["win_rate"] == 100.0


def test_keys_of_judges_are_nowhere_in_the_run_folder(workspace: SubjectiveWorkspace):
    keyed = "[api('judge-a') | dict(key='sk-canary-of-the-judge')]"
    meta = "api('judge-b') | dict(key='sk-canary-of-the-judge')"
    extra = partitioner(judge_models=keyed, meta_judge_model=meta) + "models = models[1:]\n"
    review = "pair['evaluator']['meta_review_prompt_template'] = REVIEW\n"
    workspace.write_essays(f"[{against_base(workspace)}]", extra=review + extra)
    assert run(workspace) == 0
    files = [path for path in workspace.run_folder.rglob("*") if path.is_file()]
    assert files and not [path for path in files if b"sk-canary" in path.read_bytes()]
