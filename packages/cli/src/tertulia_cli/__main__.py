"""Run the command as `python -m tertulia_cli`."""

import sys

from tertulia_cli.main import main

if __name__ == "__main__":
    sys.exit(main())
