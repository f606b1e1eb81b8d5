"""Generate the Python stubs beside the .proto files, or only `--check` whether they are stale."""

from __future__ import annotations

import argparse
import filecmp
import os
import sys
import tempfile
from importlib import resources
from pathlib import Path

from grpc_tools import protoc

ROOT = Path(__file__).parent
PACKAGE = Path("qin/v1")


def generate(out: Path) -> None:
    # protoc looks for its plugins on the PATH; they are installed beside this Python.
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    files = sorted(str(path.relative_to(ROOT)) for path in (ROOT / PACKAGE).glob("*.proto"))
    code = protoc.main(
        [
            "protoc",
            f"-I{ROOT}",
            f"-I{resources.files('grpc_tools') / '_proto'}",
            f"--python_out={out}",
            f"--grpc_python_out={out}",
            f"--mypy_out={out}",
            f"--mypy_grpc_out={out}",
            *files,
        ]
    )
    if code:
        sys.exit(code)


def stubs(root: Path) -> set[str]:
    return {path.name for path in (root / PACKAGE).glob("*_pb2*.py*")}


def check() -> int:
    with tempfile.TemporaryDirectory() as scratch:
        fresh = Path(scratch)
        generate(fresh)
        names = sorted(stubs(fresh) | stubs(ROOT))
        _, changed, odd = filecmp.cmpfiles(fresh / PACKAGE, ROOT / PACKAGE, names, shallow=False)
    stale = sorted(changed + odd)
    if stale:
        sys.stderr.write(f"stubs out of date: {', '.join(stale)}; run 'make proto'\n")
    return 1 if stale else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="exit 1 when the stubs are stale")
    if parser.parse_args().check:
        return check()
    generate(ROOT)
    return 0


if __name__ == "__main__":
    sys.exit(main())
