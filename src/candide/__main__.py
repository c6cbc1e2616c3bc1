"""python -m candide."""

from candide.cli import main

if __name__ == "__main__":
    main()
