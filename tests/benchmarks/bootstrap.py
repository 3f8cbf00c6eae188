"""`python bootstrap.py`: the interval of a mean of 10,000 different values by 10,000 draws."""

import random
import sys

from tasks.report.stats.bootstrap import bootstrap_interval

VALUES = DRAWS = 10_000

if __name__ == "__main__":
    source = random.Random(1)
    interval = bootstrap_interval([source.random() for _ in range(VALUES)], draws=DRAWS)
    sys.stdout.write(f"{interval.low} {interval.high}\n")
