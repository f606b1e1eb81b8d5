"""The scripts of examples/kit as modules."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

HOUSE = Path(__file__).parent.parent.parent
KIT = HOUSE / "examples" / "kit"


def kit_module(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(f"kit_{name}", KIT / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
