"""The mitmproxy engine: mitmproxy as a process of its own, with our addon in it."""

from mcptest.proxy.http.mitm.engine import recording, run_mitmproxy
from mcptest.proxy.http.mitm.home import find_mitmdump, install, remove, write_loader

__all__ = ["find_mitmdump", "install", "recording", "remove", "run_mitmproxy", "write_loader"]
