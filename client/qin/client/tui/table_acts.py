"""What a player does at a table: each act asks the server, and tells the model how it went."""

from __future__ import annotations

from collections.abc import Callable, Coroutine

from qin.client.client import Client
from qin.client.errors import CallError
from qin.client.table import Table
from qin.client.tui.saving import save_record
from qin.client.tui.table_model import Message, Phase, TableModel
from qin.engine import Placement, QinError, Refused, Seat, Space
from qin.engine.words import listed

Run = Callable[[Coroutine[None, None, None]], None]


class TableActs:
    """Starts what takes a while with `run`, which tells the player if it fails."""

    def __init__(self, client: Client, table: Table, model: TableModel, run: Run) -> None:
        self._client = client
        self._table = table
        self._model = model
        self._run = run
        self._placing = False

    # ---- the game ------------------------------------------------------------------------------

    def click(self, space: Space) -> None:
        """Hold the tile there; where it is held already, place it."""
        if self._model.covers(space):
            self.place()
        else:
            self._model.put(space)

    def place(self) -> None:
        """Place the held tile, or say why it may not lie there."""
        model = self._model
        preview, held = model.preview(), model.held
        if preview is None or held is None or not model.my_turn:
            if model.phase is Phase.GAME and not model.spectator:
                model.message = Message("it is not your turn", bad=True)
        elif not preview.legal:
            model.message = Message("it may not lie there", bad=True)
        elif not self._placing:
            self._run(self._place(held.placement, model.pile))

    def place_typed(self, placement: Placement, pile: int) -> None:
        """As typed. The rules are asked here first, so that the spaces can be shown."""
        view = self._model.view
        if view is not None and self._model.my_turn:
            try:
                view.position.check(placement)
            except Refused as refused:
                self._model.refuse(refused)
                return
        self._run(self._place(placement, pile or self._model.pile))

    async def _place(self, placement: Placement, pile: int) -> None:
        view = self._model.view
        if view is not None and pile and not view.pile_sizes[pile - 1]:
            pile = self._model.pile = 0
        self._placing = True
        try:
            await self._table.place(placement, pile=pile)
        finally:
            self._placing = False
        self._model.placed()
        self._model.see(self._table.state)

    def next_pile(self) -> None:
        """Draw from the next pile that is not empty; after the last, from the fullest."""
        view = self._model.view
        if view is None:
            return
        later = [
            number
            for number, size in enumerate(view.pile_sizes, start=1)
            if size and number > self._model.pile
        ]
        self._model.pile = later[0] if later else 0

    def resign(self) -> None:
        self._run(self._resign())

    async def _resign(self) -> None:
        await self._table.resign()
        self._model.see(self._table.state)

    def say(self, text: str) -> None:
        self._run(self._table.say(text.strip()))

    # ---- after it ------------------------------------------------------------------------------

    def rematch(self) -> None:
        self._run(self._table.rematch())

    def save(self, path: str = "") -> None:
        """Write the record of the last game into a file."""
        self._run(self._save(path))

    async def _save(self, path: str) -> None:
        model = self._model
        game = model.state.game if model.state else 1
        name = await save_record(
            self._client, self._table, record_id=model.record_id, game=game, path=path
        )
        model.message = Message(f"saved as {name}; look at it with: qin replay {name}")

    # ---- the waiting room ----------------------------------------------------------------------

    def start(self) -> None:
        self._run(self._start())

    async def _start(self) -> None:
        try:
            await self._table.start()
        except CallError as error:
            if error.reason != "SEATS_FREE":
                raise
            free = error.facts["seats"].split()
            seats = f"seat {free[0]} is" if len(free) == 1 else f"seats {listed(free)} are"
            raise QinError(f"{seats} still free; b seats a bot there") from None

    def add_bot(self) -> None:
        """On the chosen seat, or on any that is free; each house bot in turn."""
        self._run(self._add_bot())

    async def _add_bot(self) -> None:
        bots = (await self._client.info()).house_bots
        if not bots:
            raise QinError("this server has no house bots; friends may bring theirs: qin bot run")
        state = self._model.state
        assert state is not None
        chosen = state.table.seats[self._model.seat_cursor]
        number = chosen.seat if not chosen.name and not chosen.awaits_bot else 0
        taken = sum(chair.bot or chair.awaits_bot for chair in state.table.seats)
        await self._table.add_bot(bots[taken % len(bots)], seat=number)

    def free_seat(self) -> None:
        state = self._model.state
        if state is None or self._model.seat_cursor == state.seat:
            self._model.message = Message("that is your own seat; q leaves the table", bad=True)
        else:
            self._run(self._table.free(Seat(self._model.seat_cursor)))
