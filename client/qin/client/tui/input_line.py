"""One line to type in, which a screen opens when it needs one."""

from __future__ import annotations

from collections.abc import Callable

from prompt_toolkit.application import get_app
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import BufferControl, ConditionalContainer, Window
from prompt_toolkit.layout.processors import BeforeInput


class InputLine:
    """Enter hands the text on, Escape forgets it; either closes the line."""

    def __init__(self) -> None:
        self.is_open = False
        self._prompt = ""
        self._accept: Callable[[str], None] = lambda _: None
        self.buffer = Buffer(multiline=False, accept_handler=self._entered)
        keys = KeyBindings()
        keys.add("escape", eager=True)(self._escaped)
        keys.add("backspace", filter=Condition(lambda: not self.buffer.text))(self._escaped)
        self._control = BufferControl(
            self.buffer,
            input_processors=[BeforeInput(self._before, style="class:input")],
            key_bindings=keys,
        )
        self.window = Window(self._control, height=1, style="class:input")
        self.container = ConditionalContainer(self.window, Condition(lambda: self.is_open))

    def open(self, prompt: str, accept: Callable[[str], None], text: str = "") -> None:
        self._prompt, self._accept, self.is_open = prompt, accept, True
        self.buffer.document = Document(text)
        get_app().layout.focus(self.window)

    def _before(self) -> StyleAndTextTuples:
        return [("class:input bold", self._prompt)]

    def _entered(self, buffer: Buffer) -> bool:
        text = buffer.text
        self._close()
        if text.strip():
            self._accept(text)
        return False

    def _escaped(self, _: KeyPressEvent) -> None:
        self._close()

    def _close(self) -> None:
        self.is_open = False
        self.buffer.document = Document()
        get_app().layout.focus_last()
