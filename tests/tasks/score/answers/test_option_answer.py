"""Which option an answer is taken to state."""

import pytest

from tasks.score.answers.option_set import option_set
from tasks.score.answers.postprocessors import first_option_postprocess
from tasks.score.interface import ExtractionStatus

FOUR, SIXTEEN = "ABCD", "ABCDEFGHIJKLMNOP"


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("Answer: **D**", "D"),
        ("Answer: (D)", "D"),
        ("ANSWER: $B$", "B"),
        ("Answer: $B", "B"),
        ("ANSWER: **B**", "B"),
        (r"\boxed{B}", "B"),
        (r"so \boxed{\text{B}}", "B"),
        (r"The final answer is $\boxed{\text{(D)}}$.", "D"),
        (r"\text{B}", "B"),
        ("B", "B"),
        ("(B)", "B"),
        ("**B**", "B"),
        ("$B$", "B"),
        ("Ｂ", "B"),
        ("B. foo", "B"),
        ("D) 42", "D"),
        ("B because it barks", "B"),
        ("1. B", "B"),
        ("The answer is (C)", "C"),
        ("The answer is **D**", "D"),
        ("The correct answer is option B: foo", "B"),
        ("The correct option is B", "B"),
        ("The statement that is false is C", "C"),
        ("Option B is correct because", "B"),
        ("B is the correct answer", "B"),
        ("I would choose option (B).", "B"),
        ("I'd go with C", "C"),
        ("Therefore, B.", "B"),
        ("The answer is:\n\n(B) Paris", "B"),
        ("### Answer\nB) foo", "B"),
        ("**Answer**\n\nB", "B"),
        ("Explanation first.\n\n**C**", "C"),
        ("The answer to the question is (A)", "A"),
        ("The answer is B. Note that A is a distractor.", "B"),
        ("The answer is B, A is wrong", "B"),
        ("Answer: A because of it", "A"),
        ("Which one? A, B, C or D? Answer: D", "D"),
        ("Let's consider A, B, C, D in turn.\nA is too small, B is too big.\nAnswer: C", "C"),
        ("If the answer is A then it fails. So the answer is B.", "B"),
        ("Antwort:\n\nAntwort: C", "C"),
        ("Lösung: B", "B"),
        ("Réponse : C", "C"),
        ("Respuesta: D", "D"),
        ("정답: B", "B"),
        ("答え：A", "A"),
        ("正解は「B」です", "B"),
        ("答案是B", "B"),
        ("答案是 B", "B"),
        ("答案：（B）", "B"),
        ("答案选B", "B"),
        ("答案应该是D选项", "D"),
        ("正確答案是 (C)", "C"),
        ("正确选项为Ｂ。", "B"),
        ("本题选择【C】", "C"),
        ("我選擇 B", "B"),
        ("選 A", "A"),
        ("我選 A", "A"),
        ("只有选项C是对的", "C"),
        ("只有选项B是错的", "B"),
        ("说法错误的是C", "C"),
        ("选项D正确", "D"),
        ("所以答A", "A"),
        ("选B不选A", "B"),
        ("不选A，选B", "B"),
        ("所以B。", "B"),
        ("根据分析，应该是D", "D"),
        ("考虑 A 后, 因此选 C", "C"),
        ("选D。因为A、B、C都不对", "D"),
        ("B选项", "B"),
    ],
)
def test_states(text: str, letter: str) -> None:
    found = first_option_postprocess(text, FOUR)
    assert found.answer == letter
    assert found.rule is not None
    assert not found.rule.startswith("fallback:")
    assert found.span is not None


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("Answer: Let's think step by step.", SIXTEEN),
        ("I believe that it depends", SIXTEEN),
        ("Answer: I think so", SIXTEEN),
        ("ANSWER: [LETTER]", SIXTEEN),
        ("Answer: A person who walks", FOUR),
        ("A person who walks", FOUR),
        ("A Barr body is small.", FOUR),
        ("The D factor is a plasmid.", FOUR),
        ("Now, consider each choice:\n(A) means that it rains", FOUR),
        ("Let G mean “D is true”", FOUR),
        ("So we get\n$$D", FOUR),
        ("I think B. because", FOUR),
        ("Beijing", FOUR),
        ("It is B.", FOUR),
        ("The answer is A+", FOUR),
        ("The answer is not A", FOUR),
        ("This is not the correct answer: A", FOUR),
        ("A. foo\nB. bar\nC. baz\nD. qux", FOUR),
        ("A和B都是正确的，但是要看情况", FOUR),
        ("", FOUR),
        ("<think>The answer is A", FOUR),
    ],
)
def test_never_guesses(text: str, options: str) -> None:
    assert first_option_postprocess(text, options).status is ExtractionStatus.UNPARSED


