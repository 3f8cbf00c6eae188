"""What right, wrong and useless answers to the maths and exam benchmarks look like."""

from support.benchmark_runs import Benchmark, boxed, fixed, other_letter

EXAMS: tuple[Benchmark, ...] = (
    Benchmark("gsm8k_gen", right=lambda gold, _row: f"So the answer is {gold.rpartition('#### ')[2]}."),
    Benchmark(
        "gsm8k_base_gen", right=lambda gold, _row: f"The answer is {gold.rpartition('#### ')[2]}", reads_text=True
    ),
    Benchmark("math_gen", right=boxed, wrong=fixed(r"\boxed{987654321}")),
    Benchmark("math_base_gen", right=boxed, wrong=fixed(r"\boxed{987654321}"), reads_text=True),
    Benchmark("mmlu_pro_gen", wrong=other_letter("ABCDEFGHIJ")),
    Benchmark("mmlu_pro_few_shot_gen", wrong=other_letter("ABCDEFGHIJ")),
    Benchmark("ARC_c_ppl"),
)
