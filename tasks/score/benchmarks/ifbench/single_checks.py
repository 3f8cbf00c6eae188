"""Instructions that one prompt gives: tables, lists of countries and capitals, sentences backwards.

The rules are those of Pyatkin et al. 2025 (arXiv:2507.02833) and of their published checks.
"""

import csv
import io
import re
import unicodedata
from collections.abc import Sequence
from itertools import pairwise
from string import ascii_lowercase, digits, punctuation, whitespace

from tasks.score.benchmarks.ifbench.text_units import EDGE, bare_words, word_list
from tasks.score.benchmarks.ifeval.text_units import sentences

_CITY_TABLE = ["ID", "Country", "City", "Year", "Count"]
_PRODUCT_TABLE = ["ProductID", "Category", "Brand", "Price", "Stock"]
_STUDENT_TABLE = ["StudentID", "Subject", "Grade", "Semester", "Score"]
_SPECIAL = re.compile(r'"[^"]*[^\w\s"][^"]*"')
_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_NAPOLEON = (1769, 1821)
_LONG_MONTHS, _SHORT_MONTHS = (1, 3, 5, 7, 8, 10, 12), (4, 6, 9, 11)
_QUESTION = re.compile(r"\n*Question \d+[.|):;]?\s*")
_OPTION = re.compile(r"[A-Ea-e][.|)]\s*\w+")
_AFRICAN_COUNTRIES = 52


def character_reverse(text: str) -> bool:
    """The animal's name occurs with its letters in reverse order."""
    return "elgae dlab" in text.lower()


def word_reverse(text: str) -> bool:
    """One sentence with its words in reverse order, in which the animal's name occurs."""
    backwards = " ".join(reversed(bare_words(text)))
    return "bald eagle" in backwards and len(sentences(backwards)) == 1


def csv_city(text: str) -> bool:
    """A table of seven rows divided by commas."""
    return _is_table(_records(text, ","), _CITY_TABLE, 7)


def csv_special_character(text: str) -> bool:
    """A table of fourteen rows divided by commas; a field between double quotes holds a special character."""
    return _is_table(_records(text, ","), _PRODUCT_TABLE, 14) and _SPECIAL.search(text.partition("\n")[2]) is not None


def csv_quotes(text: str) -> bool:
    """A table of three rows divided by tabulators, all fields between double quotes."""
    fields = [field.strip() for line in text.strip().split("\n") for field in line.split("\t")]
    quoted = all(len(field) > 1 and field[0] == '"' == field[-1] for field in fields)
    return quoted and _is_table(_records(text, "\t"), _STUDENT_TABLE, 3)


def date_format_list(text: str) -> bool:
    """Dates of Napoleon's time, as year, month and day, divided by commas, and nothing else."""
    return all(_is_date(part.strip()) for part in text.strip().split(","))


def european_capitals_sort(text: str) -> bool:
    """The capitals north of 45 degrees from north to south, divided by commas; accents do not count."""
    named = tuple(part.strip() for part in _plain(text).split(",") if part.strip())
    return named == word_list("northern_capitals")


def mcq_count_length(text: str) -> bool:
    """Four questions with a label, each longer than the one before, with five lettered options each."""
    if not text.startswith("Question"):
        return False
    questions = [part.strip().split("\n") for part in _QUESTION.split(text) if part.strip()]
    options = [sum(_OPTION.match(line.strip()) is not None for line in lines) for lines in questions]
    lengths = [len(_asked(lines)) for lines in questions]
    return options == [5, 5, 5, 5] and all(before < after for before, after in pairwise(lengths))


def multiples(text: str) -> bool:
    """The multiples of 7 from 14 to 49, and no other number."""
    return re.findall(r"\d+", text) == [str(number) for number in range(14, 50, 7)]


def reverse_newline(text: str) -> bool:
    """From the line with Zimbabwe on, at least 52 lines from Z to A; accents and numbers before names do not count."""
    lines = [line for raw in text.split("\n") if (line := _plain(raw.strip(EDGE).lstrip(EDGE + digits)))]
    first = next((place for place, line in enumerate(lines) if "Zimbabwe" in line), len(lines))
    countries = lines[first:]
    return len(countries) >= _AFRICAN_COUNTRIES and countries == sorted(countries, reverse=True)


def sentence_alphabet(text: str) -> bool:
    """26 sentences that begin with the letters of the alphabet in order."""
    initials = [sentence.lstrip(punctuation + whitespace)[:1].lower() for sentence in sentences(text)]
    return initials == list(ascii_lowercase)


def _records(text: str, delimiter: str) -> list[list[str]]:
    try:
        return list(csv.reader(io.StringIO(text.strip()), delimiter=delimiter))
    except csv.Error:
        return []


def _is_table(records: Sequence[Sequence[str]], header: list[str], count: int) -> bool:
    if len(records) != count + 1 or [name.strip() for name in records[0]] != header:
        return False
    return all(len(record) == len(header) for record in records)


def _is_date(text: str) -> bool:
    match = _DATE.fullmatch(text)
    if match is None:
        return False
    year, month, day = map(int, match.groups())
    last = 31 if month in _LONG_MONTHS else 30 if month in _SHORT_MONTHS else 29
    return _NAPOLEON[0] <= year <= _NAPOLEON[1] and 1 <= month <= 12 and 1 <= day <= last


def _plain(text: str) -> str:
    """Without accents."""
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()


def _asked(lines: Sequence[str]) -> str:
    """The question itself: the lines before the first option."""
    first = next((place for place, line in enumerate(lines) if _OPTION.match(line.strip())), len(lines))
    return " ".join(line.strip() for line in lines[:first])
