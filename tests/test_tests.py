"""The overview of the tests: it names all of them, and no others."""

import re
from pathlib import Path

FOLDER = Path(__file__).parent
OVERVIEW = (FOLDER / "README.md").read_text("utf-8")


def test_every_file_has_its_line() -> None:
    named = set(re.findall(r"`(test_\w+\.py)`", OVERVIEW))
    there = {path.name for path in FOLDER.glob("test_*.py")}
    assert named == there, "tests/README.md says what each file of tests is for"


def test_the_tests_that_are_named_exist() -> None:
    named = set(re.findall(r"`(test_\w+)`", OVERVIEW))
    texts = [path.read_text("utf-8") for path in FOLDER.glob("test_*.py")]
    assert named
    assert named <= {name for text in texts for name in re.findall(r"def (test_\w+)", text)}
