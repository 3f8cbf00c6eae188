"""`python bootstrap.py`: the interval of a mean of 10,000 different values by 10,000 draws."""

import random
import sys

from tasks.report.stats.bootstrap import bootstrap_means, percentiles

VALUES = DRAWS = 10_000

if __name__ == "__main__":
    source = random.Random(1)
    means = bootstrap_means([source.random() for _ in range(VALUES)], draws=DRAWS)
    interval = percentiles(means, 0.95, "bootstrap")
    sys.stdout.write(f"{interval.low} {interval.high}\n")
