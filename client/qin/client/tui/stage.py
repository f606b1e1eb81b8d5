"""The one application that all screens share: it shows the topmost, and ends in good order."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from typing import Any, Generic, TypeVar

from prompt_toolkit.application import Application, create_app_session
from prompt_toolkit.filters import Condition
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import (
    ConditionalKeyBindings,
    DynamicKeyBindings,
    KeyBindings,
    KeyBindingsBase,
    KeyPressEvent,
    merge_key_bindings,
)
from prompt_toolkit.layout import (
    AnyContainer,
    ConditionalContainer,
    DynamicContainer,
    FormattedTextControl,
    HSplit,
    Layout,
    Window,
    WindowAlign,
)
from prompt_toolkit.output import Output
from qin.client.table_words import tell_problem
from qin.client.tui.input_line import InputLine
from qin.client.tui.theme import Theme
from qin.engine import QinError

LEAST_WIDTH, LEAST_HEIGHT = 64, 18
"""With less room there is a message and no screen."""

Result = TypeVar("Result")
Given = TypeVar("Given")


class Screen(Generic[Result]):
    """A screen: what it shows, what its keys do, and what it is left with.

    Subclasses set `container` and `focus`, add to `keys`, and may override `work`.
    """

    container: AnyContainer
    focus: Window
    """What has the focus while nobody types."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.theme = stage.theme
        self.keys = KeyBindings()
        self.line = InputLine()
        self.done: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._acts: set[asyncio.Task[None]] = set()

    async def work(self) -> None:
        """What goes on while the screen is shown."""

    def complain(self, problem: str) -> None:
        """Tell what went wrong with an act."""

    def leave(self, result: Result) -> None:
        if not self.done.done():
            self.done.set_result(result)

    def act(self, doing: Coroutine[None, None, None]) -> None:
        """Do something that takes a while, and go on meanwhile."""
        task = asyncio.get_running_loop().create_task(self._act(doing))
        self._acts.add(task)
        task.add_done_callback(self._acts.discard)

    async def _act(self, doing: Awaitable[None]) -> None:
        try:
            await doing
        except (QinError, OSError) as problem:
            self.complain(tell_problem(problem))
        except Exception as fault:  # noqa: BLE001 - whoever waits for the screen gets it
            if not self.done.done():
                self.done.set_exception(fault)
        self.stage.redraw()

    async def settle(self) -> None:
        """Whatever still goes on ends with the screen."""
        for task in self._acts:
            task.cancel()
        await asyncio.gather(*self._acts, return_exceptions=True)


class Stage:
    """Shows screens, the last one that was opened on top."""

    def __init__(
        self,
        theme: Theme,
        *,
        typed: Input | None = None,
        output: Output | None = None,
    ) -> None:
        self.theme = theme
        self._screens: list[Screen[object]] = []
        self._small = Window(
            FormattedTextControl(self._too_small), align=WindowAlign.CENTER, wrap_lines=True
        )
        self.notice = ""
        """What is told while no screen is shown."""
        self._empty = Window(
            FormattedTextControl(lambda: theme.text(f"\n  {self.notice}")), always_hide_cursor=True
        )
        fits = Condition(self._fits)
        self.app: Application[None] = Application(
            layout=Layout(
                HSplit(
                    [
                        ConditionalContainer(DynamicContainer(self._container), fits),
                        ConditionalContainer(self._small, ~fits),
                    ]
                )
            ),
            key_bindings=DynamicKeyBindings(self._keys),
            style=theme.style,
            include_default_pygments_style=False,
            full_screen=True,
            mouse_support=True,
            color_depth=theme.depth,
            input=typed,
            output=output,
        )
        # A lone Escape is to work at once, and not to wait for the rest of a sequence.
        self.app.ttimeoutlen = 0.05
        self.app.timeoutlen = 0.05
        self._always = KeyBindings()
        self._always.add("c-c")(self._quit)
        self._always.add("<sigint>")(self._quit)
        self._always.add("c-z")(self._suspend)
        self._always.add("c-l")(lambda event: event.app.renderer.clear())
        self._merged: tuple[object, KeyBindingsBase] | None = None

    # ---- running -------------------------------------------------------------------------------

    async def run(self, play: Callable[[Stage], Coroutine[None, None, Given]]) -> Given | None:
        """Run until `play` is over, or somebody quits; what play had opened is closed then."""
        playing: asyncio.Task[Given] | None = None

        async def perform() -> Given:
            try:
                return await play(self)
            finally:
                if self.app.is_running:
                    self.app.exit()

        def begin() -> None:
            nonlocal playing
            playing = asyncio.get_running_loop().create_task(perform())

        # A session of its own: controls ask it which application they are drawn for.
        session = create_app_session(self.app.input, self.app.output)
        with session, _signals(self.quit):
            await self.app.run_async(pre_run=begin, set_exception_handler=False)
        assert playing is not None
        if playing.done():
            return playing.result()
        playing.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await playing
        return None

    def quit(self) -> None:
        if self.app.is_running and not (self.app.future and self.app.future.done()):
            self.app.exit()

    def redraw(self) -> None:
        self.app.invalidate()

    @property
    def size(self) -> tuple[int, int]:
        """Columns and lines."""
        size = self.app.output.get_size()
        return size.columns, size.rows

    async def show(self, screen: Screen[Given]) -> Given:
        """Show a screen until it is left; tells what it was left with."""
        self._screens.append(screen)  # type: ignore[arg-type]  # nobody asks it for its result
        self._focus()
        work = asyncio.get_running_loop().create_task(screen.work())
        try:
            waiting: set[asyncio.Future[Any]] = {work, screen.done}
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            if work.done():
                work.result()
            return await screen.done
        finally:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)
            await screen.settle()
            self._screens.remove(screen)  # type: ignore[arg-type]
            self._focus()

    # ---- what prompt_toolkit pulls -------------------------------------------------------------

    @property
    def _top(self) -> Screen[object] | None:
        return self._screens[-1] if self._screens else None

    def _focus(self) -> None:
        if self._top is not None:
            self.app.layout.focus(self._top.focus)
        self.redraw()

    def _container(self) -> AnyContainer:
        return self._top.container if self._top else self._empty

    def _fits(self) -> bool:
        width, height = self.size
        return width >= LEAST_WIDTH and height >= LEAST_HEIGHT

    def _too_small(self) -> str:
        width, height = self.size
        return self.theme.text(
            f"\nThis window has {width} x {height} characters.\n"
            f"Qin needs {LEAST_WIDTH} x {LEAST_HEIGHT}: please make it larger."
        )

    def _keys(self) -> KeyBindingsBase:
        top = self._top
        if top is None:
            return self._always
        if self._merged is None or self._merged[0] is not top:
            own = ConditionalKeyBindings(top.keys, Condition(lambda: not top.line.is_open))
            self._merged = top, merge_key_bindings([own, self._always])
        return self._merged[1]

    def _quit(self, _: KeyPressEvent) -> None:
        self.quit()

    def _suspend(self, event: KeyPressEvent) -> None:
        event.app.suspend_to_background()


@contextlib.contextmanager
def _signals(quit_now: Callable[[], None]) -> Iterator[None]:
    """Being ended from outside leaves the terminal as it was, too."""
    loop = asyncio.get_running_loop()
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    added = []
    for number in numbers:
        # Windows has no such handlers, and only the main thread may set them.
        with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(number, quit_now)
            added.append(number)
    try:
        yield
    finally:
        for number in added:
            loop.remove_signal_handler(number)
