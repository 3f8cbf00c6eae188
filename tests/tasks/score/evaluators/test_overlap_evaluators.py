"""ROUGE, BLEU, classifiers and likelihoods."""

from math import log

import pytest

from tasks.score.evaluators.classification import AUCROCEvaluator, MccEvaluator
from tasks.score.evaluators.likelihood import (
    AverageInferencePPLEvaluator,
    AverageMinKEvaluator,
    AveragePPLEvaluator,
    BPCEvaluator,
)
from tasks.score.evaluators.overlap import (
    BleuEvaluator,
    BleuFloresEvaluator,
    JiebaRougeEvaluator,
    RougeEvaluator,
    TranslationEvaluator,
)


def test_rouge() -> None:
    result = RougeEvaluator().score(["the cat sat on the mat", ""], ["the cat was on the mat", "a dog"])
    assert result["rouge1"] == pytest.approx(100 * 5 / 6 / 2)
    assert result["rouge2"] == pytest.approx(100 * 3 / 5 / 2)
    assert result["rougeL"] == result["rougeLsum"] == pytest.approx(100 * 5 / 6 / 2)
    assert result["details"][1]["rouge1"] == 0.0


def test_rouge_takes_the_best_of_several_references() -> None:
    assert RougeEvaluator().score(["a red car"], [["a blue bus", "a red car"]])["rouge1"] == 100.0


def test_rouge_of_chinese_is_not_silently_zero() -> None:
    with pytest.raises(ValueError, match="use JiebaRougeEvaluator"):
        RougeEvaluator().score(["北京"], ["北京"])
    result = JiebaRougeEvaluator().score(["我来到北京清华大学。"], ["我来到了北京清华大学"])
    assert result["rouge1"] == pytest.approx(100 * 8 / 9)
    assert "rougeLsum" not in result


def test_a_very_long_prediction_is_compared_in_time() -> None:
    assert RougeEvaluator().score(["word " * 200_000], ["a word or two"])["rouge1"] < 1


def test_bleu() -> None:
    result = BleuEvaluator().score(["the cat is on the mat"], [["the cat is on the mat", "there is a cat on the mat"]])
    assert result["score"] == pytest.approx(100.0)
    assert (result["sys_len"], result["bp"]) == (6, 1.0)
    assert "tok:13a" in result["signature"]


def test_bleu_takes_different_numbers_of_references() -> None:
    result = BleuEvaluator().score(["a b c d e", "f g h i j"], ["a b c d e", ["x", "f g h i j"]])
    assert result["score"] == pytest.approx(100.0)


def test_nothing_is_downloaded_for_flores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sacrebleu.utils.SACREBLEU_DIR", "/nowhere")
    with pytest.raises(FileNotFoundError, match="compass prepare"):
        BleuFloresEvaluator().score(["a"], ["a"])


@pytest.mark.parametrize("evaluator", [RougeEvaluator, JiebaRougeEvaluator, BleuEvaluator])
def test_an_empty_reference_is_an_error(evaluator: type[RougeEvaluator]) -> None:
    with pytest.raises(ValueError, match="reference 0 is empty"):
        evaluator().score(predictions=["a"], references=[""])


def test_matthews_correlation() -> None:
    result = MccEvaluator().score(["1", "0", "1", "0"], [1, 0, 1, 0])
    assert result["matthews_correlation"] == pytest.approx(100.0)
    assert MccEvaluator().score(["0", "1"], [1, 0])["matthews_correlation"] == pytest.approx(-100.0)


def test_auc() -> None:
    predictions = [[0.9, 0.1], [0.6, 0.4], [0.65, 0.35], [0.2, 0.8]]
    result = AUCROCEvaluator().score(predictions, [0, 0, 1, 1])
    assert result["auc_score"] == pytest.approx(75.0)
    assert result["accuracy"] == 75.0


@pytest.mark.parametrize(
    ("predictions", "references", "message"),
    [
        ([[0.5, 0.5]] * 2, [1, 1], "all references are the same"),
        (["A", "B"], [0, 1], "prediction 0 is no list of probabilities"),
        ([[0.5, 0.5]] * 2, [0, "x"], "reference 1 is no label"),
        ([[0.5, 0.5]] * 2, [0, 2], "one probability for each label"),
    ],
)
def test_auc_that_cannot_be_computed(predictions: list[object], references: list[object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        AUCROCEvaluator().score(predictions, references)


def test_likelihoods() -> None:
    assert AveragePPLEvaluator().score(ppl=[1.0, 3.0])["average_ppl"] == 2.0
    assert AveragePPLEvaluator().score(ppl=[1.0], BPB=[0.5])["bits_per_byte"] == 0.5
    assert AverageMinKEvaluator().score(mink=[-1.0, -2.0])["average_mink"] == -1.5
    assert AverageInferencePPLEvaluator().score(ppl=[6.0, 4.0], token_len=[3, 2])["average_ppl"] == 2.0
    means = AverageInferencePPLEvaluator().score(ppl=[2.0, 1.0], token_len=[3, 1], log_likelihood=[-6.0, -1.0])
    assert means["average_ppl"] == 1.75


def test_bits_per_character() -> None:
    assert BPCEvaluator().score(loss=[log(2) * 10, log(2) * 20], total_chr_num=[10, 5])["bpc"] == pytest.approx(2.0)
    assert BPCEvaluator().score(loss=[log(2) * 10, log(2) * 20], total_chr_num=[30, 30])["bpc"] == pytest.approx(1.0)


def test_a_missing_likelihood_is_an_error() -> None:
    with pytest.raises(ValueError, match="sample 1 has no ppl"):
        AveragePPLEvaluator().score(ppl=[1.0, None])  # pyright: ignore[reportArgumentType]


def test_translations_are_measured_by_words_and_by_characters() -> None:
    result = TranslationEvaluator().score(["Das Haus ist sehr alt."], ["Das Haus ist sehr alt."])
    assert (result["score"], result["chrf"]) == pytest.approx((100, 100))
    assert list(result)[:2] == ["score", "chrf"]
    near = TranslationEvaluator().score(["Das Haus war sehr alt."], ["Das Haus ist sehr alt."])
    assert near["score"] < near["chrf"] < 100


def test_chinese_translations_are_divided_into_characters() -> None:
    pair = (["这座房子很旧了。"], ["这座房子非常旧了。"])
    assert TranslationEvaluator(tokenize="zh").score(*pair)["score"] > TranslationEvaluator().score(*pair)["score"]
