"""A broad overview of a base model."""

from tasks.spec import read_base

with read_base():
    from ..datasets.agieval.agieval_mixed import agieval_datasets
    from ..datasets.ARC_c.ARC_c_ppl import ARC_c_datasets
    from ..datasets.ARC_e.ARC_e_ppl import ARC_e_datasets
    from ..datasets.bbh.bbh_gen import bbh_datasets
    from ..datasets.ceval.ceval_ppl import ceval_datasets
    from ..datasets.CLUE_CMRC.CLUE_CMRC_gen import CMRC_datasets
    from ..datasets.CLUE_OCNLI.CLUE_OCNLI_ppl import ocnli_datasets
    from ..datasets.commonsenseqa.commonsenseqa_ppl import commonsenseqa_datasets
    from ..datasets.FewCLUE_ocnli_fc.FewCLUE_ocnli_fc_ppl import ocnli_fc_datasets
    from ..datasets.flores.flores_gen import flores_datasets
    from ..datasets.GaokaoBench.GaokaoBench_gen import GaokaoBench_datasets
    from ..datasets.gsm8k.gsm8k_base_gen import gsm8k_datasets
    from ..datasets.hellaswag.hellaswag_ppl import hellaswag_datasets
    from ..datasets.humaneval.humaneval_base_gen import humaneval_datasets
    from ..datasets.lambada.lambada_base_gen import lambada_datasets
    from ..datasets.math.math_base_gen import math_datasets
    from ..datasets.mbpp.mbpp_gen import mbpp_datasets
    from ..datasets.mmlu.mmlu_ppl import mmlu_datasets
    from ..datasets.nq.nq_gen import nq_datasets
    from ..datasets.obqa.obqa_ppl import obqa_datasets
    from ..datasets.piqa.piqa_ppl import piqa_datasets
    from ..datasets.race.race_ppl import race_datasets
    from ..datasets.siqa.siqa_ppl import siqa_datasets
    from ..datasets.strategyqa.strategyqa_gen import strategyqa_datasets
    from ..datasets.SuperGLUE_BoolQ.SuperGLUE_BoolQ_ppl import BoolQ_datasets
    from ..datasets.SuperGLUE_COPA.SuperGLUE_COPA_ppl import COPA_datasets
    from ..datasets.SuperGLUE_WiC.SuperGLUE_WiC_ppl import WiC_datasets
    from ..datasets.SuperGLUE_WSC.SuperGLUE_WSC_ppl import WSC_datasets
    from ..datasets.TheoremQA.TheoremQA_5shot_gen import TheoremQA_datasets
    from ..datasets.triviaqa.triviaqa_gen import triviaqa_datasets
    from ..datasets.winogrande.winogrande_ppl import winogrande_datasets

datasets = [entry for name, entries in dict(locals()).items() if name.endswith("_datasets") for entry in entries]
