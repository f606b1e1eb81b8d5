"""docs/rules.md keeps up with the rules: every ruling is tested, every refusal is explained."""

import re
from pathlib import Path

import pytest
from qin.engine import Reason

HERE = Path(__file__).parent
PAGE = (HERE.parents[1] / "docs" / "rules.md").read_text("utf-8")
RULINGS = re.findall(r"^- \*\*(R\d+)\*\* ", PAGE, re.MULTILINE)


def test_all_rulings_are_stated() -> None:
    assert sorted(RULINGS, key=lambda ruling: int(ruling[1:])) == [f"R{n}" for n in range(1, 15)]


@pytest.mark.parametrize("ruling", RULINGS)
def test_a_ruling_has_its_reason_and_a_test_named_after_it(ruling: str) -> None:
    # The ruling itself is in italics; what follows is why.
    assert re.search(rf"^- \*\*{ruling}\*\* \*[^*]+\*[:;,]?\s+[^\s-]", PAGE, re.MULTILINE)
    tests = "".join(file.read_text("utf-8") for file in HERE.glob("test_*.py"))
    assert f"def test_{ruling}_" in tests


def test_every_reason_of_a_refusal_is_explained_in_the_order_of_looking() -> None:
    assert re.findall(r"^\| `([a-z-]+)` \|", PAGE, re.MULTILINE) == [r.value for r in Reason]
