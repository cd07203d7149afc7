"""What an HTTP engine puts on the link. The numbers are between the two processes only: no file has them.

The built-in engine understands requests itself, since it must find their heads, and copies what it understood; of
responses it copies the bytes as they come, with the connection's number. The mitmproxy engine has taken both apart
already: there the number is a flow's, which is one request with its answer.
"""

REQUEST = 64  # a head and what came of the body with it
REQUEST_WHOLE = 65  # the same, and that is all of the request
REQUEST_DATA = 66  # more of the body
REQUEST_LAST = 67  # the same, and that is all of the request
RESPONSE_BYTES = 68  # built-in engine: whatever the server sent
RESPONSE = 69  # mitmproxy engine: a head
RESPONSE_DATA = 70  # some of the body
RESPONSE_LAST = 71  # that was all of the response
NOTE = 72  # JSON: what happened to the connection or flow
FLOW = 73  # mitmproxy engine: JSON about a flow that begins

# The events that a NOTE tells.
CONNECTED = "connected"  # with the client's address as `peer`
CLOSED = "closed"  # `by` client or server: that side will send no more
RESET = "reset"  # `by` client, server or mcptest: there will be no orderly end
GONE = "gone"  # the connection or flow is over, and its number free
REFUSED = "refused"  # we answered with `status` ourselves, because of `reason`; the request begins with `begun`
UNREACHABLE = "unreachable"  # the server, because of `reason`
UNREADABLE = "unreadable"  # what `by` sent, because of `reason`
