"""A digest of the code that decides scores: `python tests/support/scorers.py` records it, once for each release."""

import ast
import hashlib
import json
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
RECORD = ROOT / "tests/data/scorers.json"
"""The scorers' version of the last release, and the digest of its code."""
_BESIDE = ("files", "sandbox")
"""Folders of `tasks/score` that read, write and isolate."""


def scorers_digest(root: Path = ROOT) -> str:
    """Changes with code and data of `tasks/score`, not with comments, docstrings, imports and places of files."""
    folder = root / "tasks/score"
    files = [path for path in folder.rglob("*.py") if path.relative_to(folder).parts[0] not in _BESIDE]
    data = [hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.rglob("*.json")]
    parts = sorted([*data, *(code_digest(path.read_text(encoding="utf-8")) for path in files)])
    return hashlib.sha256("".join(parts).encode()).hexdigest()


def code_digest(source: str) -> str:
    """Of one module's statements."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [each for each in body if not _says_nothing(each)]  # type: ignore[attr-defined]
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith("tasks."):
            node.value = ""
        if isinstance(node, ast.Assign) and any(_names_version(target) for target in node.targets):
            node.value = ast.Constant(0)
    return hashlib.sha256(ast.dump(tree).encode()).hexdigest()


def recorded() -> tuple[int, str]:
    """Version and digest of the last release."""
    record = json.loads(RECORD.read_bytes())
    return record["version"], record["digest"]


def _says_nothing(node: ast.stmt) -> bool:
    is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    return is_text or isinstance(node, ast.Import | ast.ImportFrom)


def _names_version(target: ast.expr) -> bool:
    return isinstance(target, ast.Name) and target.id == "SCORERS_VERSION"


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    from tasks.score.score_key import SCORERS_VERSION

    text = json.dumps({"version": SCORERS_VERSION, "digest": scorers_digest()}, indent=4)
    RECORD.write_text(f"{text}\n", encoding="utf-8")
