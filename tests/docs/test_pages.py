"""Every command and every configuration of the documentation works: pages are gone through as their readers do."""

import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.documents import DEMO, NOT_RUN, PREFECT, Block, blocks_of, codes_of, commands_of, pages, read_page
from support.page_runner import PageRunner, extras, read_only
from support.repository import ROOT, repository_files
from support.scripted_server import ScriptedServer
from support.specs import write_rows

import blocks
from flows.terminal.cli import main
from flows.terminal.tools import TOOLS
from tasks.spec.storage.run_folder import run_names

RUNS = {
    "RUN": "outputs/my_eval/20261129_120000",
    "RUN_A": "outputs/a/20261129_120000",
    "RUN_B": "outputs/b/20261129_130000",
    "FOLDER": "outputs/my_eval",
    "CONFIG": "my_eval.py",
    "DIR": "some_folder",
    "PARTITION": "gpu",
    "ADDRESS": "sqlite:///results.db",
    "/shared/station": "station",
    "sqlite:////shared/results.db": "sqlite:///results.db",
    "http://mlflow.example.org:5000": "sqlite:///mlflow.db",
    "…": "openai_compatible",
}
_CLASS = re.compile(
    r"\b[A-Z]\w*(?:Runner|Partitioner|Evaluator|Inferencer|Retriever|Summarizer|Task|Dataset|SDK|Model|Block|Webhook)\b"
)
FONTS = str(Path.home() / ".cache/matplotlib")
"""What matplotlib knows of fonts, which takes it seconds to find out."""
MORE_RUNS = (
    "outputs/default/20261129_120000",
    "outputs/default/20261129_130000",
    "outputs/my_eval/20260903_120000",
    "outputs/demo/20261129_120000",
)
ENGLISH = [page for page in pages() if not page.startswith(("docs/zh/", "README.zh")) and blocks_of(page)]


def _answer(question: str) -> str:
    """A model and a judge in one: right about half of what it is asked."""
    if "[[5]]" in question:
        return "[[7]]"
    return "The answer is 18. So the choice is A." if len(question) % 2 else "It is B.\n#### 24"


def _words(folder: Path) -> None:
    """What pages take for granted: an evaluation, a file of questions, data, settings of clouds."""
    shutil.copy(ROOT / "tests/data/page_eval.py", folder / "my_eval.py")
    (folder / "quiz.csv").write_text("question,A,B,answer\nWhich is even?,3,4,B\nWhich is odd?,3,4,A\n")
    rows = [{"question": f"What is {n} times 3?", "answer": f"{n} * 3\n#### {n * 3}"} for n in range(70)]
    for split in ("train", "test"):
        write_rows(folder / f"data/gsm8k/{split}.jsonl", rows)
    (folder / ".aliyun.cfg").write_text("workspace_id = 'w'\nworker_image = 'i'\n")


@pytest.fixture(scope="session")
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(_answer) as server:
        yield server


@pytest.fixture(scope="session")
def finished_run(tmp_path_factory: pytest.TempPathFactory, server: ScriptedServer) -> Path:
    """One finished run of the evaluation that pages speak of."""
    folder = tmp_path_factory.mktemp("finished")
    with pytest.MonkeyPatch.context() as patch:
        _environment(patch, folder, server)
        assert main(["my_eval.py", "--inline", "--no-progress"]) == 0
        return folder / "outputs/default" / run_names(folder / "outputs/default")[-1]


def _environment(patch: pytest.MonkeyPatch, folder: Path, server: ScriptedServer) -> None:
    _words(folder)
    patch.chdir(folder)
    for name in ("HF_ENDPOINT", "COMPASS_DATA_CACHE", "PREFECT_API_URL"):
        patch.delenv(name, raising=False)
    for name, value in {
        "HOME": str(folder),
        "MPLCONFIGDIR": FONTS,
        "COMPASS_STATE_DIR": str(folder / "state"),
        "CUDA_VISIBLE_DEVICES": "0,1,2,3,4,5,6,7",
        "HF_HUB_OFFLINE": "1",
        "OPENAI_BASE_URL": server.url,
        "OPENAI_API_KEY": "x",
        "OPENAI_MODEL": "gpt-x",
        "OC_JUDGE_MODEL": "the-judge",
        "OC_JUDGE_API_BASE": server.url,
        "OC_JUDGE_API_KEY": "x",
        "LARK_BOT_URL": server.root,
        "RESULTS": "sqlite:///results.db",
        "RESULTS_PASSWORD": "x",
        "WANDB_MODE": "offline",
    }.items():
        patch.setenv(name, value)


@pytest.fixture
def reader(
    tmp_path: Path,
    server: ScriptedServer,
    finished_run: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> PageRunner:
    """Somebody with a checkout of their own work, some finished runs, and models to ask."""
    _environment(monkeypatch, tmp_path, server)
    for run in (*RUNS.values(), *MORE_RUNS):
        if Path(run).name.startswith("2026"):
            shutil.copytree(finished_run, tmp_path / run, dirs_exist_ok=True)

    def printed() -> str:
        shown = capsys.readouterr()
        return shown.out + shown.err

    return PageRunner(tmp_path, monkeypatch, printed, RUNS)


@pytest.mark.parametrize("page", ENGLISH)
def test_what_the_page_says_works(page: str, reader: PageRunner) -> None:
    for block in blocks_of(page):
        if not {NOT_RUN, DEMO, PREFECT} & set(block.marks):
            reader.take(block)


def test_classes_that_pages_name_exist() -> None:
    written = [(ROOT / name).read_text() for name in repository_files() if name.endswith(".py")]
    written += [block.text for page in pages() for block in blocks_of(page)]
    classes = {name for text in written for name in re.findall(r"\bclass (\w+)", text)}
    classes |= set(dir(blocks))  # some blocks are made of runners
    named = {(page, name) for page in pages() for text in codes_of(page) for name in _CLASS.findall(text)}
    assert sorted((page, name) for page, name in named if name not in classes) == []


def test_the_readme_names_every_extra() -> None:
    rows = [line for line in read_page("README.md").splitlines() if line.startswith("| `")]
    assert extras() <= {name for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[1])}


@pytest.mark.parametrize("page", [page for page in pages() if commands_of(page)])
def test_commands_in_sentences_are_understood(page: str) -> None:
    given = [shlex.split(line, comments=True)[1:] for line in commands_of(page)]
    whole = [words for words in given if len(words) > 1 or words[0] not in TOOLS]  # a tool can be spoken of by its name
    assert [words for words in whole if read_only(lambda words=words: main(words))] == []


@pytest.mark.parametrize("block", [block for page in ENGLISH for block in blocks_of(page) if NOT_RUN in block.marks])
def test_what_no_test_runs_says_why(block: Block) -> None:
    assert block.marks[NOT_RUN], block.place
    pytest.skip(f"{block.place}: {block.marks[NOT_RUN]}")