@pytest.mark.parametrize(
    "text",
    [
        "The answer is A and C.",
        "The answer is A or C",
        "Answer: A, B",
        "答案是A和C",
        "选A还是B",
        "A is correct and B is correct",
        "The answer is A.\nOr the answer is C.\nI cannot tell.",
    ],
)
def test_contradictions_are_ambiguous(text: str) -> None:
    assert first_option_postprocess(text, FOUR).status is ExtractionStatus.AMBIGUOUS


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("The answer is (b).", "B"),
        (r"\boxed{b}", "B"),
        ("Answer: b", "B"),
        ("Answer: a", "A"),
        ("The answer is a.", "A"),
        ("The answer is *b*", "B"),
        ("The answer is option c, since it rains", "C"),
        ("(d)", "D"),
        ("b", "B"),
        ("I think (b) is correct.", "B"),
        ("Therefore (c).", "C"),
        (r"The answer is (d) $\theta^{-2}$", "D"),
        ("<answer>c</answer>", "C"),
        ("Answer: a dog", None),
        ("The answer is a dog.", None),
        ("The answer is e.g. a dog", None),
        ("a man", None),
        ("I picked a and b", None),
        ("so a = b.", None),
    ],
)
def test_small_letters_count_where_they_are_stated(text: str, letter: str | None) -> None:
    assert first_option_postprocess(text, "ABCDE").answer == letter


def test_letters_come_in_the_case_of_the_options() -> None:
    assert first_option_postprocess("The answer is (B).", "abcd").answer == "b"
    assert first_option_postprocess("The answer is (b).", "abcd").answer == "b"
    assert first_option_postprocess("The answer is (b).", "AaBb").answer == "b"


@pytest.mark.parametrize("text", ["The answer is a, b.", "The answer is (a) or (c).", "答案是 a 和 c"])
def test_small_letters_contradict_as_well(text: str) -> None:
    assert first_option_postprocess(text, FOUR).status is ExtractionStatus.AMBIGUOUS


@pytest.mark.parametrize(
    "text",
    [
        "【答案】A. ①② B. ①③ C. ②④ D. ③④",
        "Answer: A. Paris B. London C. Rome D. Oslo",
        "Answer:\nA. Paris\nB. London\nC. Rome\nD. Oslo",
        "The answer is (A) Paris, (B) London, (C) Rome, (D) Oslo",
        "Options:\nA) Paris\nB) London\nC) Rome\nD) Oslo",
        "答案选项：A、巴黎 B、伦敦 C、罗马 D、奥斯陆",
    ],
)
def test_a_list_of_the_options_names_none(text: str) -> None:
    assert first_option_postprocess(text, FOUR).status is ExtractionStatus.UNPARSED
    assert option_set(text, FOUR).status is ExtractionStatus.UNPARSED


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("Answer: A. Paris B. London C. Rome D. Oslo\nThe answer is B.", "B"),
        ("Answer: A. Paris is the capital. B. is wrong. C. is wrong. D. is wrong.", "A"),
        ("Answer: A. Paris", "A"),
        ("Answer: B. London C. Rome", "B"),
    ],
)
def test_an_answer_beside_a_list_counts(text: str, letter: str) -> None:
    assert first_option_postprocess(text, FOUR).answer == letter


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("所以选项B也是错误的，……【答案】无", None),
        ("选项A、B、C、D都不正确", None),
        ("Answer: none", None),
        ("The answer is none of A, B and C", None),
        ("None of the options A, B and C are correct.", None),
        ("Options A and B are incorrect.", None),
        ("Answer: not A", None),
        ("A、B不正确", None),
        ("不选A", None),
        ("以上选项均不正确。答案：没有", None),
        ("A、C、D均正确", "ACD"),
        ("A正确，B错误，C正确。", "AC"),
        ("选项A、C正确", "AC"),
        ("A and C are correct.", "AC"),
        ("答案是AB，不选C", "AB"),
        ("所以A和B都不对，故选CD", "CD"),
        ("The answers are A and C. B is not.", "AC"),
    ],
)
def test_a_set_without_what_is_denied(text: str, letters: str | None) -> None:
    assert option_set(text, FOUR).answer == letters


