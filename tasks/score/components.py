"""Builds what the configuration names for scoring: post-processors, evaluators."""

import inspect
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, NamedTuple

from tasks.score.score_error import ScoreError
from tasks.spec.findings import UserError
from tasks.spec.names.type_loading import import_type
from tasks.spec.specs import DatasetSpec, ModelSpec

if TYPE_CHECKING:
    from tasks.score.sandbox.runner import CodeRunner

NO_SANDBOX = "programs that models write run only in a sandbox, and none works here"
NO_SANDBOX_REMEDY = (
    "install bubblewrap (apt-get install bubblewrap), or run them with your own rights: --unsafe-code-execution"
)


class Step(NamedTuple):
    """One post-processor with its options."""

    name: str
    function: Callable[..., Any]
    options: dict[str, Any]

    def __call__(self, value: Any) -> Any:
        return self.function(value, **self.options)


def step_of(config: dict[str, Any], search_path: Sequence[str]) -> Step:
    """The post-processor of a config entry `{type, …options}`; ScoreError if it cannot be imported."""
    options = {name: value for name, value in config.items() if name != "type"}
    function = _imported(config["type"], search_path)
    return Step(getattr(function, "__name__", config["type"]), function, options)


def prediction_step_configs(model: ModelSpec, dataset: DatasetSpec) -> list[dict[str, Any]]:
    """What the predictions go through: the model's post-processor, the dataset's, the evaluator's."""
    configs = (
        model.pred_postprocessor,
        dataset.eval_cfg.get("pred_postprocessor"),
        dataset.eval_cfg.get("evaluator", {}).get("pred_postprocessor"),
    )
    return [config for config in configs if config]


def reference_step(dataset: DatasetSpec, search_path: Sequence[str]) -> Step | None:
    """What the references go through."""
    config = dataset.eval_cfg.get("dataset_postprocessor")
    return step_of(config, search_path) if config else None


class EvaluatorFactory:
    """Builds the dataset's evaluator, anew for each replica where its constructor asks for the data."""

    def __init__(
        self, dataset: DatasetSpec, out_dir: str, search_path: Sequence[str], *, unsafe_code_execution: bool = False
    ) -> None:
        """With `unsafe_code_execution` programs run without a sandbox where there is none."""
        config = dataset.eval_cfg.get("evaluator")
        if not config:
            raise ScoreError("the dataset's eval_cfg names no evaluator")
        self._class = _imported(config["type"], search_path)
        self._options = {name: value for name, value in config.items() if name != "type"}
        self._out_dir = out_dir
        self._unsafe = unsafe_code_execution
        names = _parameters(self._class)
        if "pred_postprocessor" not in names:
            self._options.pop("pred_postprocessor", None)
        self._wants_data = {"predictions", "references"} <= names
        self.name = getattr(self._class, "__name__", str(config["type"]))
        self._built: Any = None

    @property
    def score_parameters(self) -> "dict[str, inspect.Parameter]":
        """The parameters of the evaluator's `score`, without `self`."""
        parameters = dict(inspect.signature(self._class.score).parameters)
        is_static = isinstance(inspect.getattr_static(self._class, "score"), staticmethod | classmethod)
        return parameters if is_static else dict(list(parameters.items())[1:])

    @property
    def compares_labels(self) -> bool:
        """Whether it compares answers with references, so that it gets the likeliest label of several probabilities."""
        return isinstance(self._class, type) and getattr(self._class, "takes_probabilities", None) is False

    @property
    def library_versions(self) -> dict[str, str]:
        """Installed versions of the packages that the evaluator names in its attribute `libraries`.

        ScoreError, with the line that installs it, for one that is missing.
        """
        return {package: self._version(package) for package in getattr(self._class, "libraries", ())}

    def _version(self, package: str) -> str:
        try:
            return version(package)
        except PackageNotFoundError:
            message = f"{self.name} needs the package {package}: pip install 'compass-llm-eval[score]'"
            raise ScoreError(message) from None

    def code_runner(self) -> "CodeRunner":
        """What runs programs for an evaluator that asks for it; ScoreError where that cannot be done safely."""
        from tasks.score.sandbox.runner import NoSandbox, code_runner

        try:
            return code_runner(unsafe=self._unsafe)
        except NoSandbox as error:
            raise ScoreError(f"{NO_SANDBOX} ({error}); {NO_SANDBOX_REMEDY}") from error

    def evaluator(self, predictions: list[Any], references: list[Any] | None) -> Any:
        """ScoreError if the constructor refuses its options, or a package is missing that it needs."""
        _ = self.library_versions
        if self._built is None or self._wants_data:
            data = {"predictions": predictions, "references": references} if self._wants_data else {}
            try:
                self._built = self._class(**self._options, **data)
            except Exception as error:  # a user's class may raise anything
                raise ScoreError(f"{self.name} cannot be built: {type(error).__name__}: {error}") from error
            # OpenCompass's evaluators write their own files beside the results file.
            vars(self._built)["_out_dir"] = self._out_dir
        return self._built


def _parameters(function: Any) -> set[str]:
    try:
        return set(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return set()


def _imported(dotted: str, search_path: Sequence[str]) -> Any:
    try:
        return import_type(dotted, search_path)
    except UserError as error:
        raise ScoreError(str(error)) from error
