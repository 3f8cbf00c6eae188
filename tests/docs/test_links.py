"""Links within the documentation lead somewhere, down to the heading."""

import re

import pytest
from support.documents import anchors_of, page_path, pages, read_page, targets_of
from support.repository import ROOT

CONTRIBUTORS = ("CONTRIBUTING.md", "CHANGELOG.md", "docs/architecture.md")
_PATH = re.compile(r"`((?:\.ci|blocks|configs|deployments|docs|flows|tasks|tests)/[\w./-]*)`")


@pytest.mark.parametrize("page", sorted({*pages(), *CONTRIBUTORS}))
def test_links_lead_to_files_and_headings(page: str) -> None:
    local = [target for target in targets_of(page) if "://" not in target and not target.startswith("mailto:")]
    missing = [target for target in local if not page_path(page, target).exists()]
    assert missing == []
    for target in local:
        heading = target.partition("#")[2]
        if heading and page_path(page, target).suffix == ".md":
            name = str(page_path(page, target).resolve().relative_to(ROOT))
            assert heading in anchors_of(name), f"{page}: {target}"


@pytest.mark.parametrize("page", CONTRIBUTORS)
def test_files_that_contributors_are_told_of_exist(page: str) -> None:
    assert [name for name in _PATH.findall(read_page(page)) if not (ROOT / name).exists()] == []


def test_every_target_of_make_is_told() -> None:
    targets = re.findall(r"^([a-z]+):.*## ", (ROOT / "Makefile").read_text(), re.MULTILINE)
    told = set(re.findall(r"^make ([a-z]+)", read_page("CONTRIBUTING.md"), re.MULTILINE))
    assert set(targets) <= told


def test_every_guide_can_be_reached_from_the_start_page() -> None:
    reached, ahead = set[str](), {"README.md"}
    while ahead:
        page = ahead.pop()
        reached.add(page)
        found = [page_path(page, target).resolve() for target in targets_of(page) if "://" not in target]
        linked = {str(path.relative_to(ROOT)) for path in found if path.suffix == ".md" and path.is_file()}
        ahead |= linked - reached
    guides = {page for page in pages() if page.startswith("docs/") and not page.startswith("docs/zh/")}
    assert guides - reached - {"docs/index.md"} == set()