@pytest.mark.parametrize(("text", "letter"), [("选A是错误的，选B", "B"), ("选项B也是错误的", None), ("选B不对", None)])
def test_an_option_that_is_called_wrong_is_none(text: str, letter: str | None) -> None:
    assert first_option_postprocess(text, FOUR).answer == letter


def test_the_final_statement_wins() -> None:
    text = "The answer is A. Wait, no.\nActually, the answer is C."
    assert first_option_postprocess(text, FOUR).answer == "C"


def test_reasoning_does_not_count() -> None:
    text = "<think>The answer is A</think>The answer is B"
    found = first_option_postprocess(text, FOUR)
    assert found.answer == "B"
    assert found.span == (len(text) - 1, len(text))


def test_an_invented_question_does_not_count() -> None:
    assert first_option_postprocess(" B\n\nQuestion: What is next?\nAnswer: C", FOUR).answer == "B"


@pytest.mark.parametrize(
    ("text", "letter", "rule"),
    [
        ("I think B. because", "B", "fallback:any-letter"),
        ("Hmm B: x", "B", "fallback:letter-colon"),
        ("Beijing", None, None),
        ("The answer is D", "D", "answer-is"),
    ],
)
def test_cushion_guesses_and_says_so(text: str, letter: str | None, rule: str | None) -> None:
    found = first_option_postprocess(text, options=FOUR, cushion=True)
    assert (found.answer, found.rule) == (letter, rule)


def test_letters_are_those_of_the_options() -> None:
    assert first_option_postprocess("The answer is E", "ABCD").answer is None
    assert first_option_postprocess("The answer is E", ["A", "E"]).answer == "E"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("answer is " * 100_000, None),
        ("The answer is A. " * 60_000, "A"),
        ("answer is" + " " * 1_000_000, None),
        ("A " * 500_000, "A"),
        ("答案是" * 330_000, None),
        ("选择" * 500_000, None),
        ("\\boxed{" * 140_000, None),
        ("A和" * 500_000, "A"),
        ("Q:A\n" * 250_000, "A"),
        ("(" * 1_000_000, None),
        ("A. B. " * 170_000, "A"),
    ],
    ids=lambda value: str(value)[:12],
)
def test_long_texts_take_linear_time(text: str, answer: str | None) -> None:
    """A rule that takes quadratic time needs many minutes for these."""
    assert first_option_postprocess(text, FOUR, cushion=True).answer == answer


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("Yes", "A"),
        ("True, because it rains.", "A"),
        ("The answer is no.", "B"),
        ("**False**", "B"),
        ("The answer is B", "B"),
        ("No one knows", None),
        ("I would say that it is true", None),
        ("", None),
    ],
)
def test_words_can_stand_for_letters(text: str, letter: str | None) -> None:
    aliases = {"A": ["yes", "true"], "B": ["no", "false"]}
    assert first_option_postprocess(text, "AB", aliases=aliases).answer == letter
