"""The benchmarks of OpenCompass's overview of chat models."""

from tasks.spec import read_base

with read_base():
    from ..datasets.bbh.bbh_gen import bbh_datasets
    from ..datasets.ceval.ceval_gen import ceval_datasets
    from ..datasets.cmmlu.cmmlu_5shot_gen import cmmlu_datasets
    from ..datasets.GaokaoBench.GaokaoBench_no_subjective_gen import GaokaoBench_datasets
    from ..datasets.gpqa.gpqa_gen import gpqa_datasets
    from ..datasets.gsm8k.gsm8k_gen import gsm8k_datasets
    from ..datasets.hellaswag.hellaswag_gen import hellaswag_datasets
    from ..datasets.humaneval.humaneval_gen import humaneval_datasets
    from ..datasets.IFEval.IFEval_gen import ifeval_datasets
    from ..datasets.math.math_gen import math_datasets
    from ..datasets.mbpp.sanitized_mbpp_gen import sanitized_mbpp_datasets
    from ..datasets.mmlu.mmlu_5shot_gen import mmlu_datasets
    from ..datasets.nq.nq_open_1shot_gen import nq_datasets
    from ..datasets.race.race_gen import race_datasets
    from ..datasets.TheoremQA.TheoremQA_5shot_gen import TheoremQA_datasets
    from ..datasets.triviaqa.triviaqa_wiki_1shot_gen import triviaqa_datasets
    from ..datasets.winogrande.winogrande_gen import winogrande_datasets

datasets = [entry for name, entries in dict(locals()).items() if name.endswith("_datasets") for entry in entries]
