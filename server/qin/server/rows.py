"""The rows that the commands of a table become in the store."""

from __future__ import annotations

from qin.server.draft import Draft
from qin.server.model import TableData
from qin.server.requests import Answered, Key
from qin.server.schema import INSERT_COMMAND
from qin.server.store import Statement


def insert_command(
    number: int,
    draft: Draft,
    everything: bytes,
    key: Key | None,
    answered: Answered | None,
) -> Statement:
    clocks = " ".join(map(str, draft.clock.remaining)) if draft.clock else ""
    return (
        INSERT_COMMAND,
        (
            draft.data.table_id,
            number,
            draft.time,
            key[0] if key else None,
            key[1] if key else None,
            answered.digest if answered else None,
            answered.response if answered else None,
            everything,
            draft.data.game_index(draft.game),
            " ".join([move for _, move in draft.new_steps]),
            clocks,
        ),
    )


def update_table(data: TableData) -> Statement:
    return (
        "UPDATE tables SET state = ?, timed = ?, body = ? WHERE id = ?",
        (data.state.value, data.timed, data.to_json(), data.table_id),
    )
