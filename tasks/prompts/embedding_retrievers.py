"""Examples chosen by the likeness of sentence embeddings."""

from collections.abc import Sequence
from functools import cached_property
from importlib import import_module
from typing import Any

from tasks.prompts.interface import Splits
from tasks.prompts.retrievers import BaseRetriever, check_size
from tasks.prompts.row_texts import input_text, require
from tasks.spec.specs import ReaderSpec

_EMBEDDER = "all-mpnet-base-v2"


class EmbeddingRetriever(BaseRetriever):
    """Base of retrievers that compare embeddings; override `embed` to use another model."""

    def __init__(
        self,
        ice_separator: str = "\n",
        ice_eos_token: str = "\n",
        ice_num: int = 1,
        sentence_transformers_model_name: str = _EMBEDDER,
        tokenizer_name: str = "",
        batch_size: int = 32,
    ) -> None:
        """`tokenizer_name` is accepted for compatibility: the model has its own."""
        super().__init__(ice_separator, ice_eos_token, ice_num)
        del tokenizer_name
        self.model_name = sentence_transformers_model_name
        self.batch_size = batch_size

    def bind(self, data: Splits, reader: ReaderSpec) -> None:
        check_size(self.ice_num, data, reader)
        self._data, self._reader = data, reader

    def embed(self, texts: Sequence[str]) -> Any:
        """One row per text: a matrix of numpy, or nested lists."""
        return self._model.encode(list(texts), batch_size=self.batch_size, show_progress_bar=False)

    @cached_property
    def _model(self) -> Any:
        require(("sentence_transformers",), "retrievers", type(self).__name__)
        library: Any = import_module("sentence_transformers")
        return library.SentenceTransformer(self.model_name)

    @cached_property
    def _train(self) -> Any:
        """Embeddings of the train rows."""
        return self._matrix([input_text(row, self._reader) for row in self._data.train])

    def _matrix(self, texts: Sequence[str]) -> Any:
        numpy: Any = import_module("numpy")
        return numpy.asarray(self.embed(texts), dtype="float32")

    def _likeness(self, row_index: int) -> Any:
        """Inner product of each train row with the question."""
        return self._train @ self._matrix([input_text(self._data.test[row_index], self._reader)])[0]

    def nearest_rows(self, row_index: int, count: int) -> list[int]:
        """The train rows most like the question, best first."""
        return _largest(self._likeness(row_index), count)


class TopkRetriever(EmbeddingRetriever):
    """The train rows most like the question, best first."""

    def examples_for(self, row_index: int) -> list[int]:
        return self.nearest_rows(row_index, self.ice_num)


class DPPRetriever(EmbeddingRetriever):
    """Train rows that are like the question and unlike each other.

    A determinantal point process over the nearest `candidate_num` rows, its likeliest set found greedily
    (Chen et al. 2018, arXiv:1709.05135; for examples: Ye et al. 2023, arXiv:2302.05698).
    """

    def __init__(
        self,
        ice_separator: str = "\n",
        ice_eos_token: str = "\n",
        ice_num: int = 1,
        sentence_transformers_model_name: str = _EMBEDDER,
        tokenizer_name: str = "",
        batch_size: int = 32,
        candidate_num: int = 100,
        seed: int = 1,
        scale_factor: float = 0.1,
    ) -> None:
        """`seed` is accepted for compatibility. The smaller `scale_factor`, the more likeness counts."""
        super().__init__(
            ice_separator, ice_eos_token, ice_num, sentence_transformers_model_name, tokenizer_name, batch_size
        )
        del seed
        self.candidate_num = max(candidate_num, ice_num)
        self.scale_factor = scale_factor

    def examples_for(self, row_index: int) -> list[int]:
        numpy: Any = import_module("numpy")
        likeness = self._likeness(row_index)
        candidates = _largest(likeness, self.candidate_num)
        vectors = _unit(self._train[candidates])
        near = likeness[candidates]
        weight = numpy.exp((near - near.max()) / (2 * self.scale_factor))
        kernel = weight[:, None] * ((1 + vectors @ vectors.T) / 2) * weight[None, :]
        return [candidates[chosen] for chosen in _greedy_map(kernel, self.ice_num)]


class VotekRetriever(EmbeddingRetriever):
    """The same train rows for every question: those that stand for many others (Su et al. 2022, arXiv:2209.01975).

    Every row votes for the `votek_k` rows most like it; a vote counts less the more of its row's choices are taken.
    """

    def __init__(
        self,
        ice_separator: str = "\n",
        ice_eos_token: str = "\n",
        ice_num: int = 1,
        sentence_transformers_model_name: str = _EMBEDDER,
        tokenizer_name: str = "",
        batch_size: int = 32,
        votek_k: int = 3,
    ) -> None:
        super().__init__(
            ice_separator, ice_eos_token, ice_num, sentence_transformers_model_name, tokenizer_name, batch_size
        )
        self.votek_k = votek_k

    def examples_for(self, row_index: int) -> list[int]:
        return self._elected

    @cached_property
    def _elected(self) -> list[int]:
        vectors = _unit(self._train)
        votes = [
            [index for index in _largest(vectors @ vectors[row], self.votek_k + 1) if index != row][: self.votek_k]
            for row in range(len(vectors))
        ]
        taken = [0] * len(votes)
        elected: list[int] = []
        while len(elected) < self.ice_num:
            support = [0.0] * len(votes)
            for row, chosen in enumerate(votes):
                for index in chosen:
                    support[index] += 10.0 ** -taken[row]
            best = max((index for index in range(len(votes)) if index not in elected), key=lambda i: (support[i], -i))
            elected.append(best)
            for row, chosen in enumerate(votes):
                taken[row] += best in chosen
        return elected


def _largest(values: Any, count: int) -> list[int]:
    """Indices of the largest values, the largest first; of equals the first."""
    numpy: Any = import_module("numpy")
    return numpy.argsort(-values, kind="stable")[:count].tolist()


def _unit(vectors: Any) -> Any:
    numpy: Any = import_module("numpy")
    return vectors / numpy.maximum(numpy.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)


def _greedy_map(kernel: Any, count: int) -> list[int]:
    """Indices whose submatrix has a large determinant: each time the row that adds most to it."""
    numpy: Any = import_module("numpy")
    gains = numpy.diag(kernel).astype("float64").copy()
    factors = numpy.zeros((count, len(kernel)))
    chosen: list[int] = []
    for step in range(count):
        best = int(numpy.argmax(gains))
        chosen.append(best)
        row = (kernel[best] - factors[:step, best] @ factors[:step]) / numpy.sqrt(max(gains[best], 1e-12))
        factors[step] = row
        gains = gains - row**2
        gains[chosen] = -numpy.inf
    return chosen
