"""``python -m relhash``: the command line, for those whose PATH does not have ``relhash``."""

from relhash.cli.main import main

if __name__ == "__main__":
    main()
