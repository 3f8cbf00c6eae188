"""A user's own classes, written for version 0.1."""

from tasks.report.summarizer import DefaultSummarizer
from tasks.score.evaluators import AccEvaluator


class BracketEvaluator(AccEvaluator):
    """Scores what stands in brackets too."""

    def score(self, predictions, references):
        return super().score([text.strip("[]") for text in predictions], references)


class ShortTable(DefaultSummarizer):
    """The usual table."""
