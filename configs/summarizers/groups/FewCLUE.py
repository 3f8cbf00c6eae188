"""FewCLUE: the mean over the development and the public test rows of OCNLI."""

FewCLUE_summary_groups = [dict(name="ocnli_fc", subsets=["ocnli_fc-dev", "ocnli_fc-test"])]
