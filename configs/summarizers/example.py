"""All datasets in the order of the configuration, no groups."""

summarizer = dict(summary_groups=[])
