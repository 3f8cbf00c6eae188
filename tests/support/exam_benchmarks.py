"""What right, wrong and useless answers to the maths and exam benchmarks look like."""

from pathlib import Path
from typing import Any

from support.benchmark_runs import Benchmark, Say, boxed, fixed, letter, other_letter

from tasks.data.interface import Row

WRONG_BOX = fixed(r"\boxed{987654321}")
AIME_ROWS = [
    {"origin_prompt": "Find the remainder when $2^{10}$ is divided by $1000$.", "gold_answer": "024"},
    {"origin_prompt": "How many primes are below $30$?", "gold_answer": "10"},
    {"origin_prompt": "What is $12^2+13^2$?", "gold_answer": "313"},
]
MATH_500_ROWS = [
    {
        "problem": "What is half of $\\frac{1}{2}$?",
        "solution": "It is $\\boxed{\\frac{1}{4}}$.",
        "answer": "\\frac{1}{4}",
    },
    {"problem": "Solve $x^2=9$ for $x>0$.", "solution": "So $x=\\boxed{3}$.", "answer": "3"},
    {"problem": "Factor $x^2-1$.", "solution": "It is $\\boxed{(x-1)(x+1)}$.", "answer": "(x-1)(x+1)"},
]
_OPTIONS = ["red", "green", "blue", "white"]
RACE_ROWS = [
    {"article": f"The {color} boat won.", "question": f"Race {number}: which boat won?", "options": _OPTIONS,
     "answer": "ABCD"[number]}
    for number, color in enumerate(_OPTIONS[:3])
]  # fmt: skip
RACE_FILES = {
    f"race/{split}/{school}.jsonl": RACE_ROWS for split in ("validation", "test") for school in ("middle", "high")
}
GPQA_TABLE = "Record ID,Question,Correct Answer,Incorrect Answer 1,Incorrect Answer 2,Incorrect Answer 3\n" + "".join(
    f'rec{number},"Which is right, in case {number}?",yes {number},no,never,perhaps\n' for number in range(3)
)
CEVAL_SUBJECTS = ("computer_network", "physician")
CEVAL_FILES = {
    f"ceval/formal_ceval/{split}/{name}_{split}.csv": head
    + "".join(f"{number},第{number}题：{name}？,甲,乙,丙,丁{tail}\n" for number in range(5))
    for name in CEVAL_SUBJECTS
    for split, head, tail in (
        ("dev", "id,question,A,B,C,D,answer,explanation\n", ",B,因为"),
        ("val", "id,question,A,B,C,D,answer\n", ",C"),
        ("test", "id,question,A,B,C,D\n", ""),
    )
}


def number(gold: Any, row: Row) -> str:
    """Ends with the number of the reference."""
    return f"That makes 1 + 2 steps. The answer is {str(gold).rpartition('#### ')[2]}."


def theorem(gold: Any, row: Row) -> str:
    """Ends with the answer as TheoremQA asks for it."""
    return f"By the theorem it follows. The answer is {str(gold).strip(chr(39))}."


def chosen(gold: Any, row: Row) -> str:
    """Names the letters of all questions of a row of GAOKAO-Bench in their order."""
    return f"先看材料。\n【答案】{' '.join(gold)}"


def not_chosen(gold: Any, row: Row) -> str:
    """Names another letter for each question."""
    return f"先看材料。\n【答案】{' '.join('ABCDEFG'[('ABCDEFG'.index(one[0]) + 1) % 4] for one in gold)}"


def several(gold: Any, row: Row) -> str:
    """Names all options of the reference."""
    return f"逐项分析。\n答案: {gold}"


def _agieval(*names: str, right: Say = letter, wrong: Say) -> Benchmark:
    return Benchmark("agieval_gen", right, wrong, abbrs=tuple(f"agieval-{name}" for name in names))


