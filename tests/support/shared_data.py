"""Real benchmark files, which lie beside the checkout where they are available."""

from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[3] / "shared" / "data"


def shared_data(relative: str = "") -> Path:
    """The file or folder below the shared data; skips the test where it is absent."""
    path = _ROOT / relative
    if not path.exists():
        pytest.skip(f"needs ../shared/data/{relative}, which is not beside this checkout")
    return path
