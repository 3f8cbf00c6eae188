"""Pages in Chinese have the commands and configurations of the English ones."""

import re

import pytest
from support.documents import blocks_of, codes_of, outline_of, page_path, pages, targets_of

TRANSLATED = {page: page.replace(".zh.md", ".md").replace("docs/zh/", "docs/") for page in pages() if "zh" in page}


def test_what_users_read_first_is_there_in_chinese() -> None:
    wanted = {page for page in pages() if re.fullmatch(r"README.md|docs/(index|tutorial|faq|how_to/\w+)\.md", page)}
    assert wanted - set(TRANSLATED.values()) == set()


@pytest.mark.parametrize("page", TRANSLATED)
def test_commands_and_configurations_are_the_same(page: str) -> None:
    def written(name: str) -> list[tuple[str, str]]:
        return [(block.language, block.bare) for block in blocks_of(name) if block.language != "text" or block.marks]

    assert written(page) == written(TRANSLATED[page])


@pytest.mark.parametrize("page", TRANSLATED)
def test_names_and_commands_in_sentences_are_the_same(page: str) -> None:
    assert set(codes_of(page)) == set(codes_of(TRANSLATED[page]))


@pytest.mark.parametrize("page", TRANSLATED)
def test_headings_and_tables_are_the_same(page: str) -> None:
    assert outline_of(page) == outline_of(TRANSLATED[page])


@pytest.mark.parametrize("page", TRANSLATED)
def test_they_lead_to_the_same_pages(page: str) -> None:
    def led_to(name: str) -> set[str]:
        found = {page_path(name, target).resolve() for target in targets_of(name) if "://" not in target}
        return {re.sub(r"\.zh\.md$", ".md", str(path)).replace("/docs/zh/", "/docs/") for path in found}

    assert led_to(page) == led_to(TRANSLATED[page])
