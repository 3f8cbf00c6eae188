"""A quick overview of a chat model."""

from tasks.spec import read_base

with read_base():
    from ..datasets.bbh.bbh_gen import bbh_datasets
    from ..datasets.ceval.ceval_gen import ceval_datasets
    from ..datasets.CLUE_CMRC.CLUE_CMRC_gen import CMRC_datasets
    from ..datasets.gsm8k.gsm8k_gen import gsm8k_datasets
    from ..datasets.hellaswag.hellaswag_gen import hellaswag_datasets
    from ..datasets.humaneval.humaneval_gen import humaneval_datasets
    from ..datasets.lambada.lambada_gen import lambada_datasets
    from ..datasets.math.math_gen import math_datasets
    from ..datasets.mbpp.mbpp_gen import mbpp_datasets
    from ..datasets.mmlu.mmlu_gen import mmlu_datasets
    from ..datasets.nq.nq_gen import nq_datasets
    from ..datasets.obqa.obqa_gen import obqa_datasets
    from ..datasets.piqa.piqa_gen import piqa_datasets
    from ..datasets.race.race_gen import race_datasets
    from ..datasets.SuperGLUE_BoolQ.SuperGLUE_BoolQ_gen import BoolQ_datasets
    from ..datasets.SuperGLUE_COPA.SuperGLUE_COPA_gen import COPA_datasets
    from ..datasets.SuperGLUE_WiC.SuperGLUE_WiC_gen import WiC_datasets
    from ..datasets.SuperGLUE_WSC.SuperGLUE_WSC_gen import WSC_datasets
    from ..datasets.triviaqa.triviaqa_gen import triviaqa_datasets
    from ..datasets.winogrande.winogrande_gen import winogrande_datasets

datasets = [entry for name, entries in dict(locals()).items() if name.endswith("_datasets") for entry in entries]
