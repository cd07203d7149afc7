"""The server's side of a recording: a brain that answers from it, and shells that carry the answers."""
