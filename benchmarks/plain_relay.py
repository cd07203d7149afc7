"""The baseline: two threads that copy bytes between a client and a server and record nothing."""

import os
import subprocess
import sys
import threading


def pump(source: int, sink: int) -> None:
    while chunk := os.read(source, 65536):
        view = memoryview(chunk)
        while view:
            view = view[os.write(sink, view) :]
    os.close(sink)


server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
assert server.stdin and server.stdout
threading.Thread(target=pump, args=(0, os.dup(server.stdin.fileno())), daemon=True).start()
server.stdin.close()
pump(server.stdout.fileno(), os.dup(1))
os._exit(server.wait())
