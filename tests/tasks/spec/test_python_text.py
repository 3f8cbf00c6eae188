import gc
import sys
import threading
import time

import pytest

from tasks.spec.python_text import parse_expression, parse_module

_TEXT = "\n".join(f"x{number} = dict(a=[{number}], b={{{number}: 'y'}})" for number in range(300))


@pytest.fixture
def _collecting_often():
    """Every collection gives up the GIL, as finalizers written in Python do."""
    thresholds, interval = gc.get_threshold(), sys.getswitchinterval()
    give_up = lambda *_: time.sleep(0)  # noqa: E731
    gc.callbacks.append(give_up)
    gc.set_threshold(20)
    sys.setswitchinterval(1e-5)
    yield
    gc.callbacks.remove(give_up)
    gc.set_threshold(*thresholds)
    sys.setswitchinterval(interval)


def _parse_at(depth: int, errors: list[BaseException]) -> None:
    if depth:
        return _parse_at(depth - 1, errors)
    try:
        for _ in range(15):
            parse_module(_TEXT)
            parse_expression("1 + 2")
    except SystemError as error:
        errors.append(error)


@pytest.mark.usefixtures("_collecting_often")
def test_threads_parse_at_the_same_time():
    errors: list[BaseException] = []
    threads = [threading.Thread(target=_parse_at, args=(depth, errors)) for depth in (3, 20, 50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors


def test_wrong_text_raises_what_ast_raises():
    with pytest.raises(SyntaxError):
        parse_module("x = ")
    with pytest.raises(SyntaxError):
        parse_expression("x = 1")
