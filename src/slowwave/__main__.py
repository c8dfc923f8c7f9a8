"""`python -m slowwave`."""

from slowwave.cli.main import main

if __name__ == "__main__":
    main()
