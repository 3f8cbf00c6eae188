"""Arena-Hard under the name that it has in OpenCompass."""

from tasks.spec import read_base

with read_base():
    from .arenahard_gen import arenahard_datasets
