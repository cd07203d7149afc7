"""The entry point. `mcptest record` goes its own way: a client waits for it to start, so nothing heavy is loaded."""

import sys


def main() -> None:
    if sys.argv[1:2] == ["record"]:
        from mcptest.cli.record import main as record

        record(sys.argv[2:])
    from mcptest.cli import main as others

    sys.exit(others(sys.argv[1:]))


if __name__ == "__main__":
    main()
