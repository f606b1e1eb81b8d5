"""How a bot is named on the command line, and found.

greedy                          a bot that comes along, or one that a package plugs in
lookahead:width=12,samples=2    with parameters
./mine.py:MyBot                 a class in a file; ./mine.py:MyBot:depth=3 with parameters
exec:node bot.js                any program that speaks the protocol itself
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import shlex
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from random import Random
from typing import Any

from qin.bots.bot import Bot
from qin.engine import QinError
from qin.engine.names import NAME_LENGTH

GROUP = "qin.bots"
"""The group of entry points by which a package plugs its bots in."""

BUILT_IN = {
    "random": "qin.bots.builtin.random:RandomBot",
    "greedy": "qin.bots.builtin.greedy:GreedyBot",
    "lookahead": "qin.bots.builtin.lookahead:LookaheadBot",
    "champion": "qin.bots.builtin.champion:ChampionBot",
}
_EXEC = "exec:"
_FILE = ".py:"


class SpecError(QinError):
    """A spec that names no bot, or a bot that cannot be made from it."""


@dataclass(frozen=True, slots=True)
class Command:
    """A program that plays over the protocol by itself."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PythonBot:
    """A class, ready to make bots."""

    make: Callable[[Random], Bot]

    def __call__(self, seed: str) -> Bot:
        """A fresh bot, whose chance comes from the seed alone."""
        return self.make(Random(seed))


@dataclass(frozen=True, slots=True)
class Spec:
    """A bot by its text. Parsing finds the parts; `load` finds the bot."""

    text: str
    name: str
    """What the bot is called at a table."""
    where: str
    """The name, the file or the command."""
    attribute: str = ""
    """The class in a file."""
    parameters: tuple[tuple[str, str], ...] = ()

    @classmethod
    def parse(cls, text: str) -> Spec:
        """Read any of the forms above.

        >>> Spec.parse("lookahead:width=12").parameters
        (('width', '12'),)
        """
        if text.startswith(_EXEC):
            return cls(text, _command_name(text), text.removeprefix(_EXEC))
        if _FILE in text:
            path, _, rest = text.partition(_FILE)
            attribute, _, parameters = rest.partition(":")
            if not attribute.isidentifier():
                raise SpecError(f"{text!r}: which class? write {path}.py:CLASS")
            return cls(text, _short(attribute), f"{path}.py", attribute, _parameters(parameters))
        if text.endswith(".py"):
            raise SpecError(f"{text!r}: which class? write {text}:CLASS")
        name, _, parameters = text.partition(":")
        if not name:
            raise SpecError(f"{text!r} names no bot; {_known()}")
        return cls(text, _short(name), name, "", _parameters(parameters))

    @property
    def is_command(self) -> bool:
        return self.text.startswith(_EXEC)

    def load(self) -> PythonBot | Command:
        """Find the bot; `SpecError` if there is none, or its parameters are wrong."""
        if self.is_command:
            return Command(_words(self))
        return PythonBot(_with_parameters(self, bot_class(self)))

    def load_python(self) -> PythonBot:
        """The same, for where a program of its own cannot play."""
        loaded = self.load()
        if isinstance(loaded, Command):
            raise SpecError(f"{self.text!r} is a program; it plays over the protocol alone")
        return loaded

    def __str__(self) -> str:
        return self.text


def bot_class(spec: Spec) -> type[Bot]:
    """The class that a spec names, whatever its parameters are."""
    return _from_file(spec) if spec.attribute else _by_name(spec)


def known_bots() -> dict[str, str]:
    """All bots that have a name, with where they come from."""
    plugged = {point.name: _origin(point) for point in _plugged_in()}
    return plugged | dict.fromkeys(BUILT_IN, "qin-game")


# ---- reading -----------------------------------------------------------------------------------


def _parameters(text: str) -> tuple[tuple[str, str], ...]:
    parameters: dict[str, str] = {}
    for part in filter(None, text.split(",")):
        name, equals, value = part.partition("=")
        if not (equals and name.isidentifier()):
            raise SpecError(f"{part!r} is not a parameter; write NAME=VALUE")
        if name in parameters:
            raise SpecError(f"the parameter {name!r} stands twice; which one holds?")
        parameters[name] = value
    return tuple(parameters.items())


def _words(spec: Spec) -> tuple[str, ...]:
    try:
        words = shlex.split(spec.where, posix=sys.platform != "win32")
    except ValueError as error:
        raise SpecError(f"{spec.text!r}: {error}") from None
    if not words:
        raise SpecError("exec: needs a command, such as exec:node bot.js")
    return tuple(words)


