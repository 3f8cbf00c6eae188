"""How a request to a model ended, and what that means for the score."""

from enum import StrEnum


class Status(StrEnum):
    """Outcome of one request, and of the sample built from its requests."""

    OK = "ok"
    TRUNCATED = "truncated"
    """The output limit was reached; the answer text there is gets scored."""
    FILTERED = "filtered"
    """A content filter of the service withheld the answer."""
    REFUSED = "refused"
    """The model declined to answer."""
    EMPTY = "empty"
    """The model answered with nothing."""
    ERROR = "error"
    """No answer could be had; asked again by the next run that resumes."""

    @property
    def in_denominator(self) -> bool:
        """Whether the sample counts at all: everything does but an error."""
        return self is not Status.ERROR

    @property
    def has_answer(self) -> bool:
        """Whether there is text to extract an answer from; the others count as wrong."""
        return self in (Status.OK, Status.TRUNCATED)

    @property
    def is_final(self) -> bool:
        """Whether a resumed run keeps the record instead of asking again."""
        return self is not Status.ERROR


def worst(statuses: "list[Status]") -> Status:
    """The status of a sample made of several requests: the gravest of theirs."""
    order = list(Status)
    return max(statuses, key=order.index, default=Status.EMPTY)
