"""Where mitmproxy is, and what of it belongs to mcptest: an environment, a certificate authority, the addon's loader.

All of that is in one folder of the user's data directory, for this user only.
"""

from __future__ import annotations

import os
import shutil
import ssl
import subprocess
import sys
from pathlib import Path

from mcptest.capture.place import make_private_folder
from mcptest.errors import McptestError, UsageError

REQUIREMENT = "mitmproxy>=11"  # without a lower bound, resolvers fall back to releases of ten years ago
_INSTALL_PATIENCE = 900
_COMPLETE = "complete"  # a file in an environment that was made to the end
_LOADER = '''\
"""Lets any mitmproxy record with mcptest. Made by `mcptest mitm-addon`, which also renews it."""

import importlib.util

spec = importlib.util.spec_from_file_location("mcptest_addon", {addon!r})
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
addons = [module.Tap({settings!r})]
'''


def home() -> Path:
    import platformdirs

    return Path(platformdirs.user_data_dir("mcptest", appauthor=False)) / "mitmproxy"


def environment() -> Path:
    return home() / "environment"


def authority() -> Path:
    """mitmproxy's configuration folder, in which it makes a certificate authority when it first runs."""
    return home() / "authority"


def certificate() -> Path:
    return authority() / "mitmproxy-ca-cert.pem"


def addon() -> Path:
    return Path(__file__).with_name("addon.py")


def find_mitmdump() -> str | None:
    """Beside our own interpreter, on PATH, or in the environment that `install` makes."""
    beside = Path(sys.executable).with_name("mitmdump")
    if beside.exists():
        return str(beside)
    own = environment()
    return shutil.which("mitmdump") or (str(own / "bin" / "mitmdump") if (own / _COMPLETE).exists() else None)


def need_mitmdump() -> str:
    found = find_mitmdump()
    if found is None:
        raise UsageError("this needs mitmproxy, which is not installed: run `mcptest setup mitmproxy`")
    return found


def install() -> Path:
    """Make an environment with mitmproxy in it; its mitmdump."""
    make_private_folder(home())
    place = environment()
    shutil.rmtree(place, ignore_errors=True)
    try:
        _run([sys.executable, "-m", "venv", str(place)])
        pip = [str(place / "bin" / "python"), "-m", "pip", "--quiet", "--disable-pip-version-check"]
        _run([*pip, "install", REQUIREMENT])
        (place / _COMPLETE).touch()
    except BaseException:
        shutil.rmtree(place, ignore_errors=True)
        raise
    return place / "bin" / "mitmdump"


def remove() -> bool:
    """Take away everything of mitmproxy's that is ours, the certificate authority too; False if there was nothing."""
    if not home().exists():
        return False
    shutil.rmtree(home())
    return True


def write_loader(settings: dict[str, object]) -> Path:
    """A script for `mitmdump -s` that knows which interpreter mcptest is installed for."""
    make_private_folder(home())
    path = home() / "addon.py"
    aside = path.with_suffix(".new")
    aside.write_text(_LOADER.format(addon=str(addon()), settings=settings), encoding="utf-8")
    os.replace(aside, path)
    return path


def system_authorities() -> Path | None:
    """The file with the certificate authorities that this machine trusts."""
    named = os.environ.get("SSL_CERT_FILE")
    if named:
        if not os.access(named, os.R_OK):
            raise UsageError(f"SSL_CERT_FILE names a file that cannot be read: {named}")
        return Path(named)
    paths = ssl.get_default_verify_paths()
    for found in (paths.cafile, paths.openssl_cafile, "/etc/ssl/certs/ca-certificates.crt"):
        if found and os.path.isfile(found):
            return Path(found)
    return None


def write_bundle() -> Path:
    """What the system trusts and our own authority, in one file, for clients that take only one."""
    path = authority() / "bundle.pem"
    system = system_authorities()
    text = system.read_text(encoding="utf-8", errors="replace") if system else ""
    aside = path.with_suffix(".new")
    aside.write_text(text.rstrip() + "\n" + certificate().read_text(encoding="utf-8"), encoding="utf-8")
    os.replace(aside, path)
    return path


def _run(command: list[str]) -> None:
    result = subprocess.run(command, capture_output=True, text=True, timeout=_INSTALL_PATIENCE, check=False)
    if result.returncode:
        lines = [line for line in result.stderr.splitlines() if line.strip()]
        raise McptestError(f"cannot set up mitmproxy: {lines[-1] if lines else 'pip failed'}")
