"""A server that answers each line with itself: line by line, as every MCP server must read."""

import sys

stdin, stdout = sys.stdin.buffer, sys.stdout.buffer
while line := stdin.readline():
    stdout.write(line)
    stdout.flush()
