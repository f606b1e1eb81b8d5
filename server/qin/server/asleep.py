"""Tables that are in the store alone, as everybody may see them: for that nobody wakes them up."""

from __future__ import annotations

import json
from collections.abc import Sequence

from qin.server import wire
from qin.server.model import TableData
from qin.server.store import Row, Store
from qin.v1 import types_pb2 as pb

READ_AT_ONCE = 100
"""Tables; what is done for so many does not hold up the moves at others."""


class Asleep:
    """What the lobby shows of tables that nobody has been at since the server started."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[str, pb.Table] = {}

    def get(self, name: str) -> pb.Table | None:
        """A table that was read before. While it sleeps it cannot change."""
        return self._known.get(name)

    def forget(self, name: str) -> None:
        self._known.pop(name, None)

    async def read(self, names: Sequence[str]) -> None:
        """Read those that are not known yet."""
        unknown = [name for name in names if name not in self._known]
        for start in range(0, len(unknown), READ_AT_ONCE):
            some = unknown[start : start + READ_AT_ONCE]
            rows = await self._store.read(
                "SELECT id, created, state, body, (SELECT game FROM commands"
                " WHERE table_id = id ORDER BY number DESC LIMIT 1)"
                " FROM tables WHERE id IN (SELECT value FROM json_each(?))",
                json.dumps(some),
            )
            self._known.update((str(row[0]), _message(row)) for row in rows)


def _message(row: Row) -> pb.Table:
    table_id, created, state, body, index = row
    data = TableData.from_json(str(table_id), float(created or 0), str(state), str(body))
    # As `TableData.game_number` has it, by the count over all series that goes with each command.
    played = int(index or 0)
    number = len(data.series.games) + (played > data.recorded)
    return wire.table(data, number, connected=(), awaits=(), spectators=0)
