from pathlib import Path
from qin.bots.tournament.ledger import Ledger


def write_report(folder: Path, ledger: Ledger) -> list[Path]:
    return []
