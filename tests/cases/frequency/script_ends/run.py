"""Scripts that end with what main() says."""
import sys

from work import main

if __name__ == "__main__":
    sys.exit(main())
