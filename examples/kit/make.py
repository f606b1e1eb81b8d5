"""Write what the kit is made of: the descriptor set and the scripted session.

The worked session of docs/protocol.md is written, too: the same session as it really went.

    python examples/kit/make.py            after a change to the contract
    python examples/kit/make.py --check    exit 1 if what is there is stale
"""
# ruff: noqa: INP001 - a script, not a package

from __future__ import annotations

import argparse
import asyncio
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from google.protobuf.descriptor_pb2 import FileDescriptorSet
from qin.server.options import Options
from qin.server.server import running
from run import CONTRACT, SCRIPT, Client, Contract, Json, Session
from steps import STEPS

HOUSE = Path(__file__).parent.parent.parent
DOCUMENT = HOUSE / "docs" / "protocol.md"
WIDTH = 98
VARYING = {"time", "created", "finished", "expires", "message"}
"""Fields that differ from time to time, or from server to server."""
MASKED = {
    "commitment": "COMMITMENT",
    "recordId": "RECORD",
    "salt": "SALT",
    "tableId": "TABLE",
    "ticket": "TICKET",
}
"""Fields that the server makes up, and what the script calls them."""


def build_contract(out: Path) -> None:
    beside = Path(sys.executable).with_name("buf")
    buf = str(beside) if beside.exists() else shutil.which("buf")
    if buf is None:
        sys.exit("buf is missing: pip install buf-bin")
    command = [buf, "build", "--as-file-descriptor-set", "--exclude-source-info", "-o", str(out)]
    subprocess.run(command, cwd=HOUSE, check=True)  # noqa: S603


def is_stale() -> bool:
    with tempfile.TemporaryDirectory() as scratch:
        fresh = Path(scratch) / CONTRACT.name
        build_contract(fresh)
        both = [FileDescriptorSet.FromString(path.read_bytes()) for path in (fresh, CONTRACT)]
    return both[0] != both[1]


class Recorder:
    """Plays the steps and notes the answers: masked for the script, as they are for docs."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._masks: dict[str, str] = {}
        self.lines: list[Json] = []
        self.shown: list[str] = []

    def step(self, step: Json) -> None:
        line = {
            key: value
            for key, value in step.items()
            if key not in {"show", "table", "want", "fails"}
        }
        real: dict[str, Any] = {}
        if "want" in step:
            real["receive"] = self._received(step)
            line["receive"] = self._masked(real["receive"])
        elif "fails" in step:
            line["error"] = self._session.error(step["on"])
        elif "method" in step and "open" not in step:
            real = self._session.answer(step)
            for kind, value in real.items():
                line.setdefault(kind, self._masked(value))
                self._session.names.compare(line[kind], value)
        else:
            self._session.step(step)
        self.lines.append(line)
        if step.get("show"):
            self._show(step, real)

    def end(self) -> None:
        """Leave; nothing may have come that no step wanted."""
        self._session.end()

    def _received(self, step: Json) -> Json:
        """So many things in some fields, as one message."""
        names = self._session.names
        message: Json = {"tableId": names.fill(step["table"])} if "table" in step else {}
        for field, count in step["want"].items():
            key = names.fill(field)
            values = [self._session.take(step["on"], key) for _ in range(count)]
            table, _, field_name = key.rpartition(" ")
            into = message
            if table:
                into = message.setdefault("updates", [{"tableId": table}])[0]
            many = field_name in {"events", "presences", "answers"}
            into[field_name] = values if many else values[0]
        return message

    def _masked(self, value: Any, field: str = "") -> Any:
        if field in VARYING:
            return "$ANY"
        if isinstance(value, dict):
            keys = sorted(value) if field == "metadata" else value
            return {key: self._masked(value[key], key) for key in keys}
        if isinstance(value, list):
            return [self._masked(each, field) for each in value]
        if isinstance(value, str):
            name = MASKED.get(field)
            if name and value not in self._masks:
                taken = sum(mask.startswith(f"${name}") for mask in self._masks.values())
                self._masks[value] = f"${name}{taken + 1}"
                self._session.names.learn(f"{name}{taken + 1}", value)
            if field == "text":
                value = re.sub(r'\[Date "[^"]*"\]', '[Date "$ANY"]', value)
            for text in sorted(self._masks, key=len, reverse=True):
                value = value.replace(text, self._masks[text])
        return value

    def _show(self, step: Json, real: Json) -> None:
        token = step.get("metadata", {}).get("authorization", "")
        who = token.removeprefix("Bearer $").lower() or step.get("on", "anybody").split()[0]
        self.shown.append(f"{step['note']}\n")
        if "method" in step:
            self.shown.append(f"*{who}* calls `{step['method'].removeprefix('qin.v1.')}`\n")
            self._show_json(self._session.names.fill(step.get("request", {})))
        words = {"response": "and gets", "error": "and is refused", "receive": f"*{who}* is sent"}
        for kind, value in real.items():
            if step["show"] != "request":
                self.shown.append(f"{words[kind]}\n")
                self._show_json(value)

    def _show_json(self, value: Any) -> None:
        self.shown.append(f"```json\n{layout(value)}\n```\n")


def layout(value: Any, indent: str = "", before: int = 0) -> str:
    """JSON on one line where it fits, else its parts on lines that are filled as far as they go."""
    short = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or len(indent) + before + len(short) <= WIDTH:
        return short
    deeper = indent + "  "
    if isinstance(value, dict):
        parts = [
            f"{json.dumps(key)}: {layout(each, deeper, len(key) + 4)}"
            for key, each in value.items()
        ]
    else:
        parts = [layout(each, deeper) for each in value]
    lines = [deeper + parts[0]]
    for part in parts[1:]:
        if "\n" in part + lines[-1] or len(lines[-1]) + len(part) + 3 > WIDTH:
            lines[-1] += ","
            lines.append(deeper + part)
        else:
            lines[-1] += f", {part}"
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return f"{opening}\n" + "\n".join(lines) + f"\n{indent}{closing}"


def record(address: str) -> Recorder:
    client = Client(Contract(), address)
    recorder = Recorder(Session(client))
    try:
        for step in STEPS:
            recorder.step(step)
        recorder.end()
    finally:
        client.close()
    return recorder


async def recorded() -> Recorder:
    async with running(Options(port=0, allow_deals=True)) as server:
        return await asyncio.to_thread(record, f"127.0.0.1:{server.port}")


def write_document(shown: list[str]) -> None:
    """Put the session between its two marks."""
    text = DOCUMENT.read_text("utf-8")
    before, _, rest = text.partition("<!-- session -->\n")
    _, mark, after = rest.partition("<!-- end of session -->")
    session = "\n".join(shown)
    DOCUMENT.write_text(f"{before}<!-- session -->\n\n{session}\n{mark}{after}", "utf-8")


def script_of(recorder: Recorder) -> str:
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in recorder.lines)


def check() -> int:
    stale = [CONTRACT.name] if is_stale() else []
    if SCRIPT.read_text("utf-8") != script_of(asyncio.run(recorded())):
        stale.append(SCRIPT.name)
    if stale:
        sys.stderr.write(f"stale: {', '.join(stale)}; run examples/kit/make.py\n")
    return 1 if stale else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="only tell whether they are stale")
    if parser.parse_args().check:
        return check()
    build_contract(CONTRACT)
    recorder = asyncio.run(recorded())
    SCRIPT.write_text(script_of(recorder), "utf-8")
    write_document(recorder.shown)
    return 0


if __name__ == "__main__":
    sys.exit(main())
