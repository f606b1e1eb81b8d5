"""From the engine's sets of spaces to arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from qin.engine import Board, Mask
from qin.engine.spaces import SIDE, STRIDE

_SPACES = SIDE * STRIDE
_BYTES = (_SPACES + 7) // 8


def grid_of(mask: Mask, board: Board) -> NDArray[np.uint8]:
    """An array of rows and columns, 1 where the space belongs to the mask.

    A space is bit row * STRIDE + column, so the bits as they lie are the grid: nothing is looped
    over, which matters where an agent looks at the board thousands of times a second.
    """
    packed = np.frombuffer(mask.to_bytes(_BYTES, "little"), np.uint8)
    bits = np.unpackbits(packed, count=_SPACES, bitorder="little")
    return bits.reshape(SIDE, STRIDE)[: board.height, : board.width]
