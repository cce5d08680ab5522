"""The code in README.md and in docs/ runs, and the links lead somewhere."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]
README = PAGES[0].read_text(encoding="utf-8")


def blocks(page: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_the_code_runs(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {}  # a page is read from its top: later code uses earlier names
    for number, block in enumerate(blocks(page), 1):
        exec(compile(block, f"{page.name}, block {number}", "exec"), names)


def test_there_is_code() -> None:
    assert len(blocks(PAGES[0])) >= 3


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_links_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)]+)\)", page.read_text(encoding="utf-8"))
    missing = [t for t in targets if not t.startswith("http") and not (page.parent / t).exists()]
    assert not missing


def test_the_number_of_rule_cases_is_right() -> None:
    files = (ROOT / "tests" / "scenarios").glob("*/*.txt")
    cases = sum(len(re.split(r"^===", f.read_text("utf-8"), flags=re.MULTILINE)) for f in files)
    claimed = re.search(r"over (\d+) rule cases", README)
    assert claimed
    assert cases > int(claimed[1])