def _command_name(text: str) -> str:
    """`bot.js` of `exec:node examples/bot.js --fast`: the last word that looks like a file."""
    words = text.removeprefix(_EXEC).split()
    files = [word for word in words if not word.startswith("-")]
    return _short(Path(files[-1] if files else "program").name)


def _short(name: str) -> str:
    """A name that a table takes."""
    clean = "".join(each for each in name if each.isprintable() and each not in '/"\\').strip()
    return clean[:NAME_LENGTH].strip() or "bot"


# ---- finding -----------------------------------------------------------------------------------


def _by_name(spec: Spec) -> type[Bot]:
    if spec.where in BUILT_IN:
        module, _, attribute = BUILT_IN[spec.where].partition(":")
        return _checked(spec, getattr(importlib.import_module(module), attribute))
    points = [point for point in _plugged_in() if point.name == spec.where]
    if not points:
        raise SpecError(f"there is no bot {spec.where!r}; {_known()}")
    if len(points) > 1:
        origins = " and ".join(sorted(map(_origin, points)))
        raise SpecError(f"{origins} both bring a bot {spec.where!r}; remove one of them")
    try:
        found = points[0].load()
    except (Exception, SystemExit) as error:
        raise SpecError(
            f"the bot {spec.where!r} of {_origin(points[0])} cannot be loaded: {_told(error)}"
        ) from error
    return _checked(spec, found)


def _from_file(spec: Spec) -> type[Bot]:
    path = Path(spec.where)
    if not path.is_file():
        raise SpecError(f"there is no file {spec.where!r}")
    # Under its own name, so that two files with a class of the same name do not meet.
    name = f"qin_bot_{abs(hash(path.resolve()))}"
    found = importlib.util.spec_from_file_location(name, path)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    sys.modules[name] = module  # dataclasses and pickle look a class up by its module
    # What stands beside the file is found, as when Python runs the file itself.
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.append(folder)
    try:
        found.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise SpecError(f"{spec.where} cannot be loaded: {_told(error)}") from error
    if not hasattr(module, spec.attribute):
        raise SpecError(f"there is no class {spec.attribute} in {spec.where}")
    return _checked(spec, getattr(module, spec.attribute))


def _checked(spec: Spec, found: object) -> type[Bot]:
    if not (isinstance(found, type) and issubclass(found, Bot)):
        raise SpecError(f"{spec.text!r} is not a bot; it must be a subclass of qin.bots.Bot")
    if inspect.isabstract(found):
        raise SpecError(f"{spec.text!r} has no method `choose`")
    return found


def _plugged_in() -> list[EntryPoint]:
    """What other packages bring; a name that qin has itself stays qin's."""
    return [point for point in entry_points(group=GROUP) if point.name not in BUILT_IN]


def _origin(point: EntryPoint) -> str:
    return point.dist.name if point.dist else point.value


def _known() -> str:
    return (
        f"the bots are {', '.join(sorted(known_bots()))}; or write ./FILE.py:CLASS or exec:COMMAND"
    )


def _told(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


# ---- making ------------------------------------------------------------------------------------


def _with_parameters(spec: Spec, found: type[Bot]) -> Callable[[Random], Bot]:
    settings = dict(_settings(spec, found))

    def make(rng: Random) -> Bot:
        return found(rng, **settings)

    try:
        make(Random(0))
    except (ValueError, QinError) as error:
        raise SpecError(f"{spec.text!r}: {error}") from None
    except (Exception, SystemExit) as error:
        raise SpecError(f"{spec.text!r} cannot be made: {_told(error)}") from error
    return make


def _settings(spec: Spec, found: type[Bot]) -> Iterable[tuple[str, Any]]:
    try:
        signature = inspect.signature(found, eval_str=True)
    except NameError as error:
        raise SpecError(f"{spec.text!r}: {error}") from None
    known = {
        name: parameter.annotation
        for name, parameter in signature.parameters.items()
        if parameter.kind is parameter.KEYWORD_ONLY
    }
    for name, value in spec.parameters:
        if name not in known:
            names = ", ".join(known) or "none"
            raise SpecError(f"{spec.where} has no parameter {name!r}; its parameters: {names}")
        yield name, _converted(spec, name, value, known[name])


def _converted(spec: Spec, name: str, value: str, kind: Any) -> Any:
    if kind is bool:
        if value not in ("yes", "no"):
            raise SpecError(f"{spec.where}: {name} is yes or no, not {value!r}")
        return value == "yes"
    if kind not in (int, float):
        return value
    try:
        return kind(value)
    except ValueError:
        words = {int: "a whole number", float: "a number"}
        raise SpecError(f"{spec.where}: {name} is {words[kind]}, not {value!r}") from None
