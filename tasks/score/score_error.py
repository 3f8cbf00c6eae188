"""Why a pair has no score."""


class ScoreError(Exception):
    """Scoring a pair failed; the message is the reason in words, as the summary shows it."""
