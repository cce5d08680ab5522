"""The code in README.md runs, and its links lead somewhere."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_the_code_runs(number: int, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(BLOCKS[number], f"README.md, block {number + 1}", "exec"), {})


def test_there_is_code() -> None:
    assert len(BLOCKS) >= 3


def test_links_lead_somewhere() -> None:
    targets = re.findall(r"\]\(([^)]+)\)", README)
    missing = [t for t in targets if not t.startswith("http") and not (ROOT / t).exists()]
    assert not missing


def test_the_number_of_rule_cases_is_right() -> None:
    files = (ROOT / "tests" / "scenarios").glob("*/*.txt")
    cases = sum(len(re.split(r"^===", f.read_text("utf-8"), flags=re.MULTILINE)) for f in files)
    claimed = re.search(r"over (\d+) rule cases", README)
    assert claimed
    assert cases > int(claimed[1])
