"""Text of others as it can be shown and stored anywhere."""


def one_line(text: str) -> str:
    """The text in one line; what a terminal or a file would not take (controls, lone surrogates) is escaped."""
    line = " ".join(text.split())
    return line if line.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in line)
