"""The files that OpenCompass's users look for: `results/<model, or both>_judged-by--<judge>/<dataset>.json`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tasks.score.judging.pair_judges import Judges
from tasks.score.subjective.contest_judge import Heard
from tasks.spec.storage.run_folder import Pair, write_json

JUDGED, SUMMARIZED = "judged-by", "summarized-by"


def write_judged(heard: Heard, result: Mapping[str, Any], judges: Judges, way: str = JUDGED) -> None:
    """Metrics of one judge, how many verdicts are missing, and every record."""
    contest = heard.contest
    named = {"model": contest.subject, **({"against": contest.against} if contest.against else {})}
    missing = {f"{name}_count": count for name, count in heard.counts.items()}
    metrics = {key: value for key, value in result.items() if key != "details"}
    content = {**metrics, **missing, **named, "details": result.get("details", heard.records)}
    write_json(judged_file(heard, judges, way), content)


def judged_file(heard: Heard, judges: Judges, way: str) -> Path:
    """One per pass over the rows; the first has the dataset's plain name."""
    own = judges.pair.pair
    number = f"_replica{judges.replica}" if judges.replica else ""
    pair = Pair(f"{heard.contest.name}_{way}--{heard.judge}", f"{own.dataset}{number}")
    return judges.pair.folder.results(pair)
