"""Secrets are replaced before anything reaches the disk; the traffic itself is never changed."""

from mcptest.wire.redaction.environment import environment_secrets
from mcptest.wire.redaction.redactor import Redactor, from_config

__all__ = ["Redactor", "environment_secrets", "from_config"]
