"""`python -m tetriscourse.cli`."""

import sys

from tetriscourse.cli.command import main

if __name__ == "__main__":
    sys.exit(main())
