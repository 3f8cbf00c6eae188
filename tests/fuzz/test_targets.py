"""Whatever bytes come, what reads them raises nothing but what its callers expect."""

import pytest
from fuzz.targets import SEEDS, TARGETS
from hypothesis import given
from hypothesis import strategies as st
from support.anything import HOSTILE, damaged, tries

FOUND = {"command_line": [b"models.--5.x=1", b"models.\xc2\xb2.x=1", b"x={[]: 1}", b"x=" + b"[" * 3000 + b"]" * 3000]}
"""What once was a traceback."""


@pytest.mark.parametrize("name", TARGETS)
@tries(40)
@given(data=st.data())
def test_any_bytes(name: str, data: st.DataObject) -> None:
    TARGETS[name](data.draw(HOSTILE | st.binary(max_size=60) | st.sampled_from(SEEDS[name]).flatmap(damaged)))


@pytest.mark.parametrize("name", TARGETS)
def test_what_it_is_made_for(name: str) -> None:
    for content in (*SEEDS[name], *FOUND.get(name, ())):
        TARGETS[name](content)
