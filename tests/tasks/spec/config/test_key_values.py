"""Values as they are written on a command line."""

from typing import Any

import pytest

from tasks.spec.config.key_values import parse_pairs, parse_value
from tasks.spec.findings import UserError


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        ("0.5", 0.5),
        ("1e-6", 1e-6),
        ("true", True),
        ("False", False),
        ("none", None),
        ("auto", "auto"),
        ("'3'", "3"),
        ("a,b", ["a", "b"]),
        ("1,2", [1, 2]),
        ("(1,2)", (1, 2)),
        ("[1,2,[x,y]]", [1, 2, ["x", "y"]]),
        ("(a,b)", ("a", "b")),
        ("['a,b',c]", ["a,b", "c"]),
        ("{'a': 1}", {"a": 1}),
        ("http://host:1/v1?a=1,2", "http://host:1/v1?a=1,2"),
        ("", ""),
        ("/data/my model", "/data/my model"),
    ],
)
def test_a_value(text: str, value: Any):
    assert parse_value(text) == value


def test_pairs_split_at_the_first_equals_sign():
    assert parse_pairs(["a=b=c", "n=1"], "--x") == {"a": "b=c", "n": 1}
    with pytest.raises(UserError, match="--x: '=1' is not KEY=VALUE"):
        parse_pairs(["=1"], "--x")
