"""Evaluators by overlap with reference texts: ROUGE by rouge-score, BLEU by sacrebleu."""

from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path
from statistics import fmean
from typing import Any

from tasks.score.evaluators.comparison import ComparingEvaluator, golds_of
from tasks.score.parallel import in_chunks, spread

_CHUNK = 32
_FLORES_MODEL = "flores200sacrebleuspm"


class RougeEvaluator(ComparingEvaluator):
    """`rouge1`, `rouge2`, `rougeL`, `rougeLsum`: mean F-measures, 0 to 100, best of several references.

    Words are those of rouge-score: Latin letters and digits, without stemming.
    """

    libraries = ("rouge-score",)

    def score(self, predictions: Sequence[Any], references: Sequence[Any]) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """ValueError for an empty reference, or one without a Latin letter or digit, which would always give zero."""
        return mean_rouge("tasks.score.evaluators.rouge.rouge_of_words", predictions, references)


class JiebaRougeEvaluator(ComparingEvaluator):
    """`rouge1`, `rouge2`, `rougeL` over the words that jieba finds in Chinese: mean F-measures, 0 to 100."""

    libraries = ("rouge-score", "jieba")

    def score(self, predictions: Sequence[Any], references: Sequence[Any]) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """ValueError for an empty reference."""
        return mean_rouge("tasks.score.evaluators.rouge.rouge_of_chinese", predictions, references)


class BleuEvaluator(ComparingEvaluator):
    """`score`: corpus BLEU of sacrebleu, 0 to 100, with its parts and its signature."""

    libraries = ("sacrebleu",)
    tokenize: str | None = None
    """Name of sacrebleu's tokenizer; None is its default."""

    def score(self, predictions: Sequence[Any], references: Sequence[Any]) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """ValueError for an empty reference."""
        from sacrebleu.metrics.bleu import BLEU

        golds = [golds_of(reference, number) for number, reference in enumerate(references)]
        if not golds:
            raise ValueError("there is nothing to compare")
        metric = BLEU(tokenize=self.tokenize)
        streams: Any = list(zip_longest(*golds))
        bleu = metric.corpus_score(
            [str(prediction) for prediction in predictions], [list(stream) for stream in streams]
        )
        return {
            "score": bleu.score,
            "counts": bleu.counts,
            "totals": bleu.totals,
            "precisions": bleu.precisions,
            "bp": bleu.bp,
            "sys_len": bleu.sys_len,
            "ref_len": bleu.ref_len,
            "signature": str(metric.get_signature()),
        }


class TranslationEvaluator(BleuEvaluator):
    """As `BleuEvaluator`, with `chrf`: character F-score of sacrebleu (Popović 2015), 0 to 100."""

    def __init__(self, tokenize: str | None = None, pred_postprocessor: dict[str, Any] | None = None) -> None:
        """`tokenize` names sacrebleu's tokenizer for BLEU: `zh` for Chinese, `char` for scripts without blanks."""
        super().__init__(pred_postprocessor)
        self.tokenize = tokenize

    def score(self, predictions: Sequence[Any], references: Sequence[Any]) -> dict[str, Any]:
        """ValueError for an empty reference."""
        from sacrebleu.metrics.chrf import CHRF

        bleu = super().score(predictions, references)
        golds = [golds_of(reference, number) for number, reference in enumerate(references)]
        streams: Any = list(zip_longest(*golds))
        metric = CHRF()
        chrf = metric.corpus_score([str(text) for text in predictions], [list(stream) for stream in streams])
        return {"score": bleu["score"], "chrf": chrf.score, **bleu, "chrf_signature": str(metric.get_signature())}


class BleuFloresEvaluator(BleuEvaluator):
    """As `BleuEvaluator`, over the pieces of the SentencePiece model of FLORES-200, which must lie on this machine."""

    libraries = ("sacrebleu", "sentencepiece")
    tokenize = "flores200"

    def score(self, predictions: Sequence[Any], references: Sequence[Any]) -> dict[str, Any]:
        """FileNotFoundError where the model is missing: nothing is downloaded while scoring."""
        if lacking := self.lacking():
            raise FileNotFoundError(lacking)
        return super().score(predictions, references)

    @classmethod
    def lacking(cls) -> str:
        """What this machine lacks for it, and the remedy; empty if nothing."""
        path = _flores_model()
        if path.is_file() and path.stat().st_size:
            return ""
        return f"the FLORES-200 model of sacrebleu is missing ({path}): run `compass prepare` where there is a network"

    @classmethod
    def fetch(cls) -> str:
        """Downloads the model if it is missing, and returns its path; OSError where that cannot be done."""
        if cls.lacking():
            from sacrebleu.tokenizers.tokenizer_spm import SPM_MODELS
            from sacrebleu.utils import download_file

            try:
                download_file(SPM_MODELS["flores200"]["url"], str(_flores_model()))
            except SystemExit:  # that is how sacrebleu tells of certificates it does not trust
                raise OSError("the server's certificate is not trusted") from None
        return str(_flores_model())


def _flores_model() -> Path:
    from sacrebleu.utils import SACREBLEU_DIR

    return Path(SACREBLEU_DIR) / "models" / _FLORES_MODEL


def mean_rouge(function: str, predictions: Sequence[Any], references: Sequence[Any]) -> dict[str, Any]:
    """The means of what a function of `rouge` measures, with details; ValueError for an empty reference."""
    pairs = [
        (str(prediction), golds_of(reference, number))
        for number, (prediction, reference) in enumerate(zip(predictions, references, strict=True))
    ]
    scores = [scores for chunk in spread(function, in_chunks(pairs, _CHUNK)) for scores in chunk]
    details = [
        {"pred": prediction, "answer": reference, **own}
        for prediction, reference, own in zip(predictions, references, scores, strict=True)
    ]
    return {name: fmean(own[name] for own in scores) for name in scores[0]} | {"details": details} if scores else {}
