"""`python -m qin.cli` is `qin`."""

from qin.cli.main import main

if __name__ == "__main__":
    main()