EXAMS: tuple[Benchmark, ...] = (
    Benchmark("gsm8k_gen", number),
    Benchmark("gsm8k_base_gen", number, reads_text=True),
    Benchmark("gsm8k_rawprompt_gen", number),
    Benchmark("gsm_hard_gen", number),
    Benchmark("svamp_gen", number),
    Benchmark("mgsm_gen", number),
    Benchmark("math_gen", boxed, WRONG_BOX),
    Benchmark("math_base_gen", boxed, WRONG_BOX, reads_text=True),
    Benchmark("math_rawprompt_gen", boxed, WRONG_BOX),
    Benchmark("math_500_gen", boxed, WRONG_BOX),
    Benchmark("math_500_gen", boxed, WRONG_BOX, files={"math/test_prm800k_500.jsonl": MATH_500_ROWS}),
    Benchmark("aime2024_gen", boxed, WRONG_BOX, files={"aime.jsonl": AIME_ROWS}),
    Benchmark("aime2024_rawprompt_gen", boxed, WRONG_BOX, files={"aime.jsonl": AIME_ROWS}),
    Benchmark("aime2025_gen", boxed, WRONG_BOX, files={"aime2025/aime2025.jsonl": AIME_ROWS}),
    Benchmark("TheoremQA_gen", theorem, metric="score"),
    Benchmark("TheoremQA_5shot_gen", theorem, metric="score", reads_text=True),
    Benchmark("mmlu_gen", wrong=other_letter("ABCD")),
    Benchmark("mmlu_5shot_gen", wrong=other_letter("ABCD")),
    Benchmark("mmlu_rawprompt_gen", wrong=other_letter("ABCD")),
    Benchmark("mmlu_ppl"),
    Benchmark("mmlu_pro_gen", wrong=other_letter("ABCDEFGHIJ")),
    Benchmark("mmlu_pro_few_shot_gen", wrong=other_letter("ABCDEFGHIJ")),
    Benchmark("mmlu_pro_rawprompt_gen", wrong=other_letter("ABCDEFGHIJ")),
    Benchmark("cmmlu_gen", wrong=other_letter("ABCD")),
    Benchmark("cmmlu_5shot_gen", wrong=other_letter("ABCD")),
    Benchmark("cmmlu_ppl"),
    Benchmark("ceval_gen", wrong=other_letter("ABCD"), files={"ceval/formal_ceval": Path("ceval_zhtw/formal_ceval")}),
    Benchmark("ceval_0shot_cot_gen", wrong=other_letter("ABCD"), files=CEVAL_FILES,
              abbrs=tuple(f"ceval-{name}" for name in CEVAL_SUBJECTS)),
    Benchmark("ceval_ppl", files={"ceval/formal_ceval": Path("ceval_zhtw/formal_ceval")}),
    _agieval("gaokao-chinese", "logiqa-zh", "sat-math", "gaokao-english", wrong=other_letter("ABCD")),
    _agieval("aqua-rat", "lsat-ar", "lsat-rc", wrong=other_letter("ABCDE")),
    _agieval("gaokao-physics", "gaokao-mathqa", right=several, wrong=fixed("答案: E")),
    _agieval("gaokao-mathcloze", "math", right=boxed, wrong=WRONG_BOX),
    Benchmark("agieval_mixed", abbrs=("agieval-gaokao-biology", "agieval-sat-en", "agieval-aqua-rat")),
    Benchmark("GaokaoBench_gen", chosen, not_chosen, metric="score"),
    Benchmark("GaokaoBench_gen", chosen, not_chosen, metric="score",
              abbrs=("GaokaoBench_2010-2022_Physics_MCQs", "GaokaoBench_2010-2022_English_Reading_Comp")),
    Benchmark("gpqa_gen", wrong=other_letter("ABCD"), files={"gpqa/gpqa_diamond.csv": GPQA_TABLE}),
    Benchmark("gpqa_rawprompt_gen", wrong=other_letter("ABCD"), files={"gpqa/gpqa_diamond.csv": GPQA_TABLE}),
    Benchmark("race_gen", wrong=other_letter("ABCD"), files=RACE_FILES),
    Benchmark("race_ppl", files=RACE_FILES),
    Benchmark("ARC_c_gen", wrong=other_letter("ABCD")),
    Benchmark("ARC_c_rawprompt_gen", wrong=other_letter("ABCD")),
    Benchmark("ARC_c_ppl"),
    Benchmark("ARC_e_gen", wrong=other_letter("ABCD")),
    Benchmark("ARC_e_ppl"),
)  # fmt: skip
