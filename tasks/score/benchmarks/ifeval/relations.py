"""How instructions compare a count with a number."""


def holds(count: int, relation: str, number: int) -> bool:
    """ValueError for a relation other than `at least` and `less than`."""
    if relation == "at least":
        return count >= number
    if relation == "less than":
        return count < number
    raise ValueError(f"the relation {relation!r} is neither 'at least' nor 'less than'")
