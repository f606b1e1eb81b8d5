"""A shuffle that nobody can steer, and anybody can check.

The server publishes the SHA-256 of a secret salt before it knows the players' nonces; the players
choose their nonces before they know the salt. What is dealt follows from both:

    seed      SHA-256(salt, number of the game as 4 bytes, the nonces in the order of the seats)
    draw n    the first 8 bytes of SHA-256(seed, n as 8 bytes) as a number, n = 0, 1, 2 …
    shuffle   Fisher-Yates from the last tile down over the 72 tiles in the order RR, YY, BB, RY,
              YB, RB; a draw that would favour some places is left out

All numbers are big-endian. After the last game of a series the salt is revealed.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from qin.engine.deal import Deal
from qin.engine.tiles import ALL_TILES

SALT_BYTES = 32
NONCE_BYTES = 16
_DRAWS = 1 << 64


class Stream:
    """The draws that follow from a seed, one after the other."""

    def __init__(self, salt: bytes, game: int, nonces: Sequence[bytes]) -> None:
        self._seed = sha256(salt + game.to_bytes(4, "big") + b"".join(nonces)).digest()
        self._next = 0

    def below(self, bound: int) -> int:
        """A number from 0 to bound - 1, each as likely as any other."""
        fair = _DRAWS - _DRAWS % bound
        while True:
            drawn = sha256(self._seed + self._next.to_bytes(8, "big")).digest()[:8]
            self._next += 1
            number = int.from_bytes(drawn, "big")
            if number < fair:
                return number % bound


def commitment_to(salt: bytes) -> str:
    """What is published of a salt before the game, in hex."""
    return sha256(salt).hexdigest()


def shuffled_deal(stream: Stream, players: int) -> Deal:
    """The deal that follows from salt and nonces."""
    tiles = list(ALL_TILES)
    for last in range(len(tiles) - 1, 0, -1):
        other = stream.below(last + 1)
        tiles[last], tiles[other] = tiles[other], tiles[last]
    return Deal.of(tiles, players)
