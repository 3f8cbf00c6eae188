"""All datasets in the order of the configuration, then the groups whose members are among them. The default."""

from tasks.spec import read_base

with read_base():
    from .groups.agieval import agieval_summary_groups
    from .groups.bbh import bbh_summary_groups
    from .groups.ceval import ceval_summary_groups
    from .groups.cmmlu import cmmlu_summary_groups
    from .groups.FewCLUE import FewCLUE_summary_groups
    from .groups.flores import flores_summary_groups
    from .groups.GaokaoBench import GaokaoBench_summary_groups
    from .groups.lawbench import lawbench_summary_groups
    from .groups.longbench import longbench_summary_groups
    from .groups.mgsm import mgsm_summary_groups
    from .groups.mmlu import mmlu_summary_groups
    from .groups.mmlu_pro import mmlu_pro_summary_groups
    from .groups.needlebench_groups import needlebench_summary_groups
    from .groups.ruler import ruler_summary_groups

summarizer = dict(
    summary_groups=[
        group for name, groups in dict(locals()).items() if name.endswith("_summary_groups") for group in groups
    ],
)
