"""Arena-Hard under its OpenCompass name."""

from tasks.spec import read_base

with read_base():
    from .arenahard_gen import arenahard_datasets
