"""`compass prepare` fetches what metrics need, since nothing is fetched while scoring."""

from pathlib import Path

import pytest
from support.specs import write_rows

from flows.terminal.cli import main

CONFIG = """
datasets = [
    dict(
        abbr='d', type='CustomDataset', path={path!r},
        reader_cfg=dict(input_columns=['question'], output_column='answer'),
        infer_cfg=dict(
            prompt_template=dict(type='PromptTemplate', template='{{question}}'),
            retriever=dict(type='ZeroRetriever'), inferencer=dict(type='GenInferencer'),
        ),
        eval_cfg=dict(evaluator=dict(type='BleuFloresEvaluator')),
    ),
]
"""


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("SACREBLEU", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    monkeypatch.setattr("sacrebleu.utils.SACREBLEU_DIR", str(tmp_path / "sacrebleu"))
    rows = write_rows(tmp_path / "rows.jsonl", [{"question": "q", "answer": "a"}])
    path = tmp_path / "c.py"
    path.write_text(CONFIG.format(path=str(rows)))
    return str(path)


def test_the_model_of_flores_is_fetched(
    config: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sacrebleu.utils.download_file", lambda url, path: Path(path).parent.mkdir(parents=True))
    assert main(["prepare", config, "--into", str(tmp_path / "kept")]) == 0
    assert "BleuFloresEvaluator: " in capsys.readouterr().err


def test_without_a_network_it_is_told(
    config: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(url: str, path: str) -> None:
        raise OSError("no route to host")

    monkeypatch.setattr("sacrebleu.utils.download_file", refused)
    assert main(["prepare", config, "--into", str(tmp_path / "kept")]) == 1
    assert "BleuFloresEvaluator: no route to host" in capsys.readouterr().err
