"""What a result is of, so that only results of the same configuration stand for one another."""

from blocks.station.entry import Identity
from tasks.score.score_error import ScoreError
from tasks.score.score_key import scoring_identity
from tasks.spec.identity import asking_recipe, model_identity
from tasks.spec.specs import DatasetSpec, ModelSpec
from tasks.spec.storage.canonical import digest


def identity_of(
    model: ModelSpec, dataset: DatasetSpec, *, data: str, limit: int | None, extract_rate: bool
) -> Identity | None:
    """The identity of a result of the pair on data of that fingerprint; None if it is not known who judges."""
    try:
        scoring = scoring_identity(model, dataset, extract_rate=extract_rate)
    except ScoreError:
        return None
    return Identity(model_identity(model), recipe_of(dataset), data, scoring, f"limit {limit}" if limit else "all")


def recipe_of(dataset: DatasetSpec) -> str:
    """Without where the data lie: their fingerprint says what they are."""
    recipe = asking_recipe(dataset)
    return digest(
        {**recipe, "arguments": {key: recipe["arguments"][key] for key in recipe["arguments"] if key != "path"}}
    )
