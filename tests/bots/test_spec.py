"""Specs: how a bot is named and found, and what is told when it is not."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from random import Random

import pytest
from qin.bots import Bot, Command, PythonBot, Spec, SpecError, known_bots, spec
from qin.bots.builtin.greedy import GreedyBot
from qin.engine.names import NAME_LENGTH, name_problem

FIRST = """\
from qin.bots import Bot

class First(Bot):
    '''Places the first that there is.'''

    def choose(self, view, options):
        return options[0].placement
"""

TUNED = """\
from qin.bots import Bot

class Tuned(Bot):
    def __init__(self, rng, *, depth: int = 1, rate: float = 0.5, calm: bool = False,
                 style: str = "plain", loose="x"):
        super().__init__(rng)
        if depth > 9:
            raise ValueError("depth is at most 9")
        self.settings = depth, rate, calm, style, loose

    def choose(self, view, options):
        return options[0].placement
"""


@pytest.fixture(autouse=True)
def _clean_imports() -> Iterator[None]:
    """Files that were loaded leave no trace in the next test."""
    path, modules = sys.path[:], set(sys.modules)
    yield
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        del sys.modules[name]


def file(folder: Path, text: str, name: str = "mine.py") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def refused(text: str) -> str:
    """What is told about a spec, which is one line for a person."""
    with pytest.raises(SpecError) as caught:
        Spec.parse(text).load()
    told = str(caught.value)
    assert "\n" not in told
    return told


# ---- names --------------------------------------------------------------------------------------


def test_a_built_in_bot_is_found_by_its_name() -> None:
    loaded = Spec.parse("greedy").load()
    assert isinstance(loaded, PythonBot)
    assert isinstance(loaded("1"), GreedyBot)


def test_a_spec_keeps_its_text() -> None:
    parsed = Spec.parse("lookahead:width=12,samples=2")
    assert str(parsed) == "lookahead:width=12,samples=2"
    assert parsed.name == parsed.where == "lookahead"
    assert parsed.parameters == (("width", "12"), ("samples", "2"))
    assert not parsed.is_command


def test_a_seed_gives_the_same_chance_in_any_process() -> None:
    bot = Spec.parse("random").load_python()("seven")
    assert bot.rng.random() == Random("seven").random()


def test_known_bots_are_told_with_where_they_come_from() -> None:
    assert (
        known_bots().items() >= dict.fromkeys(("random", "greedy", "lookahead"), "qin-game").items()
    )


@pytest.mark.parametrize("text", ["", ":width=3"])
def test_a_spec_without_a_name(text: str) -> None:
    assert "names no bot; the bots are champion, greedy, lookahead, random" in refused(text)


def test_an_unknown_name() -> None:
    told = refused("gredy")
    assert told.startswith("there is no bot 'gredy'; the bots are ")
    assert told.endswith("or write ./FILE.py:CLASS or exec:COMMAND")


# ---- parameters ---------------------------------------------------------------------------------


def test_parameters_are_converted_to_their_annotations(tmp_path: Path) -> None:
    path = file(tmp_path, TUNED)
    text = f"{path}:Tuned:depth=3,rate=1e-2,calm=yes,style=bold,loose=7"
    bot = Spec.parse(text).load_python()("1")
    assert vars(bot)["settings"] == (3, 0.01, True, "bold", "7")
    plain = Spec.parse(f"{path}:Tuned:calm=no").load_python()("1")
    assert vars(plain)["settings"] == (1, 0.5, False, "plain", "x")


@pytest.mark.parametrize(
    ("parameters", "told"),
    [
        ("depth", "'depth' is not a parameter; write NAME=VALUE"),
        ("=3", "'=3' is not a parameter; write NAME=VALUE"),
        ("depth=1,depth=2", "the parameter 'depth' stands twice; which one holds?"),
        ("width=3", "has no parameter 'width'; its parameters: depth, rate, calm, style, loose"),
        ("depth=deep", "depth is a whole number, not 'deep'"),
        ("rate=fast", "rate is a number, not 'fast'"),
        ("calm=1", "calm is yes or no, not '1'"),
        ("depth=12", "depth is at most 9"),
    ],
)
def test_parameters_that_are_wrong(tmp_path: Path, parameters: str, told: str) -> None:
    assert told in refused(f"{file(tmp_path, TUNED)}:Tuned:{parameters}")


def test_a_bot_without_parameters_says_so() -> None:
    assert refused("greedy:depth=2") == "greedy has no parameter 'depth'; its parameters: none"


# ---- files --------------------------------------------------------------------------------------


def test_a_class_in_a_file(tmp_path: Path) -> None:
    parsed = Spec.parse(f"{file(tmp_path, FIRST)}:First")
    assert parsed.name == parsed.attribute == "First"
    bot = parsed.load_python()("1")
    assert type(bot).__name__ == "First"
    assert type(bot).__module__ in sys.modules


def test_a_relative_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file(tmp_path, FIRST)
    monkeypatch.chdir(tmp_path)
    assert isinstance(Spec.parse("./mine.py:First").load(), PythonBot)
    assert isinstance(Spec.parse("mine.py:First").load(), PythonBot)


def test_a_file_beside_a_helper_module(tmp_path: Path) -> None:
    file(tmp_path, "WORD = 'helped'\n", "helper_of_mine.py")
    path = file(tmp_path, f"import helper_of_mine\n{FIRST}    word = helper_of_mine.WORD\n")
    bot = Spec.parse(f"{path}:First").load_python()("1")
    assert vars(type(bot))["word"] == "helped"


def test_two_files_with_the_same_class_name(tmp_path: Path) -> None:
    bots = [
        Spec.parse(f"{file(tmp_path / word, FIRST + f'    word = {word!r}')}:First").load_python()
        for word in ("one", "other")
    ]
    assert [vars(type(make("1")))["word"] for make in bots] == ["one", "other"]


def test_dataclasses_work_in_a_file(tmp_path: Path) -> None:
    """They look their module up by its name."""
    text = (
        "from __future__ import annotations\nfrom dataclasses import dataclass\n"
        f"{FIRST}\n@dataclass\nclass Memory:\n    plies: int = 0\n"
    )
    assert isinstance(Spec.parse(f"{file(tmp_path, text)}:First").load(), PythonBot)


def test_a_file_without_a_class() -> None:
    assert refused("./mine.py") == "'./mine.py': which class? write ./mine.py:CLASS"
    assert refused("./mine.py:") == "'./mine.py:': which class? write ./mine.py:CLASS"
    assert "which class?" in refused("./mine.py:1st")


def test_a_file_that_is_not_there() -> None:
    assert refused("./nowhere.py:First") == "there is no file './nowhere.py'"


def test_a_class_that_is_not_there(tmp_path: Path) -> None:
    path = file(tmp_path, FIRST)
    assert refused(f"{path}:Last") == f"there is no class Last in {path}"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("def broken(:", "cannot be loaded: SyntaxError"),
        ("import no_such_module", "cannot be loaded: ModuleNotFoundError"),
        ("1 / 0", "cannot be loaded: ZeroDivisionError"),
        ("raise SystemExit(0)", "cannot be loaded: SystemExit: 0"),
        ("First = 3", "is not a bot; it must be a subclass of qin.bots.Bot"),
        ("class First: pass", "is not a bot; it must be a subclass of qin.bots.Bot"),
        ("from qin.bots import Bot\nclass First(Bot): pass", "has no method `choose`"),
    ],
)
def test_a_file_that_holds_no_bot(tmp_path: Path, text: str, told: str) -> None:
    assert told in refused(f"{file(tmp_path, text)}:First")


@pytest.mark.parametrize(
    ("making", "told"),
    [
        ("def __init__(self, rng, *, depth: int): pass", "cannot be made: TypeError"),
        ("def __init__(self, rng): 1 / 0", "cannot be made: ZeroDivisionError"),
        ("def __init__(self, rng): exit(0)", "cannot be made: SystemExit: 0"),
        ("def __init__(self, rng): raise ValueError('not today')", "not today"),
        ("def __init__(self, rng, *, depth: 'Nothing' = 1): pass", "'Nothing' is not defined"),
    ],
)
def test_a_bot_that_cannot_be_made(tmp_path: Path, making: str, told: str) -> None:
    assert told in refused(f"{file(tmp_path, f'{FIRST}    {making}')}:First")


# ---- packages -----------------------------------------------------------------------------------


def plug_in(monkeypatch: pytest.MonkeyPatch, **points: str) -> None:
    found = [EntryPoint(name.rstrip("_"), value, spec.GROUP) for name, value in points.items()]
    monkeypatch.setattr(spec, "entry_points", lambda group: found if group == spec.GROUP else [])


def test_a_package_plugs_a_bot_in(monkeypatch: pytest.MonkeyPatch) -> None:
    plug_in(monkeypatch, keen="qin.bots.builtin.greedy:GreedyBot")
    assert isinstance(Spec.parse("keen").load_python()("1"), GreedyBot)
    assert known_bots()["keen"] == "qin.bots.builtin.greedy:GreedyBot"


def test_our_own_names_stay_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    plug_in(monkeypatch, random="qin.bots.builtin.greedy:GreedyBot")
    assert not isinstance(Spec.parse("random").load_python()("1"), GreedyBot)
    assert known_bots()["random"] == "qin-game"


def test_two_packages_with_one_name(monkeypatch: pytest.MonkeyPatch) -> None:
    plug_in(monkeypatch, keen="one:Bot", keen_="other:Bot")
    assert refused("keen") == "one:Bot and other:Bot both bring a bot 'keen'; remove one of them"


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("no_such_package:Bot", "of no_such_package:Bot cannot be loaded: ModuleNotFoundError"),
        ("qin.bots:Nobody", "cannot be loaded: AttributeError"),
        ("qin.bots:imagine", "is not a bot; it must be a subclass of qin.bots.Bot"),
        ("qin.bots:Bot", "has no method `choose`"),
    ],
)
def test_a_plug_in_that_does_not_fit(
    monkeypatch: pytest.MonkeyPatch, value: str, told: str
) -> None:
    plug_in(monkeypatch, keen=value)
    assert told in refused("keen")


# ---- programs -----------------------------------------------------------------------------------


def test_a_program_of_its_own() -> None:
    parsed = Spec.parse("exec:node 'my bots/bot.js' --fast")
    assert parsed.is_command
    assert parsed.load() == Command(("node", "my bots/bot.js", "--fast"))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("exec:node examples/bot.js --fast", "bot.js"),
        ("exec:./bot", "bot"),
        ("exec:--odd", "program"),
        (f"exec:{'x' * 200}", "x" * NAME_LENGTH),
        ("./mine.py:MyBot:depth=3", "MyBot"),
    ],
)
def test_what_a_bot_is_called_at_a_table(text: str, name: str) -> None:
    assert Spec.parse(text).name == name
    assert name_problem(name) is None


def test_a_command_may_hold_anything(tmp_path: Path) -> None:
    """Also what would be a file or parameters elsewhere."""
    path = tmp_path / "bot.py"
    assert Spec.parse(f"exec:python {path}:x=1").load() == Command(("python", f"{path}:x=1"))


def test_no_command() -> None:
    assert refused("exec:") == "exec: needs a command, such as exec:node bot.js"
    assert refused("exec:  ") == "exec: needs a command, such as exec:node bot.js"


def test_a_command_with_an_open_quote() -> None:
    assert "No closing quotation" in refused("exec:node 'bot.js")


def test_a_program_where_a_class_is_wanted() -> None:
    with pytest.raises(SpecError, match="is a program; it plays over the protocol alone"):
        Spec.parse("exec:node bot.js").load_python()


def test_bots_are_made_afresh() -> None:
    make = Spec.parse("greedy").load_python()
    one, other = make("1"), make("1")
    assert one is not other
    assert isinstance(one, Bot)
