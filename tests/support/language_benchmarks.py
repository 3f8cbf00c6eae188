"""Benchmarks of understanding and of knowledge, and what answers to them look like."""

from typing import Any

from support.benchmark_runs import Benchmark, fixed, letter, other_letter

from tasks.data.interface import Row


def first_of(gold: Any, row: Row) -> str:
    """The first accepted answer."""
    return f"The answer is {gold[0] if isinstance(gold, list) else gold}."


def named(gold: Any, row: Row) -> str:
    """The answer alone."""
    return str(gold[0] if isinstance(gold, list) else gold)


def decided(gold: Any, row: Row) -> str:
    return f"There are reasons. So the answer is {gold}."


def other_decision(gold: Any, row: Row) -> str:
    return decided("no" if gold == "yes" else "yes", row)


def keywords_counted(gold: Any, row: Row) -> str:
    """Each keyword as often as the first five prompts of IFBench ask for it."""
    words = [gold["kwargs"][0][f"keyword{number}"] for number in range(1, 6)]
    return " ".join(" ".join([word] * count) for word, count in zip(words, (1, 2, 3, 5, 7), strict=True))


NLI = [
    {"sentence1": "他在跑步。", "sentence2": "他在动。", "label": "entailment"},
    {"sentence1": "他在跑步。", "sentence2": "他在睡觉。", "label": "contradiction"},
    {"sentence1": "他在跑步。", "sentence2": "他很累。", "label": "neutral"},
]
TABBED = "who wrote it\t['Ann Lee', 'A. Lee']\nwhen was it built\t[\"in 1911\"]\nwhere is it\t['Nowhere']\n"
WIKI = [{"question": f"Which number follows {n}?", "answer": [str(n + 1), f"number {n + 1}"]} for n in (1, 2, 3)]
DROP = [
    {"context": f"Passage: Ann has {n} hats.\nQuestion: How many hats has Ann?\nAnswer:", "ref_text": f"{n}|{n} hats"}
    for n in (3, 4, 5)
]

LANGUAGE = (
    Benchmark("SuperGLUE_BoolQ_gen", wrong=other_letter("AB")),
    Benchmark("hellaswag_gen", wrong=other_letter("ABCD")),
    Benchmark("winogrande_gen", wrong=other_letter("AB")),
    Benchmark("piqa_gen", wrong=other_letter("AB")),
    Benchmark("obqa_gen", wrong=other_letter("ABCD")),
    Benchmark("commonsenseqa_gen", wrong=other_letter("ABCDE")),
    Benchmark("SuperGLUE_BoolQ_ppl"),
    Benchmark("SuperGLUE_COPA_gen", wrong=other_letter("AB")),
    Benchmark("SuperGLUE_COPA_ppl"),
    Benchmark("SuperGLUE_WiC_gen", wrong=other_letter("AB")),
    Benchmark("SuperGLUE_WiC_ppl"),
    Benchmark("SuperGLUE_WSC_gen", wrong=other_letter("AB")),
    Benchmark("SuperGLUE_WSC_ppl"),
    Benchmark("CLUE_OCNLI_gen", letter, other_letter("ABC")),
    Benchmark("CLUE_OCNLI_ppl"),
    Benchmark(
        "FewCLUE_ocnli_fc_gen",
        letter,
        other_letter("ABC"),
        files={"FewCLUE/ocnli/dev_few_all.jsonl": NLI, "FewCLUE/ocnli/test_public.jsonl": NLI},
    ),
    Benchmark(
        "FewCLUE_ocnli_fc_ppl",
        files={"FewCLUE/ocnli/dev_few_all.jsonl": NLI, "FewCLUE/ocnli/test_public.jsonl": NLI},
    ),
    Benchmark("CLUE_CMRC_gen", lambda gold, _row: f"答案是{gold[0]}", metric="f1", unparsed=False),
    Benchmark("strategyqa_gen", decided, other_decision),
    Benchmark("nq_open_gen", first_of, metric="score", unparsed=False),
    Benchmark("nq_open_1shot_gen", first_of, metric="score", unparsed=False),
    Benchmark(
        "nq_gen",
        first_of,
        metric="score",
        unparsed=False,
        files={"nq/nq-dev.qa.csv": TABBED, "nq/nq-test.qa.csv": TABBED},
    ),
    Benchmark(
        "triviaqa_gen",
        first_of,
        metric="score",
        unparsed=False,
        files={"triviaqa/trivia-dev.qa.csv": TABBED, "triviaqa/trivia-test.qa.csv": TABBED},
    ),
    Benchmark(
        "triviaqa_wiki_1shot_gen",
        first_of,
        metric="score",
        unparsed=False,
        files={"triviaqa/triviaqa-train.jsonl": WIKI, "triviaqa/triviaqa-validation.jsonl": WIKI},
    ),
    Benchmark(
        "drop_gen",
        lambda gold, _row: f"Let me count.\nAnswer: {gold.split('|')[0]}",
        unparsed=False,
        files={"drop_simple_eval/dev.jsonl": DROP},
    ),
    Benchmark("IFBench_gen", keywords_counted, metric="score", unparsed=False),
    Benchmark(
        "lawbench_zero_shot_gen",
        lambda gold, _row: gold.replace(";", "\n"),
        fixed("无"),
        metric="score",
        unparsed=False,
        abbrs=(
            "lawbench-2-4-issue_topic_identification-0-shot",
            "lawbench-2-6-named_entity_recognition-0-shot",
            "lawbench-3-4-prison_term_prediction_wo_article-0-shot",
        ),
    ),
    Benchmark(
        "flores_gen",
        named,
        fixed("0"),
        fixed("0"),
        metric="score",
        unparsed=False,
        abbrs=("flores_100_eng-deu", "flores_100_eng-zho_simpl", "flores_100_jpn-eng"),
    ),
    Benchmark("lambada_gen", named, fixed("xyzzy"), unparsed=False),
    Benchmark("lambada_base_gen", named, fixed("xyzzy"), unparsed=False, reads_text=True),
)
