"""`python -m lurcher_server` is `lurcher`."""

import sys

from lurcher_server.cli import main

sys.exit(main())
